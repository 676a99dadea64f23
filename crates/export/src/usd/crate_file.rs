//! A crate file (`.usdc`), the binary form of USD layers: values first, in the order in which they come, then tables of
//! names, paths and fields, and the place of these tables at the very beginning.
//!
//! Only eight bytes a value stay in memory, so that a run of any length passes through; readers map the file and fetch
//! the values of a frame when they show it. The layout is that of OpenUSD's crateFile.cpp, version 0.8.0, which every
//! release since 2018 reads. Integers are packed; single-precision numbers are stored as they are.

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom, Write};

use glam::{Mat4, Quat, Vec2, Vec3};

use super::coding::{compress, half_precision, pack_integers};
use super::value::{Kind, Value};

pub(super) const VERSION: [u8; 3] = [0, 8, 0];
const IDENTIFIER: &[u8; 8] = b"PXR-USDC";
/// Identifier, version, place of the table of contents, and room for later.
const HEAD_BYTES: usize = 88;
/// Shorter arrays of integers are not packed.
const LEAST_PACKED: usize = 16;
/// The bit of a list operation that says that items are prepended.
const PREPENDED: u8 = 1 << 5;
/// The bits of a list operation that sets the whole list.
const EXPLICIT: u8 = 1 | 1 << 1;

/// Things that are referred to by number.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    by_text: BTreeMap<String, u32>,
    texts: Vec<String>,
}

impl Numbers {
    /// The number of a text, a new one if need be.
    pub(super) fn of(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.by_text.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.by_text.insert(text.into(), number);
        self.texts.push(text.into());
        number
    }

