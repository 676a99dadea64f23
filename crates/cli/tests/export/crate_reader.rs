//! A reader of crate files (`.usdc`) of our own, written from OpenUSD's crateFile.cpp and not from the writer: tables of names,
//! fields and paths, and arrays of vectors at each time. It panics where a file makes no sense.

use std::collections::BTreeMap;

use glam::{DMat4, Quat, Vec3};

const ARRAY: u64 = 1 << 63;
const INLINE: u64 = 1 << 62;
const PLACE: u64 = (1 << 48) - 1;
const DOUBLE: u64 = 9;
const VEC3F: u64 = 24;
const TIME_SAMPLES: u64 = 46;
const MATRIX4D: u64 = 15;
const QUATF: u64 = 17;
/// Ends the list of a spec's fields.
const END: u32 = u32::MAX;

/// A file, with the fields of everything that it holds by path.
pub(crate) struct CrateReader {
    bytes: Vec<u8>,
    fields: BTreeMap<String, BTreeMap<String, u64>>,
}

/// Reads numbers one after the other.
struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (part, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        part
    }

    fn length(&mut self) -> usize {
        u64::from_le_bytes(self.take(8).try_into().unwrap()) as usize
    }

    /// Bytes that were packed in one chunk.
    fn unpacked(&mut self, most: usize) -> Vec<u8> {
        let packed = self.length();
        let packed = self.take(packed);
        assert_eq!(packed[0], 0, "one chunk");
        lz4_flex::block::decompress(&packed[1..], most).expect("LZ4")
    }

    /// Packed integers: the common difference, two bits each, then the differences that are not the common one.
    fn integers(&mut self, count: usize) -> Vec<i32> {
        let encoded = self.unpacked(4 + count.div_ceil(4) + 4 * count);
        let (common, rest) = encoded.split_at(4);
        let common = i32::from_le_bytes(common.try_into().unwrap());
        let (codes, stored) = rest.split_at(count.div_ceil(4));
        let (mut stored, mut value) = (Cursor { bytes: stored }, 0i32);
        let mut next = |index: usize| {
            let difference = match codes[index / 4] >> (2 * (index % 4)) & 3 {
                0 => common,
                1 => i32::from(stored.take(1)[0] as i8),
                2 => i32::from(i16::from_le_bytes(stored.take(2).try_into().unwrap())),
                _ => i32::from_le_bytes(stored.take(4).try_into().unwrap()),
            };
            value = value.wrapping_add(difference);
            value
        };
        (0..count).map(&mut next).collect()
    }
}

