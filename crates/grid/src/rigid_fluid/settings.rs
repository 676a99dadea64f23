//! Choices of how bodies and liquid move one another, with their defaults written once.

use ooze_commons::choice;

choice! {
    /// How bodies that the liquid moves are solved for.
    pub enum BodyCoupling default Joint {
        /// Together with pressure and viscosity: bodies are walls whose motion is an unknown of the same solves.
        Joint "joint";
        /// After them: bodies are liquid while the liquid is solved for, and are made rigid again afterwards; quick and simple, for
        /// bodies of half the liquid's density and more (Carlson 2004, ch. 5).
        RigidFluid "rigid-fluid";
    }
}

choice! {
    /// In which order the stages of a step act where bodies are liquid for a while.
    pub enum LoopOrder default Lively {
        /// Forces, viscosity, pressure, advection, pressure: velocities are free of divergence when they are carried, which keeps
        /// waves lively (Carlson 2004, sec. 5.4.1).
        Lively "pressure-twice";
        /// Advection, forces, viscosity, pressure: half of the work, and damped (Carlson 2004, sec. 5.7.2).
        Quick "advection-first";
    }
}

/// How bodies and liquid move one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySettings {
    /// How bodies are solved for.
    pub coupling: BodyCoupling,
    /// The order of stages, for the rigid fluid.
    pub loop_order: LoopOrder,
    /// Whether what a body weighs more than liquid acts with the other forces, before pressure does, instead of after it, for the
    /// rigid fluid (Patankar 2001; Carlson 2004, sec. 5.4.1).
    pub buoyant_weight: bool,
    /// Density relative to the liquid's below which a body gets no share of the liquid's inertia, for the rigid fluid (Carlson
    /// 2004, eq. 84).
    pub ultra_buoyant: f32,
}

impl Default for BodySettings {
    fn default() -> Self {
        Self {
            coupling: BodyCoupling::default(),
            loop_order: LoopOrder::default(),
            buoyant_weight: false,
            ultra_buoyant: 0.45,
        }
    }
}
