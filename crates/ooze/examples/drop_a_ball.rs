//! Drops a ball of honey into a box and prints what becomes of its volume.
#![expect(clippy::print_stdout, reason = "it is there to be read")]

use ooze::glam::Vec3;
use ooze::{Domain, LiquidSetup, Material, Method, Scene, Shape, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut setup = LiquidSetup::new(Domain::closed(Vec3::ZERO, Vec3::splat(0.1), 24));
    let honey = Material::preset("honey").ok_or("there is honey")?;
    setup.fill(Shape::sphere(Vec3::new(0.05, 0.06, 0.05), 0.025)?, honey);
    let scene = Scene::new("ball", setup, Method::Flip(Default::default()));

    let mut simulation = Simulation::of_scene(&scene)?;
    for frame in 1..=12 {
        simulation.advance_frame(&|| false)?;
        let measure = simulation.measure();
        let millilitres = 1e6 * measure.volume;
        let drift = 100.0 * measure.volume_drift();
        println!("frame {frame}: {millilitres:.2} ml, {drift:+.3} %");
    }
    Ok(())
}
