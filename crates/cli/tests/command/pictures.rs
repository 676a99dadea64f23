//! Pictures, videos, sheets and surfaces of runs.

use std::fs;

use super::Workshop;

/// Pictures so small that they take no time.
const SMALL: [&str; 6] = [
    "--set",
    "output.video=true",
    "--set",
    "pictures.width=64",
    "--set",
    "pictures.height=36",
];

/// The boxes that every player looks for.
fn is_video(bytes: &[u8]) -> bool {
    let has = |name: &[u8]| bytes.windows(4).any(|window| window == name);
    has(b"ftyp") && has(b"moov") && has(b"avc1")
}

#[test]
fn a_run_ends_with_a_video() {
    let workshop = Workshop::new();
    let run = ["run", "dam.toml", "--frames", "2", "--quiet"];
    workshop.ooze(&[&run[..], &SMALL].concat(), 0);
    let video = workshop.path("out/dam/dam.mp4");
    assert!(is_video(&fs::read(&video).unwrap()));
    fs::remove_file(&video).unwrap();

    // Unless it is not wanted.
    let again = [&run[..], &SMALL, &["--force", "--no-video"]].concat();
    workshop.ooze(&again, 0);
    assert!(!video.exists() && !workshop.path("out/dam/images").exists());
}

#[test]
fn a_run_becomes_pictures_a_video_and_a_sheet() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "2", "--quiet"], 0);
    let render = ["render", "out/dam", "--size", "64x36"];
    workshop
        .ooze(&render, 0)
        .complains("3 pictures in out/dam/images, all of them in the video out/dam/dam.mp4");
    let video = workshop.path("out/dam/dam.mp4");
    assert!(is_video(&fs::read(&video).unwrap()));
    let first = workshop.path("out/dam/images/frame_0000.png");
    let made = fs::read(&first).unwrap();

    // What is there is kept, and what is made again on another number of threads is the same.
    fs::remove_file(workshop.path("out/dam/images/frame_0001.png")).unwrap();
    let kept = fs::metadata(&first).unwrap().modified().unwrap();
    workshop.ooze(&render, 0);
    assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), kept);
    workshop.ooze(&[&render[..], &["--force", "--threads", "5"]].concat(), 0);
    assert_eq!(fs::read(&first).unwrap(), made);

    // Other settings make other pictures, without `--force`.
    workshop.ooze(
        &[&render[..], &["--set", "pictures.exposure=1"]].concat(),
        0,
    );
    assert_ne!(fs::read(&first).unwrap(), made);

    workshop.ooze(&["sheet", "out/dam", "--count", "2"], 0);
    assert!(workshop.path("out/dam/sheet.png").is_file());
    fs::remove_file(&video).unwrap();
    workshop.ooze(&["video", "out/dam", "--frame-rate", "12"], 0);
    assert!(is_video(&fs::read(&video).unwrap()));
    workshop.ooze(&["video", "out/dam", "--preview"], 0);
    let preview = fs::read(workshop.path("out/dam/preview.png")).unwrap();
    assert!(preview.windows(4).any(|window| window == b"acTL"));
}

#[test]
fn some_pictures_leave_the_others_and_the_video_whole() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "2", "--quiet"], 0);
    let render = ["render", "out/dam", "--size", "64x36"];
    workshop.ooze(&[&render[..], &["-q"]].concat(), 0);
    let picture = |name: &str| fs::read(workshop.path(name)).unwrap();
    let all = || [0, 1, 2].map(|frame| picture(&format!("out/dam/images/frame_{frame:04}.png")));
    let (before, video) = (all(), picture("out/dam/dam.mp4"));

    fs::remove_file(workshop.path("out/dam/images/frame_0002.png")).unwrap();
    workshop
        .ooze(&[&render[..], &["--frames", "2"]].concat(), 0)
        .complains("3 pictures in out/dam/images");
    workshop
        .ooze(&[&render[..], &["--frames", "1", "--force"]].concat(), 0)
        .complains("3 pictures in out/dam/images");
    assert_eq!(
        (all(), picture("out/dam/dam.mp4")),
        (before.clone(), video.clone())
    );

    // Pictures in another quality do not fit the others; elsewhere they do no harm.
    let better = [&render[..], &["--quality", "final", "--frames", "1"]].concat();
    workshop
        .ooze(&better, 2)
        .complains("2 pictures of other frames that were made in another way")
        .complains("`-o`");
    workshop.ooze(&[&better[..], &["-o", "stills"]].concat(), 0);
    assert_ne!(picture("stills/frame_0001.png"), before[1]);
    assert!(workshop.path("stills/dam.mp4").is_file());
    assert_eq!((all(), picture("out/dam/dam.mp4")), (before, video));
    // The recipe is a scene that can be read, and run.
    let recipe = workshop.ooze(&["check", "stills/recipe.toml"], 0);
    assert!(recipe.out.contains("no errors"), "{}", recipe.out);
}

