//! Where particles are put, and how their number is kept even (Enright et al. 2002, sec. 3.1 and 3.4).

use std::ops::Range;

use glam::{IVec3, Vec3};
use rayon::prelude::*;

use super::{Air, CHUNK, ParticleSettings, SurfaceParticles};
use crate::level_set::geometry::normal;
use crate::random::{hash, uniform};
use crate::{Field, floor};

impl SurfaceParticles {
    /// Particles on both sides of a level set's surface. `seed` decides where.
    pub fn seed(phi: &Field<f32>, settings: &ParticleSettings, seed: u64) -> Self {
        let mut particles = Self::default();
        particles.reseed(phi, settings, seed);
        particles
    }

    /// Removes particles that have drifted out of the band or crowd a cell, those furthest from the surface first, and puts
    /// new ones where they are lacking. Particles on the wrong side stay. Afterwards particles are sorted by cell, and those that have
    /// left the tiles are gone.
    pub fn reseed(&mut self, phi: &Field<f32>, settings: &ParticleSettings, seed: u64) {
        self.reseed_where(phi, settings, seed, |_| true);
    }

    /// [`SurfaceParticles::reseed`] in the cells whose middles a test likes. The others' particles stay as they are and come
    /// first.
    pub fn reseed_where(
        &mut self,
        phi: &Field<f32>,
        settings: &ParticleSettings,
        seed: u64,
        likes: impl Fn(Vec3) -> bool + Sync,
    ) {
        let half = 0.5 * phi.topology().lattice().cell_size;
        let (chosen, others): (Vec<u32>, Vec<u32>) = (0..self.len() as u32)
            .into_par_iter()
            .with_min_len(CHUNK)
            .partition(|&index| {
                likes(phi.position(cell_of(phi, self.position[index as usize])) + half)
            });
        let mut particles = self.picked(&chosen);
        particles.even_out(phi, settings, seed, &likes);
        if others.is_empty() {
            *self = particles;
            return;
        }
        *self = self.picked(&others);
        self.position.append(&mut particles.position);
        self.radius.append(&mut particles.radius);
        self.liquid.append(&mut particles.liquid);
    }

    /// Evens out the number of particles in cells that a test likes; all of them are in such.
    fn even_out(
        &mut self,
        phi: &Field<f32>,
        settings: &ParticleSettings,
        seed: u64,
        likes: &(impl Fn(Vec3) -> bool + Sync),
    ) {
        let topology = phi.topology();
        let lattice = *topology.lattice();
        let cell_size = lattice.cell_size;
        let axes = lattice.axes();
        let wanted = settings.per_axis.pow(axes as u32) as usize;
        // Particles on the wrong side come first in their cell, then the nearest.
        let depths = self.depths(phi);
        let mut order: Vec<(u32, f32, u32)> = (0..self.len() as u32)
            .into_par_iter()
            .filter_map(|number| {
                let index = number as usize;
                let cell = topology.index(cell_of(phi, self.position[index]))? as u32;
                let depth = depths[index];
                // What is on the wrong side knows something that the level set does not, unless it is what a gap has left.
                let of_use = if depth < 0.0 {
                    !self.yields(index, depth, phi, settings.air)
                } else {
                    depth < settings.band * cell_size
                };
                of_use.then_some((cell, depth, number))
            })
            .collect();
        order.par_sort_unstable_by(|a, b| {
            let depth = a.1.total_cmp(&b.1);
            a.0.cmp(&b.0).then(depth).then(a.2.cmp(&b.2))
        });
        let mut counts = vec![0u16; topology.tile_count() * topology.tile_cells()];
        order.retain(|&(cell, depth, _)| {
            let count = &mut counts[cell as usize];
            *count = count.saturating_add(1);
            depth < 0.0 || usize::from(*count) <= wanted
        });
        *self = self.picked(&order.iter().map(|entry| entry.2).collect::<Vec<u32>>());
        let cells: Vec<u32> = order.iter().map(|entry| entry.0).collect();
        let lacking = |index: usize, middle: Vec3| {
            let count = usize::from(counts[index]);
            count..if likes(middle) { wanted } else { count }
        };
        self.add_missing(phi, settings, seed, lacking, cells);
        let depths = self.depths(phi);
        self.fit_radii(&depths, cell_size, settings);
    }

