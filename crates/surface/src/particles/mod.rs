//! Surfaces of liquids that are particles: an implicit function of the particles on a sparse grid, the level of it that
//! encloses their volume, and the mesh of that level, smoothed.

mod eigen;
mod gather;
mod kernels;
mod order;
mod pockets;
mod simple;
mod surroundings;
mod volume;

use std::f32::consts::{FRAC_1_SQRT_2, PI};

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

pub(crate) use gather::TileBox;
pub(crate) use kernels::Kernel;
pub(crate) use order::{CellOrder, RecentBoxes};
pub(crate) use surroundings::surroundings;
use volume::{Candidate, LevelRange};

use crate::attributes::{Attributes, transfer};
use crate::cubes;
use crate::error::SurfaceError;
use crate::mesh::normals::vertex_normals;
use crate::mesh::pieces::remove_bubbles;
use crate::mesh::rings::Rings;
use crate::mesh::smooth::{SmoothingReport, smooth, smooth_and_scale};
use crate::samples::Samples;
use crate::settings::{SurfaceMethod, SurfaceSettings};
use crate::slab;
use crate::tiles::Tiles;

/// Particles further than so many spacings from the origin are refused: single precision would not tell their
/// neighbours apart.
const FARTHEST: f32 = 1e6;

/// Relative error of the volume up to which the level is moved, which takes a new mesh each time; the rest is made up
/// by moving the surface along its normals after smoothing.
const ROUGHLY: f64 = 1e-2;
/// The same where there is no smoothing.
const EXACTLY: f64 = 1e-4;
/// Farthest that the surface is moved for it, in spacings: less than what would close a gap that can be seen.
const FARTHEST_MOVE: f64 = 0.25;

/// Where along z a flat liquid lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// Its lower side.
    pub lower: f32,
    /// Its upper side.
    pub upper: f32,
}

/// Particles whose surface is wanted.
#[derive(Clone, Copy, Debug)]
pub struct ParticleSurface<'a> {
    /// Where the particles are.
    pub positions: &'a [Vec3],
    /// Volume of one particle in cubic metres.
    pub particle_volume: f32,
    /// For flat liquids, whose particles are discs, the layer that they lie in.
    pub slab: Option<Slab>,
    /// What the particles carry.
    pub attributes: Attributes<'a>,
    /// How to make the surface.
    pub settings: SurfaceSettings,
}

/// A surface and how it came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The closed mesh with the particles' attributes and with normals; slabs have none, for their edges are sharp.
    pub mesh: TriangleMesh,
    /// Figures about it.
    pub report: SurfaceReport,
}

/// Figures about a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceReport {
    /// Volume of the particles (of the level set's mesh before smoothing, where there are none) in cubic metres.
    pub volume_wanted: f64,
    /// Volume that the mesh encloses, in cubic metres.
    pub volume: f64,
    /// By how much the level was moved from that of an ideal arrangement of particles to match volumes; in units of the
    /// function, which is 1 inside the liquid (metres for averaged positions).
    pub level_change: f32,
    /// Pockets of air between particles that were filled.
    pub bubbles_filled: usize,
    /// What smoothing did.
    pub smoothing: SmoothingReport,
}

impl SurfaceReport {
    /// Difference of the mesh's volume to the volume wanted, relative to the latter.
    pub fn volume_change(&self) -> f64 {
        if self.volume_wanted == 0.0 {
            0.0
        } else {
            self.volume / self.volume_wanted - 1.0
        }
    }
}

impl<'a> ParticleSurface<'a> {
    /// Particles of a given volume each, with default settings and without attributes.
    pub fn new(positions: &'a [Vec3], particle_volume: f32) -> Self {
        Self {
            positions,
            particle_volume,
            slab: None,
            attributes: Attributes::default(),
            settings: SurfaceSettings::default(),
        }
    }

    /// Distance of neighbouring particles in metres: edge of the cube, or of the square prism through the slab, with a
    /// particle's volume.
    pub fn spacing(&self) -> f32 {
        match self.slab {
            None => self.particle_volume.cbrt(),
            Some(slab) => (self.particle_volume / (slab.upper - slab.lower)).sqrt(),
        }
    }

