//! How crate files pack integers: differences coded in 0, 8, 16 or 32 bits, then LZ4 (OpenUSD, integerCoding.cpp and
//! fastCompression.cpp).

use std::collections::BTreeMap;

/// How an integer's difference to the one before is stored, two bits each.
const COMMON: u8 = 0;
const BYTE: u8 = 1;
const SHORT: u8 = 2;
const WORD: u8 = 3;

/// Packs 32-bit integers; unsigned ones are passed by their bits.
pub(super) fn pack_integers(values: impl ExactSizeIterator<Item = i32>) -> Vec<u8> {
    compress(&encode(values))
}

/// LZ4 in one chunk, which the leading zero says.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut packed = vec![0];
    packed.extend(lz4_flex::block::compress(bytes));
    packed
}

/// The most frequent difference, then the two-bit codes of all, then the differences that are not the frequent one.
fn encode(values: impl ExactSizeIterator<Item = i32>) -> Vec<u8> {
    let count = values.len();
    if count == 0 {
        return Vec::new();
    }
    let mut previous = 0i32;
    let differences: Vec<i32> = values
        .map(|value| value.wrapping_sub(std::mem::replace(&mut previous, value)))
        .collect();
    let common = most_frequent(&differences);
    let mut codes = vec![0u8; count.div_ceil(4)];
    let mut stored = Vec::with_capacity(2 * count);
    for (index, &difference) in differences.iter().enumerate() {
        let code = if difference == common {
            COMMON
        } else if let Ok(byte) = i8::try_from(difference) {
            stored.extend(byte.to_le_bytes());
            BYTE
        } else if let Ok(short) = i16::try_from(difference) {
            stored.extend(short.to_le_bytes());
            SHORT
        } else {
            stored.extend(difference.to_le_bytes());
            WORD
        };
        codes[index / 4] |= code << (2 * (index % 4));
    }
    let mut encoded = common.to_le_bytes().to_vec();
    encoded.extend(codes);
    encoded.extend(stored);
    encoded
}

/// Of equally frequent ones the smallest, so that the bytes depend on the values alone.
fn most_frequent(differences: &[i32]) -> i32 {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    for &difference in differences {
        *counts.entry(difference).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .reduce(|best, next| if next.1 > best.1 { next } else { best });
    most.map_or(0, |(difference, _)| difference)
}

/// The bits of the half-precision number next to one between -1 and 1; below its normal numbers that is zero.
pub(super) fn half_precision(number: f32) -> u16 {
    const BITS_LESS: u32 = 13;
    const LEAST_NORMAL: f32 = 6.103_515_6e-5;
    /// Difference of the exponents' offsets, 127 and 15, in place.
    const OFFSET: u32 = (127 - 15) << 10;
    let sign = (number.to_bits() >> 16 & 0x8000) as u16;
    if number.abs() < LEAST_NORMAL {
        return sign;
    }
    let bits = number.abs().to_bits();
    let rounded = (bits + (1 << (BITS_LESS - 1))) >> BITS_LESS;
    sign | (rounded - OFFSET) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_are_next_to_what_they_stand_for() {
        let known = [
            (1.0, 0x3c00),
            (-0.5, 0xb800),
            (0.333_33, 0x3555),
            (0.0, 0),
            (1e-6, 0),
        ];
        for (number, bits) in known {
            assert_eq!(half_precision(number), bits, "{number}");
        }
    }

    /// What a reader does.
    fn decode(encoded: &[u8], count: usize) -> Vec<i32> {
        let (common, rest) = encoded.split_at(4);
        let common = i32::from_le_bytes(common.try_into().unwrap());
        let (codes, mut stored) = rest.split_at(count.div_ceil(4));
        let mut value = 0i32;
        let mut values = Vec::new();
        for index in 0..count {
            let code = codes[index / 4] >> (2 * (index % 4)) & 3;
            let bytes = [0, 1, 2, 4][usize::from(code)];
            let (number, after) = stored.split_at(bytes);
            stored = after;
            let difference = match code {
                COMMON => common,
                BYTE => i32::from(number[0] as i8),
                SHORT => i32::from(i16::from_le_bytes(number.try_into().unwrap())),
                _ => i32::from_le_bytes(number.try_into().unwrap()),
            };
            value = value.wrapping_add(difference);
            values.push(value);
        }
        assert!(stored.is_empty());
        values
    }

    proptest! {
        #[test]
        fn integers_come_back(values in proptest::collection::vec(
            prop_oneof![any::<i32>(), -300..300i32, Just(3)], 1..200,
        )) {
            let packed = pack_integers(values.iter().copied());
            prop_assert_eq!(packed[0], 0);
            let most = 4 + values.len().div_ceil(4) + 4 * values.len();
            let encoded = lz4_flex::block::decompress(&packed[1..], most).unwrap();
            prop_assert_eq!(decode(&encoded, values.len()), values);
        }
    }

    #[test]
    fn triangle_counts_take_next_to_no_space() {
        let counts = vec![3; 100_000];
        assert!(pack_integers(counts.into_iter()).len() < 1000);
    }
}
