//! Named arrays: how a liquid hands its state to caches, renderers and exporters, and takes it back from a checkpoint.

use std::collections::BTreeMap;

use glam::Vec3;
use thiserror::Error;

/// The values of one channel.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelData {
    /// One single-precision number an item.
    Scalar(Vec<f32>),
    /// One vector an item.
    Vector(Vec<Vec3>),
    /// One small whole number an item (a material index, a flag).
    Byte(Vec<u8>),
    /// One whole number an item (an identity).
    Word(Vec<u32>),
    /// One double-precision number an item.
    Double(Vec<f64>),
}

impl ChannelData {
    /// Number of items.
    pub fn len(&self) -> usize {
        match self {
            Self::Scalar(values) => values.len(),
            Self::Vector(values) => values.len(),
            Self::Byte(values) => values.len(),
            Self::Word(values) => values.len(),
            Self::Double(values) => values.len(),
        }
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Index of the first item that holds a NaN or an infinity.
    pub fn first_not_finite(&self) -> Option<usize> {
        match self {
            Self::Scalar(values) => values.iter().position(|value| !value.is_finite()),
            Self::Vector(values) => values.iter().position(|value| !value.is_finite()),
            Self::Double(values) => values.iter().position(|value| !value.is_finite()),
            Self::Byte(_) | Self::Word(_) => None,
        }
    }
}

/// Named channels; the name tells what it is (`position`, `velocity`, `id`, `material`, `age`, `temperature`, ...).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels {
    channels: BTreeMap<String, ChannelData>,
}

/// What can be wrong with a set of channels that is read back.
#[derive(Debug, Error, PartialEq)]
pub enum ChannelError {
    /// A channel is not there.
    #[error("channel `{name}` is missing; the file was written by another method or version")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A channel holds another kind of value than its name promises.
    #[error("channel `{name}` holds another type of value than expected")]
    WrongType {
        /// Its name.
        name: String,
    },
    /// A channel is there that nobody asks for.
    #[error(
        "channel `{name}` is of no use here; the file was written by another method or version"
    )]
    Strange {
        /// Its name.
        name: String,
    },
    /// Channels that belong together differ in length.
    #[error("channel `{name}` has {found} items where {expected} were expected")]
    WrongLength {
        /// Its name.
        name: String,
        /// Items found.
        found: usize,
        /// Items expected.
        expected: usize,
    },
    /// A value is one that no run would write.
    #[error("channel `{name}`, row {row}: {value} is not {wanted}")]
    Value {
        /// The channel's name.
        name: String,
        /// Index of the first such item, counted from zero.
        row: usize,
        /// What it holds.
        value: Box<str>,
        /// What it should hold, in words.
        wanted: Box<str>,
    },
}

macro_rules! typed_access {
    ($take:ident, $get:ident, $variant:ident, $type:ty, $what:literal) => {
        #[doc = concat!("Takes a channel of ", $what, " out of the set.")]
        pub fn $take(&mut self, name: &str) -> Result<Vec<$type>, ChannelError> {
            match self.channels.remove(name) {
                Some(ChannelData::$variant(values)) => Ok(values),
                Some(_) => Err(ChannelError::WrongType { name: name.into() }),
                None => Err(ChannelError::Missing { name: name.into() }),
            }
        }

        #[doc = concat!("Looks at a channel of ", $what, ".")]
        pub fn $get(&self, name: &str) -> Result<&[$type], ChannelError> {
            match self.channels.get(name) {
                Some(ChannelData::$variant(values)) => Ok(values),
                Some(_) => Err(ChannelError::WrongType { name: name.into() }),
                None => Err(ChannelError::Missing { name: name.into() }),
            }
        }
    };
}

impl Channels {
    /// Adds or replaces a channel.
    pub fn insert(&mut self, name: &str, data: ChannelData) {
        self.channels.insert(name.into(), data);
    }

    /// Takes a channel out of the set, whatever its type.
    pub fn remove(&mut self, name: &str) -> Option<ChannelData> {
        self.channels.remove(name)
    }

    /// Drops the channels whose names are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.channels.retain(|name, _| keep(name));
    }

    /// The channel of that name, whatever its type.
    pub fn get(&self, name: &str) -> Option<&ChannelData> {
        self.channels.get(name)
    }

    /// Checks that all channels were taken: what is left belongs to another liquid. Channels without items are none.
    pub fn expect_nothing_left(&self) -> Result<(), ChannelError> {
        match self.iter().find(|(_, data)| !data.is_empty()) {
            None => Ok(()),
            Some((name, _)) => Err(ChannelError::Strange { name: name.into() }),
        }
    }

    /// All channels in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ChannelData)> {
        self.channels
            .iter()
            .map(|(name, data)| (name.as_str(), data))
    }

    typed_access!(
        take_scalars,
        scalars,
        Scalar,
        f32,
        "single-precision numbers"
    );
    typed_access!(take_vectors, vectors, Vector, Vec3, "vectors");
    typed_access!(take_bytes, bytes, Byte, u8, "small whole numbers");
    typed_access!(take_words, words, Word, u32, "whole numbers");
    typed_access!(
        take_doubles,
        doubles,
        Double,
        f64,
        "double-precision numbers"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_took_is_named_unless_it_is_nothing() {
        let mut channels = Channels::default();
        channels.insert("age", ChannelData::Scalar(Vec::new()));
        assert_eq!(channels.expect_nothing_left(), Ok(()));
        channels.insert("colour", ChannelData::Vector(vec![Vec3::ZERO]));
        assert_eq!(
            channels.expect_nothing_left(),
            Err(ChannelError::Strange {
                name: "colour".into()
            })
        );
    }

    #[test]
    fn a_channel_comes_back_with_its_type_or_is_named() {
        let mut channels = Channels::default();
        channels.insert("age", ChannelData::Scalar(vec![1.0, f32::NAN]));
        assert_eq!(
            channels.get("age").and_then(ChannelData::first_not_finite),
            Some(1)
        );
        assert_eq!(
            channels.vectors("age"),
            Err(ChannelError::WrongType { name: "age".into() })
        );
        assert_eq!(
            channels.take_scalars("age").map(|values| values.len()),
            Ok(2)
        );
        assert_eq!(
            channels.take_scalars("age"),
            Err(ChannelError::Missing { name: "age".into() })
        );
    }
}