    /// The surface. No particles have an empty one; one particle has a sphere.
    ///
    /// The mesh is closed and manifold, and the same on any number of threads. Time and memory grow with the number of
    /// particles, wherever they are.
    pub fn build(&self) -> Result<Surface, SurfaceError> {
        self.validate()?;
        if self.positions.is_empty() {
            return Ok(Surface::default());
        }
        let spacing = self.spacing();
        let function = Function::new(self, spacing);
        let volume_wanted = f64::from(self.particle_volume) * self.positions.len() as f64;
        let round = self.slab.is_none();
        let found = if self.settings.match_volume {
            let tolerance = if round { ROUGHLY } else { EXACTLY };
            let wanted = volume_wanted / function.sample_volume();
            let range = function
                .range
                .guessed(&function.values, function.cell_size, wanted);
            volume::match_volume(range, volume_wanted, tolerance, |level| {
                function.surface(level)
            })
        } else {
            function.surface(function.range.nominal)
        };
        let mut mesh = found.mesh;
        // A slab has sharp edges, which smoothing and smooth normals would round.
        let smoothing = match found.pieces {
            Some((pieces, volumes)) => {
                let rings = Rings::new(&mesh);
                // The rest of the way to the volume wanted. A level at an end of its range may stay short of it.
                let way = (volume_wanted - found.volume).abs() / mesh.area();
                let near = self.settings.match_volume && way < FARTHEST_MOVE * f64::from(spacing);
                let scale = if near {
                    volume_wanted / found.volume
                } else {
                    1.0
                };
                let steps = self.settings.smoothing_steps;
                let smoothing = smooth_and_scale(&mut mesh, &rings, &pieces, volumes, steps, scale);
                mesh.normals = vertex_normals(&mesh.positions, &rings);
                smoothing
            }
            None => smooth(&mut mesh, 0),
        };
        transfer(&mut mesh, &function.order, spacing, &self.attributes);
        Ok(Surface {
            report: SurfaceReport {
                volume_wanted,
                volume: smoothing.volume_after,
                level_change: found.level - function.range.nominal,
                bubbles_filled: found.bubbles,
                smoothing,
            },
            mesh,
        })
    }

    fn validate(&self) -> Result<(), SurfaceError> {
        self.settings.validate()?;
        let out_of_range = |name, value, allowed| {
            Err(SurfaceError::OutOfRange {
                name,
                value,
                allowed,
            })
        };
        if !(self.particle_volume > 0.0 && self.particle_volume.is_finite()) {
            let allowed = "finite and above 0 m³";
            return out_of_range("particle_volume", self.particle_volume, allowed);
        }
        if let Some(slab) = self.slab {
            let thickness = slab.upper - slab.lower;
            if !(thickness > 0.0 && thickness.is_finite()) {
                return out_of_range("thickness of the slab", thickness, "finite and above 0 m");
            }
        }
        validate_positions(self.positions, self.spacing())?;
        self.attributes.validate(self.positions.len())
    }
}

/// Checks that all particles are somewhere near, and can be numbered.
pub(crate) fn validate_positions(positions: &[Vec3], spacing: f32) -> Result<(), SurfaceError> {
    let most = u32::MAX as usize;
    if positions.len() > most {
        return Err(SurfaceError::TooMany {
            found: positions.len(),
            limit: most,
        });
    }
    let limit = FARTHEST * spacing;
    let odd = |position: &Vec3| !position.is_finite() || position.abs().max_element() > limit;
    let Some(index) = positions.par_iter().position_first(odd) else {
        return Ok(());
    };
    let position = positions[index];
    Err(if position.is_finite() {
        SurfaceError::TooFar {
            index,
            position,
            limit,
        }
    } else {
        SurfaceError::PositionNotFinite { index, position }
    })
}

/// An implicit function of the particles on a sparse grid; lower inside.
struct Function {
    order: CellOrder,
    tiles: Tiles,
    values: Vec<f32>,
    cell_size: f32,
    /// Value where there are no tiles.
    beyond: f32,
    range: LevelRange,
    slab: Option<Slab>,
    /// Largest volume of a bubble that is filled, in cubic metres.
    smallest_bubble: f64,
}

impl Function {
    fn new(particles: &ParticleSurface, spacing: f32) -> Self {
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
            slab: particles.slab,
            smallest_bubble: f64::from(settings.smallest_bubble)
                * f64::from(particles.particle_volume),
        }
    }

    /// Volume that one sample stands for in cubic metres.
    fn sample_volume(&self) -> f64 {
        let size = f64::from(self.cell_size);
        let depth = self
            .slab
            .map_or(size, |slab| f64::from(slab.upper - slab.lower));
        size * size * depth
    }

    /// The surface at a level, small bubbles filled.
    fn surface(&self, level: f32) -> Candidate {
        let samples = Samples {
            tiles: &self.tiles,
            values: &self.values,
            origin: Vec3::ZERO,
            cell_size: self.cell_size,
            level,
            beyond: self.beyond,
        };
        let Some(slab) = self.slab else {
            let mut mesh = cubes::extract(&samples);
            let filled = remove_bubbles(&mut mesh, self.smallest_bubble);
            return Candidate {
                level,
                mesh,
                volume: filled.volumes.iter().sum(),
                bubbles: filled.bubbles,
                pieces: Some((filled.pieces, filled.volumes)),
            };
        };
        let largest = (self.smallest_bubble / self.sample_volume()) as f32;
        let filled = pockets::fill_pockets(&samples, largest);
        let depth = slab::Depth {
            lower: slab.lower,
            upper: slab.upper,
        };
        let (mesh, bubbles) = match &filled {
            None => (slab::squares(&samples, depth), 0),
            Some((values, bubbles)) => {
                let samples = Samples { values, ..samples };
                (slab::squares(&samples, depth), *bubbles)
            }
        };
        Candidate {
            level,
            volume: mesh.volume(),
            mesh,
            bubbles,
            pieces: None,
        }
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
