//! The channels of a set of particles, and handles that lead to them.

use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::column::Column;
use super::value::ParticleValue;
use super::{Birth, ChannelRule, Exchange};

/// Leads to a channel of the set that it was registered in, and of every set that carries the same.
pub struct Handle<T> {
    index: usize,
    value: PhantomData<fn() -> T>,
}

// Derived, these would ask the same of `T`.
impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> Debug for Handle<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Handle({})", self.index)
    }
}

impl<T> Handle<T> {
    fn new(index: usize) -> Self {
        Self {
            index,
            value: PhantomData,
        }
    }
}

/// What particles carry beside the quantities that all have: channels, each an array of one type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    columns: Vec<Column>,
}

impl Carried {
    /// Adds a channel that particles yet to be will have.
    ///
    /// # Panics
    ///
    /// If there are particles already, or another channel of that name.
    pub fn register<T: ParticleValue>(&mut self, rule: ChannelRule<T>) -> Handle<T> {
        let name = rule.name;
        assert!(
            self.columns.iter().all(|column| column.name() != name),
            "there are two channels `{name}`"
        );
        assert!(
            self.columns.iter().all(Column::is_empty),
            "channel `{name}` is registered when there are particles already"
        );
        self.columns.push(rule.into());
        Handle::new(self.columns.len() - 1)
    }

    /// The channel of that name and type, if there is one.
    pub fn find<T: ParticleValue>(&self, name: &str) -> Option<Handle<T>> {
        let named = |column: &Column| column.name() == name && T::of(column).is_some();
        self.columns.iter().position(named).map(Handle::new)
    }

    /// The values of the channel of that name and type; none at all if there is no such channel.
    pub fn named<T: ParticleValue>(&self, name: &str) -> &[T] {
        self.optional(self.find(name))
    }

    /// The values of a channel that a method may do without: none at all if it does.
    pub fn optional<T: ParticleValue>(&self, handle: Option<Handle<T>>) -> &[T] {
        handle.map_or(&[], |handle| &self[handle])
    }

    /// Mutable [`Carried::optional`].
    pub fn optional_mut<T: ParticleValue>(&mut self, handle: Option<Handle<T>>) -> &mut [T] {
        match handle {
            Some(handle) => &mut self[handle],
            None => &mut [],
        }
    }

    /// The values of two channels at once.
    ///
    /// # Panics
    ///
    /// If they are the same.
    pub fn pair_mut<A, B>(&mut self, a: Handle<A>, b: Handle<B>) -> (&mut [A], &mut [B])
    where
        A: ParticleValue,
        B: ParticleValue,
    {
        let pair = self.columns.get_disjoint_mut([a.index, b.index]);
        let [of_a, of_b] = pair.expect("two channels of this set");
        (values_mut(of_a), values_mut(of_b))
    }

    /// What passes between the particles' values of a channel and a grid.
    pub fn exchange<T: ParticleValue>(&self, handle: Handle<T>) -> Exchange {
        let typed = T::of(&self.columns[handle.index]);
        typed.expect(STRANGE).rule.exchange
    }

    pub(super) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(super) fn from_columns(columns: Vec<Column>) -> Self {
        Self { columns }
    }

    /// The same channels without values.
    pub(super) fn empty(&self) -> Self {
        Self::from_columns(self.columns.iter().map(Column::empty).collect())
    }

    pub(super) fn push(&mut self, birth: &Birth<'_>) {
        for column in &mut self.columns {
            column.push(birth);
        }
    }

    pub(super) fn gather_into(&self, order: &[u32], target: &mut Self) {
        let known = target.columns.len();
        let missing = self.columns.iter().skip(known).map(Column::empty);
        target.columns.extend(missing);
        target.columns.truncate(self.columns.len());
        for (source, target) in self.columns.iter().zip(&mut target.columns) {
            source.gather_into(order, target);
        }
    }

    pub(super) fn append(&mut self, other: &Self) {
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            column.append(other);
        }
    }

    /// The first channel with a value that is not a number, and which and what it is.
    pub(super) fn first_not_finite(&self) -> Option<(&'static str, (usize, String))> {
        let mut columns = self.columns.iter();
        columns.find_map(|column| Some((column.name(), column.first_not_finite()?)))
    }
}

/// What a handle of another set meets.
const STRANGE: &str = "a handle leads to a channel of the set that it was registered in";

fn values_mut<T: ParticleValue>(column: &mut Column) -> &mut [T] {
    &mut T::of_mut(column).expect(STRANGE).values
}

impl<T: ParticleValue> Index<Handle<T>> for Carried {
    type Output = [T];

    #[inline]
    fn index(&self, handle: Handle<T>) -> &[T] {
        &T::of(&self.columns[handle.index]).expect(STRANGE).values
    }
}

impl<T: ParticleValue> IndexMut<Handle<T>> for Carried {
    #[inline]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut [T] {
        values_mut(&mut self.columns[handle.index])
    }
}
