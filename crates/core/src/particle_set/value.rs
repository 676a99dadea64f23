//! The types of value that particles can carry.

use std::fmt::Debug;

use bytemuck::Pod;
use glam::Vec3;

use super::column::{Column, Typed};
use crate::{ChannelData, ChannelError, Channels, SymmetricTensor, expect_length};

/// Rows of a gradient: entry `[row][column]` is the derivative of component `row` along `column`.
pub type Gradient = [Vec3; 3];

/// A type of value that particles can carry.
pub trait ParticleValue: Pod + Debug + PartialEq + Send + Sync {
    #[doc(hidden)]
    fn column(typed: Typed<Self>) -> Column;
    #[doc(hidden)]
    fn of(column: &Column) -> Option<&Typed<Self>>;
    #[doc(hidden)]
    fn of_mut(column: &mut Column) -> Option<&mut Typed<Self>>;

    /// Whether no part of it is a NaN or an infinity.
    fn is_finite_value(&self) -> bool;

    /// Adds values to a set of channels, in as many parts as it takes.
    fn insert(values: Vec<Self>, name: &str, channels: &mut Channels);

    /// Takes as many values as there should be out of a set of channels.
    fn take(name: &str, count: usize, channels: &mut Channels) -> Result<Vec<Self>, ChannelError>;
}

macro_rules! in_columns {
    ($variant:ident) => {
        fn column(typed: Typed<Self>) -> Column {
            Column::$variant(typed)
        }

        fn of(column: &Column) -> Option<&Typed<Self>> {
            match column {
                Column::$variant(typed) => Some(typed),
                _ => None,
            }
        }

        fn of_mut(column: &mut Column) -> Option<&mut Typed<Self>> {
            match column {
                Column::$variant(typed) => Some(typed),
                _ => None,
            }
        }
    };
}

macro_rules! in_one_part {
    ($type:ty, $variant:ident, $take:ident, $is_finite:expr) => {
        impl ParticleValue for $type {
            in_columns!($variant);

            fn is_finite_value(&self) -> bool {
                $is_finite(self)
            }

            fn insert(values: Vec<Self>, name: &str, channels: &mut Channels) {
                channels.insert(name, ChannelData::$variant(values));
            }

            fn take(
                name: &str,
                count: usize,
                channels: &mut Channels,
            ) -> Result<Vec<Self>, ChannelError> {
                let values = channels.$take(name)?;
                expect_length(name, &values, count)?;
                Ok(values)
            }
        }
    };
}

in_one_part!(f32, Scalar, take_scalars, |value: &f32| value.is_finite());
in_one_part!(Vec3, Vector, take_vectors, |value: &Vec3| value.is_finite());
in_one_part!(u8, Byte, take_bytes, |_| true);
in_one_part!(u32, Word, take_words, |_| true);

/// Adds one part of larger values.
fn insert_part<T: ParticleValue>(
    values: &[T],
    name: &str,
    part: &str,
    of: impl Fn(&T) -> Vec3,
    channels: &mut Channels,
) {
    let vectors = values.iter().map(of).collect();
    channels.insert(&format!("{name}_{part}"), ChannelData::Vector(vectors));
}

/// Takes all parts of larger values.
fn take_parts<const N: usize>(
    name: &str,
    parts: [&str; N],
    count: usize,
    channels: &mut Channels,
) -> Result<[Vec<Vec3>; N], ChannelError> {
    let mut taken = std::array::from_fn(|_| Vec::new());
    for (values, part) in taken.iter_mut().zip(parts) {
        *values = Vec3::take(&format!("{name}_{part}"), count, channels)?;
    }
    Ok(taken)
}

/// Components xx, yy, zz, and yz, zx, xy.
impl ParticleValue for SymmetricTensor {
    in_columns!(Tensor);

    fn is_finite_value(&self) -> bool {
        self.is_finite()
    }

    fn insert(values: Vec<Self>, name: &str, channels: &mut Channels) {
        insert_part(&values, name, "diagonal", |value| value.diagonal, channels);
        insert_part(&values, name, "shear", |value| value.shear, channels);
    }

    fn take(name: &str, count: usize, channels: &mut Channels) -> Result<Vec<Self>, ChannelError> {
        let [diagonal, shear] = take_parts(name, ["diagonal", "shear"], count, channels)?;
        let pairs = diagonal.into_iter().zip(shear);
        Ok(pairs
            .map(|(diagonal, shear)| Self { diagonal, shear })
            .collect())
    }
}

impl ParticleValue for Gradient {
    in_columns!(Gradient);

    fn is_finite_value(&self) -> bool {
        self.iter().all(|row| row.is_finite())
    }

    fn insert(values: Vec<Self>, name: &str, channels: &mut Channels) {
        for (row, part) in ["x", "y", "z"].into_iter().enumerate() {
            insert_part(&values, name, part, |value| value[row], channels);
        }
    }

    fn take(name: &str, count: usize, channels: &mut Channels) -> Result<Vec<Self>, ChannelError> {
        let [x, y, z] = take_parts(name, ["x", "y", "z"], count, channels)?;
        let rows = x.into_iter().zip(y).zip(z);
        Ok(rows.map(|((x, y), z)| [x, y, z]).collect())
    }
}
