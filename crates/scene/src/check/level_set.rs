//! The level-set liquid: a preset and the stages that the scene changes, and liquids that it cannot be made of.

use ooze_grid::{FlipSettings, LevelSetSettings, ParticleSettings};

use super::{Checker, change};
use crate::Problem;
use crate::file::{LevelSetKeys, MethodKeys};
use crate::place::Placed;

/// Cells that velocities are continued by: a longer step would read beyond them (Goktekin 2011, eq. 3.33).
const LARGEST_CFL: f64 = 5.0;

/// What a scene makes of the particles of a preset.
fn particles(preset: Option<ParticleSettings>, keys: &LevelSetKeys) -> Option<ParticleSettings> {
    let on = keys
        .particles
        .as_ref()
        .map_or(preset.is_some(), |on| on.value);
    on.then(|| {
        let mut particles = preset.unwrap_or_default();
        change(&mut particles.air, &keys.air_particles);
        if let Some(count) = &keys.particles_per_axis {
            particles.per_axis = count.value as u32;
        }
        change(&mut particles.path, &keys.paths);
        particles
    })
}

impl Checker {
    /// What a scene makes of a preset of the level-set liquid.
    pub(crate) fn level_set(
        &mut self,
        mut settings: LevelSetSettings,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
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
        self.coupling(&keys.bodies, &mut settings.bodies);
        let keys = &keys.level_set;
        let tracking = &mut settings.tracking;
        tracking.particles = particles(tracking.particles, keys);
        change(&mut tracking.advection, &keys.advection);
        change(&mut tracking.reinitialisation, &keys.reinitialisation);
        change(&mut settings.velocity_advection, &keys.velocity_advection);
        change(&mut settings.surface, &keys.surface);
        change(&mut settings.walls, &keys.walls);
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
