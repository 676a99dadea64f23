//! What is known of a carried quantity before there are any particles: the one place where its nature is written down.

use glam::Vec3;

use crate::{ChannelError, Emitter, InitialLiquid, LiquidSetup, Material};

/// A particle that is about to be.
#[derive(Clone, Copy, Debug)]
pub struct Birth<'a> {
    /// Where, in metres.
    pub position: Vec3,
    /// What it is made of.
    pub material: &'a Material,
    /// The liquid of the start that it is part of; none for one that is emitted.
    pub liquid: Option<&'a InitialLiquid>,
    /// Temperature in kelvin.
    pub temperature: f32,
}

impl<'a> Birth<'a> {
    /// Plain liquid of a material at a point.
    pub fn new(position: Vec3, material: &'a Material) -> Self {
        Self {
            position,
            material,
            liquid: None,
            temperature: material.temperature,
        }
    }

    /// A part of a liquid of the start.
    pub fn at_start(position: Vec3, setup: &'a LiquidSetup, liquid: &'a InitialLiquid) -> Self {
        let material = &setup.materials[usize::from(liquid.material.0)];
        Self {
            liquid: Some(liquid),
            temperature: liquid.temperature.unwrap_or(material.temperature),
            ..Self::new(position, material)
        }
    }

    /// Something that is emitted.
    pub fn emitted(position: Vec3, setup: &'a LiquidSetup, emitter: &Emitter) -> Self {
        let material = &setup.materials[usize::from(emitter.material.0)];
        Self {
            temperature: emitter.temperature.unwrap_or(material.temperature),
            ..Self::new(position, material)
        }
    }
}

/// How the values of a cell's particles become one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mean {
    /// Their sum over their number: amounts per mass or volume.
    #[default]
    Arithmetic,
    /// The exponential of the mean of their logarithms: what spans orders of magnitude, such as viscosities.
    Geometric,
}

/// What passes between particles and a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Exchange {
    /// Nothing: particles carry their values as they are.
    #[default]
    None,
    /// Cells can be given the mean of their particles' values; particles keep their own.
    ToCells(Mean),
}

/// How a quantity is carried. Everything that handles particles takes from here what it has to do: sources give new particles
/// their values, sorting and draining move them along, transfers show them to the grid, frames show them to the user,
/// checkpoints hold them (always: what a later step depends on is state) and check them when they are read back.
#[derive(Debug)]
pub struct ChannelRule<T> {
    /// Its name in frames, checkpoints and messages.
    pub name: &'static str,
    /// The value of a new particle.
    pub start: fn(&Birth<'_>) -> T,
    /// Whether frames hold it.
    pub in_frames: bool,
    /// What passes between particles and a grid.
    pub exchange: Exchange,
    /// Refuses values that no run would write; it is given the channel's name.
    pub check: fn(&str, &[T]) -> Result<(), ChannelError>,
}

impl<T> ChannelRule<T> {
    /// A quantity that is carried as it is and that frames do not show, with the value of a new particle.
    pub fn new(name: &'static str, start: fn(&Birth<'_>) -> T) -> Self {
        Self {
            name,
            start,
            in_frames: false,
            exchange: Exchange::None,
            check: |_, _| Ok(()),
        }
    }

    /// The same, in frames too.
    pub fn in_frames(self) -> Self {
        Self {
            in_frames: true,
            ..self
        }
    }

    /// The same, exchanged with a grid.
    pub fn exchanged(self, exchange: Exchange) -> Self {
        Self { exchange, ..self }
    }

    /// The same, with values that are checked when they are read back.
    pub fn checked(self, check: fn(&str, &[T]) -> Result<(), ChannelError>) -> Self {
        Self { check, ..self }
    }
}

// Derived, these would ask the same of `T`.
impl<T> Clone for ChannelRule<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ChannelRule<T> {}
