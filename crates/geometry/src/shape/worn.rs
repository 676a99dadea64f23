//! What is left of a shape that has lost some of the grains that filled it, as samples of its distance.
//!
//! Grains are spread over the nodes of a lattice. Where there are at least so many of them, and the shape was before, there it still is;
//! how many is found by the volume that has to be left. So edges stay sharp as long as nothing near them is gone, and the surface neither
//! swells nor shrinks by how grains happen to lie. Distances from it are swept over the lattice (Zhao 2005).

use glam::{IVec3, UVec3, Vec3};

use super::{Node, Shape};
use crate::Aabb;

/// Nodes around the grains on every side.
const MARGIN: f32 = 5.0;
/// Nodes over which the density of grains falls off at a plane surface.
const FALL: f32 = 3.0;
/// Times that the density which the surface has is narrowed down.
const HALVINGS: usize = 40;
/// Rounds of sweeps from all corners.
const ROUNDS: usize = 2;

/// Distances at the nodes of a lattice.
#[derive(Debug)]
pub(super) struct Worn {
    origin: Vec3,
    spacing: f32,
    nodes: UVec3,
    /// x runs fastest.
    values: Vec<f32>,
    bounds: Aabb,
}

/// The grains that are left of a shape.
#[derive(Clone, Copy, Debug)]
pub struct Grains<'a> {
    /// Their centres.
    pub points: &'a [Vec3],
    /// Distance of neighbours.
    pub spacing: f32,
    /// Volume in m³ of what they fill together.
    pub volume: f64,
    /// How thick the slab is that they lie in, if they lie in one across z.
    pub slab: Option<f32>,
}

impl Shape {
    /// What is left of a shape with the grains that are left of those that filled it; none if there are none.
    pub fn worn(&self, grains: &Grains<'_>) -> Option<Self> {
        let spacing = grains.spacing;
        let around = Aabb::from_points(grains.points.iter().copied());
        let first = grains.points.first()?;
        let mut lattice = around.dilated(MARGIN * spacing);
        let mut nodes = (lattice.extent() / spacing).ceil().as_uvec3() + 1;
        if grains.slab.is_some() {
            (lattice.lower.z, nodes.z) = (first.z, 1);
        }
        let mut worn = Worn {
            origin: lattice.lower,
            spacing,
            nodes,
            values: Vec::new(),
            bounds: Aabb::EMPTY,
        };
        let density = worn.density(grains.points);
        let before: Vec<f32> = (0..density.len())
            .map(|index| self.distance(worn.point(worn.node(index))))
            .collect();
        let at = |least: f32| {
            let pairs = before.iter().zip(&density);
            pairs.map(move |(before, density)| before.max((least - density) * FALL * spacing))
        };
        let depth = f64::from(grains.slab.unwrap_or(spacing));
        let cell = f64::from(spacing).powi(2) * depth;
        let volume = |least: f32| -> f64 {
            let shares = at(least).map(|distance| (0.5 - distance / spacing).clamp(0.0, 1.0));
            shares.map(f64::from).sum::<f64>() * cell
        };
        let [mut loose, mut tight] = [0.0, 1.0];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (loose + tight);
            match volume(middle) > grains.volume {
                true => loose = middle,
                false => tight = middle,
            }
        }
        worn.values = at(tight).collect();
        worn.sweep();
        worn.bounds = worn.inside(grains.slab);
        (!worn.bounds.is_empty()).then(|| Node::Worn(worn).into())
    }
}

impl Worn {
    fn index(&self, node: UVec3) -> usize {
        let [x, y, z] = node.as_usizevec3().to_array();
        (z * self.nodes.y as usize + y) * self.nodes.x as usize + x
    }

    fn node(&self, index: usize) -> UVec3 {
        let (x, y) = (self.nodes.x as usize, self.nodes.y as usize);
        UVec3::new(
            (index % x) as u32,
            (index / x % y) as u32,
            (index / x / y) as u32,
        )
    }

    fn point(&self, node: UVec3) -> Vec3 {
        self.origin + self.spacing * node.as_vec3()
    }

    fn axes(&self) -> usize {
        if self.nodes.z == 1 { 2 } else { 3 }
    }

