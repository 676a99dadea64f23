//! Escaped particles rebuild the level set around them (Enright et al. 2002, sec. 3.3).

use glam::IVec3;
use rayon::prelude::*;

use super::{CHUNK, ParticleSettings, SurfaceParticles};
use crate::{Field, floor};

/// What escaped particles say about a sample: the lowest value of those of the liquid, the highest of those of the air.
struct Claim {
    index: u32,
    liquid: f32,
    air: f32,
}

impl SurfaceParticles {
    /// The particles that are on the wrong side of a level set by more than their radius.
    pub fn escaped(&self, phi: &Field<f32>) -> Vec<u32> {
        self.escaped_by(&self.depths(phi))
    }

    /// The escaped particles, given the depths of all.
    fn escaped_by(&self, depths: &[f32]) -> Vec<u32> {
        (0..self.len() as u32)
            .into_par_iter()
            .with_min_len(CHUNK)
            .filter(|&index| depths[index as usize] < -self.radius[index as usize])
            .collect()
    }

    /// Corrects the samples around escaped particles (their eq. 13 to 17): each is a sphere of liquid or air, the level set
    /// is united with the former, the latter are cut out of it, and of both results the one nearer to the surface counts.
    /// Returns the number of escaped particles.
    pub fn correct(&self, phi: &mut Field<f32>) -> usize {
        let depths = self.depths(phi);
        self.correct_by(&depths, phi)
    }

    /// [`SurfaceParticles::correct`], after which the radii are fitted to the distances. They are those before the correction,
    /// which moves the surface only around escaped particles.
    pub fn correct_and_fit(&mut self, phi: &mut Field<f32>, settings: &ParticleSettings) {
        let depths = self.depths(phi);
        self.correct_by(&depths, phi);
        self.fit_radii(&depths, phi.topology().lattice().cell_size, settings);
    }

    /// Corrects the samples around escaped particles, given the depths of all.
    fn correct_by(&self, depths: &[f32], phi: &mut Field<f32>) -> usize {
        let topology = phi.topology().clone();
        let lattice = *topology.lattice();
        let offset = phi.place().offset();
        let corners = if lattice.flat { 4 } else { 8 };
        let level_set = &*phi;
        let escaped = self.escaped_by(depths);
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
