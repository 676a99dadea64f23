//! The folder of a run as its users meet it: made, filled, cut short, resumed, damaged.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::{IVec3, Quat, Vec3};
use ooze_cache::sealed::{frame_bytes, frame_from_bytes, with_members};
use ooze_cache::{CacheError, FolderLock, Ledger, OlderRun, Origin, RunFolder, RunWriter};
use ooze_core::{
    BodyPose, Carried, ChannelData, Channels, Checkpoint, Contact, Domain, Frame, FramePart,
    FrameStatistics, LiquidSetup, Material, Progress, Side, SolveSummary, StepReport, Tracers,
};
use ooze_geometry::{Pose, Shape, Twist};

const SCENE: &str = "name = \"test\"\n";

fn particles(count: usize, shift: f32) -> Channels {
    let mut channels = Channels::default();
    let position = |i: usize| Vec3::new(i as f32 * 0.1 + shift, (i as f32).sin(), shift);
    channels.insert(
        "position",
        ChannelData::Vector((0..count).map(position).collect()),
    );
    channels.insert("id", ChannelData::Word((0..count as u32).collect()));
    channels.insert("material", ChannelData::Byte(vec![7; count]));
    channels.insert("age", ChannelData::Scalar(vec![0.25; count]));
    channels
}

fn tracers(shift: f32) -> Channels {
    let mut channels = Channels::default();
    let positions = vec![Vec3::splat(shift), Vec3::Y];
    channels.insert("position", ChannelData::Vector(positions));
    channels.insert("velocity", ChannelData::Vector(vec![Vec3::Z; 2]));
    channels.insert("id", ChannelData::Word(vec![3, 9]));
    channels.insert("set", ChannelData::Byte(vec![0; 2]));
    channels
}

/// The scene that frames are of.
fn setup() -> LiquidSetup {
    LiquidSetup {
        domain: Domain {
            lower: Vec3::splat(-32.0),
            cell_size: 1.0,
            cells: IVec3::splat(64),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        },
        materials: vec![Material::newtonian("water", 1000.0, 1e-3, 0.0); 8],
        initial: Vec::new(),
        emitters: Vec::new(),
        drains: Vec::new(),
        forces: Vec::new(),
        heat: ooze_core::HeatSetup::default(),
        carried: Carried::default(),
        texture: None,
        tracers: vec![Tracers {
            name: "dye".into(),
            shape: Arc::new(Shape::sphere(Vec3::ZERO, 1.0).unwrap()),
            spacing: 0.5,
            start: 0.0,
        }],
        seed: 0,
    }
}

/// Particles beside two solids, of which one holds heat.
fn frame(count: usize, shift: f32) -> Frame {
    let centre = Vec3::new(shift, 1.0, -1.0 / 3.0);
    let body = |name: &str, scale, temperature| BodyPose {
        name: name.into(),
        pose: Pose {
            translation: centre,
            rotation: Quat::from_rotation_x(shift),
            scale,
        },
        twist: Twist {
            centre,
            linear: Vec3::X,
            angular: Vec3::new(0.0, -0.0, 0.1),
            growth: 0.01 * scale,
        },
        temperature,
        left: temperature.map(|_| 0.25),
    };
    Frame {
        particles: particles(count, shift),
        tracers: tracers(shift),
        level_set: None,
        bodies: vec![body("paddle", 1.0, None), body("Löffel", 0.3, Some(351.7))],
    }
}

fn checkpoint(frame: u32) -> Checkpoint {
    let mut part = FramePart::default();
    let mut report = StepReport::default();
    report.solve("pressure", SolveSummary::single(9, 0.1 + 0.2, true));
    report.events.push("hard going".into());
    part.absorb(1.0 / 3.0, report);
    let mut solids = Channels::default();
    solids.insert("impulse", ChannelData::Double(vec![1.0 / 7.0, -0.0]));
    Checkpoint {
        progress: Progress {
            frame,
            time: f64::from(frame) / 24.0,
            part,
        },
        liquid: particles(50, frame as f32),
        solids,
    }
}

fn write_frame(run: &mut RunWriter, number: u32) {
    run.write_frame(number, &frame(100, number as f32)).unwrap();
    let statistics = FrameStatistics {
        frame: number,
        ..FrameStatistics::default()
    };
    run.append_statistics(&statistics).unwrap();
    run.append_probes(number, f64::from(number) / 24.0, &[Some(1.0)])
        .unwrap();
}

fn create(root: &Path, force: bool) -> Result<RunWriter, CacheError> {
    let lock = FolderLock::take(root)?;
    let columns = ["depth".to_owned()];
    match OlderRun::find(&lock)? {
        Some(older) if force => RunWriter::replace(lock, older, SCENE, &columns),
        _ => RunWriter::create(lock, SCENE, &columns),
    }
}

