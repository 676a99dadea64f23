//! Checkpoints and frames of small runs of every method, in which channels, members or bytes are others.

use glam::Vec3;
use ooze_cache::sealed::{
    checkpoint_bytes, checkpoint_from_bytes, frame_bytes, frame_from_bytes, with_channels,
    with_members,
};
use ooze_core::{
    ChannelData, Channels, Checkpoint, Frame, KeyframedSolids, Liquid, Progress, Solids,
};
use ooze_scene::{Override, Scene, method_names};

use super::Answer;
use super::random::Random;
use crate::pictures::solids::bodies;
use crate::pictures::surfaces;
use ooze::scene_setup::liquid_of;

/// Two liquids beside a ball that moves, with an emitter and a drain: all that a checkpoint can hold.
const SCENE: &str = "
[domain]
size = [0.8, 0.8, 0.8]
cells = 8
[time]
frames = 3
frame_rate = 30
[materials.goo]
base = \"water\"
density = 1000
viscosity = 5
[[liquid]]
material = \"goo\"
shape.box = { lower = [0, 0, 0], upper = [0.3, 0.4, 0.8] }
[[liquid]]
material = \"water\"
shape.box = { lower = [0.3, 0, 0], upper = [0.8, 0.2, 0.8] }
[[emitter]]
material = \"water\"
shape.box = { lower = [0.5, 0.6, 0.3], upper = [0.7, 0.7, 0.5] }
velocity = [0, -1, 0]
[[drain]]
shape.sphere = { centre = [0.8, 0, 0.8], radius = 0.1 }
[[collider]]
shape.sphere = { centre = [0, 0, 0], radius = 0.1 }
motion.keyframes = [{ time = 0, position = [0.4, 0.3, 0.4] }, { time = 0.2, position = [0.5, 0.2, 0.4] }]
";

/// What makes the first liquid elastic, for methods that can.
const ELASTIC: &str = "elasticity = { modulus = 200, yield_strain = 0.3, decay_rate = 1 }";

/// Sub-steps before the checkpoint is taken.
const STEPS: usize = 2;
/// Longest sub-step in seconds.
const LONGEST: f64 = 1.0 / 120.0;

/// What is altered: a scene of a method, its checkpoint and its frame.
struct Specimen {
    scene: Scene,
    checkpoint: Checkpoint,
    frame: Frame,
}

/// All specimens.
pub(super) struct Bench {
    specimens: Vec<Specimen>,
}

impl Bench {
    /// Runs every method for a few steps.
    pub(super) fn new() -> Self {
        let specimens = method_names().map(Specimen::new);
        Self {
            specimens: specimens.collect(),
        }
    }

    /// Liquids for one thread to load checkpoints into.
    pub(super) fn tables(&self) -> Tables<'_> {
        let table = |specimen: &Specimen| {
            let solids = KeyframedSolids::new(specimen.scene.colliders.clone());
            (start(&specimen.scene, &solids), solids)
        };
        Tables {
            bench: self,
            liquids: self.specimens.iter().map(table).collect(),
        }
    }
}

/// The liquid of one of our scenes, which are all sound.
fn start(scene: &Scene, solids: &dyn Solids) -> Box<dyn Liquid> {
    let liquid = liquid_of(scene, solids);
    liquid.unwrap_or_else(|error| panic!("{}: {error}", scene.name))
}

impl Specimen {
    fn new(method: &str) -> Self {
        let overrides = [Override::method(method)];
        let plain = ["mueller", "batty", "carlson"];
        let elastic = !plain.iter().any(|name| method.starts_with(name));
        let viscosity = "viscosity = 5\n";
        let text = match elastic {
            true => SCENE.replace(viscosity, &format!("{viscosity}{ELASTIC}\n")),
            false => SCENE.to_owned(),
        };
        let scene = Scene::parse_with(&text, "fuzz.toml", "", &overrides)
            .unwrap_or_else(|errors| panic!("{method}: {:?}", errors.problems()));
        let mut solids = KeyframedSolids::new(scene.colliders.clone());
        let mut liquid = start(&scene, &solids);
        let mut time = 0.0;
        for _ in 0..STEPS {
            let dt = liquid.stable_step(&solids).seconds.min(LONGEST);
            solids.advance(time, dt);
            let stepped = liquid.step(time, dt, &mut solids);
            stepped.unwrap_or_else(|error| panic!("{method}: {error}"));
            time += dt;
        }
        let progress = Progress {
            time,
            ..Progress::default()
        };
        Self {
            frame: Frame::of(&*liquid, &solids),
            checkpoint: Checkpoint {
                progress,
                liquid: liquid.save(),
                solids: solids.save(),
            },
            scene,
        }
    }
}

