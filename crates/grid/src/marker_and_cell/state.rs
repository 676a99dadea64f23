//! What a checkpoint of a marker-and-cell liquid holds.

use glam::IVec3;
use ooze_commons::reduce;
use ooze_core::channel_rules::{expect_each, expect_speeds};
use ooze_core::lattice_channel::{insert_field, take_field};
use ooze_core::{ChannelError, Channels, Domain, Inventory, LiquidSetup, ParticleSet};
use ooze_field::{Field, FieldByAxis, Place};

use crate::level_set::on_common_tiles;

const VELOCITIES: [&str; 3] = ["velocity_x", "velocity_y", "velocity_z"];
const WET: &str = "wet";
const PRESSURE: &str = "pressure";

/// The state of a marker-and-cell liquid: everything that a later step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerState {
    /// The markers.
    pub markers: ParticleSet,
    /// What has come and gone.
    pub inventory: Inventory,
    /// Velocities on faces in m/s, continued around the liquid.
    pub velocity: FieldByAxis<f32>,
    /// One in the cells that were liquid in the last step.
    pub wet: Field<f32>,
    /// Pressure in pascals, which the next solve begins with.
    pub pressure: Field<f32>,
}

impl MarkerState {
    /// Markers of which no cell knows yet.
    pub(super) fn new(markers: ParticleSet, inventory: Inventory, domain: &Domain) -> Self {
        let topology =
            std::sync::Arc::new(ooze_field::TopologyBuilder::new(domain.lattice()).build());
        Self {
            markers,
            inventory,
            velocity: ooze_field::face_fields(&topology, 0.0),
            wet: Field::new(&topology, Place::Cell, 0.0),
            pressure: Field::new(&topology, Place::Cell, 0.0),
        }
    }

    /// The largest component of a velocity on faces with liquid on both sides, in m/s. Those at the surface are what continuity asks
    /// for, which may be several times as much where a cell borders on air all around; what moves with them is the markers.
    pub(super) fn fastest_inside(&self) -> f32 {
        let wet = |cell: IVec3| self.wet.get(cell) != 0.0;
        let fastest = |axis: usize| {
            let velocity = &self.velocity[axis];
            let topology = velocity.topology();
            let slots: Vec<usize> = (0..topology.tile_count()).collect();
            reduce::max(&slots, |&slot| {
                let inside = |local: usize| {
                    let face = topology.cell(slot, local);
                    wet(face) && wet(face - IVec3::AXES[axis])
                };
                let tile = velocity.tile(slot).iter().enumerate();
                let inside = tile.filter(|&(local, _)| inside(local));
                inside.fold(0.0, |most: f32, (_, value)| most.max(value.abs()))
            })
        };
        (0..3).map(fastest).fold(0.0, f32::max)
    }

    /// The state as channels.
    pub(super) fn save(&self) -> Channels {
        let mut saved = self.markers.save();
        self.inventory.save(&mut saved);
        for (name, velocity) in VELOCITIES.iter().zip(&self.velocity) {
            insert_field(&mut saved, name, velocity);
        }
        insert_field(&mut saved, WET, &self.wet);
        insert_field(&mut saved, PRESSURE, &self.pressure);
        saved
    }

    /// The state that [`MarkerState::save`] saved of markers that carry the same, in the same scene.
    pub(super) fn load(
        &self,
        mut saved: Channels,
        setup: &LiquidSetup,
    ) -> Result<Self, ChannelError> {
        let lattice = setup.domain.lattice();
        let inventory = Inventory::load(&mut saved, setup)?;
        let next_identity = inventory.next_identity;
        let mut component =
            |axis: usize| take_field(&mut saved, VELOCITIES[axis], lattice, Place::Face(axis));
        let velocity = on_common_tiles([component(0)?, component(1)?, component(2)?]);
        let wet = take_field(&mut saved, WET, lattice, Place::Cell)?;
        let pressure = take_field(&mut saved, PRESSURE, lattice, Place::Cell)?;
        let markers = self.markers.load(&mut saved, setup, next_identity)?;
        saved.expect_nothing_left()?;
        for (name, component) in VELOCITIES.iter().zip(&velocity) {
            let speeds = component.values().iter().copied();
            expect_speeds(name, speeds, &setup.domain)?;
        }
        let marks = || "0 for dry or 1 for wet".into();
        expect_each(WET, wet.values(), marks, |mark| mark == 0.0 || mark == 1.0)?;
        let finite = || "a finite number".into();
        expect_each(PRESSURE, pressure.values(), finite, f32::is_finite)?;
        Ok(Self {
            markers,
            inventory,
            velocity,
            wet,
            pressure,
        })
    }
}
