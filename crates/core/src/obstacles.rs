//! Everything solid that a liquid can meet: the bodies of the scene and the closed sides of the domain.

use glam::Vec3;
use ooze_geometry::{Aabb, Form, Pose};
use rayon::prelude::*;

use crate::held::held_body;
use crate::{BodyId, Contact, Domain, FreeBody, Side, Solid, Solids};

/// Sides of a domain, closed or open.
pub(crate) const SIDES: usize = 6;

/// A view of the solids and of the domain's sides under one numbering, at the start or at the end of a step: bodies first,
/// then six sides. Colliders that melt are no obstacles, but held liquid, and are numbered after those; bodies that melt are obstacles
/// until they are gone.
#[derive(Clone, Copy)]
pub struct Obstacles<'a> {
    domain: &'a Domain,
    solids: &'a [Solid],
    moment: Moment,
    /// Which solids are obstacles.
    bodies: Bodies,
}

/// A moment of a step at which solids have a place.
#[derive(Clone, Copy)]
enum Moment {
    Start,
    End,
}

/// Which solids are obstacles.
#[derive(Clone, Copy, PartialEq)]
enum Bodies {
    All,
    /// Those that are not free to follow the liquid.
    Driven,
    /// Those that do not melt.
    Lasting,
}

impl<'a> Obstacles<'a> {
    /// The obstacles of a scene at the end of the step, which between two steps is where they are.
    pub fn new(domain: &'a Domain, solids: &'a dyn Solids) -> Self {
        Self::of(domain, solids.all())
    }

    /// The same of solids as they were at a moment: within a step they may follow the liquid.
    pub fn of(domain: &'a Domain, solids: &'a [Solid]) -> Self {
        Self {
            domain,
            solids,
            moment: Moment::End,
            bodies: Bodies::All,
        }
    }

    /// The obstacles as they stand at the start of the step, when the liquid is still there: had they moved on alone, a wall
    /// that recedes would leave an empty gap to the liquid that follows it.
    pub fn at_start(self) -> Self {
        Self {
            moment: Moment::Start,
            ..self
        }
    }

    /// The obstacles without the solids that are free, for methods to which those are a part of the liquid. Numbers stay as they are.
    pub fn without_free(self) -> Self {
        Self {
            bodies: Bodies::Driven,
            ..self
        }
    }

    /// The obstacles without the bodies that melt, for heat, which passes through those as through liquid. Numbers stay as they are.
    pub fn without_melting(self) -> Self {
        Self {
            bodies: Bodies::Lasting,
            ..self
        }
    }

