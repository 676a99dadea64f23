//! One channel as a NumPy array: the `.npy` format, version 1.0 (NumPy Enhancement Proposal 1).
//!
//! Only what ooze needs is read and written: little-endian numbers in C order, a list or a table of three columns; for solids
//! also quaternions, four columns, and names, which NumPy pads to equal length.

use glam::{Quat, Vec3};
use ooze_core::ChannelData;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The format asks that the data begin at a multiple of this many bytes.
const ALIGNMENT: usize = 64;

/// What a `.npy` file of ooze can hold.
#[derive(Debug, PartialEq)]
pub(crate) enum Array {
    /// A channel.
    Channel(ChannelData),
    /// Unit quaternions.
    Orientations(Vec<Quat>),
    /// Names.
    Names(Vec<String>),
}

/// The bytes of the `.npy` file of a channel.
pub(crate) fn encode(data: &ChannelData) -> Vec<u8> {
    match data {
        ChannelData::Scalar(values) => array("<f4", values, 1, |value| value.to_le_bytes()),
        ChannelData::Vector(values) => {
            array("<f4", values, 3, |value| row::<3, 12>(value.to_array()))
        }
        ChannelData::Byte(values) => array("|u1", values, 1, |value| [*value]),
        ChannelData::Word(values) => array("<u4", values, 1, |value| value.to_le_bytes()),
        ChannelData::Double(values) => array("<f8", values, 1, |value| value.to_le_bytes()),
    }
}

/// The bytes of the `.npy` file of quaternions, in the order x, y, z, w.
pub(crate) fn encode_orientations(values: &[Quat]) -> Vec<u8> {
    array("<f4", values, 4, |value| row::<4, 16>(value.to_array()))
}

/// The bytes of the `.npy` file of names.
pub(crate) fn encode_names(names: &[&str]) -> Vec<u8> {
    let lengths = names.iter().map(|name| name.chars().count());
    let longest = lengths.max().unwrap_or(0).max(1);
    let mut bytes = header(&format!("<U{longest}"), names.len(), 1);
    for name in names {
        let padded = name.chars().chain(std::iter::repeat('\0'));
        for letter in padded.take(longest) {
            bytes.extend(u32::from(letter).to_le_bytes());
        }
    }
    bytes
}

fn row<const COLUMNS: usize, const SIZE: usize>(values: [f32; COLUMNS]) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    for (target, component) in bytes.chunks_exact_mut(4).zip(values) {
        target.copy_from_slice(&component.to_le_bytes());
    }
    bytes
}

fn array<T, const SIZE: usize>(
    descriptor: &str,
    values: &[T],
    columns: usize,
    to_bytes: impl Fn(&T) -> [u8; SIZE],
) -> Vec<u8> {
    let mut bytes = header(descriptor, values.len(), columns);
    bytes.reserve(values.len() * SIZE);
    for value in values {
        bytes.extend_from_slice(&to_bytes(value));
    }
    bytes
}

fn header(descriptor: &str, items: usize, columns: usize) -> Vec<u8> {
    let shape = match columns {
        1 => format!("({items},)"),
        _ => format!("({items}, {columns})"),
    };
    let mut text =
        format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape}, }}");
    let unpadded = MAGIC.len() + 2 + text.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let length = u16::try_from(text.len()).expect("a header of one short line");
    [MAGIC, &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Reads a `.npy` file; the error says what is the matter with it.
pub(crate) fn decode(bytes: &[u8]) -> Result<Array, String> {
    let (descriptor, shape, data) = split(bytes).ok_or("not a NumPy array of version 1.0")?;
    let channel = match (descriptor, shape.as_slice()) {
        ("<f4", &[items]) => values(data, items, f32::from_le_bytes).map(ChannelData::Scalar),
        ("<f4", &[items, 3]) => values(data, items, vector).map(ChannelData::Vector),
        ("|u1", &[items]) => values(data, items, |[byte]| byte).map(ChannelData::Byte),
        ("<u4", &[items]) => values(data, items, u32::from_le_bytes).map(ChannelData::Word),
        ("<f8", &[items]) => values(data, items, f64::from_le_bytes).map(ChannelData::Double),
        ("<f4", &[items, 4]) => {
            let quaternion = |bytes: [u8; 16]| Quat::from_array(numbers(&bytes));
            return values(data, items, quaternion).map(Array::Orientations);
        }
        (descriptor, &[items]) if descriptor.starts_with("<U") => {
            return names(&descriptor[2..], data, items).map(Array::Names);
        }
        _ => Err(format!(
            "an array of type {descriptor} and shape {shape:?} is no channel"
        )),
    };
    channel.map(Array::Channel)
}

/// Names of up to so many letters, which are shorter where they end in zeros.
fn names(longest: &str, data: &[u8], items: usize) -> Result<Vec<String>, String> {
    let longest = longest.parse().ok().filter(|&letters: &usize| letters > 0);
    let longest = longest.ok_or("names of no length")?;
    let letters = items.checked_mul(longest).ok_or("more names than fit")?;
    let letters = values(data, letters, u32::from_le_bytes)?;
    let name = |letters: &[u32]| -> Option<String> {
        let end = letters.iter().rposition(|&letter| letter != 0);
        let letters = &letters[..end.map_or(0, |last| last + 1)];
        letters
            .iter()
            .map(|&letter| char::from_u32(letter))
            .collect()
    };
    let names = letters.chunks_exact(longest).map(name);
    names
        .collect::<Option<_>>()
        .ok_or_else(|| "a name of letters that do not exist".into())
}

/// Type, shape and data of an array.
fn split(bytes: &[u8]) -> Option<(&str, Vec<usize>, &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<2>()?;
    let (header, data) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let header = std::str::from_utf8(header).ok()?;
    if !header.contains("'fortran_order': False") {
        return None;
    }
    let descriptor = between(header, "'descr': '", "'")?;
    let shape = between(header, "'shape': (", ")")?
        .split(',')
        .map(str::trim)
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok())
        .collect::<Option<Vec<usize>>>()?;
    Some((descriptor, shape, data))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.split_once(before)?
        .1
        .split_once(after)
        .map(|(middle, _)| middle)
}

