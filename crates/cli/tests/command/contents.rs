//! Files whose checksums are right and whose contents are not: they are refused by file, channel and row.

use std::fs;

use glam::Vec3;
use ooze_cache::sealed::{self, with_channels, with_members};
use ooze_core::{ChannelData, Channels, Checkpoint};

use crate::Workshop;

fn run() -> Workshop {
    let workshop = Workshop::new();
    let short = ["--frames", "2", "--quiet"];
    workshop.ooze(&[&["run", "dam.toml", "-o", "out"], &short[..]].concat(), 0);
    workshop
}

/// Changes the vectors of a channel.
fn vectors(channels: &mut Channels, name: &str, change: impl FnOnce(&mut Vec<Vec3>)) {
    let mut values = channels.take_vectors(name).unwrap();
    change(&mut values);
    channels.insert(name, ChannelData::Vector(values));
}

/// A change of a liquid's channels, and what must be said about it.
type Change = (fn(&mut Channels), &'static str);

const CHANGES: [Change; 6] = [
    (
        |channels| {
            let mut materials = channels.take_bytes("material").unwrap();
            materials[17] = 200;
            channels.insert("material", ChannelData::Byte(materials));
        },
        "channel `material`, row 17: 200 is not 0, the scene's only material",
    ),
    (
        |channels| vectors(channels, "position", |points| points[5].x = 7.0),
        "channel `position`, row 5: ",
    ),
    (
        |channels| vectors(channels, "velocity", |values| values.truncate(4)),
        "channel `velocity` has ",
    ),
    (
        |channels| vectors(channels, "velocity", |values| values[3].y = f32::NAN),
        "velocity`, row 3 is not a finite number",
    ),
    (
        |channels| {
            let count = channels.words("id").unwrap().len();
            channels.insert("id", ChannelData::Scalar(vec![0.0; count]));
        },
        "channel `id` holds another type of value than expected",
    ),
    (
        |channels| drop(channels.remove("position")),
        "channel `position` is missing",
    ),
];

/// An altered checkpoint that says about the files around it what another one says.
fn with_surroundings_of(altered: &[u8], other: &[u8]) -> Vec<u8> {
    let header_of = |bytes: &[u8]| {
        let mut header = Vec::new();
        with_members(bytes, |members| header.clone_from(&members[0].1)).unwrap();
        serde_json::from_slice::<serde_json::Value>(&header).unwrap()
    };
    let (mut header, other) = (header_of(altered), header_of(other));
    for key in ["statistics_bytes", "probes_bytes", "scene_checksum"] {
        header[key] = other[key].clone();
    }
    let renewed = header.to_string().into_bytes();
    with_members(altered, |members| members[0].1 = renewed).unwrap()
}

#[test]
fn a_checkpoint_of_nonsense_is_refused() {
    let workshop = run();
    let path = workshop.path("out/checkpoint/state.npz");
    let whole = fs::read(&path).unwrap();
    let refused = |change: &dyn Fn(&mut Checkpoint), words: &str| {
        let mut checkpoint = sealed::checkpoint_from_bytes(&whole).unwrap();
        change(&mut checkpoint);
        let altered = sealed::checkpoint_bytes(&checkpoint).unwrap();
        fs::write(&path, with_surroundings_of(&altered, &whole)).unwrap();
        workshop
            .ooze(&["resume", "out", "--quiet"], 4)
            .complains("out/checkpoint/state.npz: ")
            .complains(words);
    };
    for (change, words) in CHANGES {
        refused(&|checkpoint| change(&mut checkpoint.liquid), words);
    }
    refused(
        &|checkpoint| checkpoint.progress.frame = u32::MAX,
        "frame 4294967295 is finished, but the run has only 2",
    );
    refused(
        &|checkpoint| checkpoint.progress.time = 1e9,
        "the time 1000000000 s is not within frame 3",
    );
    refused(
        &|checkpoint| {
            let next = ChannelData::Word(vec![3]);
            checkpoint.liquid.insert("next_identity", next);
        },
        "channel `id`, row ",
    );
    // As it was, it goes on.
    fs::write(&path, &whole).unwrap();
    workshop.ooze(&["resume", "out", "--quiet"], 0);
}

#[test]
fn a_frame_of_nonsense_is_refused_by_all_that_read_it() {
    let workshop = run();
    let path = workshop.path("out/frames/particles_0001.npz");
    let whole = fs::read(&path).unwrap();
    let render = ["render", "out", "--size", "32x32", "--quiet", "--force"];
    let mesh = ["mesh", "out", "--quiet", "--force"];
    let export = ["export", "out", "--format", "csv", "--quiet"];
    for (change, words) in CHANGES {
        fs::write(&path, with_channels(&whole, change).unwrap()).unwrap();
        for command in [&render[..], &mesh, &export, &["info", "out"]] {
            workshop
                .ooze(command, 4)
                .complains("out/frames/particles_0001.npz: ")
                .complains(words);
        }
    }
}
