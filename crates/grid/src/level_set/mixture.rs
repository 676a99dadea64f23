//! Several liquids in one level set: the share of each material in every cell.
//!
//! Shares are carried as velocity is, by tracing back. Interpolation smears the border between two liquids by the variance
//! c(1 − c) of a step that crosses the part c of a cell; raising shares to the power 1 + s and making them add up to one again
//! multiplies their logarithmic odds by 1 + s, which draws the border together. A border whose odds fall off as exp(−x/w)
//! stays as wide as it is for s = c(1 − c)/(4 w²), so that it does not smear and, since s vanishes with the step, does not stick
//! to the cells of a liquid that creeps; where a step crosses a fiftieth of a cell, it lags behind by 4 % of its way.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::lattice_channel::{insert_field, take_field};
use ooze_core::{ChannelError, Channels, Domain, Emitter, LiquidSetup, MaterialId};
use ooze_field::{Field, Flow, Place, Topology};
use rayon::prelude::*;

use super::channels::{carried, nearest_liquid};
use super::sources::in_or_next_to;

/// Width w of the border between two liquids in cells: where the odds have fallen by e.
const BORDER_WIDTH: f32 = 1.0;
/// Cells from the surface within which shares are carried; beyond, they are continued.
pub(super) const CARRIED_CELLS: f32 = 1.0;
/// Sum of shares below which nothing is known of a place.
const UNKNOWN: f32 = 1e-3;
/// Share up to which there is too little of a material to count where it stands for itself.
const TINY: f32 = 1e-4;

/// What the cells of a liquid are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// Indices in the scene of the materials that there are or will be, in order; none in a scene without liquid.
    materials: Vec<u8>,
    /// The share of each at cell centres, continued around the liquid. Empty if there is one material only.
    shares: Vec<Field<f32>>,
}

impl Mixture {
    /// The liquids of a scene at its start: every cell is of the liquid that it is in, or next to.
    pub(super) fn new(setup: &LiquidSetup, topology: &Arc<Topology>) -> Self {
        let materials = materials_of(setup);
        let owner = |cell: IVec3| {
            let liquid = nearest_liquid(setup, topology.lattice().centre(cell));
            liquid.map(|liquid| liquid.material.0)
        };
        let shares = if materials.len() > 1 {
            let of = |&material: &u8| {
                Field::from_cells(topology, Place::Cell, 0.0, |cell| {
                    f32::from(u8::from(owner(cell) == Some(material)))
                })
            };
            materials.iter().map(of).collect()
        } else {
            Vec::new()
        };
        Self { materials, shares }
    }

    /// The materials that there are or will be.
    pub(super) fn materials(&self) -> &[u8] {
        &self.materials
    }

    /// Whether there is one material only.
    pub(super) fn is_pure(&self) -> bool {
        self.shares.is_empty()
    }

    /// Mean of what `value` tells of the materials of a cell; zero where there is no material at all.
    #[inline]
    pub(super) fn mean(&self, cell: IVec3, value: impl Fn(u8) -> f32) -> f32 {
        let Some(&first) = self.materials.first() else {
            return 0.0;
        };
        if self.is_pure() {
            return value(first);
        }
        let (mut sum, mut whole) = (0.0, 0.0);
        for (&material, shares) in self.materials.iter().zip(&self.shares) {
            let share = shares.get(cell);
            if share > 0.0 {
                sum += share * value(material);
                whole += share;
            }
        }
        if whole < UNKNOWN {
            value(first)
        } else {
            sum / whole
        }
    }

    /// The shares of the materials of a cell by their places in [`Mixture::materials`], tiny ones left out; together they are one.
    /// The first where nothing is known, and none where there is no material at all.
    pub(super) fn portions(&self, cell: IVec3) -> impl Iterator<Item = (usize, f32)> {
        let share = move |index: usize| {
            let share = self.shares[index].get(cell);
            if share > TINY { share } else { 0.0 }
        };
        let whole: f32 = (0..self.shares.len()).map(share).sum();
        (0..self.materials.len()).filter_map(move |index| {
            let own = match whole < UNKNOWN {
                true => f32::from(u8::from(index == 0)),
                false => share(index) / whole,
            };
            (own > 0.0).then_some((index, own))
        })
    }

