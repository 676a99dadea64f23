//! The force-based liquid.

mod drops;
mod heat;
mod mixtures;
mod published;
mod repeats;
mod sources;
mod tanks;

use glam::Vec3;
use ooze_core::{KeyframedSolids, LiquidSetup};
use ooze_particles::{MuellerLiquid, MuellerSettings};

fn liquid(setup: &LiquidSetup, settings: MuellerSettings) -> MuellerLiquid {
    let solids = KeyframedSolids::new(Vec::new());
    MuellerLiquid::new(setup.clone(), settings, &solids)
}

/// Mean position of the particles of one material.
fn centre(liquid: &MuellerLiquid, material: u8) -> Vec3 {
    let particles = &liquid.state().particles;
    let own = particles.position.iter().zip(&particles.material);
    let own: Vec<Vec3> = own
        .filter(|&(_, &found)| found == material)
        .map(|(&position, _)| position)
        .collect();
    own.iter().copied().sum::<Vec3>() / own.len() as f32
}
