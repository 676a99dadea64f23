//! What the outside sees of a level-set liquid: integral quantities, and markers that stand for it among particles.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{ChannelData, Channels, EscapedParticle, LevelSet, LiquidSetup, Measure};
use ooze_field::level_set::Air;
use ooze_field::{fraction, sample_faces};
use rayon::prelude::*;

use super::lattices::{FINE, centre_node, face_node};
use super::state::LevelSetState;
use super::volume::fine_cell_volume;

/// Volume, momentum, energy and the like, summed over the cells of the fine lattice; `density` tells the density of a cell in
/// kg/m³, `potential` the potential energy at a point in J/kg, and `elastic` the elastic energy in a cell of the fine lattice in
/// J/m³.
pub(super) fn measure(
    state: &LevelSetState,
    density: impl Fn(IVec3) -> f32 + Sync,
    potential: impl Fn(DVec3) -> f64 + Sync,
    elastic: Option<impl Fn(IVec3) -> f64 + Sync>,
) -> Measure {
    let shown = &state.shown;
    let cell_volume = fine_cell_volume(shown);
    let (shares, middles) = fraction::cell_fractions_and_middles(shown);
    let topology = shown.topology();
    let lattice = *topology.lattice();
    let tiles: Vec<Measure> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| {
            let mut sum = Measure::default();
            for (local, &share) in shares.tile(slot).iter().enumerate() {
                if share > 0.0 {
                    let fine = topology.cell(slot, local);
                    let aside = lattice.cell_size * Vec3::from(middles.tile(slot)[local]);
                    let centre = lattice.centre(fine) + aside;
                    let velocity = sample_faces(&state.velocity, centre).as_dvec3();
                    let volume = f64::from(share) * cell_volume;
                    let cell = fine.div_euclid(IVec3::splat(FINE));
                    let mass = f64::from(density(cell)) * volume;
                    sum.volume += volume;
                    sum.mass += mass;
                    sum.momentum += mass * velocity;
                    sum.angular_momentum += centre.as_dvec3().cross(mass * velocity);
                    sum.kinetic_energy += 0.5 * mass * velocity.length_squared();
                    sum.potential_energy += mass * potential(centre.as_dvec3());
                    if let Some(elastic) = &elastic {
                        *sum.elastic_energy.get_or_insert_default() += volume * elastic(fine);
                    }
                }
            }
            sum
        })
        .collect();
    let mut total = Measure {
        particles: state.surface.particles.len(),
        expected_volume: state.expected_volume,
        max_speed: f64::from(max_speed(state)),
        elastic_energy: elastic.is_some().then_some(0.0),
        ..Measure::default()
    };
    for tile in tiles {
        total.volume += tile.volume;
        total.mass += tile.mass;
        total.momentum += tile.momentum;
        total.angular_momentum += tile.angular_momentum;
        total.kinetic_energy += tile.kinetic_energy;
        total.potential_energy += tile.potential_energy;
        if let (Some(total), Some(tile)) = (&mut total.elastic_energy, tile.elastic_energy) {
            *total += tile;
        }
    }
    total
}

/// Largest speed on the faces of cells with liquid. Liquid goes on inside walls, whose faces move with them, and faster the further
/// from their axis they are: those do not count.
pub(super) fn max_speed(state: &LevelSetState) -> f32 {
    let (phi, shown) = (&state.surface.phi, &state.shown);
    let topology = state.velocity[0].topology();
    let speeds: Vec<f32> = (0..topology.tile_count())
        .into_par_iter()
        .map(|slot| {
            let mut largest = 0.0_f32;
            for local in 0..topology.tile_cells() {
                let cell = topology.cell(slot, local);
                if shown.get(centre_node(cell)) < topology.lattice().cell_size {
                    let velocity = Vec3::from_array(std::array::from_fn(|axis| {
                        let node = face_node(axis, cell);
                        let walled = phi.get(node) < 0.0 && shown.get(node) >= 0.0;
                        let speed = state.velocity[axis].tile(slot)[local];
                        if walled { 0.0 } else { speed }
                    }));
                    largest = largest.max(velocity.length_squared());
                }
            }
            largest
        })
        .collect();
    speeds.into_iter().fold(0.0, f32::max).sqrt()
}

