//! Meshes that are probably not as large, or not where, they were meant to be. Looked at before anything slow is done with
//! them.

use glam::Vec3;
use ooze_geometry::{Aabb, Pose};

use super::Checker;
use super::look_over::plain_length;
use crate::Problem;
use crate::file::MeshKeys;
use crate::keys::plain;
use crate::written::quoted;

/// A mesh of more domains' lengths than this is refused: nearly all of it would be sampled for nothing.
const LONGEST: f32 = 4.0;
/// A mesh of more domains' lengths than this is probably too large.
const LONG: f32 = 2.0;
/// Units in which meshes are often written, and what makes metres of them.
const UNITS: [(&str, f64); 5] = [
    ("millimetres", 1e-3),
    ("centimetres", 1e-2),
    ("inches", 0.0254),
    ("feet", 0.3048),
    ("kilometres", 1e3),
];
/// Shares of the domain's length that something in it is likely to have.
const LIKELY: std::ops::RangeInclusive<f64> = 0.04..=1.2;
/// The share that it has where nothing better is known.
const FITTING: f64 = 0.7;

/// Where a shape will be, as far as it is known while it is made.
#[derive(Clone)]
pub(super) struct Whereabouts {
    /// The box in which everything happens.
    pub domain: Aabb,
    /// Edge length of its cells.
    pub cell_size: f32,
    /// From the shape's own frame to the world, at several times if it moves.
    pub poses: Vec<Pose>,
}

impl Whereabouts {
    /// The same for a shape inside of one that is scaled, then turned, then moved.
    pub(super) fn within(&self, inner: &Pose) -> Self {
        let poses = self.poses.iter().map(|outer| Pose {
            translation: outer.to_world(inner.translation),
            rotation: outer.rotation * inner.rotation,
            scale: outer.scale * inner.scale,
        });
        Self {
            poses: poses.collect(),
            ..*self
        }
    }

    /// Whether the shape's own frame is the world.
    fn is_world(&self) -> bool {
        self.poses.iter().all(|pose| *pose == Pose::IDENTITY)
    }
}

/// A box around a box that has been moved.
fn moved(bounds: Aabb, pose: &Pose) -> Aabb {
    let corner = |index: u32| {
        let upper = |axis: u32| index >> axis & 1 == 1;
        let pick = |axis: usize| {
            if upper(axis as u32) {
                bounds.upper[axis]
            } else {
                bounds.lower[axis]
            }
        };
        pose.to_world(Vec3::new(pick(0), pick(1), pick(2)))
    };
    Aabb::from_points((0..8).map(corner))
}

/// A number with two digits.
fn two_digits(value: f64) -> String {
    let unit = 10f64.powf(value.abs().log10().floor() - 1.0);
    plain((value / unit).round() * unit)
        .parse::<f64>()
        .map_or_else(|_| plain(value), |value| plain((value * 1e9).round() / 1e9))
}

/// A point to the millimetre, or finer where the domain is small.
fn point(value: Vec3, domain: &Aabb) -> String {
    let unit = 10f64.powf(f64::from(domain.extent().max_element()).log10().floor() - 2.0);
    let rounded = value
        .to_array()
        .map(|part| plain(((f64::from(part) / unit).round() * unit * 1e9).round() / 1e9 + 0.0));
    format!("[{}]", rounded.join(", "))
}

/// A mesh that is looked at: its keys, its own extents, and how it lies in the world.
struct Mesh<'a> {
    keys: &'a MeshKeys,
    own: Aabb,
    placed: Pose,
    whereabouts: &'a Whereabouts,
}

