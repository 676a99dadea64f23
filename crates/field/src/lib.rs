//! Sparse tiled fields on staggered lattices and level sets.

mod block;
mod cubic;
mod field;
mod flow;
pub mod fraction;
mod lattice;
pub mod level_set;
mod lines;
pub mod mask;
pub mod random;
mod reader;
mod topology;

pub use block::Block;
pub use cubic::sample_faces_cubic;
pub use field::{Blend, Field, FieldByAxis, Place, Value, edge_fields, face_fields, sample_faces};
pub use flow::Flow;
pub use lattice::{Lattice, floor};
pub use reader::{FieldReader, Reader};
pub use topology::{NO_TILE, TILE_EDGE, Topology, TopologyBuilder};