    /// Fills cells in the band. `lacking` tells the numbers of a cell's particles that are not there, given its index and middle;
    /// `cells` are those of the particles that are.
    fn add_missing(
        &mut self,
        phi: &Field<f32>,
        settings: &ParticleSettings,
        seed: u64,
        lacking: impl Fn(usize, Vec3) -> Range<usize> + Sync,
        mut cells: Vec<u32>,
    ) {
        let topology = phi.topology();
        let in_tile = topology.tile_cells();
        let cell_size = topology.lattice().cell_size;
        // A cell whose middle is further off than the band and half its diagonal holds no place within the band.
        let reach = (settings.band + 0.9) * cell_size;
        let added: Vec<(u32, Vec3, u8)> = (0..topology.tile_count())
            .into_par_iter()
            .flat_map_iter(|slot| {
                let mut added = Vec::new();
                for local in 0..in_tile {
                    let index = slot * in_tile + local;
                    if phi.tile(slot)[local].abs() > reach + cell_size {
                        continue;
                    }
                    let cell = topology.cell(slot, local);
                    let middle = phi.position(cell) + 0.5 * cell_size;
                    let lacking = lacking(index, middle);
                    if lacking.is_empty() || phi.sample(middle).abs() > reach {
                        continue;
                    }
                    for number in lacking {
                        let place = self::place(phi, cell, hash(seed, number as u64));
                        added.extend(
                            settled(phi, place, settings)
                                .map(|(point, liquid)| (index as u32, point, liquid)),
                        );
                    }
                }
                added
            })
            .collect();
        for (cell, position, liquid) in added {
            cells.push(cell);
            self.position.push(position);
            self.radius.push(0.0);
            self.liquid.push(liquid);
        }
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.par_sort_by_key(|&index| cells[index as usize]);
        *self = self.picked(&order);
    }
}

/// The cell between whose samples a point lies.
fn cell_of(phi: &Field<f32>, point: Vec3) -> IVec3 {
    floor(phi.topology().lattice().to_cells(point) - phi.place().offset())
}

/// A place in a cell that depends on the cell and `seed` alone.
fn place(phi: &Field<f32>, cell: IVec3, seed: u64) -> Vec3 {
    let lattice = phi.topology().lattice();
    let key = hash(
        seed,
        hash(cell.x as u64, hash(cell.y as u64, cell.z as u64)),
    );
    let depth = if lattice.flat { 0.0 } else { uniform(key, 2) };
    let within = Vec3::new(uniform(key, 0), uniform(key, 1), depth);
    phi.position(cell) + within * lattice.cell_size
}

/// A place as far from the surface as a particle must be, and whether it is in the liquid; none beyond the band.
fn settled(phi: &Field<f32>, place: Vec3, settings: &ParticleSettings) -> Option<(Vec3, u8)> {
    let cell_size = phi.topology().lattice().cell_size;
    let value = phi.sample(place);
    let least = settings.radii[0] * cell_size;
    let liquid = value < 0.0;
    if value.abs() >= settings.band * cell_size || !liquid && settings.air == Air::Absent {
        return None;
    }
    let lacking = (least - value.abs()).max(0.0);
    let outward = if liquid { -lacking } else { lacking };
    let place = if lacking > 0.0 {
        place + outward * normal(phi, place)
    } else {
        place
    };
    // In thin sheets there may be no room: the push may have led to the other side.
    ((phi.sample(place) < 0.0) == liquid).then_some((place, u8::from(liquid)))
}
