//! Viscosity: its stage in the method, and how it varies through a liquid.

use ooze_core::ViscosityGradient;
use ooze_grid::{ViscosityScheme, ViscositySettings};

use super::{Checker, change};
use crate::Problem;
use crate::file::{ViscosityGradientKeys, ViscosityKeys};
use crate::place::Placed;

impl Checker {
    /// Changes the settings of a preset as the scene says.
    pub(super) fn viscosity(&mut self, keys: &ViscosityKeys, settings: &mut ViscositySettings) {
        change(&mut settings.enabled, &keys.enabled);
        change(&mut settings.scheme, &keys.scheme);
        if let Some(surface) = &keys.surface {
            if let ViscosityScheme::Decoupled(condition) = &mut settings.scheme {
                *condition = surface.value;
            } else {
                let message = format!(
                    "`{}` is for scheme = \"decoupled\" only: the others have a condition of their own",
                    surface.place.key
                );
                let mut problem = Problem::error(&surface.place, message);
                if let Some(scheme) = &keys.scheme {
                    problem = problem.and(&scheme.place);
                }
                self.error(problem);
            }
        }
        if let Some(substeps) = &keys.substeps {
            settings.substeps = Some(substeps.value as u32);
            if !matches!(
                settings.scheme,
                ViscosityScheme::Explicit | ViscosityScheme::ImplicitExplicit
            ) {
                let message = format!(
                    "`{}` is for scheme = \"explicit\" and \"implicit-explicit\": the others take one step",
                    substeps.place.key
                );
                let mut problem = Problem::error(&substeps.place, message);
                if let Some(scheme) = &keys.scheme {
                    problem = problem.and(&scheme.place);
                }
                self.error(problem);
            }
        }
        change(&mut settings.pressure, &keys.pressure);
        change(&mut settings.edge_mean, &keys.edge_mean);
        change(&mut settings.tolerance, &keys.tolerance);
        if let Some(iterations) = &keys.max_iterations {
            settings.max_iterations = iterations.value as u32;
        }
        change(&mut settings.preconditioner, &keys.preconditioner);
        change(&mut settings.first_projection, &keys.first_projection);
    }

    /// A liquid's own viscosity.
    pub(super) fn viscosity_gradient(
        &mut self,
        keys: &Placed<ViscosityGradientKeys>,
    ) -> Option<ViscosityGradient> {
        let place = &keys.values.place;
        let [first, last] = keys.values.as_slice() else {
            let message = format!(
                "`{}` has {} numbers, but must have two: at `from` and at `to`",
                place.key,
                keys.values.len()
            );
            self.error(Problem::error(place, message));
            return None;
        };
        let (from, to) = (keys.from.value, keys.to.value);
        if from == to {
            let message = format!(
                "`{}` must differ from `from`: there is no way from a point to itself",
                keys.to.place.key
            );
            self.error(Problem::error(&keys.to.place, message).and(&keys.from.place));
            return None;
        }
        Some(ViscosityGradient {
            from,
            to,
            values: [first.value as f32, last.value as f32],
        })
    }
}
