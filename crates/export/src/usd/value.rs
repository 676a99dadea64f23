//! How a crate file refers to a value: its type, and where it lies or what it is.

/// Types of values, by their numbers in crate files (OpenUSD, crateDataTypes.h).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int = 3,
    Int64 = 5,
    Float = 8,
    Double = 9,
    String = 10,
    Token = 11,
    Matrix4d = 15,
    Quatf = 17,
    Quath = 18,
    Vec3f = 24,
    TokenListOperation = 32,
    PathListOperation = 34,
    TokenVector = 41,
    Specifier = 42,
    Variability = 44,
    TimeSamples = 46,
    Vec2f = 20,
}

const ARRAY: u64 = 1 << 63;
const INLINE: u64 = 1 << 62;
const PACKED: u64 = 1 << 61;

/// A value: eight bytes that hold it or tell where in the file it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Value(pub(super) u64);

impl Value {
    /// A value that fits into the reference itself.
    pub(super) fn inline(kind: Kind, bits: u32) -> Self {
        Self((kind as u64) << 48 | INLINE | u64::from(bits))
    }

    /// A single value at a place in the file.
    pub(super) fn at(kind: Kind, place: u64) -> Self {
        Self((kind as u64) << 48 | place)
    }

    /// An array at a place in the file.
    pub(super) fn array(kind: Kind, place: u64) -> Self {
        Self(Self::at(kind, place).0 | ARRAY)
    }

    /// An array of packed integers at a place in the file.
    pub(super) fn packed_array(kind: Kind, place: u64) -> Self {
        Self(Self::array(kind, place).0 | PACKED)
    }

    /// An array without items, which needs no place.
    pub(super) fn empty_array(kind: Kind) -> Self {
        Self::array(kind, 0)
    }

    /// A single-precision number.
    pub(super) fn float(number: f32) -> Self {
        Self::inline(Kind::Float, number.to_bits())
    }

    /// `def`, the specifier of prims that are there.
    pub(super) fn definition() -> Self {
        Self::inline(Kind::Specifier, 0)
    }

    /// The variability of attributes that do not change with time.
    pub(super) fn uniform() -> Self {
        Self::inline(Kind::Variability, 1)
    }
}
