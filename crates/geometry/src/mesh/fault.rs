//! What can be wrong with a mesh.

use std::path::PathBuf;

use thiserror::Error;

/// A mesh that was refused: what is wrong with it and, when it came from a file, which file.
#[derive(Debug, Error)]
#[error("{}{fault}", path_prefix(.path))]
pub struct MeshError {
    /// The file that holds the mesh, if it came from one.
    pub path: Option<PathBuf>,
    /// What is wrong.
    pub fault: MeshFault,
}

fn path_prefix(path: &Option<PathBuf>) -> String {
    path.as_ref()
        .map_or_else(String::new, |path| format!("{}: ", path.display()))
}

impl From<MeshFault> for MeshError {
    fn from(fault: MeshFault) -> Self {
        Self { path: None, fault }
    }
}

impl MeshError {
    /// The same fault, reported for the file at `path`.
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }
}

/// What is wrong with a mesh.
#[derive(Debug, Error)]
pub enum MeshFault {
    /// Nothing to read.
    #[error("the file is empty")]
    Empty,
}
