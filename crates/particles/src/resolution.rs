//! How finely particles sample a liquid, and sums over the lattice that they rest on.

use glam::IVec3;
use ooze_core::Domain;

use crate::kernel::Space;

/// Spacing of the particles and reach of their interactions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Distance of neighbouring particles at rest, in metres.
    pub spacing: f32,
    /// Distance within which particles interact, in metres.
    pub radius: f32,
    /// Two or three dimensions.
    pub space: Space,
}

impl Resolution {
    /// The resolution of a domain for a spacing in cells and a radius in spacings.
    pub fn new(domain: &Domain, spacing_in_cells: f32, radius_in_spacings: f32) -> Self {
        let spacing = domain.cell_size * spacing_in_cells;
        Self {
            spacing,
            radius: spacing * radius_in_spacings,
            space: if domain.flat {
                Space::Flat {
                    depth: domain.cell_size,
                }
            } else {
                Space::Full
            },
        }
    }

    /// Whether the scene is flat.
    pub fn flat(&self) -> bool {
        self.space.dimensions() == 2
    }

    /// Volume that one particle stands for, in cubic metres.
    pub fn particle_volume(&self) -> f64 {
        f64::from(self.spacing).powi(self.space.dimensions()) * f64::from(self.space.depth())
    }

    /// Sum of `function(r)` over all other sites of the lattice within the radius of a site.
    pub fn lattice_sum(&self, function: impl Fn(f32) -> f32) -> f32 {
        self.sum_over_lattice(|site| {
            let distance = self.spacing * site.as_vec3().length();
            f64::from(function(distance))
        })
    }

    /// Sum of `function(site)` over all other sites within the radius, as multiples of the spacing.
    pub fn sum_over_lattice(&self, function: impl Fn(IVec3) -> f64) -> f32 {
        let reach = (self.radius / self.spacing).ceil() as i32;
        let depth = if self.flat() { 0 } else { reach };
        let mut sum = 0.0;
        for z in -depth..=depth {
            for y in -reach..=reach {
                for x in -reach..=reach {
                    let site = IVec3::new(x, y, z);
                    let distance = self.spacing * site.as_vec3().length();
                    if site != IVec3::ZERO && distance < self.radius {
                        sum += function(site);
                    }
                }
            }
        }
        sum as f32
    }
}
