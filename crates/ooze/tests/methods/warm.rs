//! Bodies that cool as they melt their way through what they lie in.

use std::f64::consts::PI;

use crate::{run, scene};

const RADIUS: f64 = 0.004;
const DENSITY: f64 = 7800.0;
const CAPACITY: f64 = 460.0;
const HOT: f64 = 900.0;

/// A ball of steel half-way in wax that melts quickly.
fn in_wax() -> String {
    format!(
        "
[domain]
size = [0.016, 0.02, 0.016]
cells = 12
[domain.sides]
bottom = {{ closed = {{ contact = \"no-slip\", temperature = 290 }} }}
top = \"open\"
[time]
frame_rate = 20
frames = 4
max_substeps = 4
[materials.soft]
base = \"wax\"
viscosity = 1
thermal = {{ conductivity = 4, latent_heat = 4e4, solid_viscosity = 1e4, melting_width = 12 }}
[[liquid]]
material = \"soft\"
temperature = 315
shape.box = {{ lower = [0, 0, 0], upper = [0.016, 0.012, 0.016] }}
[[body]]
name = \"ball\"
density = {DENSITY}
temperature = {HOT}
heat_capacity = {CAPACITY}
contact = \"no-slip\"
shape.sphere = {{ centre = [0.008, 0.0125, 0.008], radius = {RADIUS} }}
"
    )
}

#[test]
fn a_hot_ball_melts_its_way_through_wax_with_the_heat_that_it_has() {
    let mass = DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3);
    for method in ["flip", "level-set"] {
        let scene = scene(&in_wax(), method);
        let frames = run(&scene).unwrap_or_else(|error| panic!("{method}: {error}"));
        let heat = |frame: usize| frames[frame].heat.expect("heat matters");
        let flows = frames.iter().filter_map(|frame| frame.heat_flow);
        let (mut booked, mut passed, mut given) = (0.0, 0.0, 0.0);
        for flow in flows {
            booked += flow.total();
            passed += flow.parts().map(f64::abs).iter().sum::<f64>();
            given += flow.bodies;
        }
        let last = frames.len() - 1;
        let unbooked = heat(last).content - heat(0).content - booked;
        assert!(
            unbooked.abs() < 1e-4 * passed,
            "{method}: {unbooked} of {passed}"
        );
        let ball = &frames[last].forces[0];
        let end = f64::from(ball.temperature.expect("it holds heat"));
        let lost = mass * CAPACITY * (HOT - end);
        assert!(HOT - end > 20.0, "{method}: {end}");
        assert!(
            (given / lost - 1.0).abs() < 1e-3,
            "{method}: {given} {lost}"
        );
        assert!(heat(last).melted > 0.01, "{method}: {:?}", heat(last));
        assert!(heat(last).hottest <= HOT, "{method}: {:?}", heat(last));
    }
}
