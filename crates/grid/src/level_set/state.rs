//! What a checkpoint of a level-set liquid holds.

use std::sync::Arc;

use glam::DVec3;
use ooze_core::channel_rules::{
    expect_counter, expect_each, expect_length, expect_near, expect_not_negative, expect_speeds,
};
use ooze_core::lattice_channel::{insert_field, take_field};
use ooze_core::{ChannelData, ChannelError, Channels, LiquidSetup, TracerCloud};
use ooze_field::level_set::{SurfaceParticles, TrackedSurface};
use ooze_field::{Field, FieldByAxis, Place, TopologyBuilder};

use super::channels::CellChannels;
use super::elastic;
use super::lattices::Cells;
use super::mixture::Mixture;
use super::volume::Pieces;
use super::warmth::Warmth;
use crate::elasticity::Strain;

const VELOCITIES: [&str; 3] = ["velocity_x", "velocity_y", "velocity_z"];
const DIAGONAL: [&str; 3] = ["strain_xx", "strain_yy", "strain_zz"];
const SHEAR: [&str; 3] = ["strain_yz", "strain_zx", "strain_xy"];

/// Cells beyond the domain up to which there may be particles: those near walls are continued into them.
const PARTICLE_MARGIN: f32 = 4.0;

/// The state of a level-set liquid: everything that a later step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSetState {
    /// The level set on the lattice of half the cell size, continued into solids, and its particles.
    pub surface: TrackedSurface,
    /// The same level set cut off by the solids: what there is to see.
    pub shown: Field<f32>,
    /// Velocities on faces, continued around the liquid.
    pub velocity: FieldByAxis<f32>,
    /// Elastic strain on cells and edges, continued around the liquid; none if the liquid is not elastic.
    pub strain: Option<Strain>,
    /// What the liquid is made of.
    pub mixture: Mixture,
    /// What is carried along with it.
    pub channels: CellChannels,
    /// How warm it is; none where heat makes no difference.
    pub warmth: Option<Warmth>,
    /// Volumes in cubic metres that the connected pieces of `shown` should have, in the order of their labels.
    pub piece_volumes: Vec<f64>,
    /// Angular momenta of the pieces of `shown` about their centres in kg m²/s, in the order of their labels: what transport
    /// must leave them. None of pieces that are not free; empty if no piece is.
    pub piece_spins: Vec<Option<DVec3>>,
    /// One for each solid that is a part of the liquid since the last step (`rigid_fluid`), zero for others; empty where none is free.
    pub immersed: Vec<u8>,
    /// Volume that each emitter has emitted so far, in cubic metres.
    pub emitted_volume: Vec<f64>,
    /// Volume that was there at the start and was emitted, less what was drained or left.
    pub expected_volume: f64,
    /// Points that show how it flows.
    pub tracers: TracerCloud,
}

/// Fields on the tiles that any of them has. What is saved lacks tiles that hold nothing.
pub(crate) fn on_common_tiles(fields: FieldByAxis<f32>) -> FieldByAxis<f32> {
    let builder = TopologyBuilder::new(*fields[0].topology().lattice());
    for field in &fields {
        for slot in 0..field.topology().tile_count() {
            builder.mark(field.topology().tile_lower(slot), 0);
        }
    }
    let topology = Arc::new(builder.build());
    fields.map(|field| {
        Field::from_cells(&topology, field.place(), field.outside(), |cell| {
            field.get(cell)
        })
    })
}

/// Numbers of each spin in a checkpoint: whether there is one, and its components.
const PACKED: usize = 4;

fn packed(spins: &[Option<DVec3>]) -> Vec<f64> {
    let numbers = spins.iter().map(|spin| match spin {
        Some(spin) => [1.0, spin.x, spin.y, spin.z],
        None => [0.0; PACKED],
    });
    numbers.flatten().collect()
}

fn unpacked(numbers: &[f64]) -> Result<Vec<Option<DVec3>>, ChannelError> {
    let whole = numbers.len().next_multiple_of(PACKED);
    expect_length("piece_spins", numbers, whole)?;
    let spins = numbers.chunks_exact(PACKED);
    Ok(spins
        .map(|spin| (spin[0] != 0.0).then(|| DVec3::new(spin[1], spin[2], spin[3])))
        .collect())
}