    /// Grains for each node, spread with quadratic splines and evened out once: one where grains are, but for their surface.
    fn density(&self, points: &[Vec3]) -> Vec<f32> {
        let mut density = vec![0.0; self.nodes.as_usizevec3().element_product()];
        let depth = if self.axes() == 2 { 0..=0 } else { -1..=1 };
        for &point in points {
            let place = (point - self.origin) / self.spacing;
            let middle = place.round();
            let offset = place - middle;
            let weight = |axis: usize, step: i32| match step {
                _ if axis >= self.axes() => 1.0,
                0 => 0.75 - offset[axis] * offset[axis],
                step => 0.5 * (0.5 + step as f32 * offset[axis]).powi(2),
            };
            for z in depth.clone() {
                for y in -1..=1 {
                    for x in -1..=1 {
                        let node = (middle.as_ivec3() + IVec3::new(x, y, z)).as_uvec3();
                        density[self.index(node)] += weight(0, x) * weight(1, y) * weight(2, z);
                    }
                }
            }
        }
        for axis in 0..self.axes() {
            let before = density.clone();
            let along = UVec3::AXES[axis];
            for (index, value) in density.iter_mut().enumerate() {
                let node = self.node(index);
                let below = self.index(node - along * node[axis].min(1));
                let above = self.index((node + along).min(self.nodes - 1));
                *value = 0.25 * (before[below] + 2.0 * before[index] + before[above]);
            }
        }
        density
    }

    /// Makes distances of values that are so about where they change their sign.
    fn sweep(&mut self) {
        let far = self.spacing * self.nodes.as_vec3().length();
        let strides = [
            1,
            self.nodes.x as usize,
            (self.nodes.x * self.nodes.y) as usize,
        ];
        let strides = &strides[..self.axes()];
        let mut known = vec![false; self.values.len()];
        let mut distance = vec![far; self.values.len()];
        for index in 0..self.values.len() {
            let node = self.node(index);
            let own = self.values[index];
            // The plane that cuts the ways to the neighbours beyond the surface.
            let mut steepness = 0.0;
            for (axis, stride) in strides.iter().enumerate() {
                let below = (node[axis] > 0).then(|| self.values[index - stride]);
                let above =
                    (node[axis] + 1 < self.nodes[axis]).then(|| self.values[index + stride]);
                let beyond = [below, above].into_iter().flatten();
                let beyond = beyond.filter(|other| (*other < 0.0) != (own < 0.0));
                let cut = beyond.map(|other| self.spacing * own / (own - other));
                if let Some(nearest) = cut.reduce(f32::min) {
                    steepness += nearest.max(1e-3 * self.spacing).powi(-2);
                }
            }
            if steepness > 0.0 {
                (known[index], distance[index]) = (true, steepness.powf(-0.5));
            }
        }
        for sweep in 0..ROUNDS << strides.len() {
            for count in 0..distance.len() {
                let mut node = self.node(count);
                for axis in 0..strides.len() {
                    if sweep >> axis & 1 == 1 {
                        node[axis] = self.nodes[axis] - 1 - node[axis];
                    }
                }
                let index = self.index(node);
                if known[index] {
                    continue;
                }
                let mut nearest = [f32::INFINITY; 3];
                for (axis, stride) in strides.iter().enumerate() {
                    if node[axis] > 0 {
                        nearest[axis] = distance[index - stride];
                    }
                    if node[axis] + 1 < self.nodes[axis] {
                        nearest[axis] = nearest[axis].min(distance[index + stride]);
                    }
                }
                distance[index] = distance[index].min(upwind(nearest, self.spacing));
            }
        }
        for (value, distance) in self.values.iter_mut().zip(distance) {
            *value = distance.copysign(*value);
        }
    }

    /// The box around what is inside.
    fn inside(&self, slab: Option<f32>) -> Aabb {
        let inside = (0..self.values.len()).filter(|&index| self.values[index] < 0.0);
        let points = inside.map(|index| self.point(self.node(index)));
        let bounds = Aabb::from_points(points);
        let mut around = bounds.dilated(self.spacing);
        if let Some(slab) = slab.filter(|_| !bounds.is_empty()) {
            (around.lower.z, around.upper.z) = (self.origin.z - slab, self.origin.z + slab);
        }
        around
    }

    pub(super) fn bounds(&self) -> Aabb {
        self.bounds
    }

    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let place = (point - self.origin) / self.spacing;
        let mut within = place.clamp(Vec3::ZERO, (self.nodes - 1).as_vec3());
        if self.axes() == 2 {
            within.z = place.z;
        }
        let beyond = self.spacing * place.distance(within);
        let (corners, fraction) = self.corners(within);
        let along = |axis: usize, values: &mut [f32], count: usize| {
            for pair in 0..count {
                values[pair] = values[2 * pair] * (1.0 - fraction[axis])
                    + values[2 * pair + 1] * fraction[axis];
            }
        };
        let mut values = corners;
        along(0, &mut values, 4);
        along(1, &mut values, 2);
        along(2, &mut values, 1);
        match beyond > 0.0 {
            true => self.bounds.distance(point).max(values[0] - beyond),
            false => values[0],
        }
    }

    pub(super) fn gradient(&self, point: Vec3) -> Vec3 {
        let half = 0.5 * self.spacing;
        let mut slope = Vec3::ZERO;
        for axis in 0..self.axes() {
            let step = Vec3::AXES[axis] * half;
            slope[axis] = self.distance(point + step) - self.distance(point - step);
        }
        slope.normalize_or(Vec3::Y)
    }

    /// The values at the corners of the cell around a place, and where it is in there; the upper corners of slabs are the lower ones.
    fn corners(&self, place: Vec3) -> ([f32; 8], Vec3) {
        let last = self.nodes.max(UVec3::splat(2)) - 2;
        let cell = place.max(Vec3::ZERO).as_uvec3().min(last);
        let corners = std::array::from_fn(|corner| {
            let corner = corner as u32;
            let step = UVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
            self.values[self.index((cell + step).min(self.nodes - 1))]
        });
        (
            corners,
            (place - cell.as_vec3()).clamp(Vec3::ZERO, Vec3::ONE),
        )
    }
}

