//! The USD file as our own reader sees it, always, and as OpenUSD sees it, wherever `./test` runs.

use std::path::Path;

use glam::Vec3;
use ooze_geometry::read_mesh;
use serde_json::{Value, json};

use crate::Run;
use crate::crate_reader::CrateReader;
use crate::python::Python;

const CHECKS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/check_usd.py");

#[test]
fn every_frame_is_found_and_no_fault() {
    let run = Run::new();
    run.export("usd", &["--to", "whole.usdc"]);
    run.export("ply", &[]);
    check(&run.path("whole.usdc"), &expectation(&run, 0..=4));
}

#[test]
fn solids_are_written_once_and_moved_as_the_frames_say() {
    let run = Run::new();
    run.export("usd", &["--to", "solids.usdc", "--frames", "1.."]);
    let file = CrateReader::new(std::fs::read(run.path("solids.usdc")).unwrap());
    let bodies: Vec<_> = (1..=4).map(|number| run.frame(number).bodies).collect();
    for (index, name) in ["paddle", "wedge"].into_iter().enumerate() {
        let prim = format!("/_2_goos/colliders/{name}");
        let moved = file.matrices(&format!("{prim}.xformOp:transform"));
        let times: Vec<f64> = moved.iter().map(|(time, _)| *time).collect();
        assert_eq!(times, [1.0, 2.0, 3.0, 4.0]);
        for ((_, matrix), bodies) in moved.into_iter().zip(&bodies) {
            let pose = &bodies[index].pose;
            for point in [Vec3::ZERO, Vec3::new(0.03, -0.01, 0.02)] {
                let found = matrix.transform_point3(point.as_dvec3()).as_vec3();
                assert!(found.distance(pose.to_world(point)) < 1e-7, "{name}");
            }
        }
    }
    // A mesh is the one in the file, but for the scale that the scene gives it.
    let given = [
        [0.0; 3],
        [0.05, 0.0, 0.0],
        [0.0, 0.04, 0.0],
        [0.0, 0.0, 0.03],
    ];
    let given = given.map(|point| 0.5 * Vec3::from_array(point));
    let points = file.still_vectors("/_2_goos/colliders/wedge.points");
    assert_eq!(points, given);
}

#[test]
fn a_part_of_the_run_is_found_at_its_own_time() {
    let run = Run::new();
    let part = ["--frames", "2..3"];
    run.export("usd", &[&part[..], &["--what", "surface"]].concat());
    run.export("ply", &part);
    let mut expected = expectation(&run, 2..=3);
    expected["particles"] = Value::Null;
    check(&run.path("out/export/2 goos.usdc"), &expected);
}

/// What the file must hold, from the frames and from surfaces that were exported as PLY.
fn expectation(run: &Run, frames: std::ops::RangeInclusive<u32>) -> Value {
    let numbers = |vectors: &[Vec3]| -> Vec<[f32; 3]> {
        vectors.iter().map(|vector| vector.to_array()).collect()
    };
    let surface = |name: &str, frame: u32| {
        let path = run.path(&format!("out/export/surface_{name}_{frame:04}.ply"));
        // The reader refuses files without a triangle.
        let mesh = read_mesh(path).unwrap_or_default();
        json!({
            "points": numbers(&mesh.positions),
            "velocities": numbers(&mesh.velocities),
            "normals": numbers(&mesh.normals),
            "triangles": mesh.triangles,
        })
    };
    let surfaces =
        |name: &str| -> Vec<Value> { frames.clone().map(|frame| surface(name, frame)).collect() };
    let particles: Vec<Value> = frames
        .clone()
        .map(|frame| {
            let channels = run.frame(frame).particles;
            json!({
                "points": numbers(channels.vectors("position").unwrap()),
                "velocities": numbers(channels.vectors("velocity").unwrap()),
                "ids": channels.words("id").unwrap(),
                "age": channels.scalars("age").unwrap(),
                "material": channels.bytes("material").unwrap(),
            })
        })
        .collect();
    json!({
        "frames": frames.clone().collect::<Vec<_>>(),
        "frame_rate": 25.0,
        "surfaces": { "honey": surfaces("honey"), "water": surfaces("water") },
        "refractive_index": { "honey": 1.49, "water": 1.333 },
        "particles": particles,
        "paddle": { "centre": [0.05, 0.09, 0.05], "turns_per_second": 1.5, "size": [0.06, 0.02, 0.04] },
    })
}

fn check(usd: &Path, expected: &Value) {
    check_with_own_reader(usd, expected);
    if let Some(python) = Python::given() {
        check_with_openusd(&python, usd, expected);
    }
}

/// Compares the points and velocities of all surfaces and of the particles at every time.
fn check_with_own_reader(usd: &Path, expected: &Value) {
    let file = CrateReader::new(std::fs::read(usd).unwrap());
    let root = "/_2_goos";
    let paths: Vec<&str> = file.paths().collect();
    for part in ["liquids/honey", "liquids/water", "camera"] {
        let path = format!("{root}/{part}");
        assert!(paths.contains(&path.as_str()), "{path} of {paths:?}");
    }
    assert!(paths.iter().any(|path| path.ends_with("/paddle")));
    let times: Vec<f64> = serde_json::from_value(expected["frames"].clone()).unwrap();
    let compare = |prim: &str, frames: &Value| {
        for name in ["points", "velocities"] {
            let found = file.vectors(&format!("{root}/{prim}.{name}"));
            assert_eq!(found.len(), times.len(), "{prim}.{name}");
            for (((time, vectors), wanted_time), frame) in found
                .into_iter()
                .zip(&times)
                .zip(frames.as_array().unwrap())
            {
                let wanted: Vec<Vec3> = serde_json::from_value(frame[name].clone()).unwrap();
                assert_eq!(time, *wanted_time);
                assert_eq!(vectors, wanted, "{prim}.{name} at {time}");
            }
        }
    };
    for material in ["honey", "water"] {
        let frames = &expected["surfaces"][material];
        compare(&format!("liquids/{material}"), frames);
    }
    match &expected["particles"] {
        Value::Null => assert!(!paths.iter().any(|path| path.contains("particles"))),
        frames => compare("particles", frames),
    }
}

fn check_with_openusd(python: &Python, usd: &Path, expected: &Value) {
    let list = usd.with_extension("json");
    std::fs::write(&list, expected.to_string()).unwrap();
    let output = python
        .command()
        .arg(CHECKS)
        .arg(usd)
        .arg(&list)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
