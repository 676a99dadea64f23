//! Keys of the method and its stages.

use super::{
    CarlsonKeys, ClavetKeys, CouplingKeys, ElasticStageKeys, LevelSetKeys, MuellerKeys,
    ViscosityKeys, property_names,
};
use ooze_grid::{PressurePreconditioner, Sampling, Transfer, WallWeights};

use crate::keys::{GRID, List, MOMENTUM, Text, count, number, table};
use crate::place::Placed;
use crate::presets::{CARLSON, CLAVET, FLIP, LEVEL_SET, MUELLER, MethodPreset};

/// Names of properties.
const IGNORED: List<Text> = List {
    items: Text::OneOf(property_names),
    least: 0,
};

table! {
    /// How the liquid is simulated. `method = "apic"` is short for `method.preset = "apic"`. Every other key changes one
    /// stage of the preset; left out, it is as the preset has it.
    struct MethodKeys "method" shorthand preset {
        /// Where to start from.
        preset: MethodPreset [()] default(MethodPreset::Flip);
        /// Properties of materials and liquids that the scene can do without: a method that does not read them runs it
        /// nevertheless, and says nothing about them.
        may_ignore: Vec<Placed<String>> [IGNORED] optional;
        /// How velocities travel between particles and grid.
        transfer: Transfer [()] optional for FLIP;
        /// Share of FLIP in the blend of FLIP (1, lively) and PIC (0, damped).
        flip_fraction: f64 [number("").between(0.0, 1.0)] optional for FLIP;
        /// How particles sample the liquid.
        sampling: Sampling [()] optional for FLIP;
        /// Whether particles are moved apart where they crowd.
        density_correction: bool [()] optional for FLIP;
        /// Whether the surface is offset so that it encloses the volume of its particles.
        volume_correction: bool [()] optional for MOMENTUM;
        /// The pressure solve.
        pressure: PressureKeys [()] section for GRID;
        /// The viscous stage.
        viscosity: ViscosityKeys [()] section for MOMENTUM;
        /// The elastic stage.
        elasticity: ElasticStageKeys [()] section for MOMENTUM;
        /// Bodies that the liquid moves.
        bodies: CouplingKeys [()] section for MOMENTUM;
        /// The surface and how it is carried.
        level_set: LevelSetKeys [()] section for LEVEL_SET;
        /// Markers and cells.
        carlson: CarlsonKeys [()] section for CARLSON;
        /// Relaxed particles.
        clavet: ClavetKeys [()] section for CLAVET;
        /// Particles with forces.
        mueller: MuellerKeys [()] section for MUELLER;
    }
}

table! {
    /// The pressure solve; what is left out is as the preset has it.
    struct PressureKeys "pressure" {
        /// Residual relative to the right-hand side at which a solve is done.
        tolerance: f64 [number("").between(1e-12, 0.1)] optional;
        /// Iterations after which a solve has failed.
        max_iterations: u64 [count().between(1, 100_000)] optional;
        /// The preconditioner.
        preconditioner: PressurePreconditioner [()] optional;
        /// Weights of faces that a wall cuts.
        wall_weights: WallWeights [()] optional for MOMENTUM;
    }
}
