//! Values that look like wrong units.

use std::f64::consts::PI;

use glam::Vec3;

use super::Checker;
use super::heat::walls;
use crate::Problem;
use crate::file::{MaterialKeys, RotationKeys, SceneKeys, ShapeKeys};
use crate::place::{Place, Placed};

impl Checker {
    pub(super) fn suspect_units(&mut self, keys: &SceneKeys) {
        if let Some(domain) = &keys.domain {
            let longest = domain.size.max_element();
            if longest > 50.0 {
                self.suspect(
                    &domain.size.place,
                    &format!("{longest} m is a large building"),
                    "lengths are in metres, not centimetres or millimetres",
                );
            }
            if longest < 1e-3 {
                self.suspect(
                    &domain.size.place,
                    &format!("{longest} m is a grain of sand"),
                    "lengths are in metres",
                );
            }
        }
        self.suspect_gravity(&keys.gravity);
        if keys.time.frame_rate.value > 1000.0 {
            let rate = keys.time.frame_rate.value;
            self.suspect(
                &keys.time.frame_rate.place,
                &format!("{rate} frames a second is much"),
                "`frame_rate` is frames per second, not milliseconds a frame",
            );
        }
        if let Some(duration) = &keys.time.duration
            && duration.value > 600.0
        {
            let minutes = duration.value / 60.0;
            self.suspect(
                &duration.place,
                &format!("{minutes} minutes is long"),
                "`duration` is in seconds, not frames or milliseconds",
            );
        }
        for (_, material) in &keys.materials.0 {
            self.suspect_material(material);
        }
        self.suspect_temperatures(keys);
        let liquids = keys.liquid.iter().map(|liquid| &liquid.velocity);
        let emitters = keys
            .emitter
            .iter()
            .filter_map(|emitter| emitter.velocity.as_ref());
        for velocity in liquids.chain(emitters) {
            self.suspect_speed(&velocity.place, f64::from(velocity.length()));
        }
        for emitter in &keys.emitter.value {
            if let Some(speed) = &emitter.speed {
                self.suspect_speed(&speed.place, speed.value);
            }
            if let Some(rate) = &emitter.rate
                && rate.value > 10.0
            {
                self.suspect(
                    &rate.place,
                    &format!("{} m³/s is a river", rate.value),
                    "`rate` is in cubic metres a second; a litre is 0.001",
                );
            }
        }
        self.suspect_angles(keys);
    }

    fn suspect(&mut self, place: &Place, what: &str, why: &str) {
        let message = format!("`{}`: {what}", place.key);
        self.warnings.push(
            Problem::warning(place, message)
                .label("is this the right unit?")
                .help(why),
        );
    }

    fn suspect_gravity(&mut self, gravity: &Placed<Vec3>) {
        let strength = gravity.length();
        if strength > 100.0 {
            self.suspect(
                &gravity.place,
                &format!("{strength} m/s² is more than ten times the Earth's"),
                "`gravity` is in m/s²: 9.81, not 981",
            );
        }
        if gravity.y > 0.0 {
            self.suspect(
                &gravity.place,
                "it points up",
                "y points up: gravity is [0, -9.81, 0]",
            );
        }
    }

    fn suspect_speed(&mut self, place: &Place, speed: f64) {
        if speed > 100.0 {
            self.suspect(
                place,
                &format!("{speed} m/s is faster than a hurricane"),
                "velocities are in metres per second",
            );
        }
    }

    fn suspect_material(&mut self, keys: &MaterialKeys) {
        if let Some(density) = &keys.density
            && density.value < 50.0
        {
            self.suspect(
                &density.place,
                &format!("{} kg/m³ is lighter than any liquid", density.value),
                "`density` is in kg/m³: water has 998, not 1",
            );
        }
        if let Some(density) = &keys.density
            && density.value > 25_000.0
        {
            self.suspect(
                &density.place,
                &format!("{} kg/m³ is heavier than gold", density.value),
                "`density` is in kg/m³",
            );
        }
        if let Some(tension) = &keys.surface_tension
            && tension.value > 2.0
        {
            self.suspect(
                &tension.place,
                &format!("{} N/m is more than any liquid metal has", tension.value),
                "`surface_tension` is in N/m: water has 0.073, not 73",
            );
        }
        let temperatures = [
            keys.temperature.as_ref(),
            keys.thermal
                .as_ref()
                .and_then(|thermal| thermal.melting_point.as_ref()),
        ];
        for temperature in temperatures.into_iter().flatten() {
            self.suspect_temperature(temperature);
        }
    }

