//! A frame as an archive: the members that its parts become, and back.
//!
//! Particles' channels and a level set's are arrays under their own names. Tracers are `tracer_position`, `tracer_velocity`,
//! `tracer_id` and `tracer_set`; frames of scenes without tracers have none of these. Solids are tables of one row each: `body_name`,
//! `body_position`, `body_orientation` (a unit quaternion x, y, z, w), `body_scale`, and how they change, `body_velocity`,
//! `body_spin` and `body_growth`; where any of them holds heat `body_temperature` too, zero for others; where any melts
//! `body_left` too, -1 for others. Frames of scenes without solids have none of these, nor have those of older versions.

use std::path::Path;

use glam::Quat;
use ooze_core::channel_rules::{expect_each, expect_particles, expect_particles_of};
use ooze_core::{
    BodyPose, ChannelData, ChannelError, Channels, Frame, LevelSet, LiquidSetup, expect_length,
    expect_tracers,
};
use ooze_geometry::{Pose, Twist};

use crate::archive::{self, Content, Contents};
use crate::{CacheError, npy};

/// Names of the tracers' arrays in a frame, and in its archive.
const TRACERS: [[&str; 2]; 4] = [
    ["position", "tracer_position"],
    ["velocity", "tracer_velocity"],
    ["id", "tracer_id"],
    ["set", "tracer_set"],
];

const NAME: &str = "body_name";
const ORIENTATION: &str = "body_orientation";
const POSITION: &str = "body_position";
const SCALE: &str = "body_scale";
const VELOCITY: &str = "body_velocity";
const SPIN: &str = "body_spin";
const GROWTH: &str = "body_growth";
const TEMPERATURE: &str = "body_temperature";
const LEFT: &str = "body_left";
/// Stands for the share of what does not melt.
const LASTS: f32 = -1.0;

/// The members of a frame's archive.
pub(crate) struct Members<'a> {
    particles: &'a Channels,
    /// Arrays of the tracers, of the level set and of the solids.
    others: Channels,
    /// Tables of the solids that are no channels, as files.
    tables: Vec<(&'static str, Vec<u8>)>,
}

impl<'a> Members<'a> {
    /// Those of a frame, whatever it holds.
    pub(crate) fn of(frame: &'a Frame) -> Self {
        let mut others = Channels::default();
        for [own, name] in TRACERS {
            if let Some(data) = frame.tracers.get(own) {
                others.insert(name, data.clone());
            }
        }
        if let Some(level_set) = &frame.level_set {
            level_set.insert_into(&mut others);
        }
        let mut tables = Vec::new();
        if !frame.bodies.is_empty() {
            insert_bodies(&frame.bodies, &mut others);
            let names: Vec<&str> = frame.bodies.iter().map(|body| body.name.as_str()).collect();
            let orientations = frame.bodies.iter().map(|body| body.pose.rotation);
            tables.push((NAME, npy::encode_names(&names)));
            let orientations: Vec<Quat> = orientations.collect();
            tables.push((ORIENTATION, npy::encode_orientations(&orientations)));
        }
        Self {
            particles: &frame.particles,
            others,
            tables,
        }
    }

    /// The members in the order of their names.
    pub(crate) fn list(&self) -> Vec<(String, Content<'_>)> {
        let arrays = self.particles.iter().chain(self.others.iter());
        let arrays = arrays.map(|(name, data)| (name, Content::Array(data)));
        let tables = self.tables.iter();
        let tables = tables.map(|(name, bytes)| (*name, Content::Raw(bytes)));
        let mut members: Vec<_> = arrays.chain(tables).collect();
        members.sort_by_key(|(name, _)| *name);
        let file = |(name, content)| (format!("{name}.npy"), content);
        members.into_iter().map(file).collect()
    }
}

/// Writes a frame, if it is one.
pub(crate) fn write(path: &Path, frame: &Frame) -> Result<(), CacheError> {
    expect_particles(&frame.particles)
        .and_then(|()| expect_bodies(&frame.bodies))
        .map_err(|source| CacheError::channel(path, source))?;
    archive::write(path, &Members::of(frame).list())
}

/// The frame of a scene that an archive from `path` holds.
pub(crate) fn taken_from(
    path: &Path,
    contents: Contents,
    setup: &LiquidSetup,
) -> Result<Frame, CacheError> {
    parts(contents, setup).map_err(|source| CacheError::channel(path, source))
}

fn parts(mut contents: Contents, setup: &LiquidSetup) -> Result<Frame, ChannelError> {
    let materials = setup.materials.len();
    let level_set = LevelSet::take_from(&mut contents.arrays, &setup.domain, materials)?;
    let tracers = take_tracers(&mut contents.arrays);
    expect_tracers(&tracers, setup)?;
    let bodies = take_bodies(&mut contents)?;
    expect_bodies(&bodies)?;
    let particles = contents.arrays;
    expect_particles_of(&particles, &setup.domain, materials)?;
    Ok(Frame {
        particles,
        tracers,
        level_set,
        bodies,
    })
}

/// Takes what an archive tells of tracers.
fn take_tracers(arrays: &mut Channels) -> Channels {
    let mut tracers = Channels::default();
    for [own, name] in TRACERS {
        if let Some(data) = arrays.remove(name) {
            tracers.insert(own, data);
        }
    }
    tracers
}

