//! The header of a PLY file: which elements follow, with which properties.

use super::text::{fault, shortened};
use crate::MeshFault;

/// How the body of the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A number, or a list of numbers preceded by its length, of every record of an element.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) scalar: Scalar,
    /// The type of the length, for lists.
    pub(super) list_length: Option<Scalar>,
}

/// A kind of record, such as vertices or faces.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// The least bytes a record of this element takes in a binary file.
    pub(super) fn least_bytes(&self) -> u64 {
        let least = |property: &Property| property.list_length.unwrap_or(property.scalar).bytes();
        self.properties.iter().map(least).sum::<usize>() as u64
    }
}

/// What the header says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Where the body begins.
    pub(super) bytes: usize,
    /// The lines of the header.
    pub(super) lines: usize,
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, MeshFault> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut rest = bytes;
        let mut number = 0;
        loop {
            number += 1;
            let end = rest
                .iter()
                .position(|&byte| byte == b'\n')
                .ok_or_else(|| fault(number, "the PLY header ends without `end_header`"))?;
            let line = String::from_utf8_lossy(&rest[..end]);
            rest = &rest[end + 1..];
            let words: Vec<&str> = line.split_whitespace().collect();
            if number == 1 {
                if words != ["ply"] {
                    return Err(fault(1, "a PLY file begins with `ply`"));
                }
                continue;
            }
            match words.as_slice() {
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, _version] => encoding = Some(encoding_from_name(name, number)?),
                ["element", name, count] => elements.push(Element {
                    name: (*name).to_owned(),
                    count: count.parse().map_err(|_| {
                        let word = shortened(count);
                        fault(
                            number,
                            format!("PLY header: `{word}` is not a number of records"),
                        )
                    })?,
                    properties: Vec::new(),
                }),
                ["property", definition @ ..] => {
                    let element = elements.last_mut().ok_or_else(|| {
                        fault(number, "PLY header: a property before the first element")
                    })?;
                    element.properties.push(property(definition, number)?);
                }
                ["end_header"] => {
                    let encoding = encoding
                        .ok_or_else(|| fault(number, "PLY header: the `format` line is missing"))?;
                    let bytes = bytes.len() - rest.len();
                    return Ok(Self {
                        encoding,
                        elements,
                        bytes,
                        lines: number,
                    });
                }
                _ => {
                    let problem =
                        format!("PLY header: `{}` makes no sense", shortened(line.trim()));
                    return Err(fault(number, problem));
                }
            }
        }
    }
}

fn encoding_from_name(name: &str, line: usize) -> Result<Encoding, MeshFault> {
    match name {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        _ => Err(fault(
            line,
            format!("PLY header: unknown format `{}`", shortened(name)),
        )),
    }
}

fn property(definition: &[&str], line: usize) -> Result<Property, MeshFault> {
    let scalar = |name: &str| {
        Scalar::from_name(name).ok_or_else(|| {
            fault(
                line,
                format!("PLY header: unknown type `{}`", shortened(name)),
            )
        })
    };
    match definition {
        ["list", length, kind, name] => Ok(Property {
            name: (*name).to_owned(),
            scalar: scalar(kind)?,
            list_length: Some(scalar(length)?),
        }),
        [kind, name] => Ok(Property {
            name: (*name).to_owned(),
            scalar: scalar(kind)?,
            list_length: None,
        }),
        _ => Err(fault(
            line,
            "PLY header: a property needs a type and a name",
        )),
    }
}