/// What one thread works with.
pub(super) struct Tables<'a> {
    bench: &'a Bench,
    liquids: Vec<(Box<dyn Liquid>, KeyframedSolids)>,
}

impl Tables<'_> {
    /// Loads one altered checkpoint whose checksums are right, and takes a step with it.
    pub(super) fn checkpoint(&mut self, random: &mut Random) -> Answer {
        let index = random.below(self.bench.specimens.len());
        let specimen = &self.bench.specimens[index];
        let mut altered = specimen.checkpoint.clone();
        if random.once_in(6) {
            alter_progress(&mut altered.progress, random);
        } else {
            alter(&mut altered.liquid, random);
        }
        let mut bytes = checkpoint_bytes(&altered).map_err(|error| error.to_string())?;
        if random.once_in(4) {
            bytes = alter_members(&bytes, random)?;
        }
        let Ok(read) = checkpoint_from_bytes(&bytes) else {
            return Ok(false);
        };
        let time = &specimen.scene.time;
        let progress = read.progress;
        if progress.check(time.frames, time.frame_rate).is_err() {
            return Ok(false);
        }
        let (liquid, solids) = &mut self.liquids[index];
        if liquid.load(read.liquid).is_err() {
            return Ok(false);
        }
        if solids.load(read.solids, progress.time).is_err() {
            return Ok(false);
        }
        go_on(&mut **liquid, solids, progress.time);
        Ok(true)
    }

    /// Reads one altered frame whose checksums are right, and makes surfaces of it.
    pub(super) fn frame(&mut self, random: &mut Random) -> Answer {
        let specimen = random.pick(&self.bench.specimens);
        let whole = frame_bytes(&specimen.frame).map_err(|error| error.to_string())?;
        let altered = with_channels(&whole, |channels| alter(channels, random));
        let mut bytes = altered.map_err(|error| error.to_string())?;
        if random.once_in(4) {
            bytes = alter_members(&bytes, random)?;
        }
        let Ok(frame) = frame_from_bytes(&bytes, &specimen.scene.setup) else {
            return Ok(false);
        };
        let are_there = bodies(&specimen.scene, &frame, 0.0).is_ok();
        Ok(are_there && surfaces(&specimen.scene, &frame).is_ok())
    }

    /// Reads one archive whose bytes were altered, which must not go unnoticed.
    pub(super) fn damage(&mut self, random: &mut Random) -> Answer {
        let specimen = random.pick(&self.bench.specimens);
        let is_frame = random.once_in(2);
        let whole = if is_frame {
            frame_bytes(&specimen.frame)
        } else {
            checkpoint_bytes(&specimen.checkpoint)
        };
        let whole = whole.map_err(|error| error.to_string())?;
        let mut bytes = whole.clone();
        random.damage(&mut bytes);
        let accepted = if is_frame {
            frame_from_bytes(&bytes, &specimen.scene.setup).is_ok()
        } else {
            checkpoint_from_bytes(&bytes).is_ok()
        };
        match (accepted, bytes == whole) {
            (true, false) => Err("damage went unnoticed".into()),
            (false, true) => Err("a whole archive was refused".into()),
            (accepted, _) => Ok(accepted),
        }
    }
}

