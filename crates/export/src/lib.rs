//! Particles and surfaces in files that other programs open.
//!
//! - [`FileSequence`]: a file a frame, as PLY, OBJ, CSV or VTK; VTK sequences come with a `.pvd` collection that has the
//!   times.
//! - [`UsdFile`]: a whole run in one `.usdc` file, with materials, colliders and a camera.
//!
//! Frames are handed over one at a time and none is kept, so that memory is that of one frame. Files appear under their
//! names when they are whole. Nothing that is NaN or infinite is written.

mod columns;
mod csv;
mod error;
mod frame;
mod names;
mod ply;
mod poses;
mod sequence;
mod usd;
mod vtk;

pub use error::ExportError;
pub use frame::{ExportFrame, ExportSolid, Exporter, NamedMesh};
pub use sequence::{FileSequence, SequenceFormat};
pub use usd::{PreviewSurface, Stage, StageCollider, StageLiquid, StageTracers, UsdFile, View};
