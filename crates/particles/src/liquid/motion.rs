//! The end of a step: particles move, and walls push, hold and pull them.

use glam::Vec3;
use ooze_core::ParticleSet;
use rayon::prelude::*;

use crate::CHUNK;
use crate::boundary::contact::{ContactRule, Step, Touches};

/// How a particle would move without contact.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Its way in metres.
    pub way: Vec3,
    /// Its velocity afterwards in m/s.
    pub velocity: Vec3,
    /// Where its touches were found.
    pub found_at: Vec3,
    /// Size of the displacement that the walls' pressure has caused, in metres.
    pub pressed: f32,
}

/// What decides over contact in a step.
#[derive(Clone, Copy)]
pub struct Contacts<'a> {
    /// Who touches what.
    pub touches: &'a Touches,
    /// What touching does.
    pub rule: ContactRule,
    /// Whether particles stay in their slab.
    pub flat: bool,
}

/// Moves all particles for `dt` seconds; velocities take up what contact does, which is returned for each in m/s. `motion`
/// tells how each would move, by its index and its velocity before.
pub fn move_particles(
    particles: &mut ParticleSet,
    contacts: Contacts<'_>,
    dt: f32,
    motion: impl Fn(usize, Vec3) -> Motion + Sync,
) -> Vec<Vec3> {
    let Contacts {
        touches,
        rule,
        flat,
    } = contacts;
    let ParticleSet {
        position,
        velocity,
        age,
        ..
    } = particles;
    position
        .par_iter_mut()
        .with_min_len(CHUNK)
        .zip(velocity)
        .zip(age)
        .enumerate()
        .map(|(index, ((position, velocity), age))| {
            let Motion {
                mut way,
                velocity: mut after,
                found_at,
                pressed,
            } = motion(index, *velocity);
            let touches = touches.of(index);
            let mut turned = Vec3::ZERO;
            if !touches.is_empty() {
                let step = Step {
                    from: *position,
                    found_at,
                    moved: *position + way,
                    pressed,
                };
                let aside = rule.correct(touches, step, dt) - step.moved;
                way += aside;
                turned = aside / dt;
                after += turned;
            }
            if flat {
                way.z = 0.0;
                after.z = 0.0;
                turned.z = 0.0;
            }
            *position += way;
            *velocity = after;
            *age += dt;
            turned
        })
        .collect()
}
