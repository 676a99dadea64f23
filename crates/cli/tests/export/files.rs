//! Formats with a file a frame.

use ooze_geometry::read_mesh;

use crate::Run;

const FRAMES: u32 = 5;

#[test]
fn surfaces_come_back_from_ply_and_obj_with_the_volume_of_their_particles() {
    let run = Run::new();
    run.export("ply", &["--what", "surface"]);
    run.export("obj", &[]);
    let particle_volume = 0.01f64.powi(3) / 8.0;
    for frame in 0..FRAMES {
        let particles = run.frame(frame).particles;
        let materials = particles.bytes("material").unwrap();
        for (index, material) in ["honey", "water"].into_iter().enumerate() {
            let count = materials
                .iter()
                .filter(|&&m| usize::from(m) == index)
                .count();
            let path = run.path(&format!("out/export/surface_{material}_{frame:04}.ply"));
            if count == 0 {
                // A file without triangles keeps the sequence whole.
                let text = std::fs::read(path).unwrap();
                assert!(text.starts_with(b"ply") && text.len() < 400);
                assert!(frame < 2 && material == "water");
                continue;
            }
            let ply = read_mesh(&path).unwrap();
            let obj = read_mesh(path.with_extension("obj")).unwrap();
            assert_eq!(ply.positions, obj.positions);
            assert_eq!(ply.triangles, obj.triangles);
            let wanted = particle_volume * count as f64;
            let error = ply.volume() / wanted - 1.0;
            assert!(error.abs() < 0.02, "{material} in frame {frame}: {error}");
            assert_eq!(ply.normals.len(), ply.positions.len());
            assert_eq!(ply.velocities.len(), ply.positions.len());
        }
    }
    let water_falls = read_mesh(run.path("out/export/surface_water_0004.ply")).unwrap();
    let fastest = water_falls
        .velocities
        .iter()
        .map(|v| -v.y)
        .fold(0.0, f32::max);
    assert!((0.8..3.0).contains(&fastest), "{fastest}");
}

#[test]
fn what_and_frames_choose_files() {
    let run = Run::new();
    run.export("ply", &["--what", "particles", "--frames", "1..2"]);
    assert_eq!(run.exported(), ["particles_0001.ply", "particles_0002.ply"]);
    run.export("csv", &["--frames", "3"]);
    let expected = [
        "particles_0001.ply",
        "particles_0002.ply",
        "particles_0003.csv",
        "poses.csv",
    ];
    assert_eq!(run.exported(), expected);
    run.export("obj", &["--frames", "4", "--to", "elsewhere/deep"]);
    assert!(run.path("elsewhere/deep/surface_honey_0004.obj").is_file());
    assert_eq!(run.exported(), expected);
}

#[test]
fn vtk_files_come_with_collections_that_have_the_times() {
    let run = Run::new();
    run.export("vtk", &[]);
    let series = ["particles", "solids", "surface_honey", "surface_water"];
    for (series, ending) in series.into_iter().zip(["vtu", "vtp", "vtp", "vtp"]) {
        let path = run.path(&format!("out/export/{series}.pvd"));
        let text = std::fs::read_to_string(path).unwrap();
        for frame in 0..FRAMES {
            let time = f64::from(frame) / 25.0;
            let name = format!("{series}_{frame:04}.{ending}");
            let line = format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>");
            assert!(text.contains(&line), "{line} is not in:\n{text}");
            assert!(run.path(&format!("out/export/{name}")).is_file());
        }
    }
    for name in ["paddle", "wedge"] {
        let path = run.path(&format!("out/export/solid_{name}.vtp"));
        assert!(path.is_file());
    }
    assert_eq!(run.exported().len(), 4 * FRAMES as usize + 4 + 2);
}

#[test]
fn exports_do_not_depend_on_the_number_of_threads() {
    let run = Run::new();
    for format in ["usd", "vtk"] {
        let bytes = ["1", "5"].map(|threads| {
            let target = format!("{format}_{threads}");
            run.export(format, &["--threads", threads, "-o", &target]);
            let mut files: Vec<_> = std::fs::read_dir(run.path(&target))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect();
            files.sort();
            let files = files.into_iter();
            files
                .map(|path| std::fs::read(path).unwrap())
                .collect::<Vec<_>>()
        });
        assert!(bytes[0] == bytes[1], "{format}");
    }
}
