//! Bodies that melt: the particles that they are made of are aboard of them as long as they are solid.
//!
//! To the flow such a body is a body as any other, whose shape is that of what is left of it: its particles are no part of the liquid, have
//! no surface and crowd nobody. To heat they are particles as all are, so that it passes through the body as through liquid, and nothing of
//! it is lost when they come free. That happens between two steps: they leave with the velocity that the body has where they are.

use glam::Vec3;
use ooze_core::{
    BodyId, Domain, Holder, InitialLiquid, Obstacles, ParticleSet, Remains, StepError, StepReport,
};
use ooze_field::Field;
use rayon::prelude::*;

use super::FlipLiquid;
use super::order::CellOrder;
use super::seeding::{particle_spacing, thin_out};
use super::step::Advance;
use crate::boundary::FixedTiles;

/// Particles below which a body comes free as a whole, in cells that they fill.
const CRUMB_CELLS: f64 = 3.0;

/// A body that melts.
struct Vessel {
    /// Its number among the solids that melt.
    number: u8,
    body: BodyId,
    material: u8,
    /// Its density over that of its melt.
    packing: f32,
}

fn vessel(liquid: &InitialLiquid) -> Option<Vessel> {
    let hold = liquid.hold.as_ref()?;
    match hold.by {
        Holder::Body { body, packing } => Some(Vessel {
            number: hold.number,
            body,
            packing,
            material: liquid.material.0,
        }),
        Holder::Motion(_) => None,
    }
}

impl FlipLiquid {
    fn vessels(&self) -> impl Iterator<Item = Vessel> {
        self.setup.initial.iter().filter_map(vessel)
    }

    /// The particles of the flow, and those that are aboard of bodies.
    pub(super) fn parted(&self) -> [Vec<u32>; 2] {
        let particles = &self.state.particles;
        let all = 0..particles.len() as u32;
        let mut aboard = [false; 256];
        for vessel in self.vessels() {
            aboard[usize::from(vessel.number)] = true;
        }
        let holders = particles.carried.optional(self.channels.frozen);
        let is_aboard = |index: &u32| {
            let holder = holders.get(*index as usize);
            holder.is_some_and(|&number| aboard[usize::from(number)])
        };
        let (aboard, free) = all.partition(is_aboard);
        [free, aboard]
    }

    /// How many particles are aboard of each body.
    pub(super) fn aboard_of_each(&self) -> Vec<usize> {
        let carried = &self.state.particles.carried;
        let holders = carried.optional(self.channels.frozen);
        let own = |number: u8| holders.iter().filter(move |&&holder| holder == number);
        let vessels = self.vessels();
        vessels.map(|vessel| own(vessel.number).count()).collect()
    }

    /// The volume that what is aboard of bodies has once it has melted, in m³.
    pub(super) fn volume_aboard(&self) -> f64 {
        let count: usize = self.aboard_of_each().iter().sum();
        count as f64 * self.particle_volume()
    }

    /// Lets go of what is left of bodies when that is no more than a crumb.
    pub(super) fn free_crumbs(&self, holders: &mut [u8]) {
        let cell_volume = self.setup.domain.lattice().cell_volume();
        let fewest = (CRUMB_CELLS * cell_volume / self.particle_volume()) as usize;
        for Vessel { number, .. } in self.vessels() {
            let own = holders.iter().filter(|&&holder| holder == number);
            if own.count() < fewest {
                let own = holders.iter_mut().filter(|holder| **holder == number);
                own.for_each(|holder| *holder = 0);
            }
        }
    }

    /// What is left of the bodies that melt, which have arrived where they are at the end of the step.
    pub(super) fn remains(&self, particles: &ParticleSet, arrived: &Obstacles<'_>) -> Vec<Remains> {
        let holders = particles.carried.optional(self.channels.frozen);
        let vessels = self.vessels().zip(&self.seeded);
        let remains = vessels.map(|(vessel, &whole)| {
            let pose = &arrived.solids()[usize::from(vessel.body.0)].end;
            let own = holders.iter().zip(&particles.position);
            let own = own.filter(|(holder, _)| **holder == vessel.number);
            Remains {
                body: vessel.body,
                grains: own.map(|(_, &place)| pose.to_local(place)).collect(),
                whole,
                mass: self.particle_mass(vessel.material),
                spacing: particle_spacing(&self.setup.domain, self.settings.sampling),
            }
        });
        remains.collect()
    }
}

