//! Union-find: things that are joined pair by pair, and which of them hang together in the end (Tarjan 1975; paths are halved
//! after Tarjan & van Leeuwen 1984).

/// Numbers from zero up, parted into sets. The lowest number of a set stands for it, whatever the order of joining.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisjointSets {
    /// A member of the same set, never a higher one; a root is its own.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Numbers below `count`, each in a set of its own.
    pub fn new(count: usize) -> Self {
        let mut sets = Self::default();
        sets.reset(count);
        sets
    }

    /// Begins anew, with the memory that is there.
    pub fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The lowest number of the set that `item` is in.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn root(&self, mut item: u32) -> u32 {
        while self.parents[item as usize] != item {
            item = self.parents[item as usize];
        }
        item
    }

    /// Whether `item` is the lowest number of its set.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn is_root(&self, item: u32) -> bool {
        self.parents[item as usize] == item
    }

    /// Makes one set of those that two numbers are in.
    ///
    /// # Panics
    /// When there is no such number.
    #[inline]
    pub fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.halve_path(one), self.halve_path(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// The root of an item; every other item on the way to it is brought one step nearer.
    #[inline]
    fn halve_path(&mut self, mut item: u32) -> u32 {
        while self.parents[item as usize] != item {
            let grandparent = self.parents[self.parents[item as usize] as usize];
            self.parents[item as usize] = grandparent;
            item = grandparent;
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_has_the_lowest_number_as_its_root() {
        let mut sets = DisjointSets::new(9);
        // In an order that hangs roots below roots.
        for (one, other) in [(7, 8), (5, 6), (8, 6), (4, 2), (6, 4), (1, 3)] {
            sets.join(one, other);
        }
        let roots: Vec<u32> = (0..9).map(|item| sets.root(item)).collect();
        assert_eq!(roots, [0, 1, 2, 1, 2, 2, 2, 2, 2]);
        let lowest: Vec<u32> = (0..9).filter(|&item| sets.is_root(item)).collect();
        assert_eq!(lowest, [0, 1, 2]);

        sets.reset(2);
        assert_eq!((sets.len(), sets.root(1)), (2, 1));
    }

    #[test]
    fn long_chains_are_found_to_hang_together() {
        let count = 100_000;
        let mut sets = DisjointSets::new(count as usize);
        for item in (1..count).rev() {
            sets.join(item - 1, item);
        }
        assert!((0..count).step_by(997).all(|item| sets.root(item) == 0));
    }
}
