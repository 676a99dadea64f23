//! The method: a preset and the stages that the scene changes.

use ooze_grid::{FlipSettings, Transfer};

use super::particles::set;
use super::{Checker, change};
use crate::Method;
use crate::file::MethodKeys;
use crate::place::Placed;

impl Checker {
    pub(super) fn method(
        &mut self,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> (Method, &'static str) {
        self.coupling_of_method(keys);
        let method = keys.preset.value.method().changed(self, keys, cfl);
        (method, keys.preset.value.name())
    }

    /// What a scene makes of a preset of the FLIP liquid, and of its steps.
    pub(crate) fn flip_with_steps(
        &mut self,
        preset: FlipSettings,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> FlipSettings {
        let mut settings = self.flip(preset, keys);
        set(&mut settings.cfl, cfl);
        settings
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
