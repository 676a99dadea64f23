//! Liquid that rests at the start begins with the pressure of its weight: without it a tank would begin by falling into
//! itself, and ring for long.

use glam::Vec3;
use ooze_core::seeding::{free_of_solids, inside_domain, shape_distance};
use ooze_core::{Handle, Obstacles, Side, Solids};
use rayon::prelude::*;

use crate::CHUNK;
use crate::liquid::{Basis, scales};
use crate::state::ParticleState;

/// Sets the compression of liquid that stands on something, by the weight above it. Towards free sides the pressure falls
/// to zero as it does towards a free top.
pub fn press(
    state: &mut ParticleState,
    compression: Handle<f32>,
    basis: &Basis,
    solids: &dyn Solids,
    sound_speed: f32,
) {
    let gravity = scales::gravity(&basis.setup);
    let Some(down) = gravity.try_normalize() else {
        return;
    };
    let column = Column {
        basis,
        obstacles: Obstacles::new(&basis.setup.domain, solids),
    };
    let aside = down.any_orthonormal_vector();
    let sides = if basis.resolution.flat() {
        vec![down.cross(Vec3::Z)]
    } else {
        vec![aside, down.cross(aside)]
    };
    let particles = &mut state.particles;
    let (position, material) = (&particles.position, &particles.material);
    particles.carried[compression]
        .par_iter_mut()
        .with_min_len(CHUNK)
        .zip(position.par_iter().zip(material))
        .for_each(|(value, (&point, &material))| {
            let density = basis.material(material).density;
            let pressure = column.pressure(point, density, gravity, &sides);
            *value = 1.0 + pressure / (density * sound_speed * sound_speed);
        });
}

struct Column<'a> {
    basis: &'a Basis,
    obstacles: Obstacles<'a>,
}

/// How a way through the liquid ends.
enum WayEnd {
    Wall,
    Surface,
}

impl Column<'_> {
    /// Pressure at a point at rest; zero where nothing carries the liquid.
    fn pressure(&self, point: Vec3, density: f32, gravity: Vec3, sides: &[Vec3]) -> f32 {
        let down = gravity.normalize_or_zero();
        let (_, WayEnd::Wall) = self.walk(point, density, down) else {
            return 0.0;
        };
        let mut mass = self.walk(point, density, -down).0;
        for &side in sides {
            for direction in [side, -side] {
                if let (across, WayEnd::Surface) = self.walk(point, density, direction) {
                    mass = mass.min(across);
                }
            }
        }
        mass * gravity.length()
    }

    /// Mass per area of the liquid along a direction, from a point to the liquid's end.
    fn walk(&self, point: Vec3, density: f32, direction: Vec3) -> (f32, WayEnd) {
        let setup = &self.basis.setup;
        let spacing = self.basis.resolution.spacing;
        let mut mass = 0.5 * spacing * density;
        let mut place = point;
        loop {
            place += direction * spacing;
            if !inside_domain(&setup.domain, place) {
                return (mass, self.side(place));
            }
            if !free_of_solids(&self.obstacles, place) {
                return (mass, WayEnd::Wall);
            }
            let filled = setup
                .initial
                .iter()
                .find(|liquid| shape_distance(&setup.domain, &liquid.shape, place) < 0.0);
            let Some(liquid) = filled else {
                return (mass, WayEnd::Surface);
            };
            let material = &setup.materials[usize::from(liquid.material.0)];
            mass += spacing * material.density;
        }
    }

    /// What is beyond the side through which a point has left the domain.
    fn side(&self, point: Vec3) -> WayEnd {
        let domain = &self.basis.setup.domain;
        let left = (0..domain.dimensions()).find_map(|axis| {
            let [lower, upper] = domain.sides[axis];
            if point[axis] < domain.lower[axis] {
                Some(lower)
            } else if point[axis] >= domain.upper()[axis] {
                Some(upper)
            } else {
                None
            }
        });
        match left {
            Some(Side::Open) => WayEnd::Surface,
            _ => WayEnd::Wall,
        }
    }
}