fn values<T, const SIZE: usize>(
    data: &[u8],
    items: usize,
    from_bytes: impl Fn([u8; SIZE]) -> T,
) -> Result<Vec<T>, String> {
    let (chunks, rest) = data.as_chunks::<SIZE>();
    if chunks.len() != items || !rest.is_empty() {
        return Err(format!(
            "the array has {} bytes of data where {items} items of {SIZE} bytes were promised",
            data.len()
        ));
    }
    Ok(chunks.iter().map(|chunk| from_bytes(*chunk)).collect())
}

fn vector(bytes: [u8; 12]) -> Vec3 {
    Vec3::from_array(numbers(&bytes))
}

fn numbers<const COUNT: usize>(bytes: &[u8]) -> [f32; COUNT] {
    let (numbers, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|index| f32::from_le_bytes(numbers[index]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_what_numpy_writes() {
        // numpy.save of numpy.array([[1, 2, 3]], dtype="<f4").
        let bytes = encode(&ChannelData::Vector(vec![Vec3::new(1.0, 2.0, 3.0)]));
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
        assert_eq!(&bytes[10..10 + text.len()], text.as_bytes());
        assert_eq!(bytes[127], b'\n');
        assert_eq!(bytes[128..], [0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64]);
    }

    #[test]
    fn other_arrays_are_refused_with_their_shape() {
        let bytes = encode(&ChannelData::Scalar(vec![1.0, 2.0]));
        let text = String::from_utf8_lossy(&bytes[..64]).into_owned();
        assert!(text.contains("(2,)"));
        let mut wrong_type = bytes.clone();
        let at = 10 + "{'descr': '<f".len();
        wrong_type[at] = b'2';
        assert_eq!(
            decode(&wrong_type),
            Err("an array of type <f2 and shape [2] is no channel".into())
        );
        assert!(
            decode(&bytes[..bytes.len() - 1])
                .unwrap_err()
                .contains("2 items of 4 bytes")
        );
        assert!(decode(b"PK").is_err());
    }

    #[test]
    fn names_and_orientations_come_back() {
        let bytes = encode_names(&["spoon", "", "Löffel 2"]);
        let text = String::from_utf8_lossy(&bytes[..80]).into_owned();
        assert!(text.contains("'<U8'") && text.contains("(3,)"), "{text}");
        let names = ["spoon", "", "Löffel 2"].map(String::from);
        assert_eq!(decode(&bytes), Ok(Array::Names(names.into())));
        assert_eq!(decode(&encode_names(&[])), Ok(Array::Names(Vec::new())));
        let turned = vec![Quat::from_rotation_y(0.3), Quat::IDENTITY];
        let bytes = encode_orientations(&turned);
        assert_eq!(decode(&bytes), Ok(Array::Orientations(turned)));
        let mut surrogate = encode_names(&["a"]);
        let last = surrogate.len() - 3;
        surrogate[last] = 0xd8;
        assert!(decode(&surrogate).is_err());
    }

    fn channel() -> impl Strategy<Value = ChannelData> {
        let count = 0..40usize;
        prop_oneof![
            proptest::collection::vec(any::<f32>(), count.clone()).prop_map(ChannelData::Scalar),
            proptest::collection::vec(any::<[f32; 3]>(), count.clone())
                .prop_map(|rows| ChannelData::Vector(rows.into_iter().map(Vec3::from).collect())),
            proptest::collection::vec(any::<u8>(), count.clone()).prop_map(ChannelData::Byte),
            proptest::collection::vec(any::<u32>(), count.clone()).prop_map(ChannelData::Word),
            proptest::collection::vec(any::<f64>(), count).prop_map(ChannelData::Double),
        ]
    }

    proptest! {
        #[test]
        fn every_channel_comes_back_bit_for_bit(data in channel()) {
            let bytes = encode(&data);
            let Ok(Array::Channel(back)) = decode(&bytes) else {
                return Err(TestCaseError::fail("no channel"));
            };
            prop_assert_eq!(encode(&back), bytes);
        }
    }
}
