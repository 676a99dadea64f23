//! By how much balls are taken to be thicker, so that they displace on the grid what they displace in truth.
//!
//! Faces are shut as if distances were linear between nodes. That cuts off what bulges between them: of a ball of radius R about a share
//! of h²/(3R²), three hundredths at eight cells across, and some thousandths more or less as it moves through the grid. So much tells
//! balls that float from ones that sink. In every step each ball's surface is therefore moved out until the faces across which gravity
//! acts shut its volume: a ball of the liquid's density then weighs nothing in it wherever it is. What has flat faces is left as it is:
//! it shuts more or fewer layers of faces as it moves, which has nothing to do with how thick it is.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};
use ooze_field::fraction::quad_fraction;
use ooze_field::{Lattice, TILE_EDGE};
use ooze_geometry::Aabb;
use rayon::prelude::*;

/// Nodes along the edge of a tile, those of the next one with them.
const NODES: usize = TILE_EDGE as usize + 1;
/// By how much a surface is moved at first to see what that is worth, in cells.
const TRIAL: f32 = 0.05;
/// How often what is found is tried and put right.
const TRIALS: usize = 2;
/// The most that a ball is padded, in cells: of what is finer than the grid nothing is known.
const MOST: f32 = 0.25;

/// A ball as it is put on the grid.
pub(super) struct PaddedBall {
    /// By how much its surface is moved out, in metres.
    pub(super) padding: f32,
    /// Distances at the nodes of the tiles that the surface passes, by the tiles' lowest cells.
    tiles: BTreeMap<[i32; 3], Vec<f32>>,
}

impl PaddedBall {
    /// Measures a ball of which the grid shall shut a volume, with the weights that the three axes have in it.
    pub(super) fn measure(
        lattice: &Lattice,
        bounds: Aabb,
        volume: f64,
        weights: Vec3,
        distance: impl Fn(Vec3) -> f32 + Sync,
    ) -> Self {
        let cell = lattice.cell_size;
        let edge = IVec3::splat(TILE_EDGE);
        let [lower, upper] = [bounds.lower, bounds.upper].map(|corner| {
            let tile = lattice.to_cells(corner) / edge.as_vec3();
            tile.floor().as_ivec3()
        });
        // A ball just above a node of its first tile shuts a part of the faces below.
        let lower = lower - IVec3::ONE;
        let count = upper - lower + IVec3::ONE;
        let half = 0.5 * edge.as_vec3() * cell;
        let radius = half.length() + (MOST + 1.0) * cell;
        let found: Vec<(IVec3, Tile)> = (0..count.element_product())
            .into_par_iter()
            .map(|number| {
                let place = IVec3::new(
                    number % count.x,
                    number / count.x % count.y,
                    number / (count.x * count.y),
                );
                let tile = (lower + place) * edge;
                let middle = distance(lattice.to_world(tile.as_vec3()) + half);
                if middle.abs() > radius {
                    return (tile, Tile::Whole(middle < 0.0));
                }
                let nodes = 0..NODES * NODES * NODES;
                let at = |node: IVec3| distance(lattice.to_world((tile + node).as_vec3()));
                (
                    tile,
                    Tile::Cut(nodes.map(|index| at(node(index))).collect()),
                )
            })
            .collect();
        let whole = found
            .iter()
            .filter(|(_, tile)| matches!(tile, Tile::Whole(true)));
        let whole = whole.count() as f64 * f64::from(edge.element_product());
        let cut = found.into_iter().filter_map(|(place, tile)| match tile {
            Tile::Cut(distances) => Some((place.to_array(), distances)),
            Tile::Whole(_) => None,
        });
        let tiles: BTreeMap<[i32; 3], Vec<f32>> = cut.collect();
        let in_order: Vec<&Vec<f32>> = tiles.values().collect();
        let wanted = volume / f64::from(cell).powi(3);
        let shut = |padding: f32| {
            let shares = in_order
                .par_iter()
                .map(|distances| shut_share(distances, padding * cell, weights));
            whole + shares.collect::<Vec<f64>>().iter().sum::<f64>()
        };
        let padding = fitted(wanted, shut) * cell;
        Self { padding, tiles }
    }

