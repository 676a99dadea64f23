//! What the liquid does to the solids: the reaction of exactly what the solves impose at walls.
//!
//! The momentum of the liquid around a face is that of the part of a cell's volume which walls leave it, V. Pressure changes it
//! by −V δP, and since all δP add up to nothing, walls get (1 − V) δP. Where a wall shuts the face it gets δP, and what the
//! liquid there would have moved with, V (u − u_wall). In liquid at rest, where δP is what gravity adds in a step, both
//! together lift a body by the weight of just its volume, and the floor bears all of the liquid. Viscosity acts through the rows
//! of its solve that end at a wall (`viscosity::reaction`).
//!
//! A body that moves along with the liquid (`coupling`) gets what the solve itself takes it to get: of a face whose area it leaves
//! the share α open, (1 − α) δP where the centroid of that part is, and nothing of what a shut face would have moved with, which the
//! solve does not know either.
//!
//! A solid that melts is a wall of whole cells: it gets δP, and what the half of the face's volume that lies in the liquid would
//! have moved with. The other half is its own.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{BodyId, Impulse, ImpulsePart, Obstacles};
use ooze_field::{Field, FieldByAxis, TILE_EDGE};
use rayon::prelude::*;

use crate::boundary::Boundary;
use crate::pressure::Coupling;

/// Which part of an impulse something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Pressure,
    Viscous,
}

/// Momentum that the obstacles of a step, and the solids that melt, have got so far.
#[derive(Default)]
pub(crate) struct Reactions {
    /// By number; open sides have an entry that stays as it is, and so have solids that melt before one that was touched.
    bodies: Vec<Impulse>,
    /// The first number of a solid that melts.
    first_held: usize,
    /// Which solids move along with the liquid.
    free: Vec<bool>,
}

impl Reactions {
    /// Nothing yet.
    pub(crate) fn new(obstacles: &Obstacles<'_>) -> Self {
        let numbers = obstacles.bodies().map(|body| body.0);
        let count = numbers.max().map_or(0, |last| last + 1);
        Self {
            bodies: (0..count).map(|body| Impulse::none(BodyId(body))).collect(),
            first_held: usize::from(obstacles.held(1).0),
            free: obstacles
                .solids()
                .iter()
                .map(|solid| solid.free.is_some())
                .collect(),
        }
    }

    /// What a solid has got so far.
    pub(crate) fn of(&self, body: BodyId) -> Impulse {
        self.bodies[usize::from(body.0)]
    }

    /// Adds an impulse at a point.
    pub(crate) fn add(&mut self, part: Part, body: BodyId, point: DVec3, linear: DVec3) {
        let number = usize::from(body.0);
        let missing = self.bodies.len() as u16..=body.0;
        if number >= self.first_held {
            self.bodies
                .extend(missing.map(|body| Impulse::none(BodyId(body))));
        }
        let Some(impulse) = self.bodies.get_mut(number) else {
            return;
        };
        let sum = match part {
            Part::Pressure => &mut impulse.pressure,
            Part::Viscous => &mut impulse.viscous,
        };
        *sum += ImpulsePart::at(point, linear);
    }

    /// Adds what walls take from liquid that would move into them or away from them, with these velocities before pressure acts.
    /// `fall` is what outer forces have added to a velocity at a point: pressure takes that, and all that comes across the wall.
    pub(crate) fn hold(
        &mut self,
        coupling: &Coupling<'_>,
        obstacles: &Obstacles<'_>,
        velocity: &FieldByAxis<f32>,
        fall: impl Fn(Vec3) -> Vec3 + Sync,
    ) {
        let boundary = coupling.boundary;
        let half = |room: f32, liquid: f32| match liquid < 0.0 {
            true => 0.5 * room,
            false => 0.0,
        };
        // The share of a cell that is liquid before a shut face.
        let share = |face: WallFace| match face.of(&boundary.open[face.axis]) > 0.0 {
            true => 0.0,
            false => {
                let [room, liquid] = [&boundary.room, coupling.liquid];
                half(face.below(room), face.below(liquid)) + half(face.of(room), face.of(liquid))
            }
        };
        let free = self.free.clone();
        self.at_walls(coupling, share, |body, face, point, share| {
            if is_free(&free, body) {
                return (point, [Vec3::ZERO; 2]);
            }
            let WallFace { axis, cell, .. } = face;
            let mass = share / coupling.mobility(axis, cell);
            let (along_axis, fall) = (Vec3::AXES[axis], fall(point)[axis]);
            let wall_velocity = face.of(&boundary.wall_velocity[axis]);
            let stopped = face.of(&velocity[axis]) - wall_velocity - fall;
            let normal = boundary.outward(point);
            let across = match obstacles.contact(body).condition.holds() {
                true => normal * normal[axis],
                false => along_axis,
            };
            let pressure = along_axis * fall + across * stopped;
            let parts = [pressure * mass, (along_axis - across) * (stopped * mass)];
            (point, parts)
        });
        self.at_held(coupling, |face, above| {
            let share = match above {
                true => half(face.below(&boundary.room), face.below(coupling.liquid)),
                false => half(face.of(&boundary.room), face.of(coupling.liquid)),
            };
            let WallFace { axis, cell, .. } = face;
            let stopped = face.of(&velocity[axis]) - face.of(&boundary.wall_velocity[axis]);
            share / coupling.mobility(axis, cell) * stopped
        });
    }

