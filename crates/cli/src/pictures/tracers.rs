//! Tracers of a frame as small balls, one cloud for each set.

use ooze_core::{ChannelError, Frame};
use ooze_render::Particles;
use ooze_scene::Scene;
use ooze_staging::Look;

/// How rough the balls are.
const ROUGHNESS: f32 = 0.4;

/// The tracers of a frame, in the colours and sizes that the scene gives them.
pub(super) fn balls(scene: &Scene, frame: &Frame) -> Result<Vec<Particles>, ChannelError> {
    if frame.tracers.get("position").is_none() {
        return Ok(Vec::new());
    }
    let positions = frame.tracers.vectors("position")?;
    let sets = frame.tracers.bytes("set")?;
    let looks = scene.tracer_looks.iter().zip(&scene.setup.tracers);
    let clouds = looks.enumerate().map(|(number, (look, tracers))| {
        let own = positions.iter().zip(sets);
        let own = own.filter(|(_, set)| usize::from(**set) == number);
        Particles {
            name: tracers.name.clone(),
            positions: own.map(|(&position, _)| position).collect(),
            radius: 0.5 * look.diameter,
            colours: Vec::new(),
            temperatures: Vec::new(),
            look: Look::opaque(look.colour, ROUGHNESS),
        }
    });
    Ok(clouds.filter(|cloud| !cloud.positions.is_empty()).collect())
}
