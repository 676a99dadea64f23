//! Keys of how bodies and liquid move one another.

use ooze_grid::{BodyCoupling, LoopOrder};

use crate::keys::{number, table};
use crate::presets::LEVEL_SET;

table! {
    /// How bodies and liquid move one another; what is left out is as the preset has it.
    struct CouplingKeys "coupling" {
        /// How bodies are solved for; `rigid-fluid` in level-set liquids only.
        coupling: BodyCoupling [()] optional;
        /// In which order the stages of a step act, for `rigid-fluid`.
        loop_order: LoopOrder [()] optional for LEVEL_SET;
        /// Whether what a body weighs more or less than liquid acts before pressure instead of after it, for `rigid-fluid`: less
        /// liquid slips along bodies, and light ones float as deep as they should.
        buoyant_weight: bool [()] optional for LEVEL_SET;
        /// Density relative to the liquid's below which `rigid-fluid` leaves out the liquid's inertia in a body, which flings light
        /// ones about; 0 for never.
        ultra_buoyant: f64 [number("").between(0.0, 1.0)] optional for LEVEL_SET;
    }
}