fn insert_bodies(bodies: &[BodyPose], channels: &mut Channels) {
    let mut insert = |name: &str, of: &dyn Fn(&BodyPose) -> glam::Vec3| {
        channels.insert(name, ChannelData::Vector(bodies.iter().map(of).collect()));
    };
    insert(POSITION, &|body| body.pose.translation);
    insert(VELOCITY, &|body| body.twist.linear);
    insert(SPIN, &|body| body.twist.angular);
    let mut insert = |name: &str, of: &dyn Fn(&BodyPose) -> f32| {
        channels.insert(name, ChannelData::Scalar(bodies.iter().map(of).collect()));
    };
    insert(SCALE, &|body| body.pose.scale);
    insert(GROWTH, &|body| body.twist.growth);
    if bodies.iter().any(|body| body.temperature.is_some()) {
        insert(TEMPERATURE, &|body| body.temperature.unwrap_or(0.0));
    }
    if bodies.iter().any(|body| body.left.is_some()) {
        insert(LEFT, &|body| body.left.unwrap_or(LASTS));
    }
}

/// Takes the solids out of an archive; none if it does not tell of any.
fn take_bodies(contents: &mut Contents) -> Result<Vec<BodyPose>, ChannelError> {
    let arrays = &mut contents.arrays;
    let has_arrays = [POSITION, SCALE, VELOCITY, SPIN, GROWTH].map(|name| arrays.get(name));
    let is_there = has_arrays.iter().any(Option::is_some)
        || arrays.get(TEMPERATURE).is_some()
        || arrays.get(LEFT).is_some()
        || contents.names.contains_key(NAME)
        || contents.orientations.contains_key(ORIENTATION);
    if !is_there {
        return Ok(Vec::new());
    }
    let [has_temperatures, has_shares] = [TEMPERATURE, LEFT].map(|name| arrays.get(name).is_some());
    let names = contents.names.remove(NAME);
    let names = names.ok_or_else(|| absent(arrays, NAME))?;
    let orientations = contents.orientations.remove(ORIENTATION);
    let orientations = orientations.ok_or_else(|| absent(arrays, ORIENTATION))?;
    expect_length(ORIENTATION, &orientations, names.len())?;
    let mut vectors = |name: &str| {
        let values = arrays.take_vectors(name)?;
        expect_length(name, &values, names.len())?;
        Ok(values)
    };
    let (positions, velocities, spins) = (vectors(POSITION)?, vectors(VELOCITY)?, vectors(SPIN)?);
    let mut scalars = |name: &str| {
        let values = arrays.take_scalars(name)?;
        expect_length(name, &values, names.len())?;
        Ok(values)
    };
    let (scales, growths) = (scalars(SCALE)?, scalars(GROWTH)?);
    let temperatures = match has_temperatures {
        true => scalars(TEMPERATURE)?,
        false => vec![0.0; names.len()],
    };
    let shares = match has_shares {
        true => scalars(LEFT)?,
        false => vec![LASTS; names.len()],
    };
    let body = |(row, name)| BodyPose {
        name,
        pose: Pose {
            translation: positions[row],
            rotation: orientations[row],
            scale: scales[row],
        },
        twist: Twist {
            centre: positions[row],
            linear: velocities[row],
            angular: spins[row],
            growth: growths[row],
        },
        temperature: (temperatures[row] != 0.0).then_some(temperatures[row]),
        left: (shares[row] != LASTS).then_some(shares[row]),
    };
    Ok(names.into_iter().enumerate().map(body).collect())
}

/// A table that is not there, or is there as a channel.
fn absent(arrays: &Channels, name: &str) -> ChannelError {
    match arrays.get(name) {
        Some(_) => ChannelError::WrongType { name: name.into() },
        None => ChannelError::Missing { name: name.into() },
    }
}

/// Checks that solids stand as solids can.
fn expect_bodies(bodies: &[BodyPose]) -> Result<(), ChannelError> {
    let orientations: Vec<Quat> = bodies.iter().map(|body| body.pose.rotation).collect();
    let wanted = || "a quaternion of length one".into();
    expect_each(ORIENTATION, &orientations, wanted, |rotation: Quat| {
        rotation.is_finite() && rotation.is_normalized()
    })?;
    let scales: Vec<f32> = bodies.iter().map(|body| body.pose.scale).collect();
    let wanted = || "a number above zero".into();
    expect_each(SCALE, &scales, wanted, |scale| {
        scale.is_finite() && scale > 0.0
    })?;
    let temperatures = bodies.iter().filter_map(|body| body.temperature);
    let temperatures: Vec<f32> = temperatures.collect();
    let wanted = || "a temperature above absolute zero, or 0 for none".into();
    expect_each(TEMPERATURE, &temperatures, wanted, |kelvin| {
        kelvin.is_finite() && kelvin > 0.0
    })?;
    let shares: Vec<f32> = bodies.iter().filter_map(|body| body.left).collect();
    let wanted = || "a share, or -1 for none".into();
    expect_each(LEFT, &shares, wanted, |share| (0.0..=1.0).contains(&share))
}
