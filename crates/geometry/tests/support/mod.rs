//! What several test files share.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

pub(crate) mod files;
pub(crate) mod meshes;
pub(crate) mod random;
