//! Readings of a scene's probes.

pub mod coil;

use glam::Vec3;
use ooze_core::{Liquid, Solid, SolidLoad};
use ooze_scene::{Probe, ProbeQuantity, Scene};

use crate::simulation::{Observed, ReadProbes};

/// Names of the columns of a scene's probes, in the order of their readings.
pub fn columns(scene: &Scene) -> Vec<String> {
    scene.probes.iter().flat_map(Probe::columns).collect()
}

/// The function that reads all probes.
pub(crate) fn reader(probes: Vec<Probe>) -> ReadProbes {
    Box::new(move |observed| {
        probes
            .iter()
            .flat_map(|probe| read(&probe.measure, observed))
            .collect()
    })
}

/// The readings of one probe, one a column.
fn read(measure: &ProbeQuantity, observed: &Observed<'_>) -> Vec<Option<f64>> {
    let Observed { liquid, solids, .. } = *observed;
    match measure {
        ProbeQuantity::Volume(shape) => {
            let volume = liquid.volume_where(solids, &|point| shape.distance(point) < 0.0);
            vec![Some(volume)]
        }
        ProbeQuantity::Velocity(point) => components(liquid.velocity_at(*point)),
        ProbeQuantity::Pressure(point) => vec![liquid.pressure_at(*point).map(f64::from)],
        ProbeQuantity::Front { axis, upward } => vec![front(liquid, *axis, *upward)],
        ProbeQuantity::Coil { nozzle, layer } => {
            let channels = liquid.channels();
            let positions = channels.vectors("position").unwrap_or_default();
            let found = coil::contact(positions, *nozzle, *layer);
            [
                found.map(|contact| contact.angle),
                found.map(|contact| contact.distance),
                found.map(|contact| contact.height),
                found.map(|contact| contact.rope_radius),
            ]
            .into()
        }
        ProbeQuantity::Body(index) => {
            let solid = solids.all().get(*index);
            components(solid.map(|solid| solid.end.translation))
        }
        ProbeQuantity::Pose(index) => match solids.all().get(*index) {
            Some(solid) => pose(solid).map(Some).into(),
            None => vec![None; 13],
        },
        ProbeQuantity::Force(index) => forces(observed.forces.get(*index)),
    }
}

/// Position, rotation, velocity and spin of a solid.
fn pose(solid: &Solid) -> [f64; 13] {
    let (pose, twist) = (&solid.end, &solid.next);
    let origin = twist.velocity(pose.translation);
    let parts = pose.translation.to_array().into_iter();
    let parts = parts.chain(pose.rotation.to_array());
    let parts = parts.chain(origin.to_array());
    let mut parts = parts.chain(twist.angular.to_array());
    std::array::from_fn(|_| parts.next().map_or(0.0, f64::from))
}

/// Force of pressure, force of viscosity, and the torques of both.
fn forces(load: Option<&SolidLoad>) -> Vec<Option<f64>> {
    let read = |part: fn(&SolidLoad) -> [f64; 3]| {
        let values = load.map(part);
        (0..3).map(move |axis| values.map(|values| values[axis]))
    };
    read(|load| load.pressure.force)
        .chain(read(|load| load.viscous.force))
        .chain(read(|load| load.pressure.torque))
        .chain(read(|load| load.viscous.torque))
        .collect()
}

fn components(vector: Option<Vec3>) -> Vec<Option<f64>> {
    (0..3)
        .map(|axis| vector.map(|vector| f64::from(vector[axis])))
        .collect()
}

/// The coordinate of the particle that is furthest along an axis.
fn front(liquid: &dyn Liquid, axis: usize, upward: bool) -> Option<f64> {
    let channels = liquid.channels();
    let coordinates = channels
        .vectors("position")
        .ok()?
        .iter()
        .map(|position| position[axis]);
    let furthest = if upward {
        coordinates.reduce(f32::max)
    } else {
        coordinates.reduce(f32::min)
    };
    furthest.map(f64::from)
}
