//! Keys of the method and its stages.

use super::{
    ClavetKeys, ElasticStageKeys, LevelSetKeys, MuellerKeys, ViscosityKeys, property_names,
};
use ooze_grid::{Preconditioner, Sampling, WallWeights};

use crate::keys::{
    CLAVET, FLIP, GRID, LEVEL_SET, List, MUELLER, Text, choice, count, number, table,
};
use crate::place::Given;

choice! {
    /// A published way of simulating a liquid, with one choice for every stage.
    enum MethodWord {
        /// The default FLIP liquid: lively, keeps its volume (Zhu & Bridson 2005).
        Flip "flip";
        /// As `flip`, with affine transfers: calmer surfaces, keeps angular momentum (Jiang et al. 2015).
        Apic "apic";
        /// The paper's FLIP: variational viscosity between two pressure solves, one large particle a cell, walls weighted
        /// by volume, incomplete Cholesky, no correction of density or volume (Batty & Bridson 2008, sec. 5 and 6).
        BattyBridson2008 "batty-bridson-2008";
        /// A particle level set on a grid: smooth surfaces and no particles inside, for thick liquids and goo (after
        /// Goktekin 2011).
        LevelSet "level-set";
        /// As published: semi-Lagrangian, voxelised walls, decoupled viscosity, explicit elasticity by differences, no
        /// correction of volume (Goktekin 2011).
        Goktekin2011 "goktekin-2011";
        /// Particles that are relaxed to their density, with springs for elastic and yielding liquids (after Clavet,
        /// Beaudoin & Poulin 2005); tension as small as the material's where particles allow.
        Clavet "clavet";
        /// As published: particles relaxed one by one, with the full attraction at the surface (Clavet et al. 2005).
        Clavet2005 "clavet-2005";
        /// Particles with forces: pressure from a state equation, tension, mixing, heat (after Müller et al. 2003, 2005).
        Mueller "mueller";
        /// As `mueller`, with summed densities and the published kernels and viscosity (Müller, Charypar & Gross 2003).
        Mueller2003 "mueller-2003";
    }
}

choice! {
    /// How velocities travel between particles and grid.
    enum TransferWord {
        /// Blend of FLIP and PIC, see `flip_fraction`.
        Flip "flip";
        /// Affine particle-in-cell.
        Apic "apic";
    }
}

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
        preset: MethodWord [()] default(MethodWord::Flip);
        /// Properties of materials and liquids that the scene can do without: a method that does not read them runs it
        /// nevertheless, and says nothing about them.
        may_ignore: Vec<Given<String>> [IGNORED] optional;
        /// How velocities travel between particles and grid.
        transfer: TransferWord [()] optional for FLIP;
        /// Share of FLIP in the blend of FLIP (1, lively) and PIC (0, damped).
        flip_fraction: f64 [number("").between(0.0, 1.0)] optional for FLIP;
        /// How particles sample the liquid.
        sampling: Sampling [()] optional for FLIP;
        /// Whether particles are moved apart where they crowd.
        density_correction: bool [()] optional for FLIP;
        /// Whether the surface is offset so that it encloses the volume of its particles.
        volume_correction: bool [()] optional for GRID;
        /// The pressure solve.
        pressure: PressureKeys [()] section for GRID;
        /// The viscous stage.
        viscosity: ViscosityKeys [()] section for GRID;
        /// The elastic stage.
        elasticity: ElasticStageKeys [()] section for GRID;
        /// The surface and how it is carried.
        level_set: LevelSetKeys [()] section for LEVEL_SET;
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
        preconditioner: Preconditioner [()] optional;
        /// Weights of faces that a wall cuts.
        wall_weights: WallWeights [()] optional;
    }
}