/// Volume in the cells of the fine lattice whose centres are where `inside` holds.
pub(super) fn volume_where(state: &LevelSetState, inside: &(dyn Fn(Vec3) -> bool + Sync)) -> f64 {
    let shares = fraction::cell_fractions(&state.shown);
    let topology = state.shown.topology();
    let lattice = *topology.lattice();
    let cells = ooze_commons::reduce::sum_indices(topology.tile_count(), |slot| {
        let tile = shares.tile(slot).iter().enumerate();
        tile.filter(|&(local, &share)| {
            share > 0.0 && inside(lattice.centre(topology.cell(slot, local)))
        })
        .map(|(_, &share)| f64::from(share))
        .sum()
    });
    cells * fine_cell_volume(&state.shown)
}

/// The particles of a frame: a marker at the centre of each cell of the fine lattice in the liquid. A marker's identity tells
/// its place.
pub(super) fn channels(state: &LevelSetState, setup: &LiquidSetup) -> Channels {
    let LiquidSetup {
        domain, materials, ..
    } = setup;
    let shown = &state.shown;
    let topology = shown.topology();
    let lattice = *topology.lattice();
    let size = FINE * domain.cells;
    let depth = domain.lower.z + 0.5 * domain.cell_size;
    let mut markers: Vec<(u32, Vec3)> = (0..topology.tile_count())
        .into_par_iter()
        .flat_map_iter(|slot| {
            (0..topology.tile_cells()).filter_map(move |local| {
                let cell = topology.cell(slot, local);
                let within = cell.cmpge(IVec3::ZERO) & cell.cmplt(size);
                let mut point = lattice.centre(cell);
                if domain.flat {
                    point.z = depth;
                }
                let inside = within.x && within.y && (within.z || domain.flat);
                (inside && shown.sample(point) < 0.0).then(|| {
                    let layer = if domain.flat { 0 } else { cell.z };
                    (((layer * size.y + cell.y) * size.x + cell.x) as u32, point)
                })
            })
        })
        .collect();
    markers.par_sort_unstable_by_key(|marker| marker.0);
    let velocity = markers
        .par_iter()
        .map(|&(_, point)| sample_faces(&state.velocity, point))
        .collect();
    let (identity, position): (Vec<u32>, Vec<Vec3>) = markers.into_iter().unzip();
    let mixture = &state.mixture;
    let material = position.par_iter();
    let material = material.map(|&point| mixture.material_at(point)).collect();
    let mut channels = Channels::default();
    let warmth = state.warmth.as_ref();
    let temperature = warmth.map(|warmth| warmth.show(mixture, &position, &mut channels));
    let cells = domain.lattice();
    let viscosity = position.par_iter().enumerate();
    let viscosity = viscosity
        .map(|(marker, &point)| {
            mixture.mean(cells.cell_of(point), |index| {
                let material = &materials[usize::from(index)];
                match &temperature {
                    Some(temperature) => material.viscosity_at(temperature[marker]),
                    None => material.viscosity,
                }
            })
        })
        .collect();
    state.channels.show(setup, &position, &mut channels);
    channels.insert("position", ChannelData::Vector(position));
    channels.insert("velocity", ChannelData::Vector(velocity));
    channels.insert("id", ChannelData::Word(identity));
    channels.insert("material", ChannelData::Byte(material));
    channels.insert("viscosity", ChannelData::Scalar(viscosity));
    channels
}

/// The level set of a frame, with the particles that it has lost, for surfaces with finer detail than it.
pub(super) fn level_set(state: &LevelSetState, air: Air) -> LevelSet {
    LevelSet {
        distance: state.shown.clone(),
        shares: state.mixture.shown(),
        escaped: escaped(state, air),
    }
}

/// Particles that the level set has lost. Those in walls are where the liquid would be without walls, and tell nothing.
fn escaped(state: &LevelSetState, air: Air) -> Vec<EscapedParticle> {
    let (phi, particles) = (&state.surface.phi, &state.surface.particles);
    let escaped = particles.escaped(phi, air).into_iter().filter(|&index| {
        let position = particles.position[index as usize];
        phi.sample(position) == state.shown.sample(position)
    });
    let escaped = escaped.map(|index| index as usize);
    escaped
        .map(|index| EscapedParticle {
            position: particles.position[index],
            radius: particles.radius[index],
            liquid: particles.liquid[index] != 0,
        })
        .collect()
}
