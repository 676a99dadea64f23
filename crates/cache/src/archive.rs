//! The container of frames and checkpoints: a NumPy `.npz`, which is a zip archive of `.npy` arrays.
//!
//! - The bytes depend on the contents alone: members in the order given, fixed timestamps, one compression level.
//! - Members are compressed in parallel.
//! - Zip keeps a checksum of each member's data, but none of names and sizes; the archive's comment therefore ends with a
//!   checksum of all bytes before it. The member checksums then tell which part is damaged.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use glam::Quat;
use ooze_core::{ChannelData, Channels};
use rayon::prelude::*;
use zip::write::{PreparedZipFile, SimpleFileOptions};
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter, result::ZipResult};

use crate::CacheError;
use crate::npy::{self, Array};

/// The comment at the end of the archive, before eight hexadecimal digits.
const SEAL: &[u8] = b"ooze npz 1 crc32 ";
const DIGITS: usize = 8;
/// No member of a run is larger. What claims to be is no more than a bomb.
const LARGEST_MEMBER: u64 = 1 << 36;
/// Particle data shrink by about a tenth at every level, so the fastest one is best.
const COMPRESSION_LEVEL: i64 = 1;
/// Members of fewer bytes are stored as they are: the tables of a compressor take longer to clear than it takes to write a table of
/// a few solids, of which nothing would be saved.
const LEAST_COMPRESSED: usize = 512;

