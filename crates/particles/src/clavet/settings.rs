//! Choices of Clavet's liquid, with their defaults written once.

use ooze_commons::choice;
use ooze_core::Domain;

use crate::liquid::walls::WallForm;
use crate::resolution::Resolution;

choice! {
    /// In which order pairs of particles are relaxed.
    pub enum RelaxationOrder {
        /// All at once, on all threads.
        Parallel "parallel";
        /// One after the other, as published; for small scenes.
        Sequential "sequential";
    }
}

/// Settings of Clavet's liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClavetSettings {
    /// Distance of particles in cells of the domain.
    pub spacing: f32,
    /// Interaction radius h in spacings.
    pub radius: f32,
    /// Compression that the weight of the liquid may cause: the stiffness follows from it.
    pub compression: f32,
    /// Near-stiffness divided by stiffness. None lets the material decide: near-pressure makes a packing of the particles that
    /// bears shear, which liquids without springs must not.
    pub near_ratio: Option<f32>,
    /// Least viscosity of approaching pairs, as the share of their approach that they lose while sound crosses an interaction
    /// radius: what calms the noise of particles that slide past one another.
    pub damping: f32,
    /// Share of the attraction between particles at the surface: 1 as published, 0 as little as holds the liquid
    /// together. None lets the material's surface tension decide.
    pub cohesion: Option<f32>,
    /// Quadratic viscosity β in 1/m, against particles that fly into one another.
    pub quadratic_viscosity: f32,
    /// Strongest pull of sticky walls in m/s².
    pub stickiness: f32,
    /// Diffusivity of colour in m²/s.
    pub diffusivity: f32,
    /// What stands for walls.
    pub walls: WallForm,
    /// Whether frames hold the normals of particles at the surface.
    pub normals: bool,
    /// Order of relaxation.
    pub order: RelaxationOrder,
    /// Interaction radii that sound may cross in one sub-step. Above 0.4 steps are longer than the stiffness allows, and
    /// the liquid is softer instead.
    pub cfl: f32,
}

impl Default for ClavetSettings {
    fn default() -> Self {
        Self {
            spacing: 0.5,
            radius: 2.0,
            compression: 0.03,
            near_ratio: None,
            damping: 0.36,
            cohesion: None,
            quadratic_viscosity: 0.0,
            stickiness: 40.0,
            diffusivity: 0.0,
            walls: WallForm::Distance,
            normals: false,
            order: RelaxationOrder::Parallel,
            cfl: 0.4,
        }
    }
}

impl ClavetSettings {
    /// Spacing of the particles in a domain, and reach of their interactions.
    pub fn resolution(&self, domain: &Domain) -> Resolution {
        Resolution::new(domain, self.spacing, self.radius)
    }

    /// Volume that one particle stands for, in cubic metres.
    pub fn particle_volume(&self, domain: &Domain) -> f64 {
        self.resolution(domain).particle_volume()
    }

    /// As published: particles relaxed one by one, the full attraction, k_near/k = 2.5 (Clavet et al. 2005, sec. 4 and 7).
    pub fn published() -> Self {
        Self {
            near_ratio: Some(2.5),
            damping: 0.0,
            cohesion: Some(1.0),
            order: RelaxationOrder::Sequential,
            ..Self::default()
        }
    }
}
