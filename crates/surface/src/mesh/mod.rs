//! What is done to a mesh once it is extracted: pieces, smoothing, normals.

pub(crate) mod normals;
pub(crate) mod pieces;
pub(crate) mod rings;
pub(crate) mod smooth;
