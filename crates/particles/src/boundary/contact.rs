//! Contact through distance fields: who touches what, and what the touch does to a particle's step.
//!
//! Friction is Coulomb's, stickiness that of Clavet, Beaudoin & Poulin (2005, sec. 6): particles within reach of a
//! sticky wall are drawn to it by Δt² k d (1 − d/d_stick).

use glam::Vec3;
use ooze_core::{BodyId, Contact, Impulse, ImpulsePart, Obstacles, WallCondition};
use ooze_geometry::Aabb;
use rayon::prelude::*;

use crate::CHUNK;

/// Distance that particles keep from walls, in spacings. Pressure keeps them at about half a spacing.
const CLEARANCE: f32 = 0.25;
/// Up to this distance, in spacings, a particle belongs to the layer that is held by walls without slip.
const HELD: f32 = 0.6;
/// Distance of the differences that a wall's normal is taken from, in spacings.
const NORMAL_STEP: f32 = 0.1;

/// A particle that is near to an obstacle.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// The obstacle.
    pub body: BodyId,
    /// Signed distance from its surface in metres.
    pub distance: f32,
    /// Direction away from it.
    pub normal: Vec3,
    /// Velocity of its surface in m/s.
    pub velocity: Vec3,
    /// How liquid behaves there.
    pub contact: Contact,
}

/// All touches of all particles.
#[derive(Clone, Debug, Default)]
pub struct Touches {
    chunks: Vec<ChunkTouches>,
}

#[derive(Clone, Debug, Default)]
struct ChunkTouches {
    start: Vec<u32>,
    touches: Vec<Touch>,
}

impl Touches {
    /// Finds the obstacles within `reach` of each point; `spacing` is the distance of particles.
    pub fn find(
        points: &[Vec3],
        obstacles: &Obstacles<'_>,
        reach: f32,
        spacing: f32,
        flat: bool,
    ) -> Self {
        let bodies: Vec<(BodyId, Aabb)> = obstacles
            .bodies()
            .map(|body| (body, obstacles.bounds(body).dilated(reach)))
            .collect();
        let step = NORMAL_STEP * spacing;
        let touch = |body: BodyId, point: Vec3| {
            let distance = obstacles.distance(body, point);
            (distance < reach).then(|| {
                let mut normal = obstacles.outward(body, point, step);
                if flat {
                    normal.z = 0.0;
                    normal = normal.normalize_or_zero();
                }
                Touch {
                    body,
                    distance,
                    normal,
                    velocity: obstacles.velocity(body, point),
                    contact: obstacles.contact(body),
                }
            })
        };
        let chunks = points
            .par_chunks(CHUNK)
            .map(|points| {
                let mut chunk = ChunkTouches::default();
                chunk.start.push(0);
                for &point in points {
                    let near = bodies.iter().filter(|(_, bounds)| bounds.contains(point));
                    let found = near.filter_map(|&(body, _)| touch(body, point));
                    chunk.touches.extend(found);
                    chunk.start.push(chunk.touches.len() as u32);
                }
                chunk
            })
            .collect();
        Self { chunks }
    }

    /// The touches of one particle.
    #[inline]
    pub fn of(&self, index: usize) -> &[Touch] {
        let chunk = &self.chunks[index / CHUNK];
        let local = index % CHUNK;
        &chunk.touches[chunk.start[local] as usize..chunk.start[local + 1] as usize]
    }
}

/// What contact does, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRule {
    /// Distance of particles in metres.
    pub spacing: f32,
    /// Strongest pull of sticky walls in m/s².
    pub stickiness: f32,
    /// Distance at which sticky walls begin to pull, in metres.
    pub stick_reach: f32,
}

/// A particle's step before walls correct it.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the particle was.
    pub from: Vec3,
    /// Where its touches were found.
    pub found_at: Vec3,
    /// Where it is now.
    pub moved: Vec3,
    /// Displacement that the walls' pressure has caused.
    pub pressed: f32,
}

impl ContactRule {
    /// Where a particle's step ends when walls have pushed, held and pulled it.
    ///
    /// Distances are continued along the normals: a step is short against the curvature of solids that particles can
    /// resolve.
    pub fn correct(&self, touches: &[Touch], step: Step, dt: f32) -> Vec3 {
        let Step {
            from,
            found_at,
            moved,
            pressed,
        } = step;
        let mut to = moved;
        for touch in touches {
            let Touch {
                normal, contact, ..
            } = *touch;
            let mut distance = touch.distance + (to - found_at).dot(normal);
            if contact.condition == WallCondition::Sticky
                && distance > 0.5 * self.spacing
                && distance < self.stick_reach
            {
                // k d (1 − d/d_stick) is strongest half-way, where it is k d_stick/4.
                let share = distance / self.stick_reach;
                let pull = 4.0 * self.stickiness * share * (1.0 - share);
                to -= normal * (dt * dt * pull);
                distance = touch.distance + (to - found_at).dot(normal);
            }
            let push = (CLEARANCE * self.spacing - distance).max(0.0);
            to += normal * push;
            distance += push;
            let relative = to - from - touch.velocity * dt;
            let along = relative - normal * relative.dot(normal);
            let held = HELD * self.spacing;
            let kept = match contact.condition {
                WallCondition::Slip | WallCondition::Separating => {
                    let length = along.length();
                    let loss = contact.friction * (push + pressed);
                    if length > loss {
                        1.0 - loss / length
                    } else {
                        0.0
                    }
                }
                WallCondition::NoSlip | WallCondition::Sticky => {
                    ((distance - held) / held).clamp(0.0, 1.0)
                }
            };
            to -= along * (1.0 - kept);
        }
        to
    }
}

/// Adds up what particles did to bodies: `change` is the momentum that each particle got from walls. What acts along the wall's
/// normal counts as pressure, the rest as viscous.
pub fn impulses(
    touches: &Touches,
    positions: &[Vec3],
    change: impl Fn(usize) -> Vec3 + Sync,
    bodies: usize,
) -> Vec<Impulse> {
    let none = || (0..bodies).map(|body| Impulse::none(BodyId(body as u16)));
    if bodies == 0 {
        return Vec::new();
    }
    let partial: Vec<Vec<Impulse>> = positions
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, points)| {
            let mut sums: Vec<Impulse> = none().collect();
            for (local, point) in points.iter().enumerate() {
                let index = chunk * CHUNK + local;
                // The nearest wall takes it all.
                let nearest = touches.of(index).iter();
                let Some(touch) = nearest.min_by(|a, b| a.distance.total_cmp(&b.distance)) else {
                    continue;
                };
                let Some(sum) = sums.get_mut(usize::from(touch.body.0)) else {
                    continue;
                };
                let (point, normal) = (point.as_dvec3(), touch.normal.as_dvec3());
                let linear = -change(index).as_dvec3();
                let across = normal * linear.dot(normal);
                sum.pressure += ImpulsePart::at(point, across);
                sum.viscous += ImpulsePart::at(point, linear - across);
            }
            sums
        })
        .collect();
    let mut total: Vec<Impulse> = none().collect();
    for sums in &partial {
        for (total, part) in total.iter_mut().zip(sums) {
            total.absorb(part);
        }
    }
    total
}
