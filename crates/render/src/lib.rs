//! Pictures and video of liquids.
