//! Frames that must not reach a file.

use glam::Vec3;
use ooze_cache::Ledger;
use ooze_core::ChannelData;
use ooze_export::{Exporter, FileSequence, SequenceFormat};

use crate::{frame, particles, surface};

fn refusal(frame: &ooze_export::ExportFrame) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut messages = Vec::new();
    for format in [SequenceFormat::Ply, SequenceFormat::Vtk] {
        let mut sequence = FileSequence::new(Ledger::read(folder.path()).unwrap(), format);
        messages.push(sequence.write(frame).unwrap_err().to_string());
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(messages[0], messages[1]);
    messages.remove(0)
}

#[test]
fn what_is_not_a_number_is_named_and_not_written() {
    let mut channels = particles(5);
    let mut velocities = vec![Vec3::ZERO; 5];
    velocities[3].y = f32::NAN;
    channels.insert("velocity", ChannelData::Vector(velocities));
    let message = refusal(&frame(9, Some(&channels), &[]));
    assert!(
        message.starts_with("frame 9: `velocity` of item 3 of the particles"),
        "{message}"
    );

    let mut honey = surface("honey");
    honey.mesh.temperatures[2] = f32::INFINITY;
    let message = refusal(&frame(4, None, &[honey]));
    assert!(
        message.starts_with("frame 4: `temperatures` of item 2 of honey"),
        "{message}"
    );
}

#[test]
fn arrays_of_different_lengths_are_named() {
    let mut channels = particles(5);
    channels.insert("age", ChannelData::Scalar(vec![0.0; 4]));
    let message = refusal(&frame(1, Some(&channels), &[]));
    assert_eq!(
        message,
        "frame 1: channel `age` has 4 items where 5 were expected"
    );

    let mut honey = surface("honey");
    honey.mesh.normals.pop();
    let message = refusal(&frame(2, None, &[honey]));
    assert_eq!(
        message,
        "frame 2: the mesh of honey has 8 vertices but 7 normals"
    );

    let mut channels = particles(1);
    channels.take_vectors("position").unwrap();
    let message = refusal(&frame(3, Some(&channels), &[]));
    assert!(
        message.contains("frame 3: channel `position` is missing"),
        "{message}"
    );
}
