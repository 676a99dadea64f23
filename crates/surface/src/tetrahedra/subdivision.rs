//! Ways to fill a cube with tetrahedra, or a square with triangles (Carlson 2004, sec. 6.4 and fig. 33).

use glam::IVec3;

use crate::cubes::corner;
use crate::slab::POINTS_PER_CELL;

/// Into how many tetrahedra a cube is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subdivision {
    /// Six around a diagonal of the cube; uses the samples alone.
    #[default]
    Six,
    /// Twenty-four: four on each face, with points at the centre of the cube and of its faces.
    TwentyFour,
    /// Six in each octant of the cube.
    FortyEight,
    /// Twenty-four in each octant of the cube.
    OneNinetyTwo,
}

/// Points in a cube or square, in quarters of its edge, and the simplices between them.
#[derive(Clone, Debug)]
pub(super) struct Simplices<const N: usize> {
    pub(super) points: Vec<IVec3>,
    /// Point numbers, in positive orientation.
    pub(super) cells: Vec<[usize; N]>,
}

impl Subdivision {
    /// Parts along an edge of the cube, and whether they have points at their centre and on their faces.
    fn parts(self) -> (i32, bool) {
        match self {
            Self::Six => (1, false),
            Self::TwentyFour => (1, true),
            Self::FortyEight => (2, false),
            Self::OneNinetyTwo => (2, true),
        }
    }

    /// The tetrahedra in a cube.
    pub(super) fn tetrahedra(self) -> Simplices<4> {
        let (parts, centred) = self.parts();
        let edge = POINTS_PER_CELL / parts;
        let mut simplices = Simplices::new();
        for part in 0..parts.pow(3) {
            let lower = edge * IVec3::new(part % parts, part / parts % parts, part / parts.pow(2));
            if centred {
                simplices.add_centred_cube(lower, edge);
            } else {
                simplices.add_cube(lower, edge);
            }
        }
        simplices
    }

    /// The triangles in a square: what the tetrahedra leave on a face of the cube.
    pub(super) fn triangles(self) -> Simplices<3> {
        let (parts, centred) = self.parts();
        let edge = POINTS_PER_CELL / parts;
        let mut simplices = Simplices::new();
        for part in 0..parts.pow(2) {
            let lower = edge * IVec3::new(part % parts, part / parts, 0);
            let [a, b, c, d] = [0, 1, 3, 2].map(|number| lower + edge * corner(number));
            if centred {
                let centre = lower + edge / 2 * IVec3::new(1, 1, 0);
                for [from, to] in [[a, b], [b, c], [c, d], [d, a]] {
                    simplices.add([centre, from, to]);
                }
            } else {
                simplices.add([a, b, c]);
                simplices.add([a, c, d]);
            }
        }
        simplices
    }
}

impl<const N: usize> Simplices<N> {
    fn new() -> Self {
        Self {
            points: Vec::new(),
            cells: Vec::new(),
        }
    }

    fn add(&mut self, points: [IVec3; N]) {
        self.cells.push(points.map(|point| {
            let known = self.points.iter().position(|&other| other == point);
            known.unwrap_or_else(|| {
                self.points.push(point);
                self.points.len() - 1
            })
        }));
    }
}

impl Simplices<4> {
    /// Six tetrahedra: from the lowest corner to the highest along the edges, one for each order of the axes. Opposite
    /// faces have the same diagonal, so neighbouring cubes fit.
    fn add_cube(&mut self, lower: IVec3, edge: i32) {
        for first in 0..3 {
            for turn in [1, 2] {
                let second = (first + turn) % 3;
                let one = lower + edge * IVec3::AXES[first];
                let two = one + edge * IVec3::AXES[second];
                self.add_positive([lower, one, two, lower + edge]);
            }
        }
    }

    /// Twenty-four tetrahedra: from the centre over the centre of each face to each of the face's sides.
    fn add_centred_cube(&mut self, lower: IVec3, edge: i32) {
        let centre = lower + edge / 2;
        for axis in 0..3 {
            let (next, last) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            for side in [0, 1] {
                let base = lower + side * edge * IVec3::AXES[axis];
                let face = base + edge / 2 * (next + last);
                let around = [IVec3::ZERO, next, next + last, last].map(|step| base + edge * step);
                for (index, &from) in around.iter().enumerate() {
                    self.add_positive([centre, face, from, around[(index + 1) % 4]]);
                }
            }
        }
    }

    fn add_positive(&mut self, mut points: [IVec3; 4]) {
        let [a, b, c, d] = points;
        if (b - a).dot((c - a).cross(d - a)) < 0 {
            points.swap(2, 3);
        }
        self.add(points);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tetrahedra_fill_the_cube_in_positive_orientation() {
        let counts = [
            (Subdivision::Six, 6, 8),
            (Subdivision::TwentyFour, 24, 15),
            (Subdivision::FortyEight, 48, 27),
            (Subdivision::OneNinetyTwo, 192, 71),
        ];
        for (subdivision, cells, points) in counts {
            let simplices = subdivision.tetrahedra();
            assert_eq!(simplices.cells.len(), cells);
            assert_eq!(simplices.points.len(), points);
            let mut volume = 0;
            for cell in &simplices.cells {
                let [a, b, c, d] = cell.map(|point| simplices.points[point]);
                let part = (b - a).dot((c - a).cross(d - a));
                assert!(part > 0, "{subdivision:?}: {cell:?}");
                volume += part;
            }
            assert_eq!(volume, 6 * 64);
        }
    }

    #[test]
    fn triangles_fill_the_square_counter_clockwise() {
        let counts = [
            (Subdivision::Six, 2),
            (Subdivision::TwentyFour, 4),
            (Subdivision::FortyEight, 8),
            (Subdivision::OneNinetyTwo, 16),
        ];
        for (subdivision, cells) in counts {
            let simplices = subdivision.triangles();
            assert_eq!(simplices.cells.len(), cells);
            let mut area = 0;
            for cell in &simplices.cells {
                let [a, b, c] = cell.map(|point| simplices.points[point]);
                let part = (b - a).cross(c - a).z;
                assert!(part > 0);
                area += part;
            }
            assert_eq!(area, 2 * 16);
        }
    }
}