    /// Adds the push of a pressure: `unknown` is that of a pressure solve, in m/s, zero where there is no liquid.
    pub(crate) fn press(&mut self, coupling: &Coupling<'_>, unknown: &Field<f32>) {
        let Boundary { open, room, .. } = coupling.boundary;
        let free = self.free.clone();
        self.press_by_share(coupling, unknown, |body, face| {
            let open = face.of(&open[face.axis]);
            match (is_free(&free, body), open > 0.0) {
                (true, _) => 1.0 - open,
                (false, true) => 1.0 - 0.5 * (face.below(room) + face.of(room)),
                (false, false) => 1.0,
            }
        });
    }

    /// The same where liquid was pushed by the open areas of faces that are unknown, told by axis and place in storage, on all walls but
    /// bodies that move along with the liquid: see [`Self::press_body`].
    pub(crate) fn press_between(
        &mut self,
        coupling: &Coupling<'_>,
        unknown: &Field<f32>,
        is_unknown: impl Fn(usize, usize) -> bool + Sync,
    ) {
        let open = &coupling.boundary.open;
        let cells = coupling.liquid.topology().tile_cells();
        let free = self.free.clone();
        self.press_by_share(coupling, unknown, |body, face| {
            match is_unknown(face.axis, face.slot * cells + face.local) {
                _ if is_free(&free, body) => 0.0,
                true => 1.0 - face.of(&open[face.axis]),
                false => 1.0,
            }
        });
    }

    /// Adds what a pressure does to a body that moves along with the liquid, by the equations that it was solved with.
    pub(crate) fn press_body(&mut self, impulse: Impulse) {
        if let Some(sum) = self.bodies.get_mut(usize::from(impulse.body.0)) {
            sum.pressure += impulse.pressure;
        }
    }

    /// Adds the share that walls get of the push of a pressure.
    fn press_by_share(
        &mut self,
        coupling: &Coupling<'_>,
        unknown: &Field<f32>,
        share: impl Fn(BodyId, WallFace) -> f32 + Sync,
    ) {
        let Boundary { open, room, .. } = coupling.boundary;
        let free = self.free.clone();
        // Where walls take nothing at all, they get nothing.
        let difference = |face: WallFace| match face.below(unknown) - face.of(unknown) {
            0.0 => 0.0,
            _ if face.of(&open[face.axis]) == 1.0
                && face.of(room) == 1.0
                && face.below(room) == 1.0 =>
            {
                0.0
            }
            difference => difference,
        };
        self.at_walls(coupling, difference, |body, face, point, difference| {
            let share = share(body, face);
            let is_shut_share = share == 1.0 - face.of(&open[face.axis]);
            let point = match is_free(&free, body) && is_shut_share {
                true => coupling.boundary.shut_point(face.axis, face.cell),
                false => point,
            };
            (
                point,
                [Vec3::AXES[face.axis] * (share * difference), Vec3::ZERO],
            )
        });
        self.at_held(coupling, |face, _| face.below(unknown) - face.of(unknown));
    }

    /// Adds pushes on faces at walls: the part of pressure and the viscous one, as velocities in m/s of a cell full of liquid of
    /// the reference density. `size` tells quickly how much there is to push with, mostly nothing; `push` makes the push of it, by
    /// body, face and the face's centre, and tells where it acts.
    fn at_walls(
        &mut self,
        coupling: &Coupling<'_>,
        size: impl Fn(WallFace) -> f32 + Sync,
        push: impl Fn(BodyId, WallFace, Vec3, f32) -> (Vec3, [Vec3; 2]) + Sync,
    ) {
        self.at_faces(coupling, |slot| {
            pushed_in_tile(coupling, slot, &size, &push)
        });
    }

    /// Adds pushes across the faces at which solids that melt end; `push` is told whether the solid is above the face.
    fn at_held(&mut self, coupling: &Coupling<'_>, push: impl Fn(WallFace, bool) -> f32 + Sync) {
        if coupling.boundary.holds() {
            let first = self.first_held;
            self.at_faces(coupling, |slot| {
                pushed_of_held(coupling, slot, first, &push)
            });
        }
    }