fn resume(root: &Path) -> Result<(RunWriter, Option<Checkpoint>), CacheError> {
    RunWriter::resume(FolderLock::take(root)?, &["depth".to_owned()])
}

#[test]
fn a_resumed_run_goes_back_to_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let mut run = create(&root, false).unwrap();
    for frame in 0..=2 {
        write_frame(&mut run, frame);
    }
    run.write_checkpoint(&checkpoint(2)).unwrap();
    write_frame(&mut run, 3);
    drop(run);
    let debris = root.join("frames/.ooze-particles_0004.npz-0123456789abcdef.partial");
    fs::write(&debris, "half").unwrap();
    let foreign = root.join("frames/film.mkv.partial");
    fs::write(&foreign, "still loading").unwrap();

    let opened = RunFolder::open(&root).unwrap();
    assert_eq!(opened.frames().unwrap(), [0, 1, 2, 3]);
    assert_eq!(opened.statistics().unwrap().count(), 4);
    let (mut run, state) = resume(&root).unwrap();
    assert_eq!(state, Some(checkpoint(2)));
    // The figures of a frame that is there stay until they are replaced, though they do not count.
    assert_eq!(run.statistics().unwrap().count(), 3);
    assert_eq!(opened.statistics().unwrap().count(), 4);
    assert_eq!(opened.probes().unwrap().rows.len(), 4);
    assert!(!debris.exists() && foreign.exists());
    write_frame(&mut run, 3);
    let frames: Vec<u32> = opened
        .statistics()
        .unwrap()
        .map(|line| line.unwrap().frame)
        .collect();
    assert_eq!(frames, [0, 1, 2, 3]);
    assert_eq!(opened.read_frame(3, &setup()).unwrap(), frame(100, 3.0));
    let missing = opened.read_frame(9, &setup()).unwrap_err().to_string();
    assert!(missing.contains("frames 0 to 3"), "{missing}");
}

#[test]
fn a_run_killed_before_its_first_checkpoint_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    write_frame(&mut run, 0);
    drop(run);
    let opened = RunFolder::open(folder.path()).unwrap();
    let (run, state) = resume(folder.path()).unwrap();
    assert_eq!(state, None);
    assert_eq!(run.statistics().unwrap().count(), 0);
    assert_eq!(opened.probes().unwrap().columns, ["depth"]);
}

#[test]
fn a_run_killed_before_it_had_a_scene_leaves_nothing_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".lock"), "").unwrap();
    let debris = ".ooze-scene.toml-0123456789abcdef.partial";
    fs::write(folder.path().join(debris), "half").unwrap();
    create(folder.path(), false).unwrap();
}

#[test]
fn a_scene_that_was_edited_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    run.write_checkpoint(&checkpoint(0)).unwrap();
    drop(run);
    fs::write(folder.path().join("scene.toml"), "name = \"other\"\n").unwrap();
    let error = resume(folder.path()).unwrap_err();
    assert!(matches!(error, CacheError::SceneChanged { .. }), "{error}");
}

#[test]
fn what_is_there_is_not_overwritten_by_accident() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let mut run = create(&root, false).unwrap();
    write_frame(&mut run, 8);
    assert!(matches!(create(&root, true), Err(CacheError::Busy { .. })));
    drop(run);
    assert!(matches!(
        create(&root, false),
        Err(CacheError::Exists { .. })
    ));
    create(&root, true).unwrap();
    assert!(RunFolder::open(&root).unwrap().frames().unwrap().is_empty());

    let diary = folder.path().join("diary");
    fs::create_dir(&diary).unwrap();
    fs::write(diary.join("today.txt"), "dear diary").unwrap();
    for force in [false, true] {
        assert!(matches!(
            create(&diary, force),
            Err(CacheError::Foreign { .. })
        ));
    }
    assert!(matches!(
        RunFolder::open(&diary),
        Err(CacheError::NotARun { .. })
    ));
}