/// What a resumed run does with a liquid.
fn go_on(liquid: &mut dyn Liquid, solids: &mut KeyframedSolids, time: f64) {
    let stable = liquid.stable_step(solids).seconds;
    let _ = liquid.measure(solids);
    if stable.is_nan() || stable < 1e-7 / 30.0 {
        // The run ends with an error that says so.
        return;
    }
    let dt = stable.min(LONGEST);
    solids.advance(time, dt);
    if liquid.step(time, dt, solids).is_ok() {
        let _ = (
            liquid.measure(solids),
            Frame::of(liquid, solids),
            liquid.save(),
        );
    }
}

/// Changes how far a run has come.
fn alter_progress(progress: &mut Progress, random: &mut Random) {
    match random.below(5) {
        0 => progress.frame = random.count(),
        1 => progress.time = random.number(),
        2 => progress.part.substeps = random.count(),
        3 => progress.part.step_limit = Some(random.number()),
        _ => progress.part.dt_min = random.number(),
    }
    // JSON knows no others.
    for number in [&mut progress.time, &mut progress.part.dt_min] {
        if !number.is_finite() {
            *number = -1.0;
        }
    }
    let limit = &mut progress.part.step_limit;
    *limit = limit.filter(|limit| limit.is_finite());
}

/// Changes some channels.
fn alter(channels: &mut Channels, random: &mut Random) {
    for _ in 0..=random.below(3) {
        let names: Vec<String> = channels.iter().map(|(name, _)| name.to_owned()).collect();
        if names.is_empty() {
            return;
        }
        let name = random.pick(&names).clone();
        let Some(mut data) = channels.get(&name).cloned() else {
            return;
        };
        match random.below(10) {
            0 => {
                channels.remove(&name);
                continue;
            }
            1 => {
                let other = random.pick(&names);
                if let Some(other) = channels.get(other) {
                    data = other.clone();
                }
            }
            2 => resize(&mut data, random),
            3 => data = ChannelData::Scalar(vec![random.number() as f32; data.len()]),
            4 => data = ChannelData::Word(vec![random.count(); data.len()]),
            _ => {
                for _ in 0..=random.below(4) {
                    alter_value(&mut data, random);
                }
            }
        }
        channels.insert(&name, data);
    }
}

/// Makes a channel longer or shorter.
fn resize(data: &mut ChannelData, random: &mut Random) {
    let length = match random.below(3) {
        0 => 0,
        1 => data.len().saturating_sub(1),
        _ => data.len() + 1 + random.below(5),
    };
    match data {
        ChannelData::Scalar(values) => values.resize(length, 0.0),
        ChannelData::Vector(values) => values.resize(length, Vec3::ZERO),
        ChannelData::Byte(values) => values.resize(length, 0),
        ChannelData::Word(values) => values.resize(length, 0),
        ChannelData::Double(values) => values.resize(length, 0.0),
    }
}

fn alter_value(data: &mut ChannelData, random: &mut Random) {
    if data.is_empty() {
        return;
    }
    let row = random.below(data.len());
    match data {
        ChannelData::Scalar(values) => values[row] = random.number() as f32,
        ChannelData::Vector(values) => values[row][random.below(3)] = random.number() as f32,
        ChannelData::Byte(values) => values[row] = random.count() as u8,
        ChannelData::Word(values) => values[row] = random.count(),
        ChannelData::Double(values) => values[row] = random.number(),
    }
}

/// Changes the bytes or the name of some members, below right checksums.
fn alter_members(bytes: &[u8], random: &mut Random) -> Result<Vec<u8>, String> {
    let altered = with_members(bytes, |members| {
        for _ in 0..=random.below(2) {
            let index = random.below(members.len());
            let (name, data) = &mut members[index];
            match random.below(6) {
                0 => name.insert(random.below(2), 'x'),
                1 => data.truncate(random.below(data.len() + 1)),
                // Headers are where shapes and types are.
                2 | 3 => {
                    let place = random.below(data.len().clamp(1, 128));
                    if let Some(byte) = data.get_mut(place) {
                        *byte = random.word() as u8;
                    }
                }
                _ => random.damage(data),
            }
        }
    });
    altered.map_err(|error| error.to_string())
}
