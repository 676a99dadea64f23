//! Bodies and tracers of a whole run in other programs' files.

use glam::Vec3;

use crate::Run;
use crate::crate_reader::CrateReader;
use crate::python::Python;

/// How many balls are alike, each given at its own place.
const BALLS: usize = 8;
const FRAMES: u32 = 3;

/// Water with tracers that balls, a bored stone and a mesh fall into.
fn scene() -> String {
    let ball = |index: usize| {
        let (x, z) = (
            0.03 + 0.033 * (index % 4) as f32,
            0.04 + 0.08 * (index / 4) as f32,
        );
        format!(
            "[[body]]\nname = \"ball {index}\"\ndensity = 2000\n\
             shape.sphere = {{ centre = [{x}, 0.12, {z}], radius = 0.012 }}\n\
             turns_per_second = [0, {index}, 1]\n\n"
        )
    };
    let balls: String = (0..BALLS).map(ball).collect();
    format!(
        r#"
name = "rain"
method = "level-set"

[domain]
size = [0.16, 0.16, 0.16]
cells = 12

[time]
frame_rate = 25
frames = {FRAMES}

[[liquid]]
shape.box = {{ lower = [0, 0, 0], upper = [0.16, 0.05, 0.16] }}

[[tracers]]
shape.box = {{ lower = [0, 0, 0], upper = [0.16, 0.05, 0.08] }}
spacing = 0.02
colour = [1, 0, 0]

[[tracers]]
shape.box = {{ lower = [0, 0, 0.08], upper = [0.16, 0.05, 0.16] }}
spacing = 0.02
start = 0.06
colour = [0, 0, 1]

{balls}
[[body]]
name = "bored"
density = 3000
shape.difference = {{ from.box = {{ lower = [0.06, 0.07, 0.07], upper = [0.1, 0.09, 0.09] }}, subtract = [{{ sphere = {{ centre = [0.08, 0.09, 0.08], radius = 0.008 }} }}] }}

[[body]]
name = "wedge"
density = 1500
shape.mesh = {{ file = "wedge.obj", scale = 0.5 }}
motion.position = [0.12, 0.08, 0.08]
turns_per_second = [1, 0, 0]
"#
    )
}

const CHECKS: &str = r#"
import sys
from pxr import Usd, UsdGeom, UsdValidation
stage = Usd.Stage.Open(sys.argv[1])
validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
errors = UsdValidation.ValidationContext(validators).Validate(stage)
assert not errors, [error.GetErrorAsString() for error in errors]
balls = UsdGeom.PointInstancer(stage.GetPrimAtPath("/rain/colliders/ball_0"))
assert list(balls.GetIdsAttr().Get()) == list(range(8))
assert list(balls.GetPrim().GetAttribute("ooze:names").Get())[3] == "ball 3"
tracers = UsdGeom.Points(stage.GetPrimAtPath("/rain/tracers"))
assert tracers.ComputePurpose() == "default"
assert len(tracers.GetIdsAttr().Get(3)) == len(tracers.GetPointsAttr().Get(3))
"#;

#[test]
fn bodies_and_tracers_are_found_where_frames_have_them() {
    let run = Run::of(&scene());
    run.export("usd", &["--to", "rain.usdc"]);
    let path = run.path("rain.usdc");
    let file = CrateReader::new(std::fs::read(&path).unwrap());
    let centres = file.vectors("/rain/colliders/ball_0.positions");
    let turns = file.orientations("/rain/colliders/ball_0.orientationsf");
    let prototype = file.still_vectors("/rain/colliders/ball_0/prototype.points");
    for number in 0..=FRAMES {
        let frame = run.frame(number);
        for (index, body) in frame.bodies.iter().take(BALLS).enumerate() {
            let middle = run.scene(&[]).bodies[index].shape.bounds().centre();
            // The prototype is the first ball, in a frame that is the world's at the start.
            let first = run.scene(&[]).bodies[0].shape.bounds().centre();
            let turned = body.pose.rotation * first;
            let found = centres[number as usize].1[index] + turned;
            let expected = body.pose.to_world(middle);
            assert!(found.distance(expected) < 1e-6, "{number} {index}");
            assert_eq!(turns[number as usize].1[index], body.pose.rotation);
        }
        for (index, name) in [(BALLS, "bored"), (BALLS + 1, "wedge")] {
            let moved = file.matrices(&format!("/rain/colliders/{name}.xformOp:transform"));
            let pose = frame.bodies[index].pose;
            let point = Vec3::new(0.01, 0.02, 0.03);
            let found = moved[number as usize].1.transform_point3(point.as_dvec3());
            assert!(
                found.as_vec3().distance(pose.to_world(point)) < 1e-6,
                "{name}"
            );
        }
        let tracers = file.vectors("/rain/tracers.points");
        let positions = frame.tracers.vectors("position").unwrap();
        assert_eq!(tracers[number as usize].1, positions);
    }
    let largest = prototype.iter().map(|point| point.y).fold(0.0, f32::max);
    assert!((largest - 0.132).abs() < 1e-4, "{largest}");
    let colours = file.vectors("/rain/tracers.primvars:displayColor");
    assert!(colours[0].1.iter().all(|&colour| colour == Vec3::X));
    assert!(
        colours[FRAMES as usize].1.contains(&Vec3::Z),
        "the second set"
    );
    if let Some(python) = Python::given() {
        let output = python.command().args(["-c", CHECKS]).arg(&path).output();
        let output = output.unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaint}");
    }

    run.export("ply", &["--what", "particles", "--frames", "3"]);
    assert_eq!(run.exported(), ["particles_0003.ply", "tracers_0003.ply"]);
    run.export("csv", &["--to", "tables"]);
    let table = std::fs::read_to_string(run.path("tables/poses.csv")).unwrap();
    assert_eq!(
        table.lines().count(),
        1 + (BALLS + 2) * (FRAMES as usize + 1)
    );
    assert!(run.path("tables/tracers_0000.csv").is_file());
}
