//! Mass and motion of a piece of liquid: what tells how it spins.

use glam::{DMat3, DVec3, Vec3};

/// Distance in cells from walls within which they hold a piece.
pub(crate) const CLEAR: f32 = 2.0;

/// The determinant of the inertia over the cube of its mean, or the moment about an axis over that mean, from which on a piece is
/// not slender: seven times the square of its width over its length.
const SLENDER: f64 = 0.05;

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
    ///
    /// A rotation about the length of a slender piece moves next to nothing, so that it would have to be as fast as the piece is
    /// thin. Such a piece turns about the axis of the angular momentum alone.
    pub(crate) fn rotation(&self, spin: DVec3, flat: bool) -> Option<DVec3> {
        let spread = self.spread - self.mass * outer(self.centre());
        let (xx, yy, zz) = (spread.x_axis.x, spread.y_axis.y, spread.z_axis.z);
        let rotation = if flat {
            DVec3::new(0.0, 0.0, spin.z / (xx + yy))
        } else {
            let inertia = DMat3::from_diagonal(DVec3::splat(xx + yy + zz)) - spread;
            let mean = 2.0 / 3.0 * (xx + yy + zz);
            if inertia.determinant() > SLENDER * mean.powi(3) {
                inertia.inverse() * spin
            } else {
                let axis = spin.normalize_or_zero();
                let moment = axis.dot(inertia * axis);
                (moment > SLENDER * mean).then(|| spin / moment)?
            }
        };
        rotation.is_finite().then_some(rotation)
    }
}

pub(crate) fn outer(vector: DVec3) -> DMat3 {
    DMat3::from_cols(vector * vector.x, vector * vector.y, vector * vector.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of particles along `along`, each aside by a ten-thousandth of the distance between them.
    fn row(along: Vec3, aside: Vec3) -> Moments {
        let mut moments = Moments::NONE;
        for (index, sign) in [(-1.0, 1.0), (0.0, -2.0), (1.0, 1.0)] {
            let position = Vec3::new(3.0, 5.0, 4.0) + index * along + 1e-4 * sign * aside;
            moments.add_particle(1.0, position, Vec3::ZERO);
        }
        moments
    }

    #[test]
    fn slender_pieces_turn_across_their_length_and_never_about_it() {
        let moments = row(Vec3::X, Vec3::Y);
        // 2 kg m² about either axis across; a tenth of the angular momentum points along the row.
        let rotation = moments.rotation(DVec3::new(0.1, 0.0, 1.0), false);
        let rotation = rotation.expect("it can turn about z");
        assert!((rotation.z - 0.5).abs() < 0.01, "{rotation}");
        assert!(rotation.length() < 0.6, "{rotation}");
        assert_eq!(moments.rotation(DVec3::X, false), None);
        assert_eq!(moments.rotation(DVec3::ZERO, false), None);
    }

    #[test]
    fn round_pieces_get_just_the_angular_momentum_that_is_asked_for() {
        let mut moments = row(Vec3::X, Vec3::Y);
        moments.add(&row(Vec3::Y, Vec3::Z));
        moments.add(&row(Vec3::Z, Vec3::X));
        let spin = DVec3::new(0.3, -0.2, 1.0);
        let rotation = moments.rotation(spin, false).expect("it can turn");
        assert!((4.0 * rotation - spin).length() < 1e-3, "{rotation}");
    }
}
