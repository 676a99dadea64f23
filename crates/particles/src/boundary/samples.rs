//! Boundary particles: points on the surfaces of solids, the interface set, and in layers behind them, the wall set, as deep
//! as interactions reach (Kasi, sec. 6.2). They move with their solids.
//!
//! Layers are level sets of the distance, one spacing apart: points of a fine lattice near a level set are drawn onto it and
//! thinned out until neighbours are about a spacing apart. Each stands for the part of its layer that its neighbours leave
//! to it; the interface set, half of which is outside, for half of that. Solids that never move are sampled as one.

use std::collections::HashMap;

use glam::{IVec3, Vec3};
use ooze_core::{BodyId, Domain, Obstacles};
use ooze_geometry::Aabb;
use rayon::prelude::*;

use crate::resolution::Resolution;

/// Points of the fine lattice along a spacing.
const FINENESS: f32 = 2.0;
/// Points of the fine lattice along the edge of a block that is skipped as a whole when no wall is near.
const BLOCK: i32 = 8;
/// Smallest distance of neighbours, in spacings.
const CLOSEST: f32 = 0.9;
/// Reach of the weights that measure a particle's share of its layer, in spacings.
const SHARE_REACH: f32 = 2.0;

/// The boundary particles of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WallSamples {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// The obstacles that they belong to.
    pub body: Vec<BodyId>,
    /// Depths below the surface in metres; zero for the interface set.
    pub depth: Vec<f32>,
    /// Volumes in m³.
    pub volume: Vec<f32>,
}

impl WallSamples {
    /// Samples all obstacles inside and around a domain.
    pub fn new(obstacles: &Obstacles<'_>, domain: &Domain, resolution: &Resolution) -> Self {
        let (fixed, moving): (Vec<BodyId>, Vec<BodyId>) = obstacles
            .bodies()
            .partition(|&body| obstacles.is_fixed(body));
        let groups = std::iter::once(fixed).chain(moving.into_iter().map(|body| vec![body]));
        let mut samples = Self::default();
        for bodies in groups.filter(|bodies| !bodies.is_empty()) {
            let group = Group {
                obstacles,
                bodies,
                resolution,
            };
            group.sample(domain, &mut samples);
        }
        samples
    }

    /// Carries the particles of moving solids along; `obstacles` are where they are afterwards.
    pub fn follow(&self, positions: &mut [Vec3], obstacles: &Obstacles<'_>, step: f32) {
        positions
            .par_iter_mut()
            .zip(self.body.par_iter().zip(&self.depth))
            .for_each(|(position, (&body, &depth))| {
                if !obstacles.is_fixed(body) {
                    *position = obstacles.carried(body, *position);
                    let short = -depth - obstacles.distance(body, *position);
                    *position += obstacles.outward(body, *position, step) * short;
                }
            });
    }
}

/// Solids that are sampled together.
struct Group<'a> {
    obstacles: &'a Obstacles<'a>,
    bodies: Vec<BodyId>,
    resolution: &'a Resolution,
}

