//! Signs of a block's values as bits, a row along x in a word: which squares and cubes of samples the surface misses.

use crate::Block;

/// For each row of a block, which of its values are surely inside and which surely outside of a level set.
pub(super) struct Rows {
    inside: Vec<u32>,
    outside: Vec<u32>,
    /// Rows along y.
    width: usize,
}

/// Which of a row of squares or cubes have all corners on one side.
#[derive(Clone, Copy)]
pub(super) struct Uniform {
    pub(super) inside: u32,
    pub(super) outside: u32,
}

impl Rows {
    pub(super) fn new() -> Self {
        Self {
            inside: Vec::new(),
            outside: Vec::new(),
            width: 0,
        }
    }

    /// Takes the signs of a block; values within ±`margin` are on neither side.
    pub(super) fn load(&mut self, block: &Block<f32>, margin: f32) {
        self.width = block.size().y as usize;
        self.inside.clear();
        self.outside.clear();
        for row in block.values().chunks_exact(block.size().x as usize) {
            let (mut inside, mut outside) = (0, 0);
            for (bit, &value) in row.iter().enumerate() {
                inside |= u32::from(value < -margin) << bit;
                outside |= u32::from(value >= margin) << bit;
            }
            self.inside.push(inside);
            self.outside.push(outside);
        }
    }

    /// The squares or cubes that span the axes in `spans` from the samples of row (y, z) upward; bit by bit along x.
    #[inline]
    pub(super) fn uniform(&self, y: usize, z: usize, spans: [bool; 3]) -> Uniform {
        let first = z * self.width + y;
        let join = |rows: &[u32]| {
            let mut all = rows[first];
            if spans[1] {
                all &= rows[first + 1];
            }
            if spans[2] {
                all &= rows[first + self.width];
            }
            if spans[1] && spans[2] {
                all &= rows[first + self.width + 1];
            }
            if spans[0] { all & all >> 1 } else { all }
        };
        Uniform {
            inside: join(&self.inside),
            outside: join(&self.outside),
        }
    }
}
