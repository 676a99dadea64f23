//! Heat comes to the same bits on any number of threads and after a resume, whatever passes it.

use crate::bits::check_bits;
use crate::scene;

/// Wax between a hot floor and air that it glows into, under a hot ball that swings past and is switched off.
const WARM: &str = r#"
name = "warm"
[domain]
size = [0.2, 0.2, 0.0]
cells = 20
flat = true
contact = "no-slip"
sides.bottom = { closed = { temperature = 380 } }
[time]
frame_rate = 25
frames = 6
[air]
temperature = 290
heat_transfer = 500
emissivity = 0.9
[materials.wax]
temperature = 320
viscosity = 0.5
thermal = { solid_viscosity = 1e5 }
[[liquid]]
material = "wax"
temperature = 310
shape.box = { lower = [0.03, 0.0, -1.0], upper = [0.11, 0.09, 1.0] }
[[liquid]]
material = "wax"
temperature = 370
shape.sphere = { centre = [0.15, 0.1, 0.0], radius = 0.03 }
[[heater]]
shape.sphere = { centre = [0.0, 0.0, 0.0], radius = 0.01 }
temperature = 500
reach = 0.05
stop = 0.17
[heater.motion]
keyframes = [
    { time = 0.0, position = [0.04, 0.12, 0.0] },
    { time = 0.2, position = [0.12, 0.12, 0.0] },
]
"#;

/// A solid of the same wax, which melts and has liquid come off.
const MELTING: &str = r#"
[[collider]]
name = "candle"
material = "wax"
temperature = 325
shape.box = { lower = [0.12, 0.0, -1.0], upper = [0.18, 0.06, 1.0] }
"#;

#[test]
fn heat_comes_to_the_same_bits_on_any_number_of_threads_and_after_a_resume() {
    for method in ["flip", "apic", "level-set", "carlson-2004"] {
        check_bits(&scene(WARM, method), 3, |_| ());
    }
    for method in ["flip", "apic"] {
        check_bits(&scene(&[WARM, MELTING].concat(), method), 3, |_| ());
    }
}