#[test]
fn cameras_lights_and_grounds_change_the_picture() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "1", "--quiet"], 0);
    let render = [
        "render", "out/dam", "--size", "48x32", "--frames", "1", "-q",
    ];
    let picture = |settings: &[&str]| {
        let set = settings.iter().flat_map(|&text| ["--set", text]);
        let all: Vec<&str> = render.iter().copied().chain(set).collect();
        workshop.ooze(&all, 0);
        fs::read(workshop.path("out/dam/images/frame_0001.png")).unwrap()
    };
    let eye = "pictures.camera.path.look_at={eye=[0.5,0.4,0.9],target=[0.1,0.1,0.08]}";
    let settings: [&[&str]; 9] = [
        &[],
        &[eye],
        &[eye, "pictures.camera.lens={aperture_radius=0.05}"],
        &[eye, "pictures.motion_blur=1"],
        &["pictures.camera.path.orbit={target=[0.1,0.1,0.08],distance=1}"],
        &["pictures.stage=\"dark\""],
        &["pictures.lighting=\"dusk\""],
        &["pictures.ground.checker={size=0.05}"],
        &["pictures.show=\"particles\""],
    ];
    let pictures: Vec<Vec<u8>> = settings.iter().map(|settings| picture(settings)).collect();
    for (index, one) in pictures.iter().enumerate() {
        for (other, two) in pictures.iter().enumerate().skip(index + 1) {
            assert_ne!(one, two, "{:?} and {:?}", settings[index], settings[other]);
        }
    }
}

#[test]
fn surfaces_are_written_and_kept() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "2", "--quiet"], 0);
    workshop
        .ooze(&["mesh", "out/dam", "--frames", "1.."], 0)
        .complains("wrote 2 surfaces");
    let path = workshop.path("out/dam/meshes/surface_0001.ply");
    let mesh = ooze_geometry::read_mesh(&path).unwrap();
    assert!(mesh.edge_report().is_closed_manifold());
    let volume = mesh.volume() / (0.16 * 0.24 * 0.16);
    assert!((volume - 1.0).abs() < 0.02, "{volume}");

    let kept = fs::metadata(&path).unwrap().modified().unwrap();
    workshop.ooze(&["mesh", "out/dam", "--quiet"], 0);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), kept);
    workshop.ooze(
        &["mesh", "out/dam", "--format", "obj", "--frames", "1", "-q"],
        0,
    );
    let obj = ooze_geometry::read_mesh(workshop.path("out/dam/meshes/surface_0001.obj")).unwrap();
    assert_eq!(obj.triangles, mesh.triangles);
}

/// Every way from particles or a level set to triangles is a closed surface of about the same volume.
#[test]
fn surfaces_are_extracted_in_the_way_that_is_asked_for() {
    let ways = |keys: &[(&str, f64)], out: &str, workshop: &Workshop| {
        let mut triangles = Vec::new();
        for (change, tolerance) in keys {
            let set = ["--set", change];
            let mesh = ["mesh", out, "--frames", "1", "--quiet", "--force"];
            workshop.ooze(&[&mesh[..], &set].concat(), 0);
            let path = workshop.path(&format!("{out}/meshes/surface_0001.ply"));
            let mesh = ooze_geometry::read_mesh(path).unwrap();
            assert!(mesh.edge_report().is_closed_manifold(), "{change}");
            let volume = mesh.volume() / (0.16 * 0.24 * 0.16);
            assert!((volume - 1.0).abs() < *tolerance, "{change}: {volume}");
            triangles.push(mesh.triangles.len());
        }
        triangles
    };
    let workshop = Workshop::new();
    let run = ["run", "dam.toml", "--frames", "1", "--quiet"];
    workshop.ooze(&run, 0);
    let of_particles = [
        ("pictures.surface.method=anisotropic", 0.02),
        ("pictures.surface.method=averaged", 0.02),
        ("pictures.surface.method=summed", 0.02),
        ("pictures.surface.method=splatted", 0.1),
    ];
    let found = ways(&of_particles, "out/dam", &workshop);
    assert!(found[3] != found[0], "{found:?}");

    let level_set = ["--method", "level-set", "-o", "out/level"];
    workshop.ooze(&[&run[..], &level_set].concat(), 0);
    let of_level_sets = [
        ("pictures.surface.extraction=cubes", 0.05),
        ("pictures.surface.extraction=tetrahedra-6", 0.05),
        ("pictures.surface.extraction=tetrahedra-24", 0.05),
        ("pictures.surface.extraction=tetrahedra-48", 0.05),
        ("pictures.surface.extraction=tetrahedra-192", 0.05),
    ];
    let found = ways(&of_level_sets, "out/level", &workshop);
    assert!(found.is_sorted() && found[4] > 10 * found[0], "{found:?}");
}

#[test]
fn what_cannot_be_shown_is_explained() {
    let workshop = Workshop::new();
    workshop.ooze(&["run", "dam.toml", "--frames", "1", "--quiet"], 0);
    for command in ["sheet", "video"] {
        workshop
            .ooze(&[command, "out/dam"], 4)
            .complains("make them with `ooze render`");
    }
    workshop
        .ooze(&["render", "out/dam", "--frames", "7.."], 4)
        .complains("holds none of the frames");
    workshop
        .ooze(&["render", "out/dam", "--size", "63x36"], 2)
        .complains("both even");
    workshop
        .ooze(&["render", "out/dam", "--quality", "best"], 3)
        .complains("best");
    workshop
        .ooze(
            &["render", "out/dam", "--set", "pictures.camera.lense={}"],
            3,
        )
        .complains("lens");
    workshop
        .ooze(&["render", "nowhere"], 4)
        .complains("nowhere");
}
