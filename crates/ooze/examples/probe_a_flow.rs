//! Lets a column of water collapse and prints how far its front has come, and how fast it is at a point.
#![expect(clippy::print_stdout, reason = "it is there to be read")]

use ooze::{Finished, Moment, Scene, Simulation, Sink, SinkError, probes};

const SCENE: &str = r#"
domain = { size = [0.4, 0.2, 0.1], cells = 32, flat = true }
time = { frames = 10 }
liquid = [{ material = "water", shape.box = { lower = [0, 0, -1], upper = [0.1, 0.15, 1] } }]
probe = [
    { name = "front", measure.front.direction = "+x" },
    { name = "speed", measure.velocity.point = [0.05, 0.02, 0] },
]
"#;

/// Prints the readings of every frame.
struct Printer(Vec<String>);

impl Sink for Printer {
    fn frame(&mut self, moment: &Moment, finished: &mut Finished) -> Result<(), SinkError> {
        println!("after {:.3} s", moment.progress.time);
        for (column, reading) in self.0.iter().zip(finished.readings) {
            println!("  {column}: {reading:?}");
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::parse(SCENE, "column.toml", "")?;
    let mut simulation = Simulation::of_scene(&scene)?;
    simulation.add_sink(Box::new(Printer(probes::columns(&scene))));
    simulation.run(&|| false)?;
    Ok(())
}
