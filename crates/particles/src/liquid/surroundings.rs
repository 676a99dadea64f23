//! Who is around a particle: other particles, and walls as integrals or as particles.

use glam::Vec3;

use crate::boundary::contact::{Touch, Touches};
use crate::neighbours::{List, Neighbours, Point};

/// Everything that sums run over.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Neighbours among the liquid's particles.
    pub neighbours: &'a Neighbours,
    /// Where those begin whose surroundings these are: zero for the liquid.
    pub first: usize,
    /// Positions of the liquid's particles, of the point that pads lists, and of walls' particles; the fourth number is a
    /// particle's material.
    pub points: &'a [Point],
    /// What stands for walls.
    pub walls: WallSums<'a>,
}

/// What stands for walls in sums.
#[derive(Clone, Copy)]
pub enum WallSums<'a> {
    /// Integrals over half-spaces full of liquid.
    Integrals(&'a Touches),
    /// Particles, in lists of their own.
    Particles(&'a Neighbours),
    /// Nothing.
    None,
}

/// A particle and one of its neighbours.
#[derive(Clone, Copy)]
pub struct Pair {
    /// Index of the neighbour.
    pub other: usize,
    /// The way to it.
    pub away: Vec3,
    /// Its distance, below the radius and above zero.
    pub distance: f32,
    /// Whether it belongs to a wall.
    pub wall: bool,
}

impl Surroundings<'_> {
    /// Calls `act` for every neighbour within the radius, in a fixed order. `list` is the particle's list.
    #[inline(always)]
    pub fn visit(&self, index: usize, list: List<'_>, radius: f32, mut act: impl FnMut(Pair)) {
        let own = self.points[self.first + index];
        let limit = radius * radius;
        let of_walls = match self.walls {
            WallSums::Particles(lists) => lists.of(index),
            WallSums::Integrals(_) | WallSums::None => &[],
        };
        // One loop over both, so that what it does is inlined.
        for (list, wall) in [(list.entries, false), (of_walls, true)] {
            for &other in list {
                let other = other as usize;
                let (away, square) = between(own, self.points[other]);
                // Padding is out of reach.
                if square < limit && square > 0.0 {
                    act(Pair {
                        other,
                        away,
                        distance: square.sqrt(),
                        wall,
                    });
                }
            }
        }
    }

    /// The walls that sums must count as integrals.
    #[inline(always)]
    pub fn touches(&self, index: usize) -> &[Touch] {
        match self.walls {
            WallSums::Integrals(touches) => touches.of(index),
            WallSums::Particles(_) | WallSums::None => &[],
        }
    }
}

/// The way from one point to another, and its square.
#[inline(always)]
pub fn between(from: Point, to: Point) -> (Vec3, f32) {
    let away = Vec3::new(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    let [x, y, z] = away.to_array();
    (away, x * x + y * y + z * z)
}