impl Group<'_> {
    fn nearest(&self, point: Vec3) -> (f32, BodyId) {
        let distances = self.bodies.iter();
        distances
            .map(|&body| (self.obstacles.distance(body, point), body))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .unwrap_or((f32::INFINITY, BodyId(0)))
    }

    /// The box to sample: the solids' own, as far as liquid can come near.
    fn region(&self, domain: &Domain) -> Aabb {
        let inside = Aabb::new(domain.lower, domain.upper()).dilated(self.resolution.radius);
        let bounds = self.bodies.iter().map(|&body| {
            let bounds = self.obstacles.bounds(body);
            bounds.dilated(self.resolution.spacing).intersection(inside)
        });
        bounds.fold(Aabb::EMPTY, |sum, bounds| sum.union(bounds))
    }

    fn sample(&self, domain: &Domain, samples: &mut WallSamples) {
        let Resolution {
            radius, spacing, ..
        } = *self.resolution;
        let region = self.region(domain);
        if region.is_empty() {
            return;
        }
        let layers = (radius / spacing).ceil() as i32;
        let candidates = self.candidates(domain, region);
        for layer in 0..layers {
            let depth = layer as f32 * spacing;
            let drawn: Vec<(Vec3, BodyId)> = candidates
                .par_iter()
                .filter_map(|&point| self.draw(point, depth))
                .collect();
            let kept = thin_out(&drawn, CLOSEST * spacing);
            let positions: Vec<Vec3> = kept.iter().map(|&(point, _)| point).collect();
            let thickness = spacing * if layer == 0 { 0.5 } else { 1.0 };
            for (&(position, body), area) in kept.iter().zip(self.areas(&positions)) {
                samples.position.push(position);
                samples.body.push(body);
                samples.depth.push(depth);
                samples.volume.push(area * thickness);
            }
        }
    }

    /// Points of the fine lattice that may be near a layer.
    fn candidates(&self, domain: &Domain, region: Aabb) -> Vec<Vec3> {
        let Resolution {
            radius, spacing, ..
        } = *self.resolution;
        let flat = self.resolution.flat();
        let step = spacing / FINENESS;
        let edge = step * BLOCK as f32;
        let index = |point: Vec3| ((point - domain.lower) / edge).floor().as_ivec3();
        let (mut first, mut last) = (index(region.lower), index(region.upper));
        if flat {
            (first.z, last.z) = (0, 0);
        }
        let depth = if flat { 1 } else { BLOCK };
        let place = |block: IVec3, local: Vec3| {
            let mut point = domain.lower + block.as_vec3() * edge + local * step;
            if flat {
                point.z = domain.lower.z + 0.5 * domain.cell_size;
            }
            point
        };
        let blocks: Vec<IVec3> = (first.z..=last.z)
            .flat_map(|z| {
                (first.y..=last.y)
                    .flat_map(move |y| (first.x..=last.x).map(move |x| IVec3::new(x, y, z)))
            })
            .collect();
        blocks
            .into_par_iter()
            .flat_map_iter(|block| {
                let middle = place(block, Vec3::splat(0.5 * BLOCK as f32));
                let (distance, _) = self.nearest(middle);
                let near = distance < edge && distance > -(radius + edge);
                let count = if near { depth } else { 0 };
                (0..count).flat_map(move |z| {
                    (0..BLOCK)
                        .flat_map(move |y| (0..BLOCK).map(move |x| IVec3::new(x, y, z).as_vec3()))
                        .map(move |local| place(block, local))
                })
            })
            .collect()
    }

    /// Draws a point onto the layer of that depth, if it is near.
    fn draw(&self, point: Vec3, depth: f32) -> Option<(Vec3, BodyId)> {
        let spacing = self.resolution.spacing;
        let mut point = point;
        let (mut distance, mut body) = self.nearest(point);
        if (distance + depth).abs() > 0.6 * spacing / FINENESS {
            return None;
        }
        for _ in 0..3 {
            let mut outward = self.obstacles.outward(body, point, 0.1 * spacing);
            if self.resolution.flat() {
                outward.z = 0.0;
            }
            point -= outward * (distance + depth);
            (distance, body) = self.nearest(point);
        }
        ((distance + depth).abs() < 0.1 * spacing).then_some((point, body))
    }

    /// The area (times the slab's depth in flat scenes the length) that each point of a layer stands for.
    fn areas(&self, points: &[Vec3]) -> Vec<f32> {
        let reach = SHARE_REACH * self.resolution.spacing;
        let whole = if self.resolution.flat() {
            reach * self.resolution.space.depth()
        } else {
            std::f32::consts::PI * reach * reach / 3.0
        };
        let grid = Grid::new(points, reach);
        points
            .par_iter()
            .map(|&point| {
                let weight = |other: u32| {
                    let distance = points[other as usize].distance(point);
                    (1.0 - distance / reach).max(0.0)
                };
                whole / grid.around(point).map(weight).sum::<f32>()
            })
            .collect()
    }
}

/// Points by the cells that they are in.
struct Grid {
    cell: f32,
    points: HashMap<IVec3, Vec<u32>>,
}

impl Grid {
    fn new(points: &[Vec3], cell: f32) -> Self {
        let mut grid = Self {
            cell,
            points: HashMap::new(),
        };
        for (index, &point) in points.iter().enumerate() {
            grid.add(point, index as u32);
        }
        grid
    }

    fn place(&self, point: Vec3) -> IVec3 {
        (point / self.cell).floor().as_ivec3()
    }

    fn add(&mut self, point: Vec3, index: u32) {
        let place = self.place(point);
        self.points.entry(place).or_default().push(index);
    }

    /// The points in the cells around a point, in a fixed order.
    fn around(&self, point: Vec3) -> impl Iterator<Item = u32> {
        let middle = self.place(point);
        (0..27)
            .map(move |cell| middle + IVec3::new(cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1))
            .filter_map(|place| self.points.get(&place))
            .flatten()
            .copied()
    }
}

