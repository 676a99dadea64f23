//! Normals and curvature of a level set's surface.

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use crate::{Block, Field};

/// Unit normal of a level set at a point, outward; zero where the level set is constant. Second order: central
/// differences, interpolated linearly.
pub fn normal(phi: &Field<f32>, point: Vec3) -> Vec3 {
    gradient(phi, point).normalize_or_zero()
}

/// Gradient of a field at a point by central differences, interpolated linearly.
///
/// Interpolation is linear in the samples: the interpolated difference is the difference of the interpolants.
pub fn gradient(phi: &Field<f32>, point: Vec3) -> Vec3 {
    let lattice = phi.topology().lattice();
    let step = lattice.cell_size;
    let along = |axis: usize| {
        let offset = step * Vec3::AXES[axis];
        (phi.sample(point + offset) - phi.sample(point - offset)) / (2.0 * step)
    };
    let depth = if lattice.flat { 0.0 } else { along(2) };
    Vec3::new(along(0), along(1), depth)
}

/// Mean curvature of the level set through a sample, 1/R₁ + 1/R₂, positive for a convex liquid. See [`curvatures`].
pub fn curvature(phi: &Field<f32>, cell: IVec3) -> f32 {
    curvature_from(|step| phi.get(cell + step), phi.topology().lattice().axes())
        / phi.topology().lattice().cell_size
}

/// Mean curvature ∇·(∇φ/|∇φ|) of a level set at all samples nearer than `band` (metres) to the surface, zero elsewhere.
///
/// Second order, by central differences (Osher & Fedkiw 2003, eq. 1.8), limited to the curvature of a sphere or circle
/// of one cell's radius. It belongs to the level set through the sample, at distance φ from the surface.
pub fn curvatures(phi: &Field<f32>, band: f32) -> Field<f32> {
    let topology = phi.topology();
    let lattice = topology.lattice();
    let mut result = Field::new(topology, phi.place(), 0.0);
    result.par_tiles_mut().with_min_len(4).for_each_init(
        || Block::new(topology, 1, 0.0),
        |block, (slot, tile)| {
            if phi.tile(slot).iter().all(|value| value.abs() >= band) {
                return;
            }
            block.load(phi, slot);
            for (local, curvature) in tile.iter_mut().enumerate() {
                let cell = topology.local_cell(local);
                if block.get(cell).abs() < band {
                    *curvature = curvature_from(|step| block.get(cell + step), lattice.axes())
                        / lattice.cell_size;
                }
            }
        },
    );
    result
}

/// Curvature per cell from the samples around one, which `value` returns for the steps to them.
fn curvature_from(value: impl Fn(IVec3) -> f32, axes: usize) -> f32 {
    let here = value(IVec3::ZERO);
    let mut slopes = [0.0_f32; 3];
    let mut second = [0.0_f32; 3];
    for axis in 0..axes {
        let (below, above) = (value(-IVec3::AXES[axis]), value(IVec3::AXES[axis]));
        slopes[axis] = 0.5 * (above - below);
        second[axis] = below - 2.0 * here + above;
    }
    let steepness = slopes.iter().map(|slope| slope * slope).sum::<f32>();
    if steepness == 0.0 {
        return 0.0;
    }
    // (|∇φ|² Δφ - ∇φᵀ H ∇φ) / |∇φ|³
    let mut sum = 0.0;
    for a in 0..axes {
        sum += second[a] * (steepness - slopes[a] * slopes[a]);
        for b in 0..a {
            let (along, across) = (IVec3::AXES[a], IVec3::AXES[b]);
            let mixed = 0.25
                * (value(along + across) - value(along - across) - value(across - along)
                    + value(-along - across));
            sum -= 2.0 * slopes[a] * slopes[b] * mixed;
        }
    }
    let limit = (axes - 1) as f32;
    (sum / (steepness * steepness.sqrt())).clamp(-limit, limit)
}
