//! The method: a preset and the stages that the scene changes.

use ooze_grid::{FlipSettings, Transfer};
use ooze_particles::{ClavetSettings, MuellerSettings};

use super::{Checker, change, particles};
use crate::Method;
use crate::file::MethodKeys;
use crate::place::Placed;

impl Checker {
    pub(super) fn method(
        &mut self,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> (Method, &'static str) {
        let longest = |usual: f32| cfl.map_or(usual, |cfl| cfl.value as f32);
        let method = match keys.preset.value.method() {
            Method::Flip(preset) => Method::Flip(FlipSettings {
                cfl: longest(preset.cfl),
                ..self.flip(preset, keys)
            }),
            Method::LevelSet(preset) => Method::LevelSet(self.level_set(preset, keys, cfl)),
            Method::Clavet(preset) => Method::Clavet(ClavetSettings {
                cfl: longest(preset.cfl),
                ..particles::clavet(preset, &keys.clavet)
            }),
            Method::Mueller(preset) => Method::Mueller(MuellerSettings {
                cfl: longest(preset.cfl),
                ..particles::mueller(preset, &keys.mueller)
            }),
        };
        (method, keys.preset.value.name())
    }

    /// What a scene makes of a preset of the FLIP liquid.
    pub(super) fn flip(
        &mut self,
        mut settings: FlipSettings,
        keys: &Placed<MethodKeys>,
    ) -> FlipSettings {
        change(&mut settings.transfer, &keys.transfer);
        if let Some(fraction) = &keys.flip_fraction {
            if settings.transfer == Transfer::Apic {
                let chosen = keys.transfer.as_ref().map(|transfer| &transfer.place);
                // A preset that was not written down cannot be `apic`.
                let chosen = chosen.unwrap_or(&keys.preset.place);
                self.clash(
                    chosen,
                    &fraction.place,
                    "affine transfers blend nothing; use transfer = \"flip\"",
                );
            }
            settings.transfer = Transfer::Flip(fraction.value as f32);
        }
        change(&mut settings.sampling, &keys.sampling);
        change(&mut settings.density_correction, &keys.density_correction);
        change(&mut settings.volume_correction, &keys.volume_correction);
        let pressure = &keys.pressure;
        change(&mut settings.pressure.tolerance, &pressure.tolerance);
        if let Some(iterations) = &pressure.max_iterations {
            settings.pressure.max_iterations = iterations.value as u32;
        }
        change(
            &mut settings.pressure.preconditioner,
            &pressure.preconditioner,
        );
        change(&mut settings.pressure.wall_weights, &pressure.wall_weights);
        self.viscosity(&keys.viscosity, &mut settings.viscosity);
        self.elastic_stage(&keys.elasticity, &mut settings);
        settings
    }
}
