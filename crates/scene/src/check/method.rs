//! The method: a preset and the stages that the scene changes.

use ooze_grid::{
    FlipSettings, LevelSetSettings, Preconditioner, PressureSettings, Sampling, Transfer,
    ViscosityPreconditioner, ViscositySettings, WallWeights,
};
use ooze_particles::{ClavetSettings, MuellerSettings};

use super::{Checker, change, particles};
use crate::Method;
use crate::file::{MethodKeys, MethodWord, TransferWord};
use crate::place::Given;

/// Share of FLIP where a scene asks for the blend without saying how much.
fn default_flip_fraction() -> f32 {
    match FlipSettings::default().transfer {
        Transfer::Flip(fraction) => fraction,
        Transfer::Apic => 1.0,
    }
}

/// The settings that a preset of the FLIP liquid stands for.
fn flip_preset(word: MethodWord) -> FlipSettings {
    let flip = FlipSettings::default();
    match word {
        MethodWord::Apic => FlipSettings {
            transfer: Transfer::Apic,
            ..flip
        },
        MethodWord::BattyBridson2008 => FlipSettings {
            sampling: Sampling::Coarse,
            pressure: PressureSettings {
                preconditioner: Preconditioner::IncompleteCholesky,
                wall_weights: WallWeights::Volume,
                ..flip.pressure
            },
            viscosity: ViscositySettings {
                preconditioner: ViscosityPreconditioner::IncompleteCholesky,
                bulk: 0.0,
                ..flip.viscosity
            },
            density_correction: false,
            volume_correction: false,
            ..flip
        },
        _ => flip,
    }
}

impl Checker {
    pub(super) fn method(
        &mut self,
        keys: &Given<MethodKeys>,
        cfl: Option<&Given<f64>>,
    ) -> (Method, &'static str) {
        let given_cfl = cfl;
        let cfl = cfl.map(|cfl| cfl.value as f32);
        let method = match keys.preset.value {
            MethodWord::Clavet => Method::Clavet(ClavetSettings::default()),
            MethodWord::Clavet2005 => Method::Clavet(ClavetSettings::published()),
            MethodWord::Mueller => Method::Mueller(MuellerSettings::default()),
            MethodWord::Mueller2003 => Method::Mueller(MuellerSettings::published()),
            MethodWord::LevelSet => {
                Method::LevelSet(self.level_set(LevelSetSettings::default(), keys, given_cfl))
            }
            MethodWord::Goktekin2011 => {
                Method::LevelSet(self.level_set(LevelSetSettings::goktekin_2011(), keys, given_cfl))
            }
            word => Method::Flip(self.flip(flip_preset(word), keys)),
        };
        let method = match method {
            Method::Flip(settings) => Method::Flip(FlipSettings {
                cfl: cfl.unwrap_or(settings.cfl),
                ..settings
            }),
            Method::LevelSet(settings) => Method::LevelSet(settings),
            Method::Clavet(settings) => Method::Clavet(ClavetSettings {
                cfl: cfl.unwrap_or(settings.cfl),
                ..particles::clavet(settings, &keys.clavet)
            }),
            Method::Mueller(settings) => Method::Mueller(MuellerSettings {
                cfl: cfl.unwrap_or(settings.cfl),
                ..particles::mueller(settings, &keys.mueller)
            }),
        };
        (method, keys.preset.value.name())
    }

    /// What a scene makes of a preset of the FLIP liquid.
    pub(super) fn flip(
        &mut self,
        mut settings: FlipSettings,
        keys: &Given<MethodKeys>,
    ) -> FlipSettings {
        if let Some(transfer) = &keys.transfer {
            settings.transfer = match transfer.value {
                TransferWord::Flip => Transfer::Flip(default_flip_fraction()),
                TransferWord::Apic => Transfer::Apic,
            };
        }
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
