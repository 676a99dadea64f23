//! Double density relaxation (Clavet, Beaudoin & Poulin 2005, algorithm 2), all pairs at once.
//!
//! Published, each particle displaces its neighbours in turn; here densities are those of the predicted positions and
//! all displacements act together (Jacobi). Both displace a pair by Δt² (P_i + P_j)(1 − q) + ..., split by inverse mass.
//! A step longer than is stable is taken with stiffnesses reduced accordingly, so that the liquid becomes softer instead
//! of exploding.

use glam::Vec3;
use rayon::prelude::*;

use super::ClavetConstants;
use super::wall::WallParts;
use crate::CHUNK;
use crate::neighbours::{LANES, Neighbours, Point, away, sum_lanes};

/// Sums of a particle's weights 1 − q, of their squares (density) and cubes (near-density).
pub type Densities = [f32; 3];

/// Δt² P, Δt² Pⁿ, mass.
pub type Pressure = [f32; 4];

/// Densities at `points`, walls included.
pub fn densities(
    inverse_radius: f32,
    neighbours: &Neighbours,
    points: &[Point],
    walls: WallParts<'_>,
    target: &mut [Densities],
) {
    neighbours.for_each(
        target,
        #[inline(always)]
        |index, list, densities| {
            let own = points[index];
            let mut reach = [0.0f32; LANES];
            let mut far = [0.0f32; LANES];
            let mut near = [0.0f32; LANES];
            for block in list.blocks() {
                let other = block.of(points);
                for lane in 0..LANES {
                    let [x, y, z] = away(own, &other, lane);
                    let distance = (x * x + y * y + z * z).sqrt();
                    let weight = (1.0 - distance * inverse_radius).max(0.0);
                    reach[lane] += weight;
                    far[lane] += weight * weight;
                    near[lane] += weight * weight * weight;
                }
            }
            *densities = [sum_lanes(reach), sum_lanes(far), sum_lanes(near)];
            walls.add_densities(index, place(own), densities);
        },
    );
}

/// Pressures from densities. `softness` is the factor on stiffnesses that makes a long step stable, `highest` the bound
/// on Δt² P that keeps a particle from being thrown beyond its neighbours.
pub fn pressures(
    constants: &[ClavetConstants],
    material: &[u8],
    densities: &[Densities],
    scale: f32,
    highest: f32,
    target: &mut [Pressure],
) {
    target[..material.len()]
        .par_iter_mut()
        .with_min_len(CHUNK)
        .zip(material.par_iter().zip(densities))
        .for_each(|(pressure, (&material, &[_, far, near]))| {
            let constants = &constants[usize::from(material)];
            let excess = (far - constants.rest_density).max(constants.lowest_excess);
            *pressure = [
                (scale * constants.stiffness * excess).min(highest),
                (scale * constants.near_stiffness * near).min(highest),
                constants.mass,
                0.0,
            ];
        });
}

/// Adds the displacements of all pairs and of walls. `pushed` receives the size of what walls did.
pub fn displace(
    inverse_radius: f32,
    neighbours: &Neighbours,
    points: &[Point],
    pressures: &[Pressure],
    walls: WallParts<'_>,
    displacements: &mut [Displacement],
) {
    neighbours.for_each(
        displacements,
        #[inline(always)]
        |index, list, displacement| {
            let (own, pressure) = (points[index], pressures[index]);
            let mut sum = [[0.0f32; LANES]; 3];
            for block in list.blocks() {
                let (other, [far, near, mass, _]) = (block.of(points), block.of(pressures));
                for lane in 0..LANES {
                    let [x, y, z] = away(own, &other, lane);
                    let distance = (x * x + y * y + z * z).sqrt();
                    let weight = (1.0 - distance * inverse_radius).max(0.0);
                    let (far, near) = (pressure[0] + far[lane], pressure[1] + near[lane]);
                    let push = weight * (far + near * weight);
                    let share = mass[lane] / (mass[lane] + pressure[2]);
                    let size = share * push / distance.max(f32::MIN_POSITIVE);
                    sum[0][lane] += size * x;
                    sum[1][lane] += size * y;
                    sum[2][lane] += size * z;
                }
            }
            displacement.moved -= Vec3::from_array(sum.map(sum_lanes));
            let pushed = walls.push(index, place(own), pressure[0], pressure[1]);
            displacement.pressed += pushed.pressed;
            displacement.moved += pushed.moved;
            displacement.walls += pushed.walls;
        },
    );
}

fn place([x, y, z, _]: Point) -> Vec3 {
    Vec3::new(x, y, z)
}

/// What a step's stages have done to a particle's position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// The sum of all displacements.
    pub moved: Vec3,
    /// Size of what walls did.
    pub pressed: f32,
    /// The part of the sum that walls did.
    pub walls: Vec3,
}