/// What goes into a file of an archive.
pub(crate) enum Content<'a> {
    /// An array; its member's name ends in `.npy`.
    Array(&'a ChannelData),
    /// Bytes as they are.
    Raw(&'a [u8]),
}

/// Writes an archive of the given members, in their order.
pub(crate) fn write(path: &Path, members: &[(String, Content)]) -> Result<(), CacheError> {
    for (name, content) in members {
        if let Content::Array(data) = content
            && let Some(item) = data.first_not_finite()
        {
            return Err(CacheError::NotFinite {
                path: path.into(),
                channel: name.trim_end_matches(".npy").into(),
                item,
            });
        }
    }
    Ok(ooze_files::write(path, &sealed(path, members)?)?)
}

/// The bytes of an archive that is meant for `path`, checksums included.
pub(crate) fn sealed(path: &Path, members: &[(String, Content)]) -> Result<Vec<u8>, CacheError> {
    pack(members)
        .map_err(|error| CacheError::unexpected(path, format!("cannot be packed: {error}")))
}

fn pack(members: &[(String, Content)]) -> ZipResult<Vec<u8>> {
    let compressed: Vec<PreparedZipFile> = members
        .par_iter()
        .map(|(name, content)| {
            let bytes = match content {
                Content::Array(data) => Cow::Owned(npy::encode(data)),
                Content::Raw(bytes) => Cow::Borrowed(*bytes),
            };
            PreparedZipFile::from_data(name, options(bytes.len()), &bytes)
        })
        .collect::<ZipResult<_>>()?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.add_prepared_files(compressed)?;
    archive.set_raw_comment([SEAL, &[b'0'; DIGITS]].concat().into())?;
    let mut bytes = archive.finish()?.into_inner();
    let sealed = bytes.len() - DIGITS;
    let digits = format!("{:08x}", crc32fast::hash(&bytes[..sealed]));
    bytes[sealed..].copy_from_slice(digits.as_bytes());
    Ok(bytes)
}

/// How a member of so many bytes is packed.
fn options(length: usize) -> SimpleFileOptions {
    let (method, level) = match length < LEAST_COMPRESSED {
        true => (CompressionMethod::Stored, None),
        false => (CompressionMethod::Deflated, Some(COMPRESSION_LEVEL)),
    };
    SimpleFileOptions::default()
        .compression_method(method)
        .compression_level(level)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
        .system(System::Unix)
}

/// The members of an archive as they were written; arrays go by their member's name without `.npy`.
#[derive(Default)]
pub(crate) struct Contents {
    /// The channels.
    pub arrays: Channels,
    /// Tables of quaternions.
    pub orientations: BTreeMap<String, Vec<Quat>>,
    /// Lists of names.
    pub names: BTreeMap<String, Vec<String>>,
    /// The other members.
    pub raw: Vec<(String, Vec<u8>)>,
}

/// Checks an archive against its checksums without unpacking a whole one.
pub(crate) fn verify(path: &Path) -> Result<(), CacheError> {
    sealed_bytes(path).map(|_| ())
}

/// The checksum that an archive states of itself; only its end is read.
pub(crate) fn stated_checksum(path: &Path) -> Result<u32, CacheError> {
    let read = |digits: &mut [u8; DIGITS]| {
        let mut file = std::fs::File::open(path)?;
        file.seek(SeekFrom::End(-(DIGITS as i64)))?;
        file.read_exact(digits)
    };
    let mut digits = [0; DIGITS];
    read(&mut digits).map_err(|source| CacheError::io("read", path, source))?;
    let text = std::str::from_utf8(&digits).ok();
    text.and_then(|text| u32::from_str_radix(text, 16).ok())
        .ok_or_else(|| CacheError::Truncated { path: path.into() })
}

fn sealed_bytes(path: &Path) -> Result<Vec<u8>, CacheError> {
    let bytes = std::fs::read(path).map_err(|source| CacheError::io("read", path, source))?;
    check_seal(path, &bytes)?;
    Ok(bytes)
}

/// Reads a whole archive and checks it.
pub(crate) fn read(path: &Path) -> Result<Contents, CacheError> {
    open(path, &sealed_bytes(path)?)
}

/// What is in the bytes of an archive, whose checksums were found to be right. `path` is where they come from.
pub(crate) fn open(path: &Path, bytes: &[u8]) -> Result<Contents, CacheError> {
    let mut contents = Contents::default();
    for (name, data) in unpack(path, bytes)? {
        let Some(channel) = name.strip_suffix(".npy") else {
            contents.raw.push((name, data));
            continue;
        };
        let array = npy::decode(&data)
            .map_err(|reason| CacheError::unexpected(path, format!("member {name}: {reason}")))?;
        match array {
            Array::Channel(values) => {
                if let Some(row) = values.first_not_finite() {
                    let what = format!("channel `{channel}`, row {row} is not a finite number");
                    return Err(CacheError::unexpected(path, what));
                }
                contents.arrays.insert(channel, values);
            }
            Array::Orientations(values) => {
                contents.orientations.insert(channel.into(), values);
            }
            Array::Names(names) => {
                contents.names.insert(channel.into(), names);
            }
        }
    }
    Ok(contents)
}

/// Compares the checksum at the end of the archive with the bytes before it, and looks for the damage if they differ.
pub(crate) fn check_seal(path: &Path, bytes: &[u8]) -> Result<(), CacheError> {
    let truncated = || CacheError::Truncated { path: path.into() };
    let (sealed, digits) = bytes.split_last_chunk::<DIGITS>().ok_or_else(truncated)?;
    if format!("{:08x}", crc32fast::hash(sealed)).as_bytes() == digits {
        return Ok(());
    }
    if bytes.starts_with(b"PK") && !sealed.ends_with(SEAL) {
        return Err(truncated());
    }
    unpack(path, bytes)?;
    Err(altered(path, "the archive's directory"))
}

fn altered(path: &Path, part: &str) -> CacheError {
    CacheError::Altered {
        path: path.into(),
        part: part.into(),
    }
}

/// The members of an archive as bytes.
pub(crate) fn members(path: &Path, bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, CacheError> {
    check_seal(path, bytes)?;
    unpack(path, bytes)
}

fn unpack(path: &Path, bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, CacheError> {
    let archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|_| altered(path, "the archive's directory"))?;
    (0..archive.len())
        .into_par_iter()
        .map_init(
            || archive.clone(),
            |archive, index| {
                let name = archive
                    .name_for_index(index)
                    .and_then(Result::ok)
                    .map(|name| name.into_owned())
                    .ok_or_else(|| altered(path, "the archive's directory"))?;
                let mut data = Vec::new();
                archive
                    .by_index(index)
                    .map_err(std::io::Error::from)
                    .and_then(|member| member.take(LARGEST_MEMBER).read_to_end(&mut data))
                    .map_err(|_| altered(path, &format!("member {name}")))?;
                Ok((name, data))
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(path: &Path) {
        let scalar = ChannelData::Scalar((0..500).map(|i| i as f32).collect());
        let word = ChannelData::Word((0..500).collect());
        let members = [
            ("age.npy".to_owned(), Content::Array(&scalar)),
            ("id.npy".to_owned(), Content::Array(&word)),
            ("note.json".to_owned(), Content::Raw(b"{}")),
        ];
        write(path, &members).unwrap();
    }

    #[test]
    fn no_byte_can_be_changed_and_no_tail_cut_unnoticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.npz");
        sample(&path);
        let contents = read(&path).unwrap();
        assert_eq!(contents.arrays.words("id").unwrap().len(), 500);
        assert_eq!(contents.raw, [("note.json".to_owned(), b"{}".to_vec())]);

        let whole = std::fs::read(&path).unwrap();
        let damaged = folder.path().join("damaged.npz");
        for position in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[position] ^= 0x10;
            assert!(
                matches!(
                    check_seal(&damaged, &bytes),
                    Err(CacheError::Altered { .. } | CacheError::Truncated { .. })
                ),
                "a change of byte {position} went unnoticed"
            );
            assert!(
                matches!(
                    check_seal(&damaged, &whole[..position]),
                    Err(CacheError::Truncated { .. })
                ),
                "a cut at byte {position} went unnoticed"
            );
        }
    }

    #[test]
    fn the_damaged_member_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.npz");
        sample(&path);
        let mut bytes = std::fs::read(&path).unwrap();
        let second = bytes
            .windows(6)
            .position(|window| window == b"id.npy")
            .unwrap();
        bytes[second + 200] ^= 1;
        let message = check_seal(&path, &bytes).unwrap_err().to_string();
        assert!(
            message.contains("whole.npz was altered: member id.npy"),
            "{message}"
        );
    }

    #[test]
    fn a_nan_is_refused_before_any_file_appears() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        let data = ChannelData::Scalar(vec![0.0, 1.0, f32::NAN]);
        let error = write(&path, &[("age.npy".into(), Content::Array(&data))]).unwrap_err();
        assert!(
            matches!(error, CacheError::NotFinite { ref channel, item: 2, .. } if channel == "age")
        );
        assert!(!path.exists());
    }
}
