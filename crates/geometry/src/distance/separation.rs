//! Which parts of a closed surface separate inside from outside.
//!
//! Where pieces overlap or lie on one another, triangles have solid on both sides; they are no surface. Triangles are
//! probed on both sides at several places, and halved where the places disagree.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{
    bvh::Bvh,
    triangle::{double_area_vector, longest_side, side_length},
    winding::WindingTree,
};

/// How far beside a triangle its two sides are probed, relative to the size of the mesh.
pub(super) const PROBE: f64 = 1e-6;
/// Where a triangle is probed: at the centre, and near each corner; as weights of the corners.
const PLACES: [[f64; 3]; 4] = [
    [1.0 / 3.0; 3],
    [0.8, 0.1, 0.1],
    [0.1, 0.8, 0.1],
    [0.1, 0.1, 0.8],
];
/// Triangles that separate in parts are halved until their sides are this short, relative to the size of the mesh.
const FINEST_PART: f32 = 1.0 / 256.0;
/// Triangles that separate nowhere are halved until this short, before that is believed.
const FINEST_UNSEEN: f32 = 1.0 / 32.0;
/// Triangles are probed by several threads in chunks of this many.
const CHUNK: usize = 256;

/// The parts of the surface that separate inside from outside.
#[derive(Debug, Default)]
pub(super) struct Separation {
    /// Triangles, and parts of triangles, with inside on one side and outside on the other.
    pub(super) kept: Vec<[Vec3; 3]>,
    /// How many triangles were dropped, or parts of them.
    pub(super) dropped: usize,
}

/// Finds the triangles that separate, and halves those that do so in parts, where pieces intersect.
pub(super) fn separation(
    closed: &Bvh,
    winding: &WindingTree,
    size: f32,
    pieces: usize,
) -> Separation {
    let probing = Probing {
        closed,
        winding,
        size,
    };
    // A single piece seldom intersects itself: its centres tell.
    let centre = &PLACES[..1];
    let separates = |corners: &[Vec3; 3]| probing.separating_places(corners, centre) == 1;
    if pieces == 1
        && closed
            .triangles
            .par_iter()
            .with_min_len(CHUNK)
            .all(separates)
    {
        return Separation::default();
    }
    let parts: Vec<(bool, Vec<[Vec3; 3]>)> = closed
        .triangles
        .par_iter()
        .with_min_len(CHUNK)
        .map(|corners| {
            let mut kept = Vec::new();
            (probing.keep_separating(corners, &mut kept), kept)
        })
        .collect();
    let dropped = parts.iter().filter(|(whole, _)| !whole).count();
    let kept = parts.into_iter().flat_map(|(_, kept)| kept).collect();
    Separation { kept, dropped }
}

struct Probing<'a> {
    closed: &'a Bvh,
    winding: &'a WindingTree,
    /// The diagonal of the mesh.
    size: f32,
}

impl Probing<'_> {
    /// Adds the parts of a triangle that separate; returns whether it does so as a whole.
    fn keep_separating(&self, corners: &[Vec3; 3], kept: &mut Vec<[Vec3; 3]>) -> bool {
        let separating = self.separating_places(corners, &PLACES);
        if separating == PLACES.len() {
            kept.push(*corners);
            return true;
        }
        let longest = longest_side(corners);
        let finest = if separating == 0 {
            FINEST_UNSEEN
        } else {
            FINEST_PART
        };
        if side_length(corners, longest) > finest * self.size {
            let [a, b, c] = [0, 1, 2].map(|corner| corners[(longest + corner) % 3]);
            let middle = 0.5 * (a + b);
            let halves = [[a, middle, c], [middle, b, c]];
            // Both, whatever the first says.
            return halves.map(|half| self.keep_separating(&half, kept)) == [true; 2];
        }
        if separating > 0 {
            kept.push(*corners);
        }
        separating > 0
    }

    /// At how many of the places one side is inside and the other outside.
    fn separating_places(&self, corners: &[Vec3; 3], places: &[[f64; 3]]) -> usize {
        // What has no area cannot have two sides.
        let Some(normal) = double_area_vector(corners).try_normalize() else {
            return 0;
        };
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let step = PROBE * f64::from(self.size) * normal;
        let is_inside = |point: DVec3| self.winding.winding_number(self.closed, point) > 0.5;
        let separates = |weights: &&[f64; 3]| {
            let place = weights[0] * a + weights[1] * b + weights[2] * c;
            is_inside(place + step) != is_inside(place - step)
        };
        places.iter().filter(separates).count()
    }
}
