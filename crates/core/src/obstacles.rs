//! Everything solid that a liquid can meet: the bodies of the scene and the closed sides of the domain.

use glam::Vec3;
use ooze_geometry::Aabb;

use crate::{BodyId, Contact, Domain, Side, Solids};

/// A view of the solids and of the domain's sides under one numbering: bodies first, then six sides.
#[derive(Clone, Copy)]
pub struct Obstacles<'a> {
    domain: &'a Domain,
    solids: &'a dyn Solids,
    /// Seconds before the solids' moment for which this view stands.
    earlier: f32,
}

impl<'a> Obstacles<'a> {
    /// The obstacles of a scene.
    pub fn new(domain: &'a Domain, solids: &'a dyn Solids) -> Self {
        Self {
            domain,
            solids,
            earlier: 0.0,
        }
    }

    /// The obstacles as they stood `seconds` ago, when the liquid is still there: had they moved on alone, a wall that
    /// recedes would leave an empty gap to the liquid that follows it.
    pub fn earlier(self, seconds: f32) -> Self {
        Self {
            earlier: seconds,
            ..self
        }
    }

    /// Where the material of a body that was at `point` then is now.
    fn followed(&self, body: BodyId, point: Vec3) -> Vec3 {
        if self.earlier == 0.0 || self.solids.is_fixed(body) {
            point
        } else {
            point + self.solids.velocity(body, point) * self.earlier
        }
    }

