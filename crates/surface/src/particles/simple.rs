//! The simple implicit functions of particles: the distance to an average of their positions (Zhu & Bridson 2005,
//! sec. 6) and the root of a sum of squares (Kasi, sec. 6.4.2, after Clavet et al. 2005, sec. 6).

use glam::Vec3;

use super::gather::{TileBox, fill_tiles};
use super::order::CellOrder;
use crate::tiles::Tiles;

/// Reach of the averaged positions' weights in particle spacings: twice the distance of neighbours, as Zhu & Bridson
/// recommend.
pub(super) const AVERAGED_REACH: f32 = 2.0;
/// Reach h of the summed function in particle spacings. Kasi and Clavet et al. take the interaction radius, about two
/// spacings, which makes lone particles as wide as they reach; this is far enough to close the gaps between neighbours, near enough to
/// show a lone particle at the level of a plane surface.
pub(super) const SUMMED_REACH: f32 = 1.5;

/// Calls `add` with each sample of a tile within reach of a particle (its index in the tile) and the way from the
/// particle to it.
#[inline]
fn for_each_sample(
    samples: TileBox,
    count: usize,
    position: Vec3,
    reach: f32,
    mut add: impl FnMut(usize, Vec3),
) {
    let Some([[first_x, last_x], [first_y, last_y], [first_z, last_z]]) =
        samples.clip(position, Vec3::splat(reach))
    else {
        return;
    };
    let start = samples.lower - position;
    for z in first_z..=last_z.min(count / 64 - 1) {
        for y in first_y..=last_y {
            for x in first_x..=last_x {
                let step = Vec3::new(x as f32, y as f32, z as f32) * samples.cell_size;
                add(64 * z + 8 * y + x, start + step);
            }
        }
    }
}

/// φ(x) = |x - Σ kᵢ xᵢ / Σ kᵢ| - r with kᵢ = (1 - |x - xᵢ|²/R²)³ (Zhu & Bridson 2005, eqs. 4 to 6), in metres; out of
/// reach of all particles R - r.
pub(super) fn averaged(
    order: &CellOrder,
    spacing: f32,
    radius: f32,
    tiles: &Tiles,
    cell_size: f32,
) -> Vec<f32> {
    let reach = AVERAGED_REACH * spacing;
    fill_tiles(tiles, cell_size, |samples, tile| {
        // The weighted mean of the ways from the particles, and the sum of weights.
        let mut sums = vec![(Vec3::ZERO, 0.0_f32); tile.len()];
        samples.for_each_near(order, reach, |particles| {
            for &position in &order.positions()[particles] {
                for_each_sample(samples, tile.len(), position, reach, |index, way| {
                    let share = (1.0 - way.length_squared() / (reach * reach)).max(0.0);
                    let weight = share * share * share;
                    sums[index].0 += weight * way;
                    sums[index].1 += weight;
                });
            }
        });
        for (value, (way, weight)) in tile.iter_mut().zip(sums) {
            let distance = if weight > 0.0 {
                (way / weight).length()
            } else {
                reach
            };
            *value = distance - radius;
        }
    })
}

/// φ(x) = (Σ (1 - |x - xᵢ|/h)²)^½ over the particles within h (Kasi, sec. 6.4.2), negated so that the liquid is negative.
pub(super) fn summed(order: &CellOrder, spacing: f32, tiles: &Tiles, cell_size: f32) -> Vec<f32> {
    let reach = SUMMED_REACH * spacing;
    fill_tiles(tiles, cell_size, |samples, tile| {
        let count = tile.len();
        samples.for_each_near(order, reach, |particles| {
            for &position in &order.positions()[particles] {
                for_each_sample(samples, count, position, reach, |index, way| {
                    let share = (1.0 - way.length() / reach).max(0.0);
                    tile[index] += share * share;
                });
            }
        });
        for value in tile {
            *value = -value.sqrt();
        }
    })
}
