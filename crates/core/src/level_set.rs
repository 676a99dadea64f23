//! The surface of a liquid as a level set, as frames carry it, and as channels.

use std::sync::Arc;

use glam::Vec3;
use ooze_field::{Field, Place};
use rayon::prelude::*;

use crate::channel_rules::expect_near;
use crate::lattice_channel::{insert_field, take_field};
use crate::{ChannelData, ChannelError, Channels, Domain, MaterialId, expect_length};

/// Cells over which the share of a material falls from one to zero, about.
const SHARE_LENGTH: f32 = 1.5;
/// Cells beyond the domain in which particles may be that the level set has lost.
const ESCAPED_MARGIN: f32 = 8.0;

/// Name of the signed distance among channels.
const DISTANCE: &str = "level_set";
/// Names of positions and radii of particles that have escaped: air's radii are negative.
const ESCAPED: [&str; 2] = ["level_set_escaped", "level_set_escaped_radius"];

/// A liquid's level set.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSet {
    /// Signed distance to the surface in metres, negative inside, on nodes of half the domain's cell size.
    pub distance: Field<f32>,
    /// The share of each material in every cell of the domain, in the order of the scene; none if there is one material only.
    pub shares: Vec<(MaterialId, Field<f32>)>,
    /// Particles that the level set has lost.
    pub escaped: Vec<EscapedParticle>,
}

/// A particle that corrects a level set and is on the wrong side of its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EscapedParticle {
    /// Where it is.
    pub position: Vec3,
    /// Distance to the surface that it stands for, in metres.
    pub radius: f32,
    /// Whether it marks liquid; otherwise it marks air.
    pub liquid: bool,
}

impl LevelSet {
    /// The parts that one of several materials fills: the level set cut off where another material has a larger share, so that
    /// neighbours meet halfway between cells of the given size. A level set of one material is filled by it.
    pub fn part_of(&self, material: MaterialId, cell_size: f32) -> Field<f32> {
        let mut part = self.distance.clone();
        let own = self.shares.iter().find(|(id, _)| *id == material);
        let Some((_, own)) = own else {
            return part;
        };
        let scale = SHARE_LENGTH * cell_size;
        let topology = Arc::clone(part.topology());
        part.par_tiles_mut().for_each(|(slot, tile)| {
            for (local, value) in tile.iter_mut().enumerate() {
                let point = self.distance.position(topology.cell(slot, local));
                let others = self.shares.iter().filter(|(id, _)| *id != material);
                let largest = others.map(|(_, shares)| shares.sample(point));
                let lead = largest.fold(0.0, f32::max) - own.sample(point);
                *value = value.max(scale * lead);
            }
        });
        part
    }

    /// Adds the level set to a set of channels: `level_set_tiles` and its like for the distance, `level_set_share_2_tiles` for
    /// the share of the scene's material 2.
    pub fn insert_into(&self, channels: &mut Channels) {
        insert_field(channels, DISTANCE, &self.distance);
        for (material, shares) in &self.shares {
            insert_field(channels, &share_name(*material), shares);
        }
        let signed = |particle: &EscapedParticle| match particle.liquid {
            true => particle.radius,
            false => -particle.radius,
        };
        let escaped = self.escaped.iter();
        let (positions, radii) = escaped.map(|one| (one.position, signed(one))).unzip();
        let [position, radius] = ESCAPED;
        channels.insert(position, ChannelData::Vector(positions));
        channels.insert(radius, ChannelData::Scalar(radii));
    }

    /// Takes the level set that [`LevelSet::insert_into`] added out of the channels of a scene with that domain and so many
    /// materials; none if there is none.
    pub fn take_from(
        channels: &mut Channels,
        domain: &Domain,
        materials: usize,
    ) -> Result<Option<Self>, ChannelError> {
        if !has_field(channels, DISTANCE) {
            return Ok(None);
        }
        let lattice = domain.lattice();
        let distance = take_field(channels, DISTANCE, lattice.refined(), Place::Node)?;
        let mut shares = Vec::new();
        for material in (0..materials).map(|index| MaterialId(index as u8)) {
            let name = share_name(material);
            if has_field(channels, &name) {
                let share = take_field(channels, &name, lattice, Place::Cell)?;
                shares.push((material, share));
            }
        }
        Ok(Some(Self {
            distance,
            shares,
            escaped: take_escaped(channels, domain)?,
        }))
    }
}

fn share_name(material: MaterialId) -> String {
    format!("{DISTANCE}_share_{}", material.0)
}

fn has_field(channels: &Channels, name: &str) -> bool {
    channels.get(&format!("{name}_tiles")).is_some()
}

/// Particles that the level set has lost; none where the channels do not tell.
fn take_escaped(
    channels: &mut Channels,
    domain: &Domain,
) -> Result<Vec<EscapedParticle>, ChannelError> {
    let [position, radius] = ESCAPED;
    if channels.get(position).is_none() && channels.get(radius).is_none() {
        return Ok(Vec::new());
    }
    let positions = channels.take_vectors(position)?;
    let radii = channels.take_scalars(radius)?;
    expect_length(radius, &radii, positions.len())?;
    expect_near(position, &positions, domain, ESCAPED_MARGIN)?;
    let particles = positions.into_iter().zip(radii);
    Ok(particles
        .map(|(position, radius)| EscapedParticle {
            position,
            radius: radius.abs(),
            liquid: radius > 0.0,
        })
        .collect())
}
