//! How finely particles sample the liquid when it is seeded and emitted.

use glam::Vec3;
use ooze_core::{Domain, LiquidSetup, ParticleSources};

use crate::Sampling;

/// Share of the spacing by which a site may be displaced along each axis.
const JITTER: f32 = 0.5;
/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Particles along each axis of a cell.
fn per_axis(sampling: Sampling) -> i32 {
    match sampling {
        Sampling::Fine => 2,
        Sampling::Coarse => 1,
    }
}

/// Distance of neighbouring particles at rest in metres.
pub(crate) fn particle_spacing(domain: &Domain, sampling: Sampling) -> f32 {
    domain.cell_size / per_axis(sampling) as f32
}

/// Volume that one particle stands for, in cubic metres.
pub(crate) fn particle_volume(domain: &Domain, sampling: Sampling) -> f64 {
    let per_cell = f64::from(per_axis(sampling)).powi(domain.dimensions() as i32);
    domain.lattice().cell_volume() / per_cell
}

/// Where particles come from and where they go.
pub(crate) fn sources(setup: &LiquidSetup, sampling: Sampling) -> ParticleSources<'_> {
    ParticleSources {
        setup,
        spacing: particle_spacing(&setup.domain, sampling),
        jitter: JITTER,
        particle_volume: particle_volume(&setup.domain, sampling),
    }
}

/// So many of the points of a body that melts as make it as heavy as it is when it is solid, since each has the mass of its melt.
pub(crate) fn thin_out(mut points: Vec<Vec3>, packing: f32) -> Vec<Vec3> {
    // Steps of the golden section are as evenly spread as can be, along rows of the lattice too.
    let mut place = 0.0;
    points.retain(|_| {
        place = (place + GOLDEN).fract();
        place < f64::from(packing)
    });
    points
}
