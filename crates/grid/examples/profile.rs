//! Stage times of a dam break.
#[path = "../tests/physics/support.rs"]
#[allow(dead_code)]
mod support;
use glam::Vec3;
use ooze_core::Liquid;
use ooze_grid::FlipSettings;
use support::*;
fn main() {
    let cells: i32 = std::env::args().nth(1).map_or(64, |a| a.parse().unwrap());
    let steps: i32 = std::env::args().nth(2).map_or(10, |a| a.parse().unwrap());
    let fill: f32 = std::env::args().nth(3).map_or(0.5, |a| a.parse().unwrap());
    let mut domain = unit_box(cells, false);
    domain.cells = glam::IVec3::splat(cells);
    let water = cuboid(Vec3::ZERO, Vec3::new(fill, 0.5, 1.0));
    let mut settings = FlipSettings::default();
    settings.pressure.tolerance = 1e-5;
    let mut world = World::new(setup(domain, water), settings, Vec::new());
    println!("particles {}", world.positions().len());
    for _ in 0..3 {
        world.step(0.5 / cells as f64 / 3.0);
    }
    world.report = Default::default();
    let start = std::time::Instant::now();
    for _ in 0..steps {
        let stable = world.liquid.stable_step(&world.solids).seconds;
        world.step(stable.min(1.0 / 60.0));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.1} ms a step, {:.2} M particle-steps/s, t = {:.3}",
        seconds / steps as f64 * 1e3,
        world.positions().len() as f64 * steps as f64 / seconds / 1e6,
        world.time
    );
    for (name, seconds) in &world.report.seconds {
        println!("  {name:15} {:.2} ms", seconds / steps as f64 * 1e3);
    }
    for (name, s) in &world.report.solves {
        println!(
            "  {name}: {:.1} iterations mean, {} max",
            s.iterations as f64 / s.count as f64,
            s.iterations_max
        );
    }
    let m = world.liquid.measure(&world.solids);
    println!(
        "drift {:.4} cells {}",
        m.volume_drift(),
        world.report.liquid_cells
    );
}
