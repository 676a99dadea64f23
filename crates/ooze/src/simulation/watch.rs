//! What a user should know although the run goes on: liquid that is lost or gained, crowded or closed in, and solids that
//! jump. The bounds are stated here and in docs/output.md.

use glam::{IVec3, Vec3};
use ooze_core::{CROWDED, DensityError, Domain, FramePart, Measure, Obstacles, Packing, Solids};
use ooze_field::Lattice;
use rayon::prelude::*;

/// Share of the volume or mass of a liquid on a grid that may be missing or too much.
const GRID_BOUND: f64 = 0.01;
/// The same of particle liquids, which are compressible by design.
const PARTICLE_BOUND: f64 = 0.05;
/// Less than so many cells is no matter, or a few drops that are left would be told about.
const NEGLIGIBLE_CELLS: f64 = 1.0;
/// Mean compression of a particle liquid beyond which its particles are crowded.
const COMPRESSED: f64 = 0.05;
/// Share of a grid liquid's particles in crowded cells from which on it is worth telling.
const MANY: f64 = 1e-3;
/// Share of the liquid's volume that solids must leave too little for it to be told: room is measured by points.
const TIGHT: f64 = 0.02;
/// Cells that a solid may move in a sub-step.
const LONGEST_WAY: f64 = 1.0;

/// How an event about a solid that jumps begins.
const JUMP: &str = "a solid moved";

/// Knows what a run is to be held against.
#[derive(Clone, Debug)]
pub struct Watch {
    domain: Domain,
    /// Relative bound on volume and mass.
    bound: f64,
    /// Mass at the start in kilograms, where none can come or go.
    mass_at_start: Option<f64>,
}

impl Watch {
    /// Watches a liquid on a grid of that domain, or one of particles.
    pub fn new(domain: Domain, of_particles: bool) -> Self {
        Self {
            domain,
            bound: if of_particles {
                PARTICLE_BOUND
            } else {
                GRID_BOUND
            },
            mass_at_start: None,
        }
    }

    /// Has the mass watched as well, for a liquid that none is added to or taken from.
    pub fn with_mass(mut self, mass_at_start: f64) -> Self {
        self.mass_at_start = Some(mass_at_start);
        self
    }

    /// Largest speed of solids inside the domain in m/s.
    pub(super) fn speed_of(&self, solids: &dyn Solids) -> f32 {
        Obstacles::new(&self.domain, solids).max_speed()
    }

    /// Notes solids that have moved too far in a sub-step of `seconds` with that speed. One event a frame tells of the first.
    pub(super) fn note_jump(&self, speed: f32, seconds: f64, events: &mut Vec<String>) {
        let cells = f64::from(speed) * seconds / f64::from(self.domain.cell_size);
        if cells > LONGEST_WAY && !events.iter().any(|event| event.starts_with(JUMP)) {
            events.push(format!(
                "{JUMP} {cells:.1} cells in one sub-step; liquid in its way may be pressed together or left behind: try a smaller `time.cfl` or a larger `time.max_substeps`"
            ));
        }
    }

    /// What is to be told about a finished frame.
    pub(super) fn of_frame(
        &self,
        measure: &Measure,
        part: &FramePart,
        solids: &dyn Solids,
    ) -> Vec<String> {
        let mut events = Vec::new();
        let negligible = NEGLIGIBLE_CELLS * self.domain.lattice().cell_volume();
        let Measure {
            volume,
            expected_volume,
            mass,
            ..
        } = *measure;
        let off = volume - expected_volume;
        let is_off = off.abs() > negligible && off.abs() > self.bound * expected_volume;
        // Before the first step nothing can have been lost: surfaces of coarse liquids are just not measured better.
        if is_off && part.substeps > 0 {
            events.push(format!(
                "the liquid has {} volume than was seeded, emitted and drained",
                more_or_less(off / expected_volume)
            ));
        }
        if let Some(start) = self.mass_at_start {
            let off = mass / start - 1.0;
            if off.abs() > self.bound {
                events.push(format!(
                    "the liquid has {} mass than at the start, though none can come or go",
                    more_or_less(off)
                ));
            }
        }
        if measure.trapped > 0 {
            events.push(format!(
                "{} of {} particles are inside solids and have nowhere to go",
                measure.trapped, measure.particles
            ));
        }
        if let Some(DensityError { mean, .. }) = part.density_error
            && mean > COMPRESSED
        {
            events.push(format!(
                "particles are crowded: {:.1} % denser than at rest on average",
                100.0 * mean
            ));
        }
        events.extend(measure.packing.as_ref().and_then(crowding));
        if !events.is_empty() && expected_volume > 0.0 {
            events.extend(self.lack_of_room(expected_volume, solids));
        }
        events
    }

    /// Told where solids leave less room than a liquid needs, as a piston does that is pressed too far: nothing that happens to
    /// an incompressible liquid is right then.
    fn lack_of_room(&self, needed: f64, solids: &dyn Solids) -> Option<String> {
        if self.domain.has_open_sides() {
            return None;
        }
        let room = self.room_below((1.0 - TIGHT) * needed, solids)?;
        Some(format!(
            "solids leave {room:.3e} m³ of room for {needed:.3e} m³ of liquid: it is pressed together, or lost in them"
        ))
    }