/// Leaves out points that are closer than `closest` to one before.
fn thin_out(points: &[(Vec3, BodyId)], closest: f32) -> Vec<(Vec3, BodyId)> {
    let mut kept: Vec<(Vec3, BodyId)> = Vec::new();
    let mut grid = Grid::new(&[], closest);
    for &(point, body) in points {
        let near = |other: u32| kept[other as usize].0.distance(point) < closest;
        if !grid.around(point).any(near) {
            grid.add(point, kept.len() as u32);
            kept.push((point, body));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::{Collider, Contact, KeyframedSolids, Side, Solids};
    use ooze_geometry::{Motion, Pose, Shape, Spin};

    use super::*;
    use crate::cases::closed_box;

    fn ball(spin: Option<Spin>) -> KeyframedSolids {
        let pose = Pose {
            translation: Vec3::splat(0.5),
            ..Pose::IDENTITY
        };
        let shape = Shape::sphere(Vec3::new(0.1, 0.0, 0.0), 0.2).expect("a fair ball");
        KeyframedSolids::new(vec![Collider {
            name: "ball".into(),
            shape: Arc::new(shape),
            motion: Motion::new(pose, &[], spin).expect("a fair motion"),
            contact: Contact::default(),
        }])
    }

    fn open_box(flat: bool) -> Domain {
        Domain {
            sides: [[Side::Open; 2]; 3],
            ..closed_box(Vec3::ONE, 20, flat)
        }
    }

    #[test]
    fn layers_of_a_ball_have_its_area_and_lie_at_their_depths() {
        for flat in [false, true] {
            let solids = ball(None);
            let domain = open_box(flat);
            let obstacles = Obstacles::new(&domain, &solids);
            let resolution = Resolution::new(&domain, 0.5, 2.6);
            let samples = WallSamples::new(&obstacles, &domain, &resolution);
            let pi = std::f32::consts::PI;
            for layer in 0..3 {
                let depth = layer as f32 * resolution.spacing;
                let radius = 0.2 - depth;
                let mut volume = 0.0;
                for index in 0..samples.position.len() {
                    let position = samples.position[index];
                    if (samples.depth[index] - depth).abs() < 1e-6 {
                        let found = obstacles.distance(BodyId(0), position);
                        assert!((found + depth).abs() < 0.1 * resolution.spacing);
                        volume += samples.volume[index];
                    }
                }
                let thickness = resolution.spacing * if layer == 0 { 0.5 } else { 1.0 };
                // The slab's middle is off the ball's centre by less than a cell.
                let area = if flat {
                    let off = 0.5 * domain.cell_size - 0.5;
                    let ring = (radius * radius - off * off).max(0.0).sqrt();
                    2.0 * pi * ring * domain.cell_size
                } else {
                    4.0 * pi * radius * radius
                };
                if area > 0.0 {
                    let share = volume / (area * thickness);
                    assert!((share - 1.0).abs() < 0.1, "{flat} {layer}: {share}");
                }
            }
        }
    }

    #[test]
    fn a_wall_is_a_lattice() {
        let domain = closed_box(Vec3::ONE, 10, true);
        let solids = KeyframedSolids::new(Vec::new());
        let obstacles = Obstacles::new(&domain, &solids);
        let resolution = Resolution::new(&domain, 0.5, 2.6);
        let samples = WallSamples::new(&obstacles, &domain, &resolution);
        let cell = resolution.particle_volume() as f32;
        for (index, point) in samples.position.iter().enumerate() {
            // Away from corners.
            if point.x > 0.3 && point.x < 0.7 && point.y < 0.5 {
                let half = if samples.depth[index] == 0.0 {
                    0.5
                } else {
                    1.0
                };
                assert!((samples.volume[index] / (half * cell) - 1.0).abs() < 0.02);
                assert!((point.y + samples.depth[index]).abs() < 1e-5);
            }
        }
        let layers = samples
            .position
            .iter()
            .filter(|point| (point.x - 0.5).abs() < 0.01);
        assert_eq!(layers.filter(|point| point.y < 0.5).count(), 3);
    }

    #[test]
    fn samples_of_a_turning_ball_turn_with_it() {
        let spin = Spin {
            axis: Vec3::Z,
            revolutions_per_second: 1.0,
        };
        let mut solids = ball(Some(spin));
        let domain = open_box(false);
        let resolution = Resolution::new(&domain, 0.5, 2.6);
        let samples = {
            let obstacles = Obstacles::new(&domain, &solids);
            WallSamples::new(&obstacles, &domain, &resolution)
        };
        let mut positions = samples.position.clone();
        let steps = 7;
        for step in 0..steps {
            let dt = 0.5 / f64::from(steps);
            solids.advance(dt * f64::from(step), dt);
            let obstacles = Obstacles::new(&domain, &solids);
            samples.follow(&mut positions, &obstacles, 0.1 * resolution.spacing);
        }
        // After half a turn the ball is on the other side of its axis, each point opposite to where it was.
        for (now, then) in positions.iter().zip(&samples.position) {
            let turned = Vec3::new(1.0 - then.x, 1.0 - then.y, then.z);
            let off = now.distance(turned);
            assert!(off < 0.01 * resolution.spacing, "{now} {turned}");
        }
    }
}
