//! The marker-and-cell liquid: a preset and the stages that the scene changes.

use ooze_grid::MarkerSettings;

use super::particles::set;
use super::{Checker, change};
use crate::Problem;
use crate::file::MethodKeys;
use crate::place::Placed;

/// Cells that a marker may cross in a step (Carlson 2004, eq. 19).
const LARGEST_CFL: f64 = 1.0;

impl Checker {
    /// What a scene makes of a preset of the marker-and-cell liquid.
    pub(crate) fn carlson(
        &mut self,
        mut settings: MarkerSettings,
        keys: &Placed<MethodKeys>,
        cfl: Option<&Placed<f64>>,
    ) -> MarkerSettings {
        let pressure = &keys.pressure;
        change(&mut settings.pressure_tolerance, &pressure.tolerance);
        if let Some(iterations) = &pressure.max_iterations {
            settings.pressure_iterations = iterations.value as u32;
        }
        change(
            &mut settings.pressure_preconditioner,
            &pressure.preconditioner,
        );
        let keys = &keys.carlson;
        change(&mut settings.convection, &keys.convection);
        change(&mut settings.diffusion, &keys.diffusion);
        change(&mut settings.edge_mean, &keys.edge_mean);
        change(&mut settings.outer_faces, &keys.outer_faces);
        change(&mut settings.wall_faces, &keys.wall_faces);
        set(&mut settings.air_pressure, keys.air_pressure.as_ref());
        change(&mut settings.viscosity_tolerance, &keys.viscosity_tolerance);
        if let Some(iterations) = &keys.viscosity_iterations {
            settings.viscosity_iterations = iterations.value as u32;
        }
        change(
            &mut settings.viscosity_preconditioner,
            &keys.viscosity_preconditioner,
        );
        settings.cfl = self.cfl_up_to(LARGEST_CFL, cfl).unwrap_or(settings.cfl);
        settings
    }

    /// The cells that a step may cross, if they are told: no more than the method can bear.
    fn cfl_up_to(&mut self, largest: f64, cfl: Option<&Placed<f64>>) -> Option<f32> {
        let cfl = cfl?;
        if cfl.value > largest {
            let message = format!(
                "`{}` is {}, but velocities that carry themselves cross no more than a cell in a step",
                cfl.place.key, cfl.value
            );
            let help = format!("use {largest} or less");
            self.error(Problem::error(&cfl.place, message).help(help));
        }
        Some(cfl.value as f32)
    }
}