    /// The material with the largest share at a point; the scene's first where there is none.
    pub(super) fn material_at(&self, point: Vec3) -> u8 {
        let shares = self.shares.iter().map(|shares| shares.sample(point));
        let largest = self
            .materials
            .iter()
            .zip(shares)
            .reduce(|best, other| if other.1 > best.1 { other } else { best });
        let first = self.materials.first().copied().unwrap_or_default();
        largest.map_or(first, |(&material, _)| material)
    }

    /// The same on other tiles, with the liquid that emitters drive.
    pub(super) fn on_tiles<'a>(
        &self,
        topology: &Arc<Topology>,
        domain: &Domain,
        open: impl Iterator<Item = &'a Emitter>,
    ) -> Self {
        let mut moved = self.clone();
        for shares in &mut moved.shares {
            *shares = shares.on_tiles(topology);
        }
        if !self.is_pure() {
            for emitter in open {
                moved.pour(domain, emitter);
            }
        }
        moved
    }

    /// Makes the cells in and next to an emitter its own.
    fn pour(&mut self, domain: &Domain, emitter: &Emitter) {
        let emitted = emitter.material.0;
        let inside = in_or_next_to(domain, emitter);
        for (&material, shares) in self.materials.iter().zip(&mut self.shares) {
            let topology = Arc::clone(shares.topology());
            shares.par_tiles_mut().for_each(|(slot, tile)| {
                for (local, share) in tile.iter_mut().enumerate() {
                    let point = topology.lattice().centre(topology.cell(slot, local));
                    if inside(point) {
                        *share = f32::from(u8::from(material == emitted));
                    }
                }
            });
        }
    }

    /// The shares after the flow has carried them for `dt` seconds; `liquid` is the level set where the liquid is now.
    pub(super) fn advanced(&self, flow: &Flow, liquid: &Field<f32>, dt: f32) -> Self {
        if self.is_pure() {
            return self.clone();
        }
        let shares = carried(
            &self.shares,
            flow,
            liquid,
            (dt, CARRIED_CELLS),
            |shares, way| {
                sharpen(shares, way);
                shares.iter().any(|&share| share > 0.0)
            },
        );
        Self {
            materials: self.materials.clone(),
            shares,
        }
    }

    /// The share of each material for a frame.
    pub(super) fn shown(&self) -> Vec<(MaterialId, Field<f32>)> {
        let materials = self.materials.iter().copied().map(MaterialId);
        materials.zip(self.shares.iter().cloned()).collect()
    }

    /// Adds the shares to a checkpoint.
    pub(super) fn save(&self, saved: &mut Channels) {
        for (material, shares) in self.materials.iter().zip(&self.shares) {
            insert_field(saved, &format!("share_{material}"), shares);
        }
    }

    /// What [`Mixture::save`] saved.
    pub(super) fn load(saved: &mut Channels, setup: &LiquidSetup) -> Result<Self, ChannelError> {
        let materials = materials_of(setup);
        let lattice = setup.domain.lattice();
        let mut shares = Vec::new();
        if materials.len() > 1 {
            for material in &materials {
                let name = format!("share_{material}");
                shares.push(take_field(saved, &name, lattice, Place::Cell)?);
            }
        }
        Ok(Self { materials, shares })
    }
}

/// The materials of a scene's liquids and emitters, in order.
fn materials_of(setup: &LiquidSetup) -> Vec<u8> {
    let initial = setup.initial.iter().map(|liquid| liquid.material.0);
    let emitted = setup.emitters.iter().map(|emitter| emitter.material.0);
    let mut materials: Vec<u8> = initial.chain(emitted).collect();
    materials.sort_unstable();
    materials.dedup();
    materials
}

