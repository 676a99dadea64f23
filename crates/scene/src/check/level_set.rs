//! The level-set liquid: a preset and the stages that the scene changes, and liquids that it cannot be made of.

use ooze_grid::{
    Advection, Air, FlipSettings, LevelSetSettings, ParticleSettings, PathRule, Reinitialisation,
    Relaxation, SurfaceTreatment, VelocityAdvection, WallShape,
};

use super::Checker;
use crate::Problem;
use crate::file::{
    AirWord, LevelSetKeys, MethodKeys, PathWord, ReinitialisationWord, SurfaceAdvectionWord,
    SurfaceTreatmentWord, VelocityAdvectionWord, WallShapeWord,
};
use crate::place::Given;

/// Cells that velocities are continued by: a longer step would read beyond them (Goktekin 2011, eq. 3.33).
const LARGEST_CFL: f64 = 5.0;

/// The scheme behind a word; Carlson's six among them.
fn advection(word: SurfaceAdvectionWord) -> Advection {
    match word {
        SurfaceAdvectionWord::SemiLagrangian => Advection::CARLSON[0],
        SurfaceAdvectionWord::MacCormack => Advection::MacCormack,
        SurfaceAdvectionWord::Upwind => Advection::CARLSON[1],
        SurfaceAdvectionWord::Eno2Euler => Advection::CARLSON[2],
        SurfaceAdvectionWord::Eno2 => Advection::CARLSON[3],
        SurfaceAdvectionWord::Eno3 => Advection::CARLSON[4],
        SurfaceAdvectionWord::Weno5 => Advection::CARLSON[5],
    }
}

/// What a scene makes of the particles of a preset.
fn particles(preset: Option<ParticleSettings>, keys: &LevelSetKeys) -> Option<ParticleSettings> {
    let on = keys
        .particles
        .as_ref()
        .map_or(preset.is_some(), |on| on.value);
    on.then(|| {
        let mut particles = preset.unwrap_or_default();
        if let Some(air) = &keys.air_particles {
            particles.air = match air.value {
                AirWord::Absent => Air::Absent,
                AirWord::Yielding => Air::Yielding,
                AirWord::Holding => Air::Holding,
            };
        }
        if let Some(count) = &keys.particles_per_axis {
            particles.per_axis = count.value as u32;
        }
        if let Some(paths) = &keys.paths {
            particles.path = match paths.value {
                PathWord::Midpoint => PathRule::Midpoint,
                PathWord::RungeKutta4 => PathRule::Fourth,
            };
        }
        particles
    })
}

impl Checker {
    /// What a scene makes of a preset of the level-set liquid.
    pub(super) fn level_set(
        &mut self,
        mut settings: LevelSetSettings,
        keys: &Given<MethodKeys>,
        cfl: Option<&Given<f64>>,
    ) -> LevelSetSettings {
        // Pressure, viscosity, elasticity and correction have the keys that they have in FLIP.
        let shared = self.flip(
            FlipSettings {
                pressure: settings.pressure,
                viscosity: settings.viscosity,
                elasticity: settings.elasticity,
                volume_correction: settings.volume_correction,
                ..FlipSettings::default()
            },
            keys,
        );
        settings.pressure = shared.pressure;
        settings.viscosity = shared.viscosity;
        settings.elasticity = shared.elasticity;
        settings.volume_correction = shared.volume_correction;
        let keys = &keys.level_set;
        let tracking = &mut settings.tracking;
        tracking.particles = particles(tracking.particles, keys);
        if let Some(word) = &keys.advection {
            tracking.advection = advection(word.value);
        }
        if let Some(word) = &keys.reinitialisation {
            tracking.reinitialisation = match word.value {
                ReinitialisationWord::Marching => Reinitialisation::Marching,
                ReinitialisationWord::Relaxation => {
                    Reinitialisation::Relaxation(Relaxation::default())
                }
            };
        }
        if let Some(word) = &keys.velocity_advection {
            settings.velocity_advection = match word.value {
                VelocityAdvectionWord::SemiLagrangian => VelocityAdvection::SemiLagrangian,
                VelocityAdvectionWord::MacCormack => VelocityAdvection::MacCormack,
            };
        }
        if let Some(word) = &keys.surface {
            settings.surface = match word.value {
                SurfaceTreatmentWord::Ghost => SurfaceTreatment::Ghost,
                SurfaceTreatmentWord::Smooth => SurfaceTreatment::Smooth,
                SurfaceTreatmentWord::Lively => SurfaceTreatment::Lively,
            };
        }
        if let Some(word) = &keys.walls {
            settings.walls = match word.value {
                WallShapeWord::CutCells => WallShape::CutCells,
                WallShapeWord::Voxels => WallShape::Voxels,
            };
        }
        if let Some(cfl) = cfl {
            if cfl.value > LARGEST_CFL {
                let message = format!(
                    "`{}` is {}, but level-set liquids know velocities {LARGEST_CFL} cells around the liquid only",
                    cfl.place.key, cfl.value
                );
                let help = format!("use {LARGEST_CFL} or less");
                self.error(Problem::error(&cfl.place, message).help(help));
            }
            settings.cfl = cfl.value as f32;
        }
        settings
    }
}