/// The distance at a node from those at its nearer neighbours along each axis: that of a front which passes them.
fn upwind(mut nearest: [f32; 3], spacing: f32) -> f32 {
    nearest.sort_by(f32::total_cmp);
    let [a, b, c] = nearest;
    let one = a + spacing;
    if one <= b {
        return one;
    }
    let two = 0.5 * (a + b + (2.0 * spacing * spacing - (a - b) * (a - b)).sqrt());
    if two <= c {
        return two;
    }
    let sum = a + b + c;
    let squares = a * a + b * b + c * c;
    (sum + (sum * sum - 3.0 * (squares - spacing * spacing))
        .max(0.0)
        .sqrt())
        / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACING: f32 = 0.05;

    /// The grains of a box from -1 to 1 that are `left`, in a slab or not, with the volume that they fill.
    fn grains(flat: bool, left: impl Fn(Vec3) -> bool) -> (Vec<Vec3>, f64) {
        let count = (2.0 / SPACING).round() as i32;
        let mut points = Vec::new();
        for z in 0..if flat { 1 } else { count } {
            for y in 0..count {
                for x in 0..count {
                    let place = IVec3::new(x, y, z).as_vec3() + 0.5;
                    let mut point = place * SPACING - 1.0;
                    if flat {
                        point.z = 0.0;
                    }
                    if left(point) {
                        points.push(point);
                    }
                }
            }
        }
        let each = f64::from(SPACING).powi(if flat { 2 } else { 3 });
        let volume = points.len() as f64 * each;
        (points, volume)
    }

    fn worn(flat: bool, left: impl Fn(Vec3) -> bool) -> Shape {
        let whole = Shape::cuboid(Vec3::ZERO, Vec3::ONE).expect("a fair box");
        let (points, volume) = grains(flat, left);
        let grains = Grains {
            points: &points,
            spacing: SPACING,
            volume,
            slab: flat.then_some(1.0),
        };
        whole.worn(&grains).expect("something is left")
    }

    #[test]
    fn a_box_that_melts_to_a_ball_has_its_distance_and_one_that_does_not_its_edges() {
        for flat in [false, true] {
            let ball = worn(flat, |point| point.length() < 0.7);
            for index in 0..200 {
                let part = |number: i32| (index * number % 101) as f32 / 50.0 - 1.0;
                let mut point = Vec3::new(part(7), part(31), part(53)) * 0.9;
                if flat {
                    point.z = 0.0;
                }
                let off = ball.distance(point) - (point.length() - 0.7);
                assert!(off.abs() < 0.6 * SPACING, "{flat} {point} {off}");
            }
            let whole = worn(flat, |_| true);
            for corner in [0.93, 0.98, 1.02, 1.07] {
                let point = Vec3::new(corner, corner, if flat { 0.0 } else { corner });
                assert_eq!(whole.distance(point) < 0.0, corner < 1.0, "{flat} {corner}");
            }
        }
    }

    #[test]
    fn what_is_left_has_the_volume_that_it_should() {
        // A corner, a hole and a face are gone; grains are missing here and there, as in what is lighter than its melt.
        let left = |point: Vec3| {
            let gone = point.min_element() > 0.4 || point.length() < 0.3 || point.x < -0.5;
            !gone
        };
        let (points, volume) = grains(false, left);
        let mut number = 0;
        let thinned: Vec<Vec3> = points
            .into_iter()
            .filter(|_| {
                number += 1;
                number % 10 != 0
            })
            .collect();
        let whole = Shape::cuboid(Vec3::ZERO, Vec3::ONE).expect("a fair box");
        let worn = whole.worn(&Grains {
            points: &thinned,
            spacing: SPACING,
            volume,
            slab: None,
        });
        let found = worn.expect("much is left");
        let found = found.mass_properties().expect("a volume");
        assert!(
            (found.volume / volume - 1.0).abs() < 0.01,
            "{} {volume}",
            found.volume
        );
        assert!(
            whole
                .worn(&Grains {
                    points: &[],
                    spacing: SPACING,
                    volume,
                    slab: None
                })
                .is_none()
        );
    }
}
