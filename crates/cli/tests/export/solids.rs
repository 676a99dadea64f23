//! Solids in frames, and what is drawn of them.

use glam::Vec3;
use ooze_cache::RunFolder;
use ooze_cli::pictures::{PictureError, Studio};
use ooze_core::{BodyPose, Frame};
use ooze_render::Picture;
use ooze_scene::Scene;

use crate::Run;

/// Simulated seconds at each frame.
fn times(run: &Run) -> Vec<f64> {
    let folder = RunFolder::open(run.path("out")).unwrap();
    let lines = folder.statistics().unwrap();
    lines.map(|line| line.unwrap().time).collect()
}

#[test]
fn a_frame_has_the_solids_where_their_keyframes_put_them() {
    let run = Run::new();
    let scene = run.scene(&[]);
    for (number, time) in times(&run).into_iter().enumerate() {
        let frame = run.frame(number as u32);
        let keyframed = scene.colliders.iter().map(|collider| BodyPose {
            name: collider.name.clone(),
            pose: collider.motion.pose(time),
            twist: collider.motion.twist(time),
            temperature: None,
            left: None,
        });
        assert_eq!(frame.bodies, keyframed.collect::<Vec<_>>(), "{number}");
    }
    let [first, last] = [0, 4].map(|number| run.frame(number).bodies);
    let turned = first[1].pose.rotation.angle_between(last[1].pose.rotation);
    let expected = 0.16 * 2.0 * std::f32::consts::TAU;
    assert!((turned - expected).abs() < 1e-3, "{turned}");
    assert_eq!(last[1].pose.scale, 1.5);
}

fn drawn(scene: Scene, frame: &Frame, time: f64) -> Picture {
    let studio = Studio::of_scene(scene).unwrap();
    studio.picture(frame, time).unwrap().picture
}

const SMALL: [&str; 3] = [
    "pictures.width=64",
    "pictures.height=64",
    "pictures.quality=preview",
];

#[test]
fn frames_alone_tell_where_to_draw_solids() {
    let run = Run::new();
    let time = times(&run)[3];
    let frame = run.frame(3);
    let from_frame = drawn(run.scene(&SMALL), &frame, time);

    // As frames of older versions are drawn.
    let without = Frame {
        bodies: Vec::new(),
        ..frame.clone()
    };
    assert!(from_frame == drawn(run.scene(&SMALL), &without, time));

    // Keyframes matter no more where the frame tells.
    let text = std::fs::read_to_string(run.path("scene.toml")).unwrap();
    let still = text.replace("turns_per_second = 1.5", "turns_per_second = 0.0");
    assert_ne!(still, text);
    std::fs::write(run.path("scene.toml"), still).unwrap();
    assert!(from_frame == drawn(run.scene(&SMALL), &frame, time));
    assert!(from_frame != drawn(run.scene(&SMALL), &without, time));
}

#[test]
fn pictures_blur_solids_that_move() {
    let run = Run::new();
    let time = times(&run)[3];
    let frame = run.frame(3);
    let mut still = frame.clone();
    for body in &mut still.bodies {
        (body.twist.linear, body.twist.angular) = (Vec3::ZERO, Vec3::ZERO);
    }
    let scene = |blur| run.scene(&[&SMALL[..], &[blur]].concat());
    let [sharp, blurred] = ["pictures.motion_blur=0", "pictures.motion_blur=1"];
    assert!(drawn(scene(sharp), &frame, time) == drawn(scene(sharp), &still, time));
    assert!(drawn(scene(blurred), &frame, time) != drawn(scene(blurred), &still, time));
}

#[test]
fn a_frame_of_other_solids_is_refused() {
    let run = Run::new();
    let mut frame = run.frame(1);
    frame.bodies.swap(0, 1);
    let studio = Studio::of_scene(run.scene(&SMALL)).unwrap();
    let error = studio.picture(&frame, 0.04).map(|_| ()).unwrap_err();
    assert!(matches!(error, PictureError::Solids { .. }));
    assert_eq!(
        error.to_string(),
        "the frame was made with other solids (wedge, paddle) than the scene has (paddle, wedge)"
    );
}
