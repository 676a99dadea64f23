//! Ghost particles: the liquid near a wall, mirrored across it anew in every step (Kasi, sec. 6.1).
//!
//! At walls without slip a ghost moves against its particle, so that both meet at the wall's velocity; at slip walls it
//! moves as the mirror shows it. In corners particles are mirrored across two and three walls. Ghosts that would lie outside
//! of their wall, because it is thin, are left out.

use glam::Vec3;
use ooze_core::{Obstacles, WallCondition, gather};
use rayon::prelude::*;

use super::contact::{Touch, Touches};
use crate::CHUNK;
use crate::neighbours::sorted_order;

/// Normals whose cosine is below this are those of a corner.
const CORNER: f32 = 0.2;

/// Mirrored particles, in the order of a neighbour search.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// Velocities in m/s.
    pub velocity: Vec<Vec3>,
    /// The particles that they mirror.
    pub source: Vec<u32>,
}

/// One ghost.
#[derive(Clone, Copy)]
struct Ghost {
    position: Vec3,
    velocity: Vec3,
    source: u32,
}

impl Ghost {
    fn across(self, touch: &Touch) -> Self {
        let relative = self.velocity - touch.velocity;
        let mirrored = match touch.contact.condition {
            WallCondition::Slip | WallCondition::Separating => {
                relative - touch.normal * (2.0 * relative.dot(touch.normal))
            }
            WallCondition::NoSlip | WallCondition::Sticky => -relative,
        };
        Self {
            position: self.position - touch.normal * (2.0 * touch.distance),
            velocity: touch.velocity + mirrored,
            ..self
        }
    }
}

impl Ghosts {
    /// The ghosts of particles whose touches were found at `positions`, for interactions within `radius`.
    pub fn mirror(
        positions: &[Vec3],
        velocities: &[Vec3],
        touches: &Touches,
        obstacles: &Obstacles<'_>,
        radius: f32,
        flat: bool,
    ) -> Self {
        let chunks: Vec<Vec<Ghost>> = positions
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let mut found = Vec::new();
                for (local, &position) in points.iter().enumerate() {
                    let index = chunk * CHUNK + local;
                    let particle = Ghost {
                        position,
                        velocity: velocities[index],
                        source: index as u32,
                    };
                    images(particle, touches.of(index), obstacles, &mut found);
                }
                found
            })
            .collect();
        let ghosts: Vec<Ghost> = chunks.into_iter().flatten().collect();
        let mut position: Vec<Vec3> = ghosts.iter().map(|ghost| ghost.position).collect();
        let mut velocity: Vec<Vec3> = ghosts.iter().map(|ghost| ghost.velocity).collect();
        let mut source: Vec<u32> = ghosts.iter().map(|ghost| ghost.source).collect();
        let order = sorted_order(&position, radius, flat);
        gather(&mut position, &order);
        gather(&mut velocity, &order);
        gather(&mut source, &order);
        Self {
            position,
            velocity,
            source,
        }
    }
}

/// Mirrors a particle across all walls that it touches, and across the corners between them.
fn images(particle: Ghost, touches: &[Touch], obstacles: &Obstacles<'_>, found: &mut Vec<Ghost>) {
    for set in 1u32..1 << touches.len().min(6) {
        let chosen = || (0..touches.len()).filter(|&touch| set >> touch & 1 == 1);
        let meet = |a: usize, b: usize| touches[a].normal.dot(touches[b].normal).abs() < CORNER;
        if chosen().any(|a| chosen().any(|b| a < b && !meet(a, b))) {
            continue;
        }
        let image = chosen().fold(particle, |image, touch| image.across(&touches[touch]));
        let inside = |touch: usize| obstacles.distance(touches[touch].body, image.position) < 0.0;
        if chosen().all(inside) {
            found.push(image);
        }
    }
}

#[cfg(test)]
mod tests {
    use ooze_core::{Contact, KeyframedSolids, Side};

    use super::*;
    use crate::cases::closed_box;

    #[test]
    fn a_particle_in_a_corner_has_an_image_behind_each_wall_and_one_behind_both() {
        let mut domain = closed_box(Vec3::ONE, 10, true);
        domain.sides[1][0] = Side::Closed(Contact {
            condition: WallCondition::NoSlip,
            friction: 0.0,
            heat: None,
        });
        let solids = KeyframedSolids::new(Vec::new());
        let obstacles = Obstacles::new(&domain, &solids);
        let position = [Vec3::new(0.1, 0.05, 0.05)];
        let velocity = [Vec3::new(2.0, -3.0, 0.0)];
        let touches = Touches::find(&position, &obstacles, 0.2, 0.05, true);
        let ghosts = Ghosts::mirror(&position, &velocity, &touches, &obstacles, 0.2, true);
        let expected = [
            // Behind the slip wall at x = 0, behind the floor without slip, behind both.
            (Vec3::new(-0.1, 0.05, 0.05), Vec3::new(-2.0, -3.0, 0.0)),
            (Vec3::new(0.1, -0.05, 0.05), Vec3::new(-2.0, 3.0, 0.0)),
            (Vec3::new(-0.1, -0.05, 0.05), Vec3::new(2.0, 3.0, 0.0)),
        ];
        assert_eq!(ghosts.position.len(), expected.len());
        for (place, moving) in expected {
            let found = (0..3).find(|&ghost| ghosts.position[ghost].abs_diff_eq(place, 1e-6));
            let ghost = found.expect("the image is there");
            assert!(ghosts.velocity[ghost].abs_diff_eq(moving, 1e-6));
            assert_eq!(ghosts.source[ghost], 0);
        }
    }

    #[test]
    fn a_particle_far_from_walls_has_no_image() {
        let domain = closed_box(Vec3::ONE, 10, false);
        let solids = KeyframedSolids::new(Vec::new());
        let obstacles = Obstacles::new(&domain, &solids);
        let position = [Vec3::splat(0.5)];
        let touches = Touches::find(&position, &obstacles, 0.2, 0.05, false);
        let none = Ghosts::mirror(&position, &[Vec3::X], &touches, &obstacles, 0.2, false);
        assert!(none.position.is_empty());
    }
}