#[test]
fn a_run_is_removed_without_what_others_put_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let mut run = create(root, false).unwrap();
    write_frame(&mut run, 0);
    run.write_checkpoint(&checkpoint(0)).unwrap();
    drop(run);
    let images = root.join("images");
    fs::create_dir(&images).unwrap();
    let mut ledger = Ledger::read(&images).unwrap();
    for name in ["frame_0000.png", "frame_0001.png"] {
        let path = ledger.begin(name).unwrap();
        fs::write(path, name).unwrap();
        ledger.made(name, Origin { recipe: 0, data: 0 }).unwrap();
    }
    let foreign = [
        "images/cat.png",
        "images/frame_0001.png",
        "images/frame_0002.png",
        "frames/notes.txt",
        "frames/particles_+7.npz",
        "meshes",
        "thesis.tex",
    ];
    for name in foreign {
        fs::write(root.join(name), "mine").unwrap();
    }
    let older = OlderRun::find(&FolderLock::take(root).unwrap())
        .unwrap()
        .unwrap();
    assert_eq!(older.frames(), 1);
    assert!(older.own_files().contains(&images.join("frame_0000.png")));
    assert_eq!(older.foreign_files().len(), foreign.len());
    drop(create(root, true).unwrap());
    for name in foreign {
        assert_eq!(fs::read(root.join(name)).unwrap(), b"mine", "{name}");
    }
    for gone in [
        "images/frame_0000.png",
        "frames/particles_0000.npz",
        "checkpoint/state.npz",
    ] {
        assert!(!root.join(gone).exists(), "{gone}");
    }
}

#[test]
fn nothing_is_taken_for_a_run_that_ooze_did_not_make() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("images")).unwrap();
    fs::write(folder.path().join("images/frame_0000.png"), "a photo").unwrap();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    fs::write(folder.path().join("run.json"), "{\"version\": 1}").unwrap();
    for force in [false, true] {
        let error = create(folder.path(), force).unwrap_err();
        assert!(matches!(error, CacheError::Foreign { .. }), "{error}");
    }
    let error = RunFolder::open(folder.path()).unwrap_err();
    assert!(matches!(error, CacheError::NotARun { .. }), "{error}");
}

#[test]
fn missing_frames_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    for frame in [0, 2, 6] {
        write_frame(&mut run, frame);
    }
    assert_eq!(run.folder().missing_frames(2, 7).unwrap(), [4]);
    assert_eq!(run.folder().missing_frames(1, 2).unwrap(), [1]);
}

#[test]
fn a_folder_below_a_file_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = create(&file.join("run"), false).unwrap_err().to_string();
    assert!(message.contains("file/run"), "{message}");
    assert!(message.contains("`-o`"), "{message}");
}

#[test]
fn a_damaged_frame_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    write_frame(&mut run, 1);
    let path = run.folder().particles_path(1);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    for error in [
        run.folder().read_frame(1, &setup()).unwrap_err(),
        run.folder().verify_frame(1).unwrap_err(),
    ] {
        let message = error.to_string();
        assert!(
            message.contains("particles_0001.npz is truncated"),
            "{message}"
        );
    }
}

#[test]
fn channels_of_different_length_are_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    let mut short = frame(10, 0.0);
    let ages = ChannelData::Scalar(vec![0.0; 9]);
    short.particles.insert("age", ages);
    let message = run.write_frame(1, &short).unwrap_err().to_string();
    let fault = "`age` has 9 items where 10 were expected";
    assert!(message.contains(fault), "{message}");
}

#[test]
fn a_solid_that_cannot_stand_so_is_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    let mut odd = frame(10, 0.0);
    odd.bodies[1].pose.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0);
    let message = run.write_frame(1, &odd).unwrap_err().to_string();
    let fault = "channel `body_orientation`, row 1";
    assert!(message.contains(fault), "{message}");
    odd.bodies[1].pose.rotation = Quat::IDENTITY;
    odd.bodies[0].twist.angular.y = f32::NAN;
    let message = run.write_frame(1, &odd).unwrap_err().to_string();
    assert!(message.contains("body_spin"), "{message}");
    assert!(!run.folder().particles_path(1).exists());
}

#[test]
fn solids_are_read_all_or_none_of_them() {
    let whole = frame_bytes(&frame(10, 0.5)).unwrap();
    let without = |names: &[&str]| {
        let bytes = with_members(&whole, |members| {
            members.retain(|(name, _)| !names.contains(&name.trim_end_matches(".npy")));
        });
        frame_from_bytes(&bytes.unwrap(), &setup())
    };
    assert_eq!(without(&[]).unwrap(), frame(10, 0.5));
    let all = [
        "body_name",
        "body_position",
        "body_orientation",
        "body_scale",
        "body_velocity",
        "body_spin",
        "body_growth",
    ];
    // As older versions wrote it.
    let older = [&all[..], &["body_temperature", "body_left"]].concat();
    assert_eq!(without(&older).unwrap().bodies, []);
    for name in all {
        let message = without(&[name]).unwrap_err().to_string();
        let fault = format!("channel `{name}` is missing");
        assert!(message.contains(&fault), "{message}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = create(folder.path(), false).unwrap();
    let mut written = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| run.write_frame(1, &frame(20_000, 0.5)))
            .unwrap();
        written.push(fs::read(run.folder().particles_path(1)).unwrap());
    }
    assert!(written.windows(2).all(|pair| pair[0] == pair[1]));
}
