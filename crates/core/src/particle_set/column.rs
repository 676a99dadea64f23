//! One carried quantity of all particles: its rule and its values.

use rayon::prelude::*;

use super::value::{Gradient, ParticleValue};
use super::{Birth, CHUNK, ChannelRule};
use crate::{ChannelError, Channels, SymmetricTensor};

/// A rule and the values that it is for.
#[derive(Clone, Debug)]
pub struct Typed<T> {
    pub(super) rule: ChannelRule<T>,
    pub(super) values: Vec<T>,
}

/// A rule and the values that it is for, whatever their type.
#[derive(Clone, Debug)]
pub enum Column {
    /// One number a particle.
    Scalar(Typed<f32>),
    /// One vector a particle.
    Vector(Typed<glam::Vec3>),
    /// One symmetric tensor a particle.
    Tensor(Typed<SymmetricTensor>),
    /// One gradient of a vector a particle.
    Gradient(Typed<Gradient>),
    /// One small whole number a particle.
    Byte(Typed<u8>),
    /// One whole number a particle.
    Word(Typed<u32>),
}

/// Does the same to a column of any type.
macro_rules! for_any {
    ($column:expr, $typed:ident => $action:expr) => {
        match $column {
            Column::Scalar($typed) => $action,
            Column::Vector($typed) => $action,
            Column::Tensor($typed) => $action,
            Column::Gradient($typed) => $action,
            Column::Byte($typed) => $action,
            Column::Word($typed) => $action,
        }
    };
}

impl<T: ParticleValue> From<ChannelRule<T>> for Column {
    fn from(rule: ChannelRule<T>) -> Self {
        T::column(Typed {
            rule,
            values: Vec::new(),
        })
    }
}

impl PartialEq for Column {
    /// Whether names and values are the same; where a quantity comes from does not matter.
    fn eq(&self, other: &Self) -> bool {
        fn same<T: ParticleValue>(one: &Typed<T>, other: &Column) -> bool {
            T::of(other)
                .is_some_and(|other| one.rule.name == other.rule.name && one.values == other.values)
        }
        for_any!(self, typed => same(typed, other))
    }
}

impl Column {
    pub(super) fn name(&self) -> &'static str {
        for_any!(self, typed => typed.rule.name)
    }

    pub(super) fn in_frames(&self) -> bool {
        for_any!(self, typed => typed.rule.in_frames)
    }

    pub(super) fn is_empty(&self) -> bool {
        for_any!(self, typed => typed.values.is_empty())
    }

    /// The same rule without values.
    pub(super) fn empty(&self) -> Self {
        for_any!(self, typed => typed.rule.into())
    }

    pub(super) fn push(&mut self, birth: &Birth<'_>) {
        for_any!(self, typed => typed.values.push((typed.rule.start)(birth)))
    }

    /// Makes `target` a column of this rule with this column's values in another order.
    pub(super) fn gather_into(&self, order: &[u32], target: &mut Self) {
        fn gather<T: ParticleValue>(source: &Typed<T>, order: &[u32], target: &mut Column) {
            match T::of_mut(target) {
                Some(target) => {
                    target.rule = source.rule;
                    gather_values(&source.values, order, &mut target.values);
                }
                None => {
                    let mut values = Vec::new();
                    gather_values(&source.values, order, &mut values);
                    *target = T::column(Typed {
                        rule: source.rule,
                        values,
                    });
                }
            }
        }
        for_any!(self, typed => gather(typed, order, target))
    }

    /// Adds the values of a column of the same rule at the end.
    pub(super) fn append(&mut self, other: &Self) {
        fn append<T: ParticleValue>(target: &mut Typed<T>, other: &Column) {
            let other = T::of(other).expect("columns of the same rule");
            target.values.extend_from_slice(&other.values);
        }
        for_any!(self, typed => append(typed, other))
    }

    /// Adds the values in another order to a set of channels.
    pub(super) fn insert_gathered(&self, order: &[u32], channels: &mut Channels) {
        fn insert<T: ParticleValue>(source: &Typed<T>, order: &[u32], channels: &mut Channels) {
            let mut values = Vec::new();
            gather_values(&source.values, order, &mut values);
            T::insert(values, source.rule.name, channels);
        }
        for_any!(self, typed => insert(typed, order, channels))
    }

    pub(super) fn insert(&self, channels: &mut Channels) {
        for_any!(self, typed => {
            ParticleValue::insert(typed.values.clone(), typed.rule.name, channels);
        })
    }

    /// A column of the same rule with `count` values out of a set of channels.
    pub(super) fn take(&self, count: usize, channels: &mut Channels) -> Result<Self, ChannelError> {
        fn take<T: ParticleValue>(
            rule: ChannelRule<T>,
            count: usize,
            channels: &mut Channels,
        ) -> Result<Column, ChannelError> {
            let values = T::take(rule.name, count, channels)?;
            (rule.check)(rule.name, &values)?;
            Ok(T::column(Typed { rule, values }))
        }
        for_any!(self, typed => take(typed.rule, count, channels))
    }

    /// The first particle with a value that is not a number, and that value in words.
    pub(super) fn first_not_finite(&self) -> Option<(usize, String)> {
        for_any!(self, typed => first_not_finite(&typed.values))
    }
}

/// The first item that holds a NaN or an infinity, and what it is in words.
pub(super) fn first_not_finite<T: ParticleValue>(values: &[T]) -> Option<(usize, String)> {
    let index = values
        .par_iter()
        .with_min_len(CHUNK)
        .position_first(|value| !value.is_finite_value())?;
    Some((index, format!("{:?}", values[index])))
}

/// Values in another order: entry `i` of `target` becomes entry `order[i]` of `source`.
pub(super) fn gather_values<T: Copy + Send + Sync>(
    source: &[T],
    order: &[u32],
    target: &mut Vec<T>,
) {
    order
        .par_iter()
        .with_min_len(CHUNK)
        .map(|&index| source[index as usize])
        .collect_into_vec(target);
}

/// Puts values into another order, or drops some: entry `i` becomes the former entry `order[i]`.
pub fn gather<T: Copy + Send + Sync>(values: &mut Vec<T>, order: &[u32]) {
    let mut gathered = Vec::new();
    gather_values(values, order, &mut gathered);
    *values = gathered;
}
