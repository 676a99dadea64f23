//! Frames, checkpoints, statistics and exporters.
