//! Surfaces by way of tetrahedra: closed, as large as marching cubes', and nearer to the truth with particles.

use glam::{IVec3, Vec3};
use ooze_field::Place;
use ooze_surface::{SideParticle, Subdivision, marching_cubes, marching_tetrahedra};

use crate::common::{assert_closed, level_set, noise, on_threads, pieces, torus, uniform};

const ALL: [Subdivision; 4] = [
    Subdivision::Six,
    Subdivision::TwentyFour,
    Subdivision::FortyEight,
    Subdivision::OneNinetyTwo,
];

/// Particles of both sides where a sphere shell of noise passes through a noise field.
fn particles(count: u64, extent: Vec3) -> Vec<SideParticle> {
    (0..count)
        .map(|key| SideParticle {
            position: Vec3::new(uniform(1, key), uniform(2, key), uniform(3, key)) * extent,
            radius: 0.05 + 0.2 * uniform(4, key),
            liquid: uniform(5, key) < 0.5,
        })
        .collect()
}

#[test]
fn noise_is_closed_with_and_without_particles() {
    for flat in [false, true] {
        let cells = IVec3::new(14, 11, if flat { 1 } else { 18 });
        let field = noise(cells, flat, 2);
        let crowd = particles(400, cells.as_vec3());
        for subdivision in ALL {
            for particles in [&[][..], &crowd] {
                let mesh = marching_tetrahedra(&field, 0.1, subdivision, particles);
                assert_closed(&mesh, &format!("{subdivision:?} flat {flat}"));
            }
        }
    }
}

#[test]
fn all_subdivisions_agree_with_marching_cubes() {
    let ring = torus(0.3, 0.12);
    for cells in [24, 48] {
        let field = level_set(cells, false, Place::Cell, &ring);
        let cubes = marching_cubes(&field, 0.0);
        for subdivision in ALL {
            let mesh = marching_tetrahedra(&field, 0.0, subdivision, &[]);
            assert_closed(&mesh, &format!("{subdivision:?}"));
            let off = (mesh.volume() / cubes.volume() - 1.0).abs();
            // Both differ from the shape by second-order errors.
            assert!(
                off < 6.0 / f64::from(cells * cells),
                "{subdivision:?}: {off}"
            );
            let off = (mesh.area() / cubes.area() - 1.0).abs();
            assert!(
                off < 10.0 / f64::from(cells * cells),
                "{subdivision:?}: {off}"
            );
        }
        assert_eq!(pieces(&cubes).len(), 1);
    }
    let disc = level_set(40, true, Place::Cell, |point| {
        point.truncate().length() - 0.3
    });
    let squares = marching_cubes(&disc, 0.0).volume();
    for subdivision in ALL {
        let mesh = marching_tetrahedra(&disc, 0.0, subdivision, &[]);
        assert_closed(&mesh, "disc");
        assert!(
            (mesh.volume() / squares - 1.0).abs() < 2e-3,
            "{subdivision:?}"
        );
    }
}

#[test]
fn particles_bring_back_what_the_samples_miss() {
    // A sphere smaller than a cell around the centre of a cube: no sample is inside.
    let field = level_set(16, false, Place::Cell, |point| point.length() - 0.4 / 16.0);
    assert!(marching_cubes(&field, 0.0).triangles.is_empty());
    let inner = SideParticle {
        position: Vec3::ZERO,
        radius: 0.35 / 16.0,
        liquid: true,
    };
    assert!(
        marching_tetrahedra(&field, 0.0, Subdivision::Six, &[inner])
            .triangles
            .is_empty()
    );
    for subdivision in &ALL[1..] {
        let without = marching_tetrahedra(&field, 0.0, *subdivision, &[]);
        assert!(without.triangles.is_empty());
        let mesh = marching_tetrahedra(&field, 0.0, *subdivision, &[inner]);
        assert_closed(&mesh, &format!("{subdivision:?}"));
        assert!(mesh.volume() > 0.0);
    }
    // The same particle as air in a full liquid makes a bubble: a surface that faces inward.
    let full = level_set(16, false, Place::Cell, |point| point.length() - 0.3);
    let whole = marching_tetrahedra(&full, 0.0, Subdivision::TwentyFour, &[]);
    let bubble = SideParticle {
        liquid: false,
        ..inner
    };
    let mesh = marching_tetrahedra(&full, 0.0, Subdivision::TwentyFour, &[bubble]);
    assert_closed(&mesh, "bubble");
    assert!(mesh.volume() < whole.volume());
    // A particle on its own side, or no further beyond than its radius, changes nothing.
    let honest = SideParticle {
        liquid: true,
        ..inner
    };
    let mesh = marching_tetrahedra(&full, 0.0, Subdivision::TwentyFour, &[honest]);
    assert_eq!(mesh, whole);
}

#[test]
fn tetrahedra_are_the_same_on_any_number_of_threads() {
    let field = noise(IVec3::new(20, 17, 15), false, 8);
    let crowd = particles(300, Vec3::new(20.0, 17.0, 15.0));
    let [one, two, five] =
        on_threads(|| marching_tetrahedra(&field, 0.0, Subdivision::OneNinetyTwo, &crowd));
    assert_eq!(one, two);
    assert_eq!(one, five);
}
