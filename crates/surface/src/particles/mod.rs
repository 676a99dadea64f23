//! Surfaces of liquids that are particles: an implicit function of the particles on a sparse grid, the level of it that
//! encloses their volume, and the mesh of that level, smoothed.

mod eigen;
mod function;
mod gather;
mod kernels;
mod order;
mod pockets;
mod simple;
mod surroundings;
mod volume;

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use function::{Blobs, Function};
pub(crate) use gather::TileBox;
pub(crate) use kernels::Kernel;
pub(crate) use order::{CellOrder, RecentBoxes};
pub(crate) use surroundings::surroundings;
use volume::{LevelRange, match_volume};

use crate::attributes::{Attributes, transfer};
use crate::error::SurfaceError;
use crate::mesh::normals::vertex_normals;
use crate::mesh::rings::Rings;
use crate::mesh::smooth::{SmoothingReport, smooth_and_scale};
use crate::settings::SurfaceSettings;

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

/// A mesh and how it came about.
struct Made {
    mesh: TriangleMesh,
    level: f32,
    bubbles: usize,
    smoothing: SmoothingReport,
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
        let made = match self.slab {
            None => self.round(&function),
            Some(slab) => self.flat(&function, slab),
        };
        let mut mesh = made.mesh;
        transfer(&mut mesh, &function.order, spacing, &self.attributes);
        Ok(Surface {
            report: SurfaceReport {
                volume_wanted: self.volume_wanted(),
                volume: made.smoothing.volume_after,
                level_change: made.level - function.range.nominal,
                bubbles_filled: made.bubbles,
                smoothing: made.smoothing,
            },
            mesh,
        })
    }

    /// Volume of all particles in cubic metres.
    fn volume_wanted(&self) -> f64 {
        f64::from(self.particle_volume) * self.positions.len() as f64
    }

    /// The range of levels in which to match the volume, and the relative error at which it is matched.
    fn levels(&self, function: &Function, tolerance: f64) -> (LevelRange, f64) {
        if self.settings.match_volume {
            (function.guessed_range(self.volume_wanted()), tolerance)
        } else {
            (function.range, f64::INFINITY)
        }
    }

    /// The smooth surface of a liquid in space.
    fn round(&self, function: &Function) -> Made {
        let volume_wanted = self.volume_wanted();
        let (range, tolerance) = self.levels(function, ROUGHLY);
        let found = match_volume(range, volume_wanted, tolerance, |level| {
            function.blobs(level)
        });
        let Blobs {
            mut mesh,
            bubbles,
            pieces,
            volumes,
        } = found.shape;
        // The rest of the way to the volume wanted. A level at an end of its range may stay short of it.
        let way = (volume_wanted - found.volume).abs() / found.area;
        let near = way < FARTHEST_MOVE * f64::from(self.spacing());
        let scale = if self.settings.match_volume && near {
            volume_wanted / found.volume
        } else {
            1.0
        };
        let rings = Rings::new(&mesh);
        let steps = self.settings.smoothing_steps;
        let smoothing = smooth_and_scale(&mut mesh, &rings, &pieces, volumes, steps, scale);
        mesh.normals = vertex_normals(&mesh.positions, &rings);
        Made {
            mesh,
            level: found.level,
            bubbles,
            smoothing,
        }
    }

    /// The slab of a flat liquid. It has sharp edges, which smoothing and smooth normals would round.
    fn flat(&self, function: &Function, slab: Slab) -> Made {
        let (range, tolerance) = self.levels(function, EXACTLY);
        let found = match_volume(range, self.volume_wanted(), tolerance, |level| {
            function.area(level, slab)
        });
        let filled = found.shape;
        let mesh = function.slab(found.level, &filled, slab);
        let volume = mesh.volume();
        Made {
            mesh,
            level: found.level,
            bubbles: filled.pockets,
            smoothing: SmoothingReport {
                volume_before: volume,
                volume_after: volume,
                largest_move: 0.0,
            },
        }
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
