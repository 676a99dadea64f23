//! Moments of any solid from its signed distance.
//!
//! The distance never exceeds the true one in size, so that a cube whose centre is further inside than its corners are from it is
//! full, and one as far outside is empty. Others are split; the smallest ones count by where the plane of the surface cuts them,
//! by distance and gradient at their centres. Halving the smallest ones goes on until that changes nothing of note.

use glam::{DMat3, DVec3, Vec3};

use super::Moments;
use crate::Shape;

/// Levels of the octree from which refinement starts, and where it ends.
const LEVELS: std::ops::RangeInclusive<u32> = 5..=9;
/// Relative changes of volume, of the centre within the shape's size and of moments below which refinement ends: the error, which
/// falls at least by half with every level, is then below a thousandth.
const SETTLED: f64 = 5e-4;

/// Moments of a shape within bounds that are finite, to a thousandth; walls thinner than 1/500 of its size less so.
pub(crate) fn subdivide(shape: &Shape) -> Moments {
    let bounds = shape.bounds();
    let size = f64::from(bounds.extent().max_element());
    if bounds.is_empty() || size <= 0.0 {
        return Moments::default();
    }
    let tree = Tree {
        shape,
        centre: bounds.centre(),
        half: 0.5 * size,
    };
    let mut last = tree.moments(*LEVELS.start());
    for level in *LEVELS.start() + 1..=*LEVELS.end() {
        let next = tree.moments(level);
        let settled = changed(&last, &next, size) < SETTLED;
        last = next;
        if settled {
            break;
        }
    }
    last
}

/// The largest relative change between two results.
fn changed(last: &Moments, next: &Moments, size: f64) -> f64 {
    if next.volume <= 0.0 {
        return f64::INFINITY;
    }
    let volume = (next.volume - last.volume).abs() / next.volume;
    let centre = (next.centre - last.centre).length() / size;
    let mut difference = 0.0_f64;
    let mut largest = 0.0_f64;
    for column in 0..3 {
        let (next, last) = (next.second.col(column), last.second.col(column));
        difference = difference.max((next - last).abs().max_element());
        largest = largest.max(next.abs().max_element());
    }
    volume.max(centre).max(difference / largest)
}

struct Tree<'a> {
    shape: &'a Shape,
    centre: Vec3,
    half: f64,
}

/// Sums about the centre of the tree.
#[derive(Default)]
struct Sums {
    volume: f64,
    first: DVec3,
    squares: DVec3,
    products: DVec3,
}

impl Sums {
    /// Adds a cube of which a share is full.
    fn add(&mut self, centre: DVec3, half: f64, share: f64) {
        let volume = share * 8.0 * half.powi(3);
        self.volume += volume;
        self.first += volume * centre;
        self.squares += volume * (centre * centre + half * half / 3.0);
        let turned = DVec3::new(centre.y, centre.z, centre.x);
        self.products += volume * (centre * turned);
    }
}

impl Tree<'_> {
    fn moments(&self, levels: u32) -> Moments {
        let mut sums = Sums::default();
        self.visit(DVec3::ZERO, self.half, levels, &mut sums);
        if sums.volume <= 0.0 {
            return Moments::default();
        }
        let centre = sums.first / sums.volume;
        let (s, p) = (sums.squares, sums.products);
        let about_tree = DMat3::from_cols(
            DVec3::new(s.x, p.x, p.z),
            DVec3::new(p.x, s.y, p.y),
            DVec3::new(p.z, p.y, s.z),
        );
        Moments {
            volume: sums.volume,
            centre: self.centre.as_dvec3() + centre,
            second: about_tree - super::outer(centre, centre) * sums.volume,
        }
    }

    fn visit(&self, centre: DVec3, half: f64, levels: u32, sums: &mut Sums) {
        let point = self.centre + centre.as_vec3();
        let distance = f64::from(self.shape.distance(point));
        let reach = 3.0_f64.sqrt() * half;
        if distance >= reach {
            return;
        }
        if distance <= -reach {
            sums.add(centre, half, 1.0);
            return;
        }
        if levels == 0 {
            let normal = self.shape.gradient(point).as_dvec3().abs();
            let width = half * (normal.x + normal.y + normal.z).max(0.1);
            let share = (0.5 - 0.5 * distance / width).clamp(0.0, 1.0);
            sums.add(centre, half, share);
            return;
        }
        let quarter = 0.5 * half;
        for corner in 0..8 {
            let side = |axis: u32| f64::from(corner >> axis & 1) * 2.0 - 1.0;
            let way = DVec3::new(side(0), side(1), side(2)) * quarter;
            self.visit(centre + way, quarter, levels - 1, sums);
        }
    }
}
