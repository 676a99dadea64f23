//! Mass and motion of a piece of liquid: what tells how it spins.

use glam::{DMat3, DVec3, Vec3};

/// Distance in cells from walls within which they hold a piece.
pub(crate) const CLEAR: f32 = 2.0;

/// Mass and what it does, summed over the particles, or the faces, of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    pub(crate) mass: f64,
    /// Mass times position.
    place: DVec3,
    pub(crate) momentum: DVec3,
    /// Angular momentum about the origin.
    turn: DVec3,
    /// Mass times the outer product of the position with itself.
    spread: DMat3,
}

impl Moments {
    /// Of no particles.
    pub(crate) const NONE: Self = Self {
        mass: 0.0,
        place: DVec3::ZERO,
        momentum: DVec3::ZERO,
        turn: DVec3::ZERO,
        spread: DMat3::ZERO,
    };

    /// Those of each piece, entry 0 for what belongs to none, from the tiles' parts with their pieces.
    pub(crate) fn gathered(tiles: &[Vec<(usize, Self)>], pieces: usize) -> Vec<Self> {
        let mut moments = vec![Self::NONE; pieces + 1];
        for (piece, part) in tiles.iter().flatten() {
            moments[*piece].add(part);
        }
        moments
    }

    pub(crate) fn add_particle(&mut self, mass: f64, position: Vec3, velocity: Vec3) {
        let (position, velocity) = (position.as_dvec3(), velocity.as_dvec3());
        self.mass += mass;
        self.place += mass * position;
        self.momentum += mass * velocity;
        self.turn += mass * position.cross(velocity);
        self.spread += mass * outer(position);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.place += other.place;
        self.momentum += other.momentum;
        self.turn += other.turn;
        self.spread += other.spread;
    }

    pub(crate) fn centre(&self) -> DVec3 {
        self.place / self.mass
    }

    /// Angular momentum about the centre of mass.
    pub(crate) fn spin(&self) -> DVec3 {
        self.turn - self.centre().cross(self.momentum)
    }

    /// The rotation in rad/s that has an angular momentum; none if the piece is too slender to tell.
    pub(crate) fn rotation(&self, spin: DVec3, flat: bool) -> Option<DVec3> {
        let spread = self.spread - self.mass * outer(self.centre());
        let (xx, yy, zz) = (spread.x_axis.x, spread.y_axis.y, spread.z_axis.z);
        let rotation = if flat {
            DVec3::new(0.0, 0.0, spin.z / (xx + yy))
        } else {
            let inertia = DMat3::from_diagonal(DVec3::splat(xx + yy + zz)) - spread;
            inertia.inverse() * spin
        };
        rotation.is_finite().then_some(rotation)
    }
}

pub(crate) fn outer(vector: DVec3) -> DMat3 {
    DMat3::from_cols(vector * vector.x, vector * vector.y, vector * vector.z)
}