    /// Looks at all temperatures that are not those of materials.
    fn suspect_temperatures(&mut self, keys: &SceneKeys) {
        if let Some(air) = &keys.air {
            self.suspect_temperature(&air.temperature);
        }
        let walls = walls(keys).map(|(_, wall)| &wall.temperature);
        let colliders = keys.collider.iter().map(|keys| &keys.temperature);
        let bodies = keys.body.iter().map(|keys| &keys.temperature);
        let heaters = keys.heater.iter().map(|keys| &keys.temperature);
        let liquids = keys.liquid.iter().map(|keys| &keys.temperature);
        let emitters = keys.emitter.iter().map(|keys| &keys.temperature);
        let drops = keys.drops.iter().flat_map(|keys| {
            let single = keys.at.iter().map(|drop| &drop.temperature);
            std::iter::once(&keys.temperature).chain(single)
        });
        let solids = walls.chain(colliders).chain(bodies).chain(heaters);
        let given = solids.chain(liquids).chain(emitters).chain(drops);
        for temperature in given.flatten() {
            self.suspect_temperature(temperature);
        }
    }

    fn suspect_temperature(&mut self, temperature: &Placed<f64>) {
        if temperature.value < 150.0 {
            self.suspect(
                &temperature.place,
                &format!("{} K is colder than any place on Earth", temperature.value),
                "temperatures are in kelvin: add 273.15 to degrees Celsius",
            );
        }
    }

    fn suspect_angles(&mut self, keys: &SceneKeys) {
        let colliders = keys.collider.iter();
        let colliders = colliders.map(|collider| (&collider.motion, &collider.shape));
        let bodies = keys.body.iter().map(|body| (&body.motion, &body.shape));
        for (motion, shape) in colliders.chain(bodies) {
            let frames = motion.keyframes.iter();
            let frames = frames.filter_map(|frame| frame.rotation.as_ref());
            for rotation in motion.rotation.iter().chain(frames) {
                self.suspect_angle(rotation);
            }
            self.suspect_shape(shape);
        }
        for liquid in &keys.liquid.value {
            self.suspect_shape(&liquid.shape);
        }
    }

    fn suspect_shape(&mut self, keys: &ShapeKeys) {
        match keys {
            ShapeKeys::Mesh(mesh) => mesh
                .rotation
                .iter()
                .for_each(|rotation| self.suspect_angle(rotation)),
            ShapeKeys::Transform(moved) => {
                moved
                    .rotation
                    .iter()
                    .for_each(|rotation| self.suspect_angle(rotation));
                self.suspect_shape(&moved.of);
            }
            ShapeKeys::Union(shapes) | ShapeKeys::Intersection(shapes) => {
                shapes.iter().for_each(|shape| self.suspect_shape(shape));
            }
            ShapeKeys::SmoothUnion(blend) => blend
                .shapes
                .iter()
                .for_each(|shape| self.suspect_shape(shape)),
            ShapeKeys::Shell(shell) => self.suspect_shape(&shell.of),
            ShapeKeys::Difference(difference) => {
                self.suspect_shape(&difference.from);
                difference
                    .subtract
                    .iter()
                    .for_each(|shape| self.suspect_shape(shape));
            }
            _ => {}
        }
    }

    /// Nobody turns a thing by 1.5708 degrees.
    fn suspect_angle(&mut self, rotation: &RotationKeys) {
        let angle = rotation.angle.value.abs();
        let fractions = [6.0, 4.0, 3.0, 2.0, 1.0, 0.5].map(|part| PI / part);
        if fractions
            .iter()
            .any(|fraction| (angle - fraction).abs() < 0.005)
        {
            self.suspect(
                &rotation.angle.place,
                &format!("{} looks like radians", rotation.angle.value),
                "angles are in degrees: a right angle is 90",
            );
        }
    }
}
