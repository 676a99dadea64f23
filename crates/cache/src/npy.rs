//! One channel as a NumPy array: the `.npy` format, version 1.0 (NumPy Enhancement Proposal 1).
//!
//! Only what a channel needs is read and written: little-endian numbers in C order, a list or a table of three columns.

use glam::Vec3;
use ooze_core::ChannelData;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// The format asks that the data begin at a multiple of this many bytes.
const ALIGNMENT: usize = 64;

/// The bytes of a `.npy` file.
pub(crate) fn encode(data: &ChannelData) -> Vec<u8> {
    match data {
        ChannelData::Scalar(values) => array("<f4", values, false, |value| value.to_le_bytes()),
        ChannelData::Vector(values) => array("<f4", values, true, |value| vector_bytes(*value)),
        ChannelData::Byte(values) => array("|u1", values, false, |value| [*value]),
        ChannelData::Word(values) => array("<u4", values, false, |value| value.to_le_bytes()),
        ChannelData::Double(values) => array("<f8", values, false, |value| value.to_le_bytes()),
    }
}

fn vector_bytes(value: Vec3) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (target, component) in bytes.chunks_exact_mut(4).zip(value.to_array()) {
        target.copy_from_slice(&component.to_le_bytes());
    }
    bytes
}

fn array<T, const SIZE: usize>(
    descriptor: &str,
    values: &[T],
    three_columns: bool,
    to_bytes: impl Fn(&T) -> [u8; SIZE],
) -> Vec<u8> {
    let mut bytes = header(descriptor, values.len(), three_columns);
    bytes.reserve(values.len() * SIZE);
    for value in values {
        bytes.extend_from_slice(&to_bytes(value));
    }
    bytes
}

fn header(descriptor: &str, items: usize, three_columns: bool) -> Vec<u8> {
    let shape = if three_columns {
        format!("({items}, 3)")
    } else {
        format!("({items},)")
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
pub(crate) fn decode(bytes: &[u8]) -> Result<ChannelData, String> {
    let (descriptor, shape, data) = split(bytes).ok_or("not a NumPy array of version 1.0")?;
    match (descriptor, shape.as_slice()) {
        ("<f4", &[items]) => values(data, items, f32::from_le_bytes).map(ChannelData::Scalar),
        ("<f4", &[items, 3]) => values(data, items, vector).map(ChannelData::Vector),
        ("|u1", &[items]) => values(data, items, |[byte]| byte).map(ChannelData::Byte),
        ("<u4", &[items]) => values(data, items, u32::from_le_bytes).map(ChannelData::Word),
        ("<f8", &[items]) => values(data, items, f64::from_le_bytes).map(ChannelData::Double),
        _ => Err(format!(
            "an array of type {descriptor} and shape {shape:?} is no channel"
        )),
    }
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
    let (components, _) = bytes.as_chunks::<4>();
    Vec3::from_array(std::array::from_fn(|axis| {
        f32::from_le_bytes(components[axis])
    }))
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
            prop_assert_eq!(encode(&decode(&bytes).unwrap()), bytes);
        }
    }
}