    /// All texts by their numbers.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// A crate file that is being written.
pub(super) struct CrateFile<W> {
    output: W,
    position: u64,
    pub(super) tokens: Numbers,
    pub(super) paths: Numbers,
    /// Tokens that are texts, too.
    pub(super) strings: Vec<u32>,
}

impl<W: Write + Seek> CrateFile<W> {
    /// Begins a file.
    pub(super) fn new(output: W) -> io::Result<Self> {
        let mut file = Self {
            output,
            position: 0,
            tokens: Numbers::default(),
            paths: Numbers::default(),
            strings: Vec::new(),
        };
        // A property's name has the negative of its number in the table of paths, so that it must not be 0.
        file.tokens.of("");
        file.paths.of("/");
        file.write(&[0; HEAD_BYTES])?;
        Ok(file)
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.position += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Writes a length.
    pub(super) fn write_length(&mut self, length: usize) -> io::Result<()> {
        self.write(&(length as u64).to_le_bytes())
    }

    /// Writes bytes after their number.
    pub(super) fn write_measured(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_length(bytes.len())?;
        self.write(bytes)
    }

    /// Writes bytes packed, after their packed number.
    pub(super) fn write_compressed(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_measured(&compress(bytes))
    }

    /// Writes integers packed, after the number of packed bytes.
    pub(super) fn write_integers(
        &mut self,
        values: impl ExactSizeIterator<Item = i32>,
    ) -> io::Result<()> {
        self.write_measured(&pack_integers(values))
    }

    /// Goes to the next place at which readers use arrays without copying them.
    fn align(&mut self) -> io::Result<u64> {
        let gap = self.position.next_multiple_of(8) - self.position;
        self.write(&[0; 8][..gap as usize])?;
        Ok(self.position)
    }

    pub(super) fn double(&mut self, number: f64) -> io::Result<Value> {
        let place = self.align()?;
        self.write(&number.to_le_bytes())?;
        Ok(Value::at(Kind::Double, place))
    }

    pub(super) fn vector(&mut self, vector: Vec3) -> io::Result<Value> {
        let place = self.align()?;
        self.write(bytemuck::bytes_of(&vector))?;
        Ok(Value::at(Kind::Vec3f, place))
    }

    pub(super) fn pair(&mut self, pair: Vec2) -> io::Result<Value> {
        let place = self.align()?;
        self.write(bytemuck::bytes_of(&pair))?;
        Ok(Value::at(Kind::Vec2f, place))
    }

    /// A transformation. USD's vectors are rows, ours are columns: the numbers come in the same order.
    pub(super) fn matrix(&mut self, matrix: Mat4) -> io::Result<Value> {
        let place = self.align()?;
        self.write(bytemuck::bytes_of(&matrix.to_cols_array().map(f64::from)))?;
        Ok(Value::at(Kind::Matrix4d, place))
    }

    pub(super) fn token(&mut self, token: &str) -> Value {
        Value::inline(Kind::Token, self.tokens.of(token))
    }

    pub(super) fn string(&mut self, text: &str) -> Value {
        let token = self.tokens.of(text);
        let known = self.strings.iter().position(|&string| string == token);
        let number = known.unwrap_or_else(|| {
            self.strings.push(token);
            self.strings.len() - 1
        });
        Value::inline(Kind::String, number as u32)
    }

    /// An array of plain numbers or vectors.
    fn plain_array<T: bytemuck::Pod>(&mut self, kind: Kind, items: &[T]) -> io::Result<Value> {
        if items.is_empty() {
            return Ok(Value::empty_array(kind));
        }
        let place = self.align()?;
        self.write_length(items.len())?;
        self.write(bytemuck::cast_slice(items))?;
        Ok(Value::array(kind, place))
    }

    pub(super) fn vectors(&mut self, vectors: &[Vec3]) -> io::Result<Value> {
        self.plain_array(Kind::Vec3f, vectors)
    }

    pub(super) fn floats(&mut self, numbers: &[f32]) -> io::Result<Value> {
        self.plain_array(Kind::Float, numbers)
    }

    /// Orientations in half and in single precision; real parts come last.
    pub(super) fn orientations(&mut self, turns: &[Quat]) -> io::Result<[Value; 2]> {
        let whole: Vec<[f32; 4]> = turns.iter().map(|turn| turn.to_array()).collect();
        let half: Vec<[u16; 4]> = whole
            .iter()
            .map(|parts| parts.map(half_precision))
            .collect();
        Ok([
            self.plain_array(Kind::Quath, &half)?,
            self.plain_array(Kind::Quatf, &whole)?,
        ])
    }

    pub(super) fn doubles(&mut self, numbers: &[f64]) -> io::Result<Value> {
        self.plain_array(Kind::Double, numbers)
    }

    pub(super) fn identities(&mut self, numbers: &[i64]) -> io::Result<Value> {
        self.plain_array(Kind::Int64, numbers)
    }

    /// An array of 32-bit integers, packed unless it is short.
    pub(super) fn integers(
        &mut self,
        values: impl ExactSizeIterator<Item = i32>,
    ) -> io::Result<Value> {
        let count = values.len();
        if count < LEAST_PACKED {
            return self.plain_array(Kind::Int, &values.collect::<Vec<_>>());
        }
        let place = self.align()?;
        self.write_length(count)?;
        self.write_integers(values)?;
        Ok(Value::packed_array(Kind::Int, place))
    }

    fn write_numbers(&mut self, numbers: &[u32]) -> io::Result<()> {
        self.write_length(numbers.len())?;
        self.write(bytemuck::cast_slice(numbers))
    }

    fn token_numbers(&mut self, tokens: &[&str]) -> Vec<u32> {
        tokens.iter().map(|token| self.tokens.of(token)).collect()
    }

    /// An attribute's array of tokens.
    pub(super) fn token_array(&mut self, tokens: &[&str]) -> io::Result<Value> {
        let numbers = self.token_numbers(tokens);
        self.plain_array(Kind::Token, &numbers)
    }

    /// A field's list of tokens, such as the names of a prim's children.
    pub(super) fn token_vector(&mut self, tokens: &[&str]) -> io::Result<Value> {
        let numbers = self.token_numbers(tokens);
        let place = self.align()?;
        self.write_numbers(&numbers)?;
        Ok(Value::at(Kind::TokenVector, place))
    }

    /// Tokens to put before those that other layers have.
    pub(super) fn prepended_tokens(&mut self, tokens: &[&str]) -> io::Result<Value> {
        let numbers = self.token_numbers(tokens);
        let place = self.align()?;
        self.write(&[PREPENDED])?;
        self.write_numbers(&numbers)?;
        Ok(Value::at(Kind::TokenListOperation, place))
    }

    /// The one path that a relationship or a connection leads to.
    pub(super) fn target(&mut self, path: &str) -> io::Result<Value> {
        let number = self.paths.of(path);
        let place = self.align()?;
        self.write(&[EXPLICIT])?;
        self.write_numbers(&[number])?;
        Ok(Value::at(Kind::PathListOperation, place))
    }

    /// A value for each of some times, which are an array of doubles.
    ///
    /// Both parts begin with the distance to what follows, since they may hold further values in between.
    pub(super) fn time_samples(&mut self, times: Value, values: &[Value]) -> io::Result<Value> {
        const NOTHING_BETWEEN: usize = 8;
        let place = self.align()?;
        self.write_length(NOTHING_BETWEEN)?;
        self.write(&times.0.to_le_bytes())?;
        self.write_length(NOTHING_BETWEEN)?;
        self.write_length(values.len())?;
        for value in values {
            self.write(&value.0.to_le_bytes())?;
        }
        Ok(Value::at(Kind::TimeSamples, place))
    }

    /// Writes the head, which tells where the table of contents is, and hands the whole file over.
    pub(super) fn close(mut self, contents: u64) -> io::Result<W> {
        self.output.seek(SeekFrom::Start(0))?;
        self.output.write_all(IDENTIFIER)?;
        let mut version = [0; 8];
        version[..VERSION.len()].copy_from_slice(&VERSION);
        self.output.write_all(&version)?;
        self.output.write_all(&contents.to_le_bytes())?;
        self.output.seek(SeekFrom::End(0))?;
        Ok(self.output)
    }
}
