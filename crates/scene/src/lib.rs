//! Scene files: from TOML text to a checked scene.
