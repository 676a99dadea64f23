//! Channels of real numbers as rows of components, for liquids that carry them on a grid: what is interpolated there is one
//! component after the other, whatever they make up together.

use bytemuck::cast_slice;

use super::column::{Column, Typed};
use super::value::ParticleValue;
use super::{Birth, Carried};
use crate::{ChannelError, Channels};

/// A channel whose values are rows of real numbers.
#[derive(Clone, Copy, Debug)]
pub struct RealChannel<'a> {
    column: &'a Column,
}

/// Does the same to a column of real numbers of any type, and something else to others.
macro_rules! for_real {
    ($column:expr, $typed:ident => $action:expr, $otherwise:expr) => {
        match $column {
            Column::Scalar($typed) => $action,
            Column::Vector($typed) => $action,
            Column::Tensor($typed) => $action,
            Column::Gradient($typed) => $action,
            Column::Byte(_) | Column::Word(_) => $otherwise,
        }
    };
}

impl Carried {
    /// The channels of real numbers, in the order in which they were registered.
    pub fn real_channels(&self) -> impl Iterator<Item = RealChannel<'_>> {
        let columns = self.columns().iter();
        columns
            .filter(|column| for_real!(column, _typed => true, false))
            .map(|column| RealChannel { column })
    }
}

impl RealChannel<'_> {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.column.name()
    }

    /// Whether frames hold it.
    pub fn in_frames(&self) -> bool {
        self.column.in_frames()
    }

    /// Numbers in a row.
    pub fn components(&self) -> usize {
        fn size<T>(_: &Typed<T>) -> usize {
            size_of::<T>() / size_of::<f32>()
        }
        for_real!(self.column, typed => size(typed), 0)
    }

    /// What liquid begins with.
    pub fn start(&self, birth: &Birth<'_>) -> Vec<f32> {
        for_real!(
            self.column,
            typed => cast_slice(&[(typed.rule.start)(birth)]).to_vec(),
            Vec::new()
        )
    }

    /// Refuses rows that no run would write.
    pub fn check(&self, rows: &[f32]) -> Result<(), ChannelError> {
        fn check<T: ParticleValue>(typed: &Typed<T>, rows: &[f32]) -> Result<(), ChannelError> {
            (typed.rule.check)(typed.rule.name, cast_slice(rows))
        }
        for_real!(self.column, typed => check(typed, rows), Ok(()))
    }

    /// Adds rows to the channels of a frame, as particles would.
    pub fn insert(&self, rows: &[f32], channels: &mut Channels) {
        fn insert<T: ParticleValue>(typed: &Typed<T>, rows: &[f32], channels: &mut Channels) {
            T::insert(cast_slice(rows).to_vec(), typed.rule.name, channels);
        }
        for_real!(self.column, typed => insert(typed, rows, channels), ());
    }
}
