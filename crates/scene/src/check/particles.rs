//! The particle methods: a preset and the stages that the scene changes.

use ooze_core::LiquidSetup;
use ooze_particles::{ClavetLiquid, ClavetSettings, MuellerSettings};

use super::{Checker, change};
use crate::file::MethodKeys;
use crate::place::Placed;
use crate::{Method, Problem};

/// Changes a setting if its key is there.
pub(super) fn set(target: &mut f32, given: Option<&Placed<f64>>) {
    if let Some(given) = given {
        *target = given.value as f32;
    }
}

/// Changes a setting that may be left open if its key is there.
fn set_optional(target: &mut Option<f32>, given: Option<&Placed<f64>>) {
    if let Some(given) = given {
        *target = Some(given.value as f32);
    }
}

impl Checker {
    /// The settings of Clavet's liquid, from a preset and what the scene changes.
    pub(crate) fn clavet(
        &mut self,
        mut settings: ClavetSettings,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> ClavetSettings {
        set(&mut settings.cfl, cfl);
        let keys = &keys.clavet;
        set(&mut settings.spacing, keys.spacing.as_ref());
        set(&mut settings.radius, keys.radius.as_ref());
        set(&mut settings.compression, keys.compression.as_ref());
        set_optional(&mut settings.near_ratio, keys.near_ratio.as_ref());
        set_optional(&mut settings.cohesion, keys.cohesion.as_ref());
        let quadratic = keys.quadratic_viscosity.as_ref();
        set(&mut settings.quadratic_viscosity, quadratic);
        set(&mut settings.stickiness, keys.stickiness.as_ref());
        set(&mut settings.diffusivity, keys.diffusivity.as_ref());
        change(&mut settings.walls, &keys.walls);
        change(&mut settings.normals, &keys.normals);
        change(&mut settings.order, &keys.order);
        settings
    }
}

impl Checker {
    /// The settings of the force-based liquid, from a preset and what the scene changes.
    pub(crate) fn mueller(
        &mut self,
        mut settings: MuellerSettings,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> MuellerSettings {
        set(&mut settings.cfl, cfl);
        let keys = &keys.mueller;
        set(&mut settings.spacing, keys.spacing.as_ref());
        set(&mut settings.radius, keys.radius.as_ref());
        set(&mut settings.compression, keys.compression.as_ref());
        set(&mut settings.attraction, keys.attraction.as_ref());
        let interface = keys.interface_tension.as_ref();
        set_optional(&mut settings.interface_tension, interface);
        let artificial = keys.artificial_viscosity.as_ref();
        set(&mut settings.artificial_viscosity, artificial);
        set(&mut settings.bulk_viscosity, keys.bulk_viscosity.as_ref());
        set(&mut settings.stickiness, keys.stickiness.as_ref());
        set(&mut settings.diffusivity, keys.diffusivity.as_ref());
        set(
            &mut settings.thermal_expansion,
            keys.thermal_expansion.as_ref(),
        );
        set_optional(
            &mut settings.heat_diffusivity,
            keys.heat_diffusivity.as_ref(),
        );
        change(&mut settings.kernels, &keys.kernels);
        let diffusion = keys.density_diffusion.as_ref();
        set(&mut settings.density_diffusion, diffusion);
        change(&mut settings.density, &keys.density);
        change(&mut settings.viscosity, &keys.viscosity);
        change(&mut settings.walls, &keys.walls);
        change(&mut settings.normals, &keys.normals);
        settings
    }
}

impl Checker {
    /// Refuses materials that Clavet's liquid cannot be made of, and warns of those that will seem thinner than they are.
    pub(super) fn particle_constants(
        &mut self,
        method: &Method,
        setup: &LiquidSetup,
        keys: &Placed<MethodKeys>,
    ) -> Option<()> {
        let Method::Clavet(settings) = method else {
            return Some(());
        };
        let constants = match ClavetLiquid::constants_of(setup, settings) {
            Ok(constants) => constants,
            Err(error) => {
                self.error(Problem::error(&keys.preset.place, error.to_string()));
                return None;
            }
        };
        let shown = ClavetLiquid::viscosity_shown(setup, settings, &constants);
        for (material, shown) in setup.materials.iter().zip(shown) {
            if shown < 0.9 * material.viscosity {
                let message = format!(
                    "`{}` has a viscosity of {} Pa s, of which particles of this spacing can show {shown:.2} Pa s at the \
                     most: choose larger cells, a smaller viscosity, or a method on a grid",
                    material.name, material.viscosity
                );
                self.warnings
                    .push(Problem::warning(&keys.preset.place, message));
            }
        }
        Some(())
    }
}
