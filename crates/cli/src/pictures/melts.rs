//! Liquids as bodies in a picture. What melts clears: its melt is then a clear body, and what of it is solid still, a milky one
//! inside, which shows through the melt in front of it. Milkiness thus ends where the solid does, not on the surface alone:
//! light that enters a film of melt meets the solid below it.

use ooze_core::Frame;
use ooze_geometry::TriangleMesh;
use ooze_render::Role;
use ooze_scene::Scene;
use ooze_staging::Look;

use super::PictureError;
use super::liquids::{of_particles, surfaces};
use super::portions::{Portion, portions};

/// The share from which on a particle counts as melted.
const MELTED: f32 = 0.5;

/// A liquid, or the solid part of one, in a picture.
pub(super) struct LiquidBody {
    /// Index of the material in the scene; of those that mix, of the first.
    pub(super) material: usize,
    pub(super) mesh: TriangleMesh,
    pub(super) look: Look,
    pub(super) role: Role,
}

/// The liquids of a frame, with the looks of the scene's materials.
pub(super) fn bodies(
    scene: &Scene,
    frame: &Frame,
    looks: &[Look],
) -> Result<Vec<LiquidBody>, PictureError> {
    let clears = looks.iter().any(|look| look.molten().is_some());
    if !clears || frame.level_set.is_some() || frame.particles.get("melted").is_none() {
        let whole = surfaces(scene, frame)?
            .into_iter()
            .map(|liquid| LiquidBody {
                material: liquid.material,
                mesh: liquid.surface.mesh,
                look: looks[liquid.material],
                role: Role::Liquid,
            });
        return Ok(whole.collect());
    }
    let mut found = Vec::new();
    for portion in portions(scene, frame)? {
        let solid_look = looks[portion.material];
        let body = |portion: &Portion, look: Look, role: Role| {
            let mesh = of_particles(scene, portion)?.mesh;
            Ok::<_, PictureError>(LiquidBody {
                material: portion.material,
                mesh,
                look,
                role,
            })
        };
        let solid: Vec<usize> = (0..portion.positions.len())
            .filter(|&index| portion.melted[index] < MELTED)
            .collect();
        match solid_look.molten() {
            Some(melt_look) if solid.len() < portion.positions.len() => {
                found.push(body(&portion, melt_look, Role::Liquid)?);
                if !solid.is_empty() {
                    found.push(body(&portion.part(&solid), solid_look, Role::Core)?);
                }
            }
            _ => found.push(body(&portion, solid_look, Role::Liquid)?),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ooze_core::ChannelData;
    use ooze_scene::{Override, builtin};
    use ooze_staging::Body;

    use super::super::Studio;
    use super::super::liquids;
    use super::super::particle_volume;
    use super::*;

    fn scene(changes: &[&str]) -> Scene {
        let text = builtin::find("wax-block").expect("a built-in scene").text;
        let small = [
            "pictures.width=160",
            "pictures.height=120",
            "pictures.quality=preview",
        ];
        let mut overrides = vec![Override::resolution("24")];
        overrides.extend(small.iter().chain(changes).map(|text| Override::set(text)));
        Scene::parse_with(text, "wax-block", "", &overrides).expect("sound")
    }

    /// A block of wax that has melted to the right of some place.
    fn block(scene: &Scene, front: f32) -> Frame {
        let spacing = particle_volume(scene).cbrt();
        let place = |index: i32| {
            let [i, j, k] = [index % 12, index / 12 % 10, index / 120];
            spacing * Vec3::new(i as f32 - 5.5, j as f32 + 0.5, k as f32 - 4.5)
        };
        let positions: Vec<Vec3> = (0..1200).map(place).collect();
        let melted = positions
            .iter()
            .map(|point| if point.x > front { 1.0 } else { 0.0 });
        let mut frame = Frame::default();
        let particles = &mut frame.particles;
        particles.insert("melted", ChannelData::Scalar(melted.collect()));
        particles.insert("temperature", {
            let warm = positions.iter().map(|point| 300.0 + 500.0 * point.x);
            ChannelData::Scalar(warm.collect())
        });
        particles.insert("position", ChannelData::Vector(positions));
        frame
    }

    #[test]
    fn melt_is_clear_around_what_is_solid_still() {
        let found = |changes: &[&str], front: f32| {
            let scene = scene(changes);
            let looks = liquids::looks(&scene, 0.2).expect("looks");
            let found = bodies(&scene, &block(&scene, front), &looks).expect("bodies");
            let kinds = found.iter().map(|body| {
                let clear = matches!(body.look.body, Body::Clear { .. });
                (clear, body.role, body.mesh.volume())
            });
            kinds.collect::<Vec<_>>()
        };
        let half = found(&[], 0.0);
        assert_eq!(half.len(), 2);
        assert_eq!((half[0].0, half[0].1), (true, Role::Liquid));
        assert_eq!((half[1].0, half[1].1), (false, Role::Core));
        let share = half[1].2 / half[0].2;
        assert!((share - 0.5).abs() < 0.05, "{share}");
        for (changes, front, clear) in [
            (&[][..], 1.0, false),
            (&[], -1.0, true),
            (&["materials.wax.clearing=0"], -1.0, false),
        ] {
            let whole = found(changes, front);
            assert_eq!(whole.len(), 1);
            assert_eq!((whole[0].0, whole[0].1), (clear, Role::Liquid));
        }
    }

    #[test]
    fn pictures_change_where_there_is_melt_and_the_scene_wants_it() {
        let drawn = |changes: &[&str], frame: &Frame| {
            let studio = Studio::of_scene(scene(changes)).expect("a studio");
            studio.picture(frame, 0.0).expect("a picture").picture
        };
        let half = block(&scene(&[]), 0.0);
        let mut untold = half.clone();
        untold.particles.remove("melted");
        let before = drawn(&[], &untold);
        assert!(before == drawn(&["materials.wax.clearing=0"], &half));
        assert!(before == drawn(&[], &block(&scene(&[]), 1.0)));
        assert!(before != drawn(&[], &half));
    }

    #[test]
    fn colours_follow_what_the_scene_asks_for() {
        let drawn = |changes: &[&str]| {
            let scene = scene(changes);
            let frame = block(&scene, 0.0);
            let studio = Studio::of_scene(scene).expect("a studio");
            studio.picture(&frame, 0.0).map(|drawn| drawn.picture)
        };
        let warmth = drawn(&["pictures.colour_by=temperature"]).expect("a picture");
        assert!(warmth != drawn(&[]).expect("a picture"));
        // A range far above: all of it is as cold as colours go. Legends are in the lower third.
        let cold = "pictures.colour_by={ channel = \"temperature\", range = [900, 1000] }";
        let cold = drawn(&[cold]).expect("a picture");
        let counts_yellow = |picture: &ooze_render::Picture| {
            let above = &picture.pixels[..160 * 80];
            let is_yellow = |pixel: &&[u8; 3]| pixel[1] > pixel[2].saturating_add(40);
            above.iter().filter(is_yellow).count()
        };
        let found = [counts_yellow(&warmth), counts_yellow(&cold)];
        assert!(found[0] > 20 && found[1] == 0, "{found:?}");
        let error = drawn(&["pictures.colour_by=viscosity"]).expect_err("no such channel");
        assert!(error.to_string().contains("`viscosity`"), "{error}");
    }
}