impl LevelSetState {
    /// The state as channels.
    pub(super) fn save(&self, setup: &LiquidSetup) -> Channels {
        let mut saved = Channels::default();
        insert_field(&mut saved, "phi", &self.surface.phi);
        insert_field(&mut saved, "shown", &self.shown);
        for (name, velocity) in VELOCITIES.iter().zip(&self.velocity) {
            insert_field(&mut saved, name, velocity);
        }
        if let Some(strain) = &self.strain {
            let names = DIAGONAL.iter().chain(&SHEAR);
            for (name, field) in names.zip(elastic::components(strain)) {
                insert_field(&mut saved, name, field);
            }
        }
        self.mixture.save(&mut saved);
        self.channels.save(setup, &mut saved);
        if let Some(warmth) = &self.warmth {
            warmth.save(&self.mixture, &mut saved);
        }
        if !setup.tracers.is_empty() {
            self.tracers.save(&mut saved);
        }
        let particles = self.surface.particles.clone();
        saved.insert("position", ChannelData::Vector(particles.position));
        saved.insert("radius", ChannelData::Scalar(particles.radius));
        saved.insert("liquid", ChannelData::Byte(particles.liquid));
        saved.insert("immersed", ChannelData::Byte(self.immersed.clone()));
        saved.insert("steps", ChannelData::Word(vec![self.surface.steps]));
        let doubles = [
            ("piece_volumes", self.piece_volumes.clone()),
            ("piece_spins", packed(&self.piece_spins)),
            ("emitted_volume", self.emitted_volume.clone()),
            ("expected_volume", vec![self.expected_volume]),
        ];
        for (name, values) in doubles {
            saved.insert(name, ChannelData::Double(values));
        }
        saved
    }

    /// The state that [`LevelSetState::save`] saved. It is `corrected` where the volumes of pieces are held, and `warm` where
    /// heat matters.
    pub(super) fn load(
        mut saved: Channels,
        setup: &LiquidSetup,
        elastic: bool,
        corrected: bool,
        warm: bool,
    ) -> Result<Self, ChannelError> {
        let lattice = setup.domain.lattice();
        let mixture = Mixture::load(&mut saved, setup)?;
        let channels = CellChannels::load(&mut saved, setup)?;
        let phi = take_field(&mut saved, "phi", lattice.refined(), Place::Node)?;
        let shown = take_field(&mut saved, "shown", lattice.refined(), Place::Node)?;
        let warmth = if warm {
            let tiles = Cells::around(&phi, lattice).topology;
            Some(Warmth::load(&mut saved, setup, &mixture, &tiles)?)
        } else {
            None
        };
        let strain = if elastic {
            let mut diagonal =
                |axis: usize| take_field(&mut saved, DIAGONAL[axis], lattice, Place::Cell);
            let diagonal = [diagonal(0)?, diagonal(1)?, diagonal(2)?];
            let mut shear =
                |axis: usize| take_field(&mut saved, SHEAR[axis], lattice, Place::Edge(axis));
            let shear = [shear(0)?, shear(1)?, shear(2)?];
            Some(Strain { diagonal, shear })
        } else {
            None
        };
        let mut component =
            |axis: usize| take_field(&mut saved, VELOCITIES[axis], lattice, Place::Face(axis));
        let velocity = on_common_tiles([component(0)?, component(1)?, component(2)?]);
        let tracers = match setup.tracers.is_empty() {
            true => TracerCloud::default(),
            false => TracerCloud::load(&mut saved, setup)?,
        };
        let position = saved.take_vectors("position")?;
        let radius = saved.take_scalars("radius")?;
        let liquid = saved.take_bytes("liquid")?;
        let immersed = saved.take_bytes("immersed")?;
        let steps = saved.take_words("steps")?;
        let piece_volumes = saved.take_doubles("piece_volumes")?;
        let piece_spins = unpacked(&saved.take_doubles("piece_spins")?)?;
        let emitted_volume = saved.take_doubles("emitted_volume")?;
        let expected_volume = saved.take_doubles("expected_volume")?;
        expect_length("radius", &radius, position.len())?;
        expect_length("liquid", &liquid, position.len())?;
        expect_length("steps", &steps, 1)?;
        expect_length("emitted_volume", &emitted_volume, setup.emitters.len())?;
        expect_length("expected_volume", &expected_volume, 1)?;
        expect_near("position", &position, &setup.domain, PARTICLE_MARGIN)?;
        for (name, component) in VELOCITIES.iter().zip(&velocity) {
            let speeds = component.values().iter().copied();
            expect_speeds(name, speeds, &setup.domain)?;
        }
        expect_not_negative("radius", &radius)?;
        expect_each(
            "liquid",
            &liquid,
            || "0 for air or 1 for liquid".into(),
            |side| side <= 1,
        )?;
        expect_each(
            "immersed",
            &immersed,
            || "0 for dry or 1 for immersed".into(),
            |wet| wet <= 1,
        )?;
        expect_counter("steps", steps[0])?;
        expect_not_negative("emitted_volume", &emitted_volume)?;
        if corrected {
            let pieces = Pieces::find(&shown).count() + 1;
            expect_length("piece_volumes", &piece_volumes, pieces)?;
            expect_not_negative("piece_volumes", &piece_volumes)?;
            if !piece_spins.is_empty() {
                expect_length("piece_spins", &piece_spins, pieces)?;
            }
        }
        Ok(Self {
            surface: TrackedSurface {
                phi,
                particles: SurfaceParticles {
                    position,
                    radius,
                    liquid,
                },
                steps: steps[0],
                seed: setup.seed,
            },
            shown,
            velocity,
            strain,
            mixture,
            channels,
            warmth,
            piece_volumes,
            piece_spins,
            immersed,
            emitted_volume,
            expected_volume: expected_volume[0],
            tracers,
        })
    }
}