impl Mesh<'_> {
    /// The scale that was probably meant for a mesh that is `ratio` domains long, and why.
    fn likely_scale(&self, ratio: f64) -> (f64, String) {
        let scale = self.keys.scale.value;
        let unit = UNITS
            .iter()
            .find(|(_, factor)| LIKELY.contains(&(ratio * factor)));
        match unit {
            Some((name, factor)) => (
                (scale * factor * 1e9).round() / 1e9,
                format!("is it in {name}?"),
            ),
            None => (scale * FITTING / ratio, "to fit it in:".into()),
        }
    }

    /// What to write for the mesh to have a scale and lie in the domain.
    fn mending(&self, scale: f64, why: &str) -> String {
        let written = two_digits(scale);
        let pose = Pose {
            scale: scale as f32,
            ..self.placed
        };
        let domain = &self.whereabouts.domain;
        let bounds = moved(self.own, &pose);
        let roomy = domain.dilated(0.01 * domain.extent().max_element());
        let inside = roomy.contains(bounds.lower) && roomy.contains(bounds.upper);
        if !self.whereabouts.is_world() || inside {
            return format!("{why} write {}", self.with(&format!("scale = {written}")));
        }
        let position = point(self.centred(&bounds), domain);
        let keys = format!("scale = {written}, position = {position}");
        format!("{why} write {}", self.with(&keys))
    }

    /// More keys for the mesh: where a file's name alone stands for it, there is no table yet to put them into.
    fn with(&self, keys: &str) -> String {
        let file = &self.keys.file;
        if file.place.key.ends_with("file") {
            return keys.into();
        }
        format!("mesh = {{ file = {}, {keys} }}", quoted(&file.value))
    }

    /// The position that puts the mesh in the middle of the domain.
    fn centred(&self, bounds: &Aabb) -> Vec3 {
        self.keys.position.value + self.whereabouts.domain.centre() - bounds.centre()
    }
}

impl Checker {
    /// Refuses a mesh of a size that cannot be meant, and warns of one that lies outside or is thin.
    pub(super) fn look_at_mesh(&mut self, keys: &MeshKeys, own: Aabb, placed: Pose) -> Option<()> {
        let Some(whereabouts) = self.whereabouts.clone() else {
            return Some(());
        };
        let mesh = Mesh {
            keys,
            own,
            placed,
            whereabouts: &whereabouts,
        };
        let domain = whereabouts.domain;
        let everywhere = whereabouts.within(&placed);
        let bounds: Vec<Aabb> = everywhere
            .poses
            .iter()
            .map(|pose| moved(own, pose))
            .collect();
        let extent = bounds.first()?.extent();
        let longest = extent.max_element();
        let ratio = longest / domain.extent().max_element();
        let cell_size = whereabouts.cell_size;
        let file = &keys.file;
        let size = format!(
            "the mesh {} is {} m long",
            file.value,
            plain_length(longest)
        );
        if ratio > LONG {
            let (scale, why) = mesh.likely_scale(f64::from(ratio));
            let message = format!("{size}, {} times the domain", two_digits(f64::from(ratio)));
            let help = mesh.mending(scale, &why);
            if ratio > LONGEST {
                self.error(
                    Problem::error(&file.place, message)
                        .label("too large")
                        .help(help),
                );
                return None;
            }
            self.warnings.push(
                Problem::warning(&file.place, message)
                    .label("very large")
                    .help(help),
            );
        }
        if longest < cell_size {
            let (scale, why) = mesh.likely_scale(f64::from(ratio));
            let message = format!("{size}, less than a cell of {cell_size} m");
            let help = mesh.mending(scale, &why);
            self.error(
                Problem::error(&file.place, message)
                    .label("too small")
                    .help(help),
            );
            return None;
        }
        if !bounds.iter().any(|bounds| bounds.overlaps(&domain)) {
            let message = format!(
                "the mesh {} lies outside of the domain, where no liquid comes: from {} to {} m",
                file.value, bounds[0].lower, bounds[0].upper
            );
            let problem = Problem::warning(&file.place, message).label("outside");
            self.warnings.push(if whereabouts.is_world() {
                let position = point(mesh.centred(&bounds[0]), &domain);
                problem.help(format!(
                    "to put it in the middle, write position = {position}"
                ))
            } else {
                problem
            });
        }
        let axes = if self.flat.is_some() { 2 } else { 3 };
        let thinnest = (0..axes)
            .map(|axis| extent[axis])
            .fold(f32::INFINITY, f32::min);
        if thinnest < cell_size {
            let message = format!(
                "the mesh {} is {} m thin, less than a cell of {cell_size} m: liquid will seep through it",
                file.value,
                plain_length(thinnest)
            );
            self.warnings.push(
                Problem::warning(&file.place, message)
                    .label("thin")
                    .help("make it thicker, or the cells smaller"),
            );
        }
        Some(())
    }
}
