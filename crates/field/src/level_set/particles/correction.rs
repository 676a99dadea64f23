//! Escaped particles rebuild the level set around them (Enright et al. 2002, sec. 3.3).

use glam::IVec3;
use rayon::prelude::*;

use super::{Air, CHUNK, ParticleSettings, SurfaceParticles};
use crate::level_set::geometry::normal;
use crate::{Field, floor};

/// Cells towards the air that particles of it look for room in.
const WAY_OUT: f32 = 2.0;
/// Least distance from the liquid there, of what a free surface would leave: creases sharper than 60° have less.
const LEAST_ROOM: f32 = 0.5;

/// What escaped particles say about a sample: the lowest value of those of the liquid, the highest of those of the air.
struct Claim {
    index: u32,
    liquid: f32,
    air: f32,
}

impl SurfaceParticles {
    /// The particles that are on the wrong side of a level set by more than their radius, without those of air that yields
    /// where liquid meets liquid.
    pub fn escaped(&self, phi: &Field<f32>, air: Air) -> Vec<u32> {
        self.escaped_by(&self.depths(phi), phi, air)
    }

    /// The escaped particles, given the depths of all.
    fn escaped_by(&self, depths: &[f32], phi: &Field<f32>, air: Air) -> Vec<u32> {
        (0..self.len() as u32)
            .into_par_iter()
            .with_min_len(CHUNK)
            .filter(|&index| {
                let index = index as usize;
                let depth = depths[index];
                depth < -self.radius[index] && !self.yields(index, depth, phi, air)
            })
            .collect()
    }

    /// Whether a particle on the wrong side is one of air that has been squeezed out of a gap or a crease. Going towards the air,
    /// one gets away from a free surface as far as one goes; between liquid and liquid, no further than the gap is wide.
    pub(super) fn yields(&self, index: usize, depth: f32, phi: &Field<f32>, air: Air) -> bool {
        if self.liquid[index] != 0 || air != Air::Yielding {
            return false;
        }
        let way = WAY_OUT * phi.topology().lattice().cell_size;
        let position = self.position[index];
        let room = phi.sample(position + way * normal(phi, position));
        room < LEAST_ROOM * (way + depth).max(0.0)
    }

    /// Corrects the samples around escaped particles (their eq. 13 to 17): each is a sphere of liquid or air, the level set
    /// is united with the former, the latter are cut out of it, and of both results the one nearer to the surface counts.
    /// Returns the number of escaped particles.
    pub fn correct(&self, phi: &mut Field<f32>, air: Air) -> usize {
        let depths = self.depths(phi);
        self.correct_by(&depths, phi, air)
    }

    /// [`SurfaceParticles::correct`], after which the radii are fitted to the distances. They are those before the correction,
    /// which moves the surface only around escaped particles.
    pub fn correct_and_fit(&mut self, phi: &mut Field<f32>, settings: &ParticleSettings) {
        let depths = self.depths(phi);
        self.correct_by(&depths, phi, settings.air);
        self.fit_radii(&depths, phi.topology().lattice().cell_size, settings);
    }

    /// Corrects the samples around escaped particles, given the depths of all.
    fn correct_by(&self, depths: &[f32], phi: &mut Field<f32>, air: Air) -> usize {
        let topology = phi.topology().clone();
        let lattice = *topology.lattice();
        let offset = phi.place().offset();
        let corners = if lattice.flat { 4 } else { 8 };
        let level_set = &*phi;
        let escaped = self.escaped_by(depths, level_set, air);
        let mut claims: Vec<Claim> = escaped
            .par_iter()
            .flat_map_iter(|&particle| {
                let particle = particle as usize;
                let (position, radius) = (self.position[particle], self.radius[particle]);
                let liquid = self.liquid[particle] != 0;
                let base = floor(lattice.to_cells(position) - offset);
                let topology = &topology;
                (0..corners).filter_map(move |corner| {
                    let sample = base + IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
                    let index = topology.index(sample)? as u32;
                    let mut way = position - level_set.position(sample);
                    if lattice.flat {
                        way.z = 0.0;
                    }
                    let beyond = way.length() - radius;
                    let (liquid, air) = if liquid {
                        (beyond, f32::NEG_INFINITY)
                    } else {
                        (f32::INFINITY, -beyond)
                    };
                    Some(Claim { index, liquid, air })
                })
            })
            .collect();
        claims.par_sort_unstable_by_key(|claim| claim.index);
        let values = phi.values_mut();
        for group in claims.chunk_by(|a, b| a.index == b.index) {
            // Lowest and highest do not depend on the order of a sample's claims.
            let value = &mut values[group[0].index as usize];
            let lowest = group
                .iter()
                .fold(*value, |low, claim| low.min(claim.liquid));
            let highest = group.iter().fold(*value, |high, claim| high.max(claim.air));
            *value = if highest.abs() <= lowest.abs() {
                highest
            } else {
                lowest
            };
        }
        escaped.len()
    }
}
