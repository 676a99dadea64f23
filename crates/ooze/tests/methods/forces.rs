//! Forces on solids as whole runs tell them, by every family of methods.

use std::f64::consts::PI;
use std::sync::{Arc, Mutex};

use ooze::Simulation;
use ooze::simulation::{Finished, Moment, Sink, SinkError};

use crate::scene;

/// Keeps the readings of the probes.
#[derive(Clone, Default)]
struct Readings(Arc<Mutex<Vec<Vec<Option<f64>>>>>);

impl Sink for Readings {
    fn frame(&mut self, _moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        let [solid, ..] = finished.statistics.forces.as_slice() else {
            // Nothing has been done yet at the start.
            assert!(finished.readings.iter().all(Option::is_none));
            return Ok(());
        };
        // Statistics and probes tell the same.
        let parts = [solid.pressure.force, solid.viscous.force];
        let turning = [solid.pressure.torque, solid.viscous.torque];
        let told = [parts, turning].concat().concat();
        let read: Option<Vec<f64>> = finished.readings.iter().copied().collect();
        assert_eq!(read.as_deref(), Some(&told[..]));
        let mut readings = self.0.lock().expect("nobody panicked");
        readings.push(finished.readings.to_vec());
        Ok(())
    }
}

/// Force of pressure, of viscosity, and their torques, on average over the later half of a run.
fn mean_forces(text: &str, method: &str) -> [[f64; 3]; 4] {
    let mut simulation = Simulation::of_scene(&scene(text, method)).unwrap();
    let readings = Readings::default();
    simulation.add_sink(Box::new(readings.clone()));
    let ended = simulation.run(&|| false);
    ended.unwrap_or_else(|error| panic!("{method}: {error}"));
    let frames = readings.0.lock().expect("nobody panicked").clone();
    let later = &frames[frames.len() / 2..];
    let mean = |column: usize| {
        let values = later.iter().filter_map(|frame| frame[column]);
        values.sum::<f64>() / later.len() as f64
    };
    std::array::from_fn(|part| std::array::from_fn(|axis| mean(3 * part + axis)))
}

/// Methods, and how near they come to the lift of a rod of four cells' radius: particles keep half a spacing away from it.
const BUOYANT: [(&str, f64); 4] = [
    ("flip", 0.02),
    ("level-set", 0.02),
    ("clavet", 0.12),
    ("mueller", 0.15),
];

/// A rod under water.
const SUBMERGED: &str = "
[domain]
size = [0.2, 0.2, 0.2]
cells = 20
flat = true
[time]
frames = 20
frame_rate = 50
[[liquid]]
material = \"water\"
shape.box = { lower = [0, 0, -1], upper = [0.2, 0.15, 1] }
[[collider]]
name = \"rod\"
shape.cylinder = { from = [0, 0, -1], to = [0, 0, 1], radius = 0.04 }
motion.position = [0.1, 0.077, 0]
[[probe]]
name = \"rod\"
measure.force.collider = \"rod\"
[output]
video = false
";

#[test]
fn a_rod_under_water_is_lifted_by_what_it_displaces() {
    let lift = 998.0 * 9.81 * PI * 0.04 * 0.04 * 0.01;
    for (method, tolerance) in BUOYANT {
        let [pressure, viscous, torque, _] = mean_forces(SUBMERGED, method);
        let upward = (pressure[1] + viscous[1]) / lift;
        let aside = (pressure[0] + viscous[0]) / lift;
        assert!(
            (upward - 1.0).abs() < tolerance && aside.abs() < tolerance,
            "{method}: {upward} up and {aside} aside of {lift} N"
        );
        // Pressure goes through the middle of a circle.
        assert!(
            torque[2].abs() < 0.04 * lift * tolerance,
            "{method}: {torque:?}"
        );
    }
}

/// A block of cold wax under water, between the planes of the grid.
const MELTING: &str = "
[domain]
size = [0.2, 0.2, 0.2]
cells = 20
flat = true
[time]
frames = 20
frame_rate = 50
[[liquid]]
material = \"water\"
shape.box = { lower = [0, 0, -1], upper = [0.2, 0.15, 1] }
[[collider]]
name = \"block\"
material = \"wax\"
temperature = 293
shape.box = { lower = [0, 0, -1], upper = [0.08, 0.06, 1] }
motion.position = [0.06, 0.04, 0]
[[probe]]
name = \"block\"
measure.force.collider = \"block\"
[output]
video = false
";

#[test]
fn a_solid_that_melts_is_lifted_by_what_it_displaces() {
    let lift = 998.0 * 9.81 * 0.08 * 0.06 * 0.01;
    let [pressure, _, torque, _] = mean_forces(MELTING, "flip");
    let found = pressure[1] / lift;
    assert!((found - 1.0).abs() < 0.02, "{found} of {lift} N");
    // About its own origin, a corner.
    let turning = torque[2] / (0.04 * lift);
    assert!((turning - 1.0).abs() < 0.03, "{turning}");
}

/// Methods, and how near they come to the torque on a rod of five cells' radius that turns.
const STIRRING: [(&str, f64); 3] = [("flip", 0.05), ("level-set", 0.05), ("mueller", 0.25)];

/// A rod that turns in a cup full of syrup.
const STIRRED: &str = "
gravity = [0, 0, 0]
[domain]
size = [0.32, 0.32, 0.32]
cells = 32
flat = true
[time]
frames = 20
frame_rate = 50
[materials.syrup]
base = \"water\"
density = 1000
viscosity = 10
surface_tension = 0
[[liquid]]
material = \"syrup\"
shape.difference.from.cylinder = { from = [0.16, 0.16, -1], to = [0.16, 0.16, 1], radius = 0.15 }
shape.difference.subtract = [{ cylinder = { from = [0.16, 0.16, -1], to = [0.16, 0.16, 1], radius = 0.05 } }]
[[collider]]
name = \"rod\"
contact = \"no-slip\"
shape.cylinder = { from = [0, 0, -1], to = [0, 0, 1], radius = 0.05 }
motion.position = [0.16, 0.16, 0]
motion.spin = { axis = [0, 0, 1], turns_per_second = 0.5 }
[[collider]]
name = \"cup\"
contact = \"no-slip\"
shape.difference.from.box = { lower = [-1, -1, -2], upper = [2, 2, 2] }
shape.difference.subtract = [{ cylinder = { from = [0.16, 0.16, -3], to = [0.16, 0.16, 3], radius = 0.15 } }]
[[probe]]
name = \"rod\"
measure.force.collider = \"rod\"
[output]
video = false
";

#[test]
fn a_rod_that_stirs_syrup_is_held_back() {
    let [rod, cup] = [0.05f64, 0.15].map(|radius| radius * radius);
    let torque = -4.0 * PI * 10.0 * PI * rod * cup / (cup - rod) * 0.01;
    for (method, tolerance) in STIRRING {
        let [_, _, pressure, viscous] = mean_forces(STIRRED, method);
        let found = (pressure[2] + viscous[2]) / torque;
        assert!(
            (found - 1.0).abs() < tolerance,
            "{method}: {found} of {torque} N m"
        );
    }
}
