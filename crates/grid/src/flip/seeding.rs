//! How finely particles sample the liquid when it is seeded and emitted.

use glam::Vec3;
use ooze_core::{Domain, Holder, LiquidSetup, ParticleSources};

use crate::Sampling;

/// Share of the spacing by which a site may be displaced along each axis.
const JITTER: f32 = 0.5;

/// Particles along each axis of a cell.
fn per_axis(sampling: Sampling) -> i32 {
    match sampling {
        Sampling::Fine => 2,
        Sampling::Coarse => 1,
    }
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
        spacing: setup.domain.cell_size / per_axis(sampling) as f32,
        jitter: JITTER,
        particle_volume: particle_volume(&setup.domain, sampling),
    }
}

/// Leaves so many of the points of free bodies that melt as makes them as heavy as they are when they are solid: each particle has the
/// mass of its melt.
pub(crate) fn thin_out(setup: &LiquidSetup, seeds: &mut [Vec<Vec3>]) {
    for (liquid, points) in setup.initial.iter().zip(seeds) {
        let Some(Holder::Body { packing, .. }) = liquid.hold.as_ref().map(|hold| &hold.by) else {
            continue;
        };
        let kept = |count: usize| (count as f64 * f64::from(*packing)).floor();
        let mut index = 0;
        points.retain(|_| {
            index += 1;
            kept(index) > kept(index - 1)
        });
    }
}
