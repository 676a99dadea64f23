//! The implicit function whose level sets are surfaces of the particles, on a sparse grid.

use std::f32::consts::{FRAC_1_SQRT_2, PI};

use glam::Vec3;
use ooze_geometry::TriangleMesh;

use super::order::CellOrder;
use super::pockets::{Filled, fill_pockets};
use super::volume::{LevelRange, Trial};
use super::{ParticleSurface, Slab, gather, kernels, simple};
use crate::cubes;
use crate::mesh::pieces::{Pieces, remove_bubbles};
use crate::samples::Samples;
use crate::settings::SurfaceMethod;
use crate::slab;
use crate::tiles::Tiles;

/// An implicit function of the particles on a sparse grid; lower inside.
pub(super) struct Function {
    pub(super) order: CellOrder,
    tiles: Tiles,
    values: Vec<f32>,
    cell_size: f32,
    /// Value where there are no tiles.
    beyond: f32,
    pub(super) range: LevelRange,
    /// Of a flat liquid, in metres.
    thickness: Option<f64>,
    /// Largest volume of a bubble that is filled, in cubic metres.
    smallest_bubble: f64,
}

/// The surface of a liquid in space before it is smoothed.
pub(super) struct Blobs {
    pub(super) mesh: TriangleMesh,
    /// Bubbles that were removed from it.
    pub(super) bubbles: usize,
    pub(super) pieces: Pieces,
    /// Volumes of the pieces.
    pub(super) volumes: Vec<f64>,
}

impl Function {
    pub(super) fn new(particles: &ParticleSurface, spacing: f32) -> Self {
        let settings = &particles.settings;
        let flat = particles.slab.is_some();
        let order = CellOrder::new(particles.positions, kernels::SEARCH_REACH * spacing, flat);
        let cell_size = settings.cell_size * spacing;
        let within = |reach: f32| {
            let positions = order.positions();
            gather::tiles_around(&order, cell_size, |particle| {
                (positions[particle] - reach, positions[particle] + reach)
            })
        };
        let (tiles, values, beyond, range) = match settings.method {
            SurfaceMethod::Anisotropic => {
                let kernels = kernels::kernels(&order, spacing, settings.centre_smoothing);
                let tiles =
                    gather::tiles_around(&order, cell_size, |particle| kernels[particle].bounds());
                let values = gather::sum_kernels(&order, &kernels, &tiles, cell_size);
                (tiles, values, 0.0, anisotropic_levels(spacing))
            }
            SurfaceMethod::Averaged => {
                let reach = simple::AVERAGED_REACH * spacing;
                let tiles = within(reach);
                let radius = lone_radius(flat) * spacing;
                let values = simple::averaged(&order, spacing, radius, &tiles, cell_size);
                let range = LevelRange {
                    nominal: 0.0,
                    lowest: -0.5 * radius,
                    highest: 0.5 * (reach - radius),
                    steepness: 1.0,
                };
                (tiles, values, reach - radius, range)
            }
            SurfaceMethod::Summed => {
                let tiles = within(simple::SUMMED_REACH * spacing);
                let values = simple::summed(&order, spacing, &tiles, cell_size);
                (tiles, values, 0.0, summed_levels(spacing))
            }
        };
        Self {
            order,
            tiles,
            values,
            cell_size,
            beyond,
            range,
            thickness: particles
                .slab
                .map(|slab| f64::from(slab.upper - slab.lower)),
            smallest_bubble: f64::from(settings.smallest_bubble)
                * f64::from(particles.particle_volume),
        }
    }

    /// The levels, beginning with the one at which the samples themselves enclose about a volume.
    pub(super) fn guessed_range(&self, volume: f64) -> LevelRange {
        let wanted = volume / self.sample_volume();
        self.range.guessed(&self.values, self.cell_size, wanted)
    }

    /// Volume that one sample stands for in cubic metres.
    fn sample_volume(&self) -> f64 {
        let size = f64::from(self.cell_size);
        size * size * self.thickness.unwrap_or(size)
    }

    fn samples(&self, level: f32) -> Samples<'_> {
        Samples {
            tiles: &self.tiles,
            values: &self.values,
            origin: Vec3::ZERO,
            cell_size: self.cell_size,
            level,
            beyond: self.beyond,
        }
    }

    /// The surface in space at a level, small bubbles filled.
    pub(super) fn blobs(&self, level: f32) -> Trial<Blobs> {
        let mut mesh = cubes::extract(&self.samples(level));
        let filled = remove_bubbles(&mut mesh, self.smallest_bubble);
        Trial {
            level,
            volume: filled.volumes.iter().sum(),
            area: mesh.area(),
            shape: Blobs {
                mesh,
                bubbles: filled.bubbles,
                pieces: filled.pieces,
                volumes: filled.volumes,
            },
        }
    }

    /// The size of a flat liquid's surface at a level, small pockets filled.
    pub(super) fn area(&self, level: f32, slab: Slab) -> Trial<Filled> {
        let samples = self.samples(level);
        let largest = (self.smallest_bubble / self.sample_volume()) as f32;
        let filled = fill_pockets(&samples, largest);
        let (area, length) = slab::measure(&filled.of(samples));
        let thickness = f64::from(slab.upper - slab.lower);
        Trial {
            level,
            volume: area * thickness,
            area: length * thickness,
            shape: filled,
        }
    }

    /// The surface of a flat liquid.
    pub(super) fn slab(&self, level: f32, filled: &Filled, slab: Slab) -> TriangleMesh {
        let depth = slab::Depth {
            lower: slab.lower,
            upper: slab.upper,
        };
        slab::squares(&filled.of(self.samples(level)), depth)
    }
}

/// Half of the full sum of kernels is right for a plane surface; the function is the sum's negative root.
fn anisotropic_levels(spacing: f32) -> LevelRange {
    LevelRange {
        nominal: -FRAC_1_SQRT_2,
        lowest: -0.9,
        highest: -0.2,
        steepness: 0.5 / spacing,
    }
}

/// On a plane surface the sum of squares is ∫ (1 - r/h)² over a half space: π/15 (h/spacing)³, 0.84 squared.
fn summed_levels(spacing: f32) -> LevelRange {
    LevelRange {
        nominal: -0.84,
        lowest: -1.1,
        highest: -0.3,
        steepness: 0.7 / spacing,
    }
}

/// Radius of a sphere, or disc, of a particle's volume, in spacings.
fn lone_radius(flat: bool) -> f32 {
    if flat {
        (1.0 / PI).sqrt()
    } else {
        (3.0 / (4.0 * PI)).cbrt()
    }
}