    /// The obstacles' bodies, the domain's sides not among them.
    pub fn solids(&self) -> &'a dyn Solids {
        self.solids
    }

    /// All obstacles; open sides are none.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let count = self.solids.count();
        let sides = (0..6).filter(|&side| self.closed(side).is_some());
        (0..count)
            .chain(sides.map(move |side| count + side))
            .map(|index| BodyId(index as u16))
    }

    /// Number of the domain's side (x lower, x upper, y lower, ...) if the body is one.
    fn side(&self, body: BodyId) -> Option<usize> {
        usize::from(body.0).checked_sub(self.solids.count())
    }

    fn closed(&self, side: usize) -> Option<Contact> {
        if self.domain.flat && side / 2 == 2 {
            return None;
        }
        match self.domain.sides[side / 2][side % 2] {
            Side::Closed(contact) => Some(contact),
            Side::Open => None,
        }
    }

    /// Signed distance to one obstacle, negative inside.
    pub fn distance(&self, body: BodyId, point: Vec3) -> f32 {
        match self.side(body) {
            None => self.solids.distance(body, self.followed(body, point)),
            Some(side) => {
                let axis = side / 2;
                if side % 2 == 0 {
                    point[axis] - self.domain.lower[axis]
                } else {
                    self.domain.upper()[axis] - point[axis]
                }
            }
        }
    }

    /// Direction in which the distance to one obstacle grows, from differences over `step` metres to either side.
    pub fn outward(&self, body: BodyId, point: Vec3, step: f32) -> Vec3 {
        if let Some(side) = self.side(body) {
            let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
            return Vec3::AXES[side / 2] * sign;
        }
        let slope = |axis: Vec3| {
            self.distance(body, point + axis * step) - self.distance(body, point - axis * step)
        };
        Vec3::from_array(Vec3::AXES.map(slope)).normalize_or_zero()
    }

    /// The nearest obstacle and its signed distance; none when there is no obstacle at all.
    pub fn nearest(&self, point: Vec3) -> Option<(f32, BodyId)> {
        self.bodies()
            .map(|body| (self.distance(body, point), body))
            .reduce(|best, other| if other.0 < best.0 { other } else { best })
    }

    /// Velocity of an obstacle's material at a point.
    pub fn velocity(&self, body: BodyId, point: Vec3) -> Vec3 {
        match self.side(body) {
            None => self.solids.velocity(body, point),
            Some(_) => Vec3::ZERO,
        }
    }

    /// How liquid behaves at an obstacle.
    pub fn contact(&self, body: BodyId) -> Contact {
        match self.side(body) {
            None => self.solids.contact(body),
            Some(side) => self.closed(side).unwrap_or_default(),
        }
    }

    /// Whether an obstacle never moves.
    pub fn is_fixed(&self, body: BodyId) -> bool {
        self.side(body).is_some() || self.solids.is_fixed(body)
    }

    /// Whether an obstacle is a side of the domain.
    pub fn is_side(&self, body: BodyId) -> bool {
        self.side(body).is_some()
    }

    /// Largest speed of any obstacle inside the domain.
    pub fn max_speed(&self) -> f32 {
        self.solids
            .max_speed(Aabb::new(self.domain.lower, self.domain.upper()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::IVec3;
    use ooze_geometry::{Interpolation, Keyframe, Motion, Pose, Shape, Spin};

    use super::*;
    use crate::{Collider, KeyframedSolids};

    fn domain() -> Domain {
        let mut sides = [[Side::Closed(Contact::default()); 2]; 3];
        sides[1][1] = Side::Open;
        Domain {
            lower: Vec3::ZERO,
            cell_size: 0.1,
            cells: IVec3::splat(10),
            flat: false,
            sides,
        }
    }

    #[test]
    fn closed_sides_are_obstacles_and_open_ones_are_not() {
        let solids = KeyframedSolids::new(Vec::new());
        let domain = domain();
        let obstacles = Obstacles::new(&domain, &solids);
        assert_eq!(obstacles.bodies().count(), 5);
        let (distance, floor) = obstacles.nearest(Vec3::new(0.5, 0.2, 0.5)).expect("walls");
        assert!((distance - 0.2).abs() < 1e-6);
        assert_eq!(floor, BodyId(2));
        // Above the open top the nearest obstacle is a side wall.
        let (distance, _) = obstacles.nearest(Vec3::new(0.5, 3.0, 0.45)).expect("walls");
        assert!((distance - 0.45).abs() < 1e-6);
    }

    #[test]
    fn earlier_obstacles_stand_where_they_came_from() {
        let shape = Shape::sphere(Vec3::ZERO, 0.2).expect("a fair sphere");
        let key = |time, height| Keyframe {
            time,
            position: Some(Vec3::new(0.5, height, 0.5)),
            interpolation: Interpolation::Linear,
            ..Keyframe::default()
        };
        let keys = [key(0.0, 0.3), key(1.0, 0.7)];
        let motion = Motion::new(Pose::IDENTITY, &keys, None).expect("fair keyframes");
        let mut solids = KeyframedSolids::new(vec![Collider {
            name: "ball".to_owned(),
            shape: Arc::new(shape),
            motion,
            contact: Contact::default(),
        }]);
        let domain = domain();
        let point = Vec3::new(0.6, 0.05, 0.45);
        solids.advance(0.0, 0.2);
        let before = Obstacles::new(&domain, &solids).distance(BodyId(0), point);
        solids.advance(0.2, 0.3);
        let now = Obstacles::new(&domain, &solids);
        assert!((now.earlier(0.3).distance(BodyId(0), point) - before).abs() < 1e-6);
        assert!(now.distance(BodyId(0), point) > before + 0.05);
        // Sides stay where they are.
        assert_eq!(now.earlier(0.3).distance(BodyId(3), point), point.y);
    }

    #[test]
    fn a_spinning_body_carries_its_surface() {
        let shape = Shape::sphere(Vec3::ZERO, 0.2).expect("a fair sphere");
        let pose = Pose {
            translation: Vec3::splat(0.5),
            ..Pose::IDENTITY
        };
        let spin = Spin {
            axis: Vec3::Y,
            revolutions_per_second: 0.5,
        };
        let motion = Motion::new(pose, &[], Some(spin));
        let mut solids = KeyframedSolids::new(vec![Collider {
            name: "ball".into(),
            shape: Arc::new(shape),
            motion: motion.expect("a fair motion"),
            contact: Contact::default(),
        }]);
        solids.advance(0.0, 0.25);
        let domain = domain();
        let obstacles = Obstacles::new(&domain, &solids);
        let point = Vec3::new(0.7, 0.5, 0.5);
        assert!(obstacles.distance(BodyId(0), point).abs() < 1e-6);
        let expected = Vec3::new(0.0, 0.0, -0.2 * std::f32::consts::PI);
        assert!(
            obstacles
                .velocity(BodyId(0), point)
                .abs_diff_eq(expected, 1e-5)
        );
        assert!(obstacles.max_speed() >= expected.length());
    }
}