impl CrateReader {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        assert!(bytes.starts_with(b"PXR-USDC"), "the identifier");
        let mut head = Cursor {
            bytes: &bytes[16..],
        };
        let mut contents = Cursor {
            bytes: &bytes[head.length()..],
        };
        let mut sections = BTreeMap::new();
        for _ in 0..contents.length() {
            let name = contents.take(16);
            let name = String::from_utf8_lossy(name)
                .trim_end_matches('\0')
                .to_owned();
            let (start, size) = (contents.length(), contents.length());
            sections.insert(name, &bytes[start..start + size]);
        }
        let section = |name: &str| Cursor {
            bytes: sections[name],
        };
        let tokens = tokens(section("TOKENS"));
        let paths = paths(section("PATHS"), &tokens);
        let mut table = section("FIELDS");
        let count = table.length();
        let names = table.integers(count);
        let values = table.unpacked(8 * count);
        let (values, _) = values.as_chunks::<8>();
        let mut table = section("FIELDSETS");
        let count = table.length();
        let sets = table.integers(count);
        let mut table = section("SPECS");
        let count = table.length();
        let (owners, starts) = (table.integers(count), table.integers(count));
        let mut fields = BTreeMap::new();
        for (&owner, &start) in owners.iter().zip(&starts) {
            let set = sets[start as usize..].iter().map(|&field| field as u32);
            let own = set.take_while(|&field| field != END).map(|field| {
                let name = tokens[names[field as usize] as usize].clone();
                (name, u64::from_le_bytes(values[field as usize]))
            });
            fields.insert(paths[owner as usize].clone(), own.collect());
        }
        Self { bytes, fields }
    }

    /// All paths of the file.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    fn at(&self, value: u64) -> Cursor<'_> {
        assert_eq!(value & INLINE, 0, "a value with a place");
        Cursor {
            bytes: &self.bytes[(value & PLACE) as usize..],
        }
    }

    /// The values of an attribute at each time.
    fn samples(&self, path: &str) -> Vec<(f64, u64)> {
        let value = self.fields[path]["timeSamples"];
        assert_eq!(value >> 48 & 0xff, TIME_SAMPLES);
        let mut cursor = self.at(value);
        let skipped = cursor.length() - 8;
        cursor.take(skipped);
        let times = cursor.length() as u64;
        assert_eq!(times >> 48 & 0xff, DOUBLE);
        let mut list = self.at(times);
        let count = list.length();
        let times = list.take(8 * count).as_chunks::<8>().0;
        let skipped = cursor.length() - 8;
        cursor.take(skipped);
        assert_eq!(cursor.length(), count, "as many values as times");
        let values = cursor.take(8 * count).as_chunks::<8>().0;
        let pairs = times.iter().zip(values);
        pairs
            .map(|(&time, &value)| (f64::from_le_bytes(time), u64::from_le_bytes(value)))
            .collect()
    }

    /// The times of an attribute, and its vectors at each.
    pub(crate) fn vectors(&self, path: &str) -> Vec<(f64, Vec<Vec3>)> {
        let samples = self.samples(path).into_iter();
        samples
            .map(|(time, value)| (time, self.list(value)))
            .collect()
    }

    /// The times of an attribute, and its orientations at each.
    pub(crate) fn orientations(&self, path: &str) -> Vec<(f64, Vec<Quat>)> {
        let list = |value: u64| {
            assert_eq!(value >> 48 & 0xff, QUATF);
            let mut cursor = self.at(value);
            let count = cursor.length();
            let numbers = cursor.take(16 * count).as_chunks::<4>().0;
            let numbers: Vec<f32> = numbers.iter().map(|&n| f32::from_le_bytes(n)).collect();
            numbers.chunks_exact(4).map(Quat::from_slice).collect()
        };
        let samples = self.samples(path).into_iter();
        samples.map(|(time, value)| (time, list(value))).collect()
    }

    /// The vectors of an attribute that has the same at all times.
    pub(crate) fn still_vectors(&self, path: &str) -> Vec<Vec3> {
        self.list(self.fields[path]["default"])
    }

    fn list(&self, value: u64) -> Vec<Vec3> {
        assert_eq!(value >> 48 & 0xff, VEC3F);
        assert_ne!(value & ARRAY, 0, "an array");
        if value & PLACE == 0 {
            return Vec::new();
        }
        let mut cursor = self.at(value);
        let count = cursor.length();
        let numbers = cursor.take(12 * count).as_chunks::<4>().0;
        let numbers: Vec<f32> = numbers.iter().map(|&n| f32::from_le_bytes(n)).collect();
        numbers.chunks_exact(3).map(Vec3::from_slice).collect()
    }

    /// The times of an attribute, and its matrix at each.
    pub(crate) fn matrices(&self, path: &str) -> Vec<(f64, DMat4)> {
        let matrix = |value: u64| {
            assert_eq!(value >> 48 & 0xff, MATRIX4D);
            let numbers = self.at(value).take(128).as_chunks::<8>().0;
            let number = |index: usize| f64::from_le_bytes(numbers[index]);
            // Rows of theirs are columns of ours: their vectors stand before the matrix.
            DMat4::from_cols_array(&std::array::from_fn(number))
        };
        let samples = self.samples(path).into_iter();
        samples.map(|(time, value)| (time, matrix(value))).collect()
    }
}

fn tokens(mut section: Cursor<'_>) -> Vec<String> {
    let (count, size) = (section.length(), section.length());
    let text = section.unpacked(size);
    assert_eq!(text.len(), size);
    let texts = text.split(|&byte| byte == 0).take(count);
    texts
        .map(|text| String::from_utf8(text.to_vec()).expect("UTF-8"))
        .collect()
}

/// The texts of all paths by their numbers. Jumps tell where children and siblings of a path are: 0 for a sibling behind it,
/// -1 for a child behind it, -2 for neither, and else a child behind it and the distance to the sibling.
fn paths(mut section: Cursor<'_>, tokens: &[String]) -> Vec<String> {
    let (count, items) = (section.length(), section.length());
    assert_eq!(count, items);
    let [numbers, names, jumps] = [(); 3].map(|()| section.integers(items));
    let mut paths = vec![String::new(); count];
    let mut waiting = vec![(0, None::<String>)];
    while let Some((item, parent)) = waiting.pop() {
        let name = &tokens[names[item].unsigned_abs() as usize];
        let path = match parent.as_deref() {
            None => "/".to_owned(),
            // A property's name has a negative number.
            Some(parent) if names[item] < 0 => format!("{parent}.{name}"),
            Some("/") => format!("/{name}"),
            Some(parent) => format!("{parent}/{name}"),
        };
        paths[numbers[item] as usize] = path.clone();
        let jump = jumps[item];
        if jump >= 0 {
            waiting.push((item + jump.max(1) as usize, parent));
        }
        if jump == -1 || jump > 0 {
            waiting.push((item + 1, Some(path)));
        }
    }
    assert!(paths.iter().all(|path| !path.is_empty()), "every path once");
    paths
}