/// Makes interpolated shares add up to one, and takes off what interpolation smeared on a way of so many cells.
fn sharpen(shares: &mut [f32], way: Vec3) {
    let sum: f32 = shares.iter().sum();
    if sum < UNKNOWN {
        shares.fill(0.0);
        return;
    }
    let part = way - way.floor();
    let variance = (part * (Vec3::ONE - part)).element_sum();
    let power = 1.0 + variance / (4.0 * BORDER_WIDTH * BORDER_WIDTH);
    for share in shares.iter_mut() {
        *share = (*share / sum).powf(power);
    }
    let sum: f32 = shares.iter().sum();
    for share in shares {
        *share /= sum;
    }
}

#[cfg(test)]
mod tests {
    use ooze_core::{Carried, Contact, HeatSetup, InitialLiquid, Material, MaterialId, Side};
    use ooze_field::face_fields;
    use ooze_geometry::Shape;

    use super::*;

    /// Two halves of a box, side by side along x, that move along x for `steps` steps of `way` cells each; the place of the
    /// border along x in cells, and the width of the part of it where shares are between a tenth and nine tenths.
    fn border_after(way: f32, steps: u32) -> (f32, f32) {
        let domain = Domain {
            lower: Vec3::ZERO,
            cell_size: 1.0,
            cells: IVec3::new(64, 8, 8),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        };
        let half = |lower: f32, upper: f32, material: u8| InitialLiquid {
            material: MaterialId(material),
            name: "half".into(),
            shape: Shape::cuboid(
                Vec3::new(0.5 * (lower + upper), 4.0, 4.0),
                Vec3::new(0.5 * (upper - lower), 4.0, 4.0),
            )
            .expect("a fair box")
            .into(),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            viscosity_gradient: None,
            temperature: None,
            hold: None,
        };
        let setup = LiquidSetup {
            domain,
            materials: vec![Material::newtonian("liquid", 1000.0, 1.0, 0.0); 2],
            initial: vec![half(0.0, 16.0, 0), half(16.0, 64.0, 1)],
            emitters: Vec::new(),
            drains: Vec::new(),
            forces: Vec::new(),
            heat: HeatSetup::default(),
            carried: Carried::default(),
            texture: None,
            tracers: Vec::new(),
            seed: 1,
        };
        let topology = Arc::new(Topology::full(setup.domain.lattice()));
        let liquid = Field::new(&topology, Place::Cell, -10.0);
        let mut velocity = face_fields(&topology, 0.0f32);
        velocity[0].values_mut().fill(1.0);
        let flow = Flow::new(&velocity);
        let mut mixture = Mixture::new(&setup, &topology);
        for _ in 0..steps {
            mixture = mixture.advanced(&flow, &liquid, way);
        }
        let share = |x: i32| mixture.shares[0].get(IVec3::new(x, 4, 4));
        // What is left of the first liquid beyond cell 8, where the lattice's edge is far.
        let place = (8..60).map(share).sum::<f32>() + 8.0;
        let width = (8..60).filter(|&x| (0.1..0.9).contains(&share(x))).count();
        (place, width as f32)
    }

    #[test]
    fn a_border_moves_with_the_flow_and_stays_narrow() {
        for (way, steps) in [(0.02, 1000), (0.3, 67), (0.5, 40), (1.7, 12)] {
            let (place, width) = border_after(way, steps);
            let expected = 16.0 + way * steps as f32;
            let lag = (expected - place) / (expected - 16.0);
            assert!(lag.abs() < 0.05, "{way}: {place} {expected}");
            assert!(width <= 5.0, "{way}: {width}");
        }
    }

    #[test]
    fn shares_add_up_to_one() {
        let mut shares = [0.2, 0.3, 0.4];
        sharpen(&mut shares, Vec3::new(0.5, -1.25, 0.0));
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(shares[0] < 0.2 / 0.9 && shares[2] > 0.4 / 0.9);
    }
}