    /// Volume of the domain that is free of solids, by the middles of its cells' octants, in cubic metres; none if it is not below
    /// `enough`, which the lowest layers mostly tell: to ask solids everywhere would take longer than a step.
    fn room_below(&self, enough: f64, solids: &dyn Solids) -> Option<f64> {
        let lattice = self.domain.lattice();
        let obstacles = Obstacles::new(&self.domain, solids);
        let cells = self.domain.cells;
        let is_free = |point: Vec3| {
            obstacles
                .nearest(point)
                .is_none_or(|(distance, _)| distance > 0.0)
        };
        let octants = |cell: IVec3| {
            (0..8).map(move |corner| {
                let steps = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2).as_vec3();
                lattice.to_world(cell.as_vec3() + 0.25 + 0.5 * steps)
            })
        };
        let mut free = 0;
        for y in 0..cells.y {
            let rows = (0..cells.z).into_par_iter().map(|z| {
                let row = (0..cells.x).map(|x| IVec3::new(x, y, z));
                let points = row.flat_map(octants);
                points.filter(|&point| is_free(point)).count()
            });
            free += rows.sum::<usize>();
            if volume_of(free, &lattice) >= enough {
                return None;
            }
        }
        Some(volume_of(free, &lattice))
    }
}

/// Volume of so many octants of cells in cubic metres.
fn volume_of(octants: usize, lattice: &Lattice) -> f64 {
    octants as f64 / 8.0 * lattice.cell_volume()
}

/// Told where particles on a grid share cells that have not the room for them.
fn crowding(packing: &Packing) -> Option<String> {
    (packing.crowded >= MANY).then(|| {
        format!(
            "particles are crowded: {:.1} % of them in cells of more than {CROWDED} times the density at rest, up to {:.1} times",
            100.0 * packing.crowded,
            packing.densest
        )
    })
}

/// A relative deviation in words.
fn more_or_less(share: f64) -> String {
    let word = if share > 0.0 { "more" } else { "less" };
    if share.is_finite() {
        format!("{:.1} % {word}", 100.0 * share.abs())
    } else {
        format!("much {word}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ooze_core::{Collider, Contact, KeyframedSolids, Side};
    use ooze_geometry::{Motion, Pose, Shape};

    use super::*;

    fn watch() -> Watch {
        let domain = Domain {
            lower: Vec3::ZERO,
            cell_size: 0.1,
            cells: IVec3::splat(10),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        };
        Watch::new(domain, false).with_mass(100.0)
    }

    fn events(volume: f64, expected_volume: f64, mass: f64, trapped: usize) -> Vec<String> {
        let measure = Measure {
            volume,
            expected_volume,
            mass,
            trapped,
            particles: 40,
            ..Measure::default()
        };
        let part = FramePart {
            substeps: 1,
            ..FramePart::default()
        };
        watch().of_frame(&measure, &part, &KeyframedSolids::new(Vec::new()))
    }

    #[test]
    fn what_is_within_the_bounds_is_not_told() {
        assert!(events(0.1009, 0.1, 100.9, 0).is_empty());
        // Half of a few drops that are left is less than a cell.
        assert!(events(0.0005, 0.001, 100.0, 0).is_empty());
        // All of it has left through an open side.
        assert!(events(0.0, 0.0, 100.0, 0).is_empty());
    }

    #[test]
    fn what_is_lost_gained_or_closed_in_is_told() {
        let told = events(0.31, 0.3, 94.9, 7);
        assert_eq!(
            told,
            [
                "the liquid has 3.3 % more volume than was seeded, emitted and drained",
                "the liquid has 5.1 % less mass than at the start, though none can come or go",
                "7 of 40 particles are inside solids and have nowhere to go",
            ]
        );
        assert_eq!(events(0.01, 0.0, 100.0, 0).len(), 1);
    }

    #[test]
    fn crowded_particles_of_a_grid_are_told() {
        let with = |crowded: f64| Packing {
            densest: 5.9,
            crowded,
            ..Packing::default()
        };
        assert_eq!(crowding(&with(0.0009)), None);
        let told = crowding(&with(0.013)).expect("more than a few");
        assert!(
            told.contains("1.3 % of them in cells of more than 3 times"),
            "{told}"
        );
    }

    #[test]
    fn solids_that_leave_too_little_room_are_named() {
        // A block between cell planes: it leaves 0.7 of the cubic metre.
        let half = Vec3::new(0.5, 0.15, 0.5);
        let shape = Shape::cuboid(Vec3::splat(0.5), half).expect("a fair box");
        let block = Collider {
            name: "block".into(),
            shape: Arc::new(shape),
            motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
            contact: Contact::default(),
        };
        let solids = KeyframedSolids::new(vec![block]);
        let watch = watch();
        let room = watch.room_below(f64::INFINITY, &solids);
        assert!(
            room.is_some_and(|room| (room - 0.7).abs() < 1e-6),
            "{room:?}"
        );
        assert_eq!(watch.room_below(0.69, &solids), None);
        assert!(watch.lack_of_room(0.7, &solids).is_none());
        assert!(watch.lack_of_room(0.8, &solids).is_some());
    }
}