impl Advance<'_> {
    /// Lets heat pass between all particles, those aboard of bodies among them.
    pub(super) fn heat_all(
        &mut self,
        aboard: &mut ParticleSet,
        liquid: &Field<f32>,
        fixed: &mut FixedTiles,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        let mut all = self.particles.clone();
        all.append(aboard);
        let free = self.particles.len();
        let (domain, positions) = (&self.liquid.setup.domain, all.position.iter());
        // There are no tiles far beyond the domain, where a body gets that is flung through a side.
        let places: Vec<Vec3> = positions.map(|&place| inside(domain, place)).collect();
        let (order, permutation) = CellOrder::sort(self.order.topology.clone(), &places);
        let mut particles = ParticleSet::default();
        all.gather_into(&permutation, &mut particles);
        let obstacles = self.obstacles.without_melting();
        let mut whole = Advance {
            liquid: self.liquid,
            order: &order,
            obstacles: &obstacles,
            particles,
            time: self.time,
            dt: self.dt,
        };
        let boundary = whole.rasterize(fixed);
        let surface = self.with_bodies(liquid);
        whole.heat(&boundary, &surface, report)?;
        let mut back = vec![0u32; permutation.len()];
        for (place, &index) in permutation.iter().enumerate() {
            back[index as usize] = place as u32;
        }
        whole
            .particles
            .gather_into(&back[..free], &mut self.particles);
        whole.particles.gather_into(&back[free..], aboard);
        Ok(())
    }

    /// The surface of the liquid and of the bodies that melt together.
    fn with_bodies(&self, liquid: &Field<f32>) -> Field<f32> {
        let obstacles = self.obstacles;
        let melting: Vec<BodyId> = self.liquid.vessels().map(|vessel| vessel.body).collect();
        let melting: Vec<BodyId> = obstacles
            .bodies()
            .filter(|body| melting.contains(body))
            .collect();
        let mut surface = Field::clone(liquid);
        let topology = liquid.topology();
        let lattice = *topology.lattice();
        let reach = lattice.cell_size * 8.0 * 3f32.sqrt();
        surface.par_tiles_mut().for_each(|(slot, tile)| {
            let middle = lattice.to_world(topology.tile_lower(slot).as_vec3() + 4.0);
            let far = |body: &BodyId| obstacles.distance(*body, middle) > 2.0 * reach;
            let near: Vec<BodyId> = melting.iter().copied().filter(|body| !far(body)).collect();
            for (local, value) in tile.iter_mut().enumerate() {
                let centre = lattice.centre(topology.cell(slot, local));
                for &body in &near {
                    *value = value.min(obstacles.distance(body, centre));
                }
            }
        });
        surface
    }

    /// Takes particles along that are aboard of bodies to where those are at the end of the step.
    pub(super) fn ride(&self, aboard: &mut ParticleSet, before: &[u8], arrived: &Obstacles<'_>) {
        let ParticleSet {
            position,
            velocity,
            age,
            carried,
            ..
        } = aboard;
        for vessel in self.liquid.vessels() {
            let solid = &arrived.solids()[usize::from(vessel.body.0)];
            let own = position.iter_mut().zip(velocity.iter_mut()).zip(before);
            for ((place, velocity), _) in own.filter(|(_, number)| **number == vessel.number) {
                *place = solid.carried(*place);
                *velocity = solid.next.velocity(*place);
            }
        }
        let now = carried.optional(self.liquid.channels.frozen);
        for (place, _) in position.iter_mut().zip(now).filter(|(_, now)| **now == 0) {
            *place = inside(&self.liquid.setup.domain, *place);
        }
        for age in age {
            *age += self.dt as f32;
        }
    }
}

/// The nearest place that is in the domain, by a hundredth of a cell at least.
fn inside(domain: &Domain, place: Vec3) -> Vec3 {
    let margin = 0.01 * domain.cell_size;
    let (lower, upper) = (domain.lower + margin, domain.upper() - margin);
    let nearest = place.clamp(lower, upper);
    match domain.flat {
        true => nearest.with_z(place.z),
        false => nearest,
    }
}

/// Where the particles of bodies that melt begin, which nobody moves apart; in their places the lists are left empty.
pub(super) fn take_bodies(initial: &[InitialLiquid], seeds: &mut [Vec<Vec3>]) -> Vec<Vec<Vec3>> {
    let pairs = initial.iter().zip(seeds);
    pairs
        .map(|(liquid, points)| match vessel(liquid) {
            Some(vessel) => thin_out(std::mem::take(points), vessel.packing),
            None => Vec::new(),
        })
        .collect()
}