    /// The distance to the ball, not padded, at a node of a tile; none if the surface does not pass the tile.
    pub(super) fn distances(&self, tile: IVec3) -> Option<impl Fn(IVec3) -> f32> {
        let distances = self.tiles.get(&tile.to_array())?;
        Some(|node: IVec3| {
            let [x, y, z] = node.to_array().map(|index| index as usize);
            distances[x + NODES * (y + NODES * z)]
        })
    }
}

/// A tile of a ball: wholly inside or outside, or distances at its nodes.
enum Tile {
    Whole(bool),
    Cut(Vec<f32>),
}

/// The place of a node in its tile.
fn node(index: usize) -> IVec3 {
    let place = [
        index % NODES,
        index / NODES % NODES,
        index / (NODES * NODES),
    ];
    IVec3::from(place.map(|index| index as i32))
}

/// The padding in cells with which a ball shuts what is wanted, by the secant of the last two.
fn fitted(wanted: f64, shut: impl Fn(f32) -> f64) -> f32 {
    let (mut last, mut last_shut) = (0.0f32, shut(0.0));
    let mut padding = if last_shut < wanted { TRIAL } else { -TRIAL };
    for _ in 0..TRIALS {
        let now = shut(padding);
        let slope = (now - last_shut) / f64::from(padding - last);
        if slope <= 0.0 || !slope.is_finite() {
            return 0.0;
        }
        (last, last_shut) = (padding, now);
        padding = (padding + ((wanted - now) / slope) as f32).clamp(-MOST, MOST);
        if padding == last {
            break;
        }
    }
    padding
}

/// How many cells' volume the faces of a tile shut, if the surface is moved out.
fn shut_share(distances: &[f32], padding: f32, weights: Vec3) -> f64 {
    let strides = [1, NODES, NODES * NODES];
    let edge = NODES - 1;
    let mut sum = 0.0;
    for (axis, weight) in weights.to_array().into_iter().enumerate() {
        if weight == 0.0 {
            continue;
        }
        let [across, along] = [strides[(axis + 1) % 3], strides[(axis + 2) % 3]];
        let mut shut = 0.0;
        for number in 0..edge * edge * edge {
            let first = number % edge * strides[0]
                + number / edge % edge * strides[1]
                + number / (edge * edge) * strides[2];
            let corners = [0, across, along, across + along];
            shut += quad_fraction(corners.map(|corner| distances[first + corner] - padding));
        }
        sum += f64::from(weight) * f64::from(shut);
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    const RADIUS: f32 = 3.7;

    /// The volume that the faces across y shut of a ball that is padded so much, in cells.
    fn shut(place: Vec3, padding: f32) -> f64 {
        let mut sum = 0.0;
        for number in 0..40 * 40 * 40 {
            let node = IVec3::new(number % 40, number / 40 % 40, number / 1600) - IVec3::splat(20);
            let corners = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z];
            let distance = |offset: Vec3| (node.as_vec3() + offset).distance(place) - RADIUS;
            sum += f64::from(quad_fraction(
                corners.map(|offset| distance(offset) - padding),
            ));
        }
        sum
    }

    #[test]
    fn a_ball_displaces_its_volume_wherever_it_is() {
        let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(16), false);
        let volume = 4.0 / 3.0 * PI * f64::from(RADIUS).powi(3);
        let places = [
            Vec3::new(0.0, 0.0, 0.0),
            Vec3::new(0.31, -1.72, 5.44),
            Vec3::new(-3.5, 8.0, 7.9),
        ];
        for place in places {
            let reach = Vec3::splat(RADIUS);
            let bounds = Aabb::from_points([place - reach, place + reach]);
            let distance = |point: Vec3| point.distance(place) - RADIUS;
            let ball = PaddedBall::measure(&lattice, bounds, volume, Vec3::Y, distance);
            let [plain, padded] = [0.0, ball.padding].map(|padding| shut(place, padding) / volume);
            assert!((padded - 1.0).abs() < 3e-4, "{place}: {padded}");
            assert!(plain < 0.99, "{place}: {plain}");
        }
    }
}