    /// Adds what is found tile by tile.
    fn at_faces(&mut self, coupling: &Coupling<'_>, found: impl Fn(usize) -> Vec<Pushed> + Sync) {
        let topology = coupling.liquid.topology();
        let mass = f64::from(coupling.reference_density) * topology.lattice().cell_volume();
        let tiles: Vec<Vec<Pushed>> = (0..topology.tile_count())
            .into_par_iter()
            .map(&found)
            .collect();
        for Pushed { body, point, parts } in tiles.into_iter().flatten() {
            for (part, velocity) in [Part::Pressure, Part::Viscous].into_iter().zip(parts) {
                if velocity != Vec3::ZERO {
                    self.add(part, body, point.as_dvec3(), mass * velocity.as_dvec3());
                }
            }
        }
    }

    /// The impulses on bodies, in their order, on the closed sides of the domain, and on solids that melt.
    pub(crate) fn of_obstacles(&self, obstacles: &Obstacles<'_>) -> Vec<Impulse> {
        let bodies = obstacles.bodies();
        let held = self.bodies.iter().skip(self.first_held).copied();
        bodies
            .map(|body| self.bodies[usize::from(body.0)])
            .chain(held)
            .collect()
    }
}

/// Whether a body is among those that move along with the liquid.
fn is_free(free: &[bool], body: BodyId) -> bool {
    free.get(usize::from(body.0)).is_some_and(|&free| free)
}

/// The lower face of a cell, near a wall.
#[derive(Clone, Copy)]
struct WallFace {
    axis: usize,
    cell: IVec3,
    /// The cell's tile, and its place there.
    slot: usize,
    local: usize,
}

impl WallFace {
    /// The value of the face, or of the cell above it.
    #[inline]
    fn of(self, field: &Field<f32>) -> f32 {
        field.tile(self.slot)[self.local]
    }

    /// The value of the cell below it.
    #[inline]
    fn below(self, field: &Field<f32>) -> f32 {
        let stride = (TILE_EDGE as usize).pow(self.axis as u32);
        if (self.local / stride).is_multiple_of(TILE_EDGE as usize) {
            field.get(self.cell - IVec3::AXES[self.axis])
        } else {
            field.tile(self.slot)[self.local - stride]
        }
    }
}

/// A face at a wall that is pushed.
struct Pushed {
    body: BodyId,
    point: Vec3,
    /// Impulses over the mass of a cell, in m/s: of pressure, and viscous.
    parts: [Vec3; 2],
}

/// The pushed faces of a tile.
fn pushed_in_tile(
    coupling: &Coupling<'_>,
    slot: usize,
    size: impl Fn(WallFace) -> f32,
    push: impl Fn(BodyId, WallFace, Vec3, f32) -> (Vec3, [Vec3; 2]),
) -> Vec<Pushed> {
    let (boundary, topology) = (coupling.boundary, coupling.liquid.topology());
    let mut found = Vec::new();
    if !boundary.near(slot) {
        return found;
    }
    let axes = topology.lattice().axes();
    let reach = topology.lattice().cell_size;
    for (local, distance) in boundary.distance.tile(slot).iter().enumerate() {
        // Walls have no share of what is around the cell's faces, nor liquid any deep inside them.
        if distance.abs() > 3.0 * reach {
            continue;
        }
        let cell = topology.cell(slot, local);
        for axis in 0..axes {
            let face = WallFace {
                axis,
                cell,
                slot,
                local,
            };
            let size = size(face);
            // What emitters drive is nobody's, and walls that let go bear nothing.
            if size == 0.0
                || boundary.is_driven(axis, slot, local)
                || boundary.is_released(axis, cell)
            {
                continue;
            }
            let point = boundary.open[axis].position(cell);
            if let Some(body) = boundary.body_at(point) {
                let (point, parts) = push(body, face, point, size);
                found.push(Pushed { body, point, parts });
            }
        }
    }
    found
}

/// The pushed faces of a tile at which solids that melt end, whose bodies are numbered from `first` on.
fn pushed_of_held(
    coupling: &Coupling<'_>,
    slot: usize,
    first: usize,
    push: impl Fn(WallFace, bool) -> f32,
) -> Vec<Pushed> {
    let (boundary, topology) = (coupling.boundary, coupling.liquid.topology());
    let axes = topology.lattice().axes();
    let faces = (0..topology.tile_cells()).flat_map(|local| {
        let cell = topology.cell(slot, local);
        (0..axes).map(move |axis| WallFace {
            axis,
            cell,
            slot,
            local,
        })
    });
    let found = faces.filter_map(|face| {
        let (number, above) = boundary.held_end(face.axis, face.cell)?;
        let push = push(face, above);
        (push != 0.0).then(|| Pushed {
            body: BodyId((first + usize::from(number) - 1) as u16),
            point: boundary.open[face.axis].position(face.cell),
            parts: [Vec3::AXES[face.axis] * push, Vec3::ZERO],
        })
    });
    found.collect()
}