    /// The obstacles' bodies, the domain's sides not among them.
    pub fn solids(&self) -> &'a [Solid] {
        self.solids
    }

    fn pose<'b>(&self, solid: &'b Solid) -> &'b Pose {
        match self.moment {
            Moment::Start => &solid.start,
            Moment::End => &solid.end,
        }
    }

    /// What the body is, if it is no side of the domain.
    fn solid(&self, body: BodyId) -> Option<&'a Solid> {
        self.solids.get(usize::from(body.0))
    }

    /// All obstacles; open sides are none.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let count = self.solids.len();
        let sides = (0..SIDES).filter(|&side| self.closed(side).is_some());
        (0..count)
            .filter(|&index| self.is_there(index))
            .chain(sides.map(move |side| count + side))
            .map(|index| BodyId(index as u16))
    }

    fn is_there(&self, index: usize) -> bool {
        let solid = &self.solids[index];
        match self.bodies {
            Bodies::All => !solid.is_gone(),
            Bodies::Driven => solid.free.is_none(),
            Bodies::Lasting => solid.left.is_none(),
        }
    }

    /// What an obstacle weighs that is free to follow the liquid.
    pub fn free(&self, body: BodyId) -> Option<FreeBody> {
        let index = usize::from(body.0);
        let solid = self.solids.get(index)?;
        solid.free.filter(|_| self.is_there(index))
    }

    /// Number of the domain's side (x lower, x upper, y lower, ...) if the body is one.
    fn side(&self, body: BodyId) -> Option<usize> {
        usize::from(body.0).checked_sub(self.solids.len())
    }

    /// The body that is a solid which melts, by its number among those.
    pub fn held(&self, number: u8) -> BodyId {
        held_body(self.solids.len(), number)
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
        if let Some(solid) = self.solid(body) {
            return solid.distance(self.pose(solid), point);
        }
        let side = usize::from(body.0) - self.solids.len();
        let axis = side / 2;
        if side.is_multiple_of(2) {
            point[axis] - self.domain.lower[axis]
        } else {
            self.domain.upper()[axis] - point[axis]
        }
    }

    /// The centres of the solids that are balls, and none for the others.
    pub fn balls(&self) -> Vec<Option<Vec3>> {
        let centre = |solid: &Solid| match solid.shape.form() {
            Form::Sphere { centre, .. } => Some(self.pose(solid).to_world(centre)),
            _ => None,
        };
        self.solids.iter().map(centre).collect()
    }

    /// A box around an obstacle; infinite if it has none.
    pub fn bounds(&self, body: BodyId) -> Aabb {
        let solid = self.solid(body);
        solid.map_or(Aabb::EVERYTHING, |solid| solid.bounds(self.pose(solid)))
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

    /// The nearest point that is `clearance` away from the closed sides: where a body has driven liquid out of a domain in
    /// which it leaves no room.
    pub fn confined(&self, point: Vec3, clearance: f32) -> Vec3 {
        let mut confined = point;
        for side in (0..6).filter(|&side| self.closed(side).is_some()) {
            let axis = side / 2;
            confined[axis] = if side % 2 == 0 {
                confined[axis].max(self.domain.lower[axis] + clearance)
            } else {
                confined[axis].min(self.domain.upper()[axis] - clearance)
            };
        }
        confined
    }

    /// How many points are deeper than `depth` inside bodies that move: liquid that they have closed in on, and that has
    /// nowhere to go. What melts holds particles, and counts for nothing.
    pub fn trapped(&self, points: &[Vec3], depth: f32) -> usize {
        let moving: Vec<(BodyId, Aabb)> = (0..self.solids.len())
            .filter(|&index| !self.solids[index].fixed && self.solids[index].left.is_none())
            .map(|index| BodyId(index as u16))
            .map(|body| (body, self.bounds(body)))
            .collect();
        let inside = |point: &Vec3| {
            moving.iter().any(|&(body, bounds)| {
                bounds.contains(*point) && self.distance(body, *point) < -depth
            })
        };
        match moving.is_empty() {
            true => 0,
            false => points.par_iter().filter(|point| inside(point)).count(),
        }
    }

    /// Velocity of an obstacle's material at a point, the same at the start of the step and at its end.
    pub fn velocity(&self, body: BodyId, point: Vec3) -> Vec3 {
        let solid = self.solid(body);
        solid.map_or(Vec3::ZERO, |solid| solid.twist.velocity(point))
    }

    /// How liquid behaves at an obstacle.
    pub fn contact(&self, body: BodyId) -> Contact {
        match self.side(body) {
            None => self.solids[usize::from(body.0)].contact,
            Some(side) => self.closed(side).unwrap_or_default(),
        }
    }

    /// Heat in J/K that warms an obstacle by a kelvin; none if it keeps its temperature.
    pub fn heat_capacity(&self, body: BodyId) -> Option<f64> {
        self.solid(body)?.heat_capacity
    }

    /// Whether an obstacle never moves.
    pub fn is_fixed(&self, body: BodyId) -> bool {
        self.solid(body).is_none_or(|solid| solid.fixed)
    }

    /// Whether an obstacle is a side of the domain.
    pub fn is_side(&self, body: BodyId) -> bool {
        self.side(body).is_some()
    }

    /// Whether any obstacle moves in the step.
    pub fn any_moves(&self) -> bool {
        let mut solids = self.solids.iter().enumerate();
        solids.any(|(index, solid)| self.is_there(index) && solid.moves())
    }

    /// Where an obstacle's material is that was at `point` at the start of the step.
    pub fn carried(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.solid(body).map_or(point, |solid| solid.carried(point))
    }

    /// Largest speed of any obstacle inside the domain from now on.
    pub fn max_speed(&self) -> f32 {
        let region = Aabb::new(self.domain.lower, self.domain.upper());
        let speeds = self.solids.iter().map(|solid| solid.max_speed(region));
        speeds.fold(0.0, f32::max)
    }

    /// That of those that move freely; nothing if there are none.
    pub fn max_speed_of_bodies(&self) -> Option<f32> {
        let region = Aabb::new(self.domain.lower, self.domain.upper());
        let free = self.solids.iter().filter(|solid| solid.free.is_some());
        free.map(|solid| solid.max_speed(region)).reduce(f32::max)
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
    fn closed_sides_confine_and_open_ones_do_not() {
        let solids = KeyframedSolids::new(Vec::new());
        let domain = domain();
        let obstacles = Obstacles::new(&domain, &solids);
        let confined = obstacles.confined(Vec3::new(-4.0, 3.0, 1.0), 0.01);
        assert!(confined.abs_diff_eq(Vec3::new(0.01, 3.0, 0.99), 1e-6));
        let inside = Vec3::new(0.3, 0.5, 0.7);
        assert_eq!(obstacles.confined(inside, 0.01), inside);
    }

    #[test]
    fn obstacles_at_the_start_stand_where_they_came_from() {
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
        assert!((now.at_start().distance(BodyId(0), point) - before).abs() < 1e-6);
        assert!(now.distance(BodyId(0), point) > before + 0.05);
        // The ball's centre is at a height of 0.5 now: one of these is deep inside it.
        let points = [Vec3::splat(0.5), Vec3::new(0.5, 0.69, 0.5), Vec3::ZERO];
        assert_eq!(now.trapped(&points, 0.05), 1);
        // Sides stay where they are.
        assert_eq!(now.at_start().distance(BodyId(3), point), point.y);
    }

    /// A collider of some shape with keyframes.
    fn moving(shape: Shape, keys: &[Keyframe], spin: Option<Spin>) -> KeyframedSolids {
        let motion = Motion::new(Pose::IDENTITY, keys, spin).expect("a fair motion");
        KeyframedSolids::new(vec![Collider {
            name: "mover".into(),
            shape: Arc::new(shape),
            motion,
            contact: Contact::default(),
        }])
    }

    #[test]
    fn a_step_that_ends_on_the_last_keyframe_moves_the_collider() {
        let shape = Shape::sphere(Vec3::ZERO, 0.2).expect("a fair sphere");
        let key = |time, x| Keyframe {
            time,
            position: Some(Vec3::new(x, 0.5, 0.5)),
            interpolation: Interpolation::Linear,
            ..Keyframe::default()
        };
        let mut solids = moving(shape, &[key(0.0, 0.3), key(1.0, 0.7)], None);
        let domain = domain();
        let point = Vec3::splat(0.5);
        let mut steps = Vec::new();
        for time in [0.8, 0.9, 1.0] {
            solids.advance(time - 0.1, 0.1);
            steps.push(
                Obstacles::new(&domain, &solids)
                    .velocity(BodyId(0), point)
                    .x,
            );
        }
        assert!(
            steps.iter().all(|speed| (speed - 0.4).abs() < 1e-5),
            "{steps:?}"
        );
        // A step in which it comes to a stop half-way moves it half as far.
        solids.advance(0.95, 0.1);
        let obstacles = Obstacles::new(&domain, &solids);
        assert!((obstacles.velocity(BodyId(0), point).x - 0.2).abs() < 1e-5);
        assert!(obstacles.any_moves());
        assert_eq!(obstacles.max_speed(), 0.0);
        solids.advance(1.05, 0.1);
        assert!(!Obstacles::new(&domain, &solids).any_moves());
    }

    #[test]
    fn a_spinning_paddle_is_where_it_was_and_carries_its_material_along() {
        let paddle = Shape::cuboid(Vec3::ZERO, Vec3::new(0.3, 0.05, 0.1)).expect("a fair box");
        let spin = Spin {
            axis: Vec3::Z,
            revolutions_per_second: 1.0,
        };
        let mut solids = moving(paddle, &[], Some(spin));
        let domain = domain();
        let tip = Vec3::new(0.3, 0.02, 0.05);
        solids.advance(0.0, 0.1);
        let at_tip = |solids: &KeyframedSolids, time: f32| {
            let turned = glam::Quat::from_rotation_z(time * std::f32::consts::TAU) * tip;
            let obstacles = Obstacles::new(&domain, solids);
            let before = obstacles.at_start().distance(BodyId(0), turned);
            (turned, before, obstacles.carried(BodyId(0), turned))
        };
        let (_, distance, end) = at_tip(&solids, 0.0);
        assert!(distance.abs() < 1e-6, "{distance}");
        solids.advance(0.1, 0.1);
        let (start, distance, _) = at_tip(&solids, 0.1);
        assert!(distance.abs() < 1e-6, "{distance}");
        assert!(start.abs_diff_eq(end, 1e-6), "{start} {end}");
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
