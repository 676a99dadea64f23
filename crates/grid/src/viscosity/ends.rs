//! Where rows end at bodies that move along with the liquid.
//!
//! A row is made with the velocity that a wall is foretold to have, at the face beyond it. Its force acts on the body where the row
//! meets it (`reaction`), and what a body makes of that is known later. If strain grew with what was foretold, or with how the body
//! moves a part of a cell further in, it would store another work than its force does on the body, and light bodies, which stress
//! turns round within a step, would be shaken ever harder. So what counts is the velocity that the body has where the row meets it:
//! strain rates and forces are adjoint to one another then.

use ooze_field::FieldByAxis;

use crate::coupling::{FreeBodies, Six, work};

use super::reaction::WallRows;
use super::rows::{RowMaker, StrainRows};
use super::{Discretisation, StressRows, ViscousLiquid};

/// Where a row ends at a body.
#[derive(Clone, Copy)]
pub(super) struct BodyEnd {
    pub(super) row: usize,
    /// The body's number among the free ones.
    pub(super) number: usize,
    /// What the body's motion adds to the strain rate, as a push of that size.
    pub(super) entry: Six,
    /// What the row has of it already.
    foretold: f32,
}

/// All such places, in the order of the rows.
#[derive(Clone, Default)]
pub(super) struct BodyEnds(Vec<BodyEnd>);

impl BodyEnds {
    /// Finds them.
    pub(super) fn find(maker: &RowMaker<'_>, strain: &StrainRows, bodies: &FreeBodies) -> Self {
        if bodies.is_empty() {
            return Self::default();
        }
        let wall_velocity: &FieldByAxis<f32> = &maker.liquid.coupling.boundary.wall_velocity;
        let walls = WallRows::of(maker, &strain.rows, &strain.samples);
        let of_bodies = walls.ends().iter().filter_map(|end| {
            let number = bodies.number(end.body)?;
            let axis = usize::from(end.axis);
            let arm = bodies.arm(number, end.point);
            Some(BodyEnd {
                row: end.row as usize,
                number,
                entry: Six::push(axis, arm, f64::from(end.coefficient)),
                foretold: end.coefficient * wall_velocity[axis].get(end.face),
            })
        });
        Self(of_bodies.collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &BodyEnd> {
        self.0.iter()
    }

    /// Has the known parts of the rows' strain rates be those of bodies that move as they do now.
    pub(super) fn meet(&mut self, bodies: &FreeBodies, known: &mut [f32]) {
        for end in &mut self.0 {
            let rate = work(end.entry, bodies.velocity(end.number)) as f32;
            known[end.row] += rate - end.foretold;
            end.foretold = rate;
        }
    }
}

impl ViscousLiquid<'_> {
    /// Finds where the rows of a stress end at bodies.
    pub(crate) fn find_bodies(
        &self,
        discretisation: &Discretisation,
        bodies: &FreeBodies,
        rows: &mut StressRows,
    ) {
        let maker = self.stress_maker(&discretisation.weights, &discretisation.faces);
        rows.ends = BodyEnds::find(&maker, &rows.strain, bodies);
    }
}

impl StressRows {
    /// Has the liquid be strained as bodies move now.
    pub(crate) fn meet_bodies(&mut self, bodies: &FreeBodies) {
        self.ends.meet(bodies, &mut self.strain.known);
    }
}
