//! A body that liquid holds which is all but solid.

use crate::{run, scene};

/// A heavy ball, or a light one, in the middle of a block of set liquid.
fn in_a_block(density: f64) -> String {
    format!(
        "
[domain]
flat = true
size = [0.0096, 0.0144, 0.0006]
cell_size = 0.0006
contact = \"no-slip\"
[domain.sides]
top = \"open\"
[time]
frame_rate = 30
frames = 30
max_substeps = 4
[materials.set]
base = \"wax\"
viscosity = 2e5
[[liquid]]
material = \"set\"
shape.box = {{ lower = [0, 0, -1], upper = [0.0096, 0.012, 1] }}
[[body]]
name = \"ball\"
density = {density}
contact = \"no-slip\"
shape.cylinder = {{ from = [0.0048, 0.0061, -1], to = [0.0048, 0.0061, 1], radius = 0.002 }}
"
    )
}

#[test]
fn what_is_set_in_liquid_that_is_all_but_solid_stays_there() {
    for density in [100.0, 7800.0] {
        for method in ["apic", "level-set"] {
            let frames = run(&scene(&in_a_block(density), method));
            let frames = frames.unwrap_or_else(|error| panic!("{method} {density}: {error}"));
            let fastest = frames.iter().filter_map(|frame| {
                let motion = frame.forces.first()?.motion?;
                let mass = density * 1.2566e-5 * 0.0006;
                Some(glam::DVec3::from_array(motion.momentum).length() / mass)
            });
            let fastest = fastest.fold(0.0, f64::max);
            assert!(fastest < 1e-5, "{method} {density}: {fastest}");
        }
    }
}
