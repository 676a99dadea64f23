//! What walls get from the viscous stage.

use std::sync::Arc;

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{Collider, Contact, Impulse, ImpulsePart, StepReport, WallCondition, random};
use ooze_field::{FieldByAxis, face_fields};
use ooze_geometry::{Keyframe, Motion, Pose, Shape};

use super::{Case, closed, open_domain};
use crate::elasticity::Strain;
use crate::reactions::Reactions;
use crate::viscosity::faces::{Faces, face_position};
use crate::viscosity::system::masses;
use crate::viscosity::weights::Weights;
use crate::{SurfaceCondition, ViscosityScheme};

impl Case {
    /// Viscosity for `dt` seconds, and what it did to the solids.
    fn reaction(&self, velocity: &mut FieldByAxis<f32>, dt: f64) -> Vec<Impulse> {
        self.seen(|liquid| {
            let mut reactions = Reactions::new(liquid.obstacles);
            let mut known = face_fields(self.topology(), 1u8);
            let reports = (&mut reactions, &mut StepReport::default());
            let outcome = liquid.diffuse(velocity, &mut known, dt, reports);
            outcome.expect("the stage succeeds");
            reactions.of_obstacles(liquid.obstacles)
        })
    }
}

/// A box that moves along x at one metre a second.
pub(super) fn sliding(name: &str, lower: Vec3, upper: Vec3) -> Collider {
    let key = |time: f64| Keyframe {
        time,
        position: Some(Vec3::X * time as f32),
        ..Keyframe::default()
    };
    let shape = Shape::cuboid(0.5 * (lower + upper), 0.5 * (upper - lower));
    let motion = Motion::new(Pose::IDENTITY, &[key(-1.0), key(1.0)], None);
    Collider {
        name: name.into(),
        shape: Arc::new(shape.expect("a fair box")),
        motion: motion.expect("a fair motion"),
        contact: Contact {
            condition: WallCondition::NoSlip,
            friction: 0.0,
            heat: None,
        },
    }
}

#[test]
fn a_couette_plate_is_dragged_with_its_shear_stress() {
    let (cells, length, viscosity) = (16, 8.0, 3.0);
    for fraction in [0.0, 0.3, 0.8] {
        // A gap between the planes of the grid, under a plate in three parts: what the open ends do fades as exp(−π x/√2) in the
        // absence of pressure, a thousandth at the middle part. The parts overlap, or distances
        // would tell of cracks between them; where they do, the first counts.
        let cell_size = 1.0 / cells as f32;
        let gap = 1.0 + fraction * cell_size;
        let mut domain = open_domain(IVec3::new(8 * cells, cells + 4, 1), cell_size, true);
        domain.sides[1][0] = closed(WallCondition::NoSlip);
        let plate = |name: &str, from: f32, to: f32| {
            sliding(
                name,
                Vec3::new(from, gap, -9.0),
                Vec3::new(to, gap + 5.0, 9.0),
            )
        };
        let plates = vec![
            plate("left", -9.0, 3.0),
            plate("middle", 2.0, 5.0),
            plate("right", 4.0, 17.0),
        ];
        let half = 0.5 * length;
        let case = Case::new(domain, plates, |point| (point.x - half).abs() - half)
            .with_viscosity(viscosity);
        let mut velocity = case.velocity(|_| Vec3::ZERO);
        let dt = 50.0;
        case.reaction(&mut velocity, dt);
        let impulses = case.reaction(&mut velocity, dt);
        let force = impulses[1].viscous.linear / dt;
        let area = 2.0 * f64::from(cell_size);
        let expected = -f64::from(viscosity) * area / f64::from(gap);
        assert!(
            (force.x / expected - 1.0).abs() < 0.005,
            "{fraction}: {force} of {expected}"
        );
        let pressure = impulses[1].pressure.linear / dt;
        assert!(pressure.length() < 1e-3 * force.length(), "{pressure}");
        let total: DVec3 = impulses
            .iter()
            .map(|body| body.viscous.linear.with_y(0.0))
            .sum();
        assert!((total / dt).length() < 1e-3 * expected.abs(), "{total}");
    }
}

/// A ball of liquid around most of a ball that sticks to it, and a floor that it lies on.
pub(super) fn around_a_ball(condition: WallCondition, flat: bool) -> Case {
    let mut domain = open_domain(IVec3::splat(16), 1.0 / 16.0, flat);
    domain.sides[1][0] = closed(condition);
    let (centre, middle) = (
        Vec3::new(0.47, 0.32, 0.52),
        if flat { 1.0 / 32.0 } else { 0.5 },
    );
    let shape = Shape::sphere(centre.with_z(middle), 0.17);
    let ball = Collider {
        name: "ball".into(),
        shape: Arc::new(shape.expect("a fair ball")),
        motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
        contact: Contact {
            condition,
            friction: 0.0,
            heat: None,
        },
    };
    let centre = Vec3::new(0.5, 0.2, middle);
    Case::new(domain, vec![ball], move |point| {
        let point = if flat { point.with_z(middle) } else { point };
        point.distance(centre) - 0.36
    })
}

/// Noise on all faces.
pub(super) fn noise(case: &Case) -> FieldByAxis<f32> {
    let mut velocity = face_fields(case.topology(), 0.0);
    for (axis, field) in velocity.iter_mut().enumerate() {
        for (index, value) in field.values_mut().iter_mut().enumerate() {
            *value = random::uniform(axis as u64, index as u64) - 0.5;
        }
    }
    velocity
}

/// Linear and angular momentum of unknown faces, from their changes times their masses.
pub(super) fn momentum(faces: &Faces, changes: impl Iterator<Item = f64>) -> ImpulsePart {
    let topology = faces.row[0].topology();
    let volume = topology.lattice().cell_volume();
    let mut sum = ImpulsePart::ZERO;
    for (place, change) in faces.places.iter().zip(changes) {
        let axis = usize::from(place.axis);
        let point = face_position(topology, axis, IVec3::from_array(place.cell));
        sum += ImpulsePart::at(point.as_dvec3(), DVec3::AXES[axis] * (volume * change));
    }
    sum
}

/// What goes missing of the momentum of the liquid and of the solids together, relative to what is handed over.
pub(super) fn missing(gained: ImpulsePart, given: &[Impulse]) -> [f64; 2] {
    let mut sum = gained;
    for impulse in given {
        sum += impulse.total();
    }
    let share = |missing: DVec3, whole: DVec3| missing.length() / whole.length();
    [
        share(sum.linear, gained.linear),
        share(sum.angular, gained.angular),
    ]
}

/// The faces of a case with their masses.
fn masses_of(case: &Case) -> (Faces, Vec<f64>) {
    case.seen(|liquid| {
        let weights = match case.settings.scheme {
            ViscosityScheme::ImplicitExplicit | ViscosityScheme::Explicit => {
                Weights::by_whole_cells(&case.liquid)
            }
            _ => Weights::by_volume(&case.liquid),
        };
        let faces = Faces::number(liquid, &weights, None);
        let mass = masses(liquid, &faces, &weights, 0.0);
        (faces, mass)
    })
}

/// What goes missing in a step of viscosity from noise, and what the solids got.
fn balance(case: &Case) -> ([f64; 2], Vec<Impulse>) {
    let mut velocity = noise(case);
    let (faces, mass) = masses_of(case);
    let before = faces.velocities(&velocity);
    let given = case.reaction(&mut velocity, 0.02);
    let after = faces.velocities(&velocity);
    let changes = after.iter().zip(&before).zip(&mass);
    let gained = momentum(
        &faces,
        changes.map(|((after, before), mass)| mass * (after - before)),
    );
    (missing(gained, &given), given)
}

#[test]
fn what_the_liquid_loses_the_walls_get() {
    let schemes = [
        (ViscosityScheme::Variational, true),
        // Components that diffuse by themselves do not keep angular momentum.
        (ViscosityScheme::Decoupled(SurfaceCondition::Neumann), false),
        (ViscosityScheme::ImplicitExplicit, false),
        (ViscosityScheme::Explicit, true),
    ];
    for flat in [false, true] {
        for condition in [WallCondition::NoSlip, WallCondition::Slip] {
            for (scheme, keeps_spin) in schemes {
                let case = around_a_ball(condition, flat).with_scheme(scheme);
                let ([linear, angular], given) = balance(&case);
                assert!(
                    linear < 1e-4 && (angular < 1e-4 || !keeps_spin),
                    "{scheme:?} {condition:?} flat {flat}: {linear} {angular}"
                );
                let pushed = |impulse: &Impulse| impulse.viscous.linear.length() > 0.0;
                assert!(given.iter().all(pushed), "{given:?}");
            }
        }
    }
}

#[test]
fn elastic_stress_pulls_at_the_walls_that_hold_it() {
    let case = around_a_ball(WallCondition::NoSlip, false);
    let mut strain = Strain::zero(case.topology());
    for component in 0..6 {
        let values = strain.component_mut(component).values_mut().iter_mut();
        for (index, value) in values.enumerate() {
            *value = random::uniform(component as u64, index as u64) - 0.5;
        }
    }
    let (gained, given) = case.seen(|liquid| {
        let discretisation = liquid.discretisation();
        let rows = liquid.stress_rows(&discretisation);
        let push = liquid.impulses(&discretisation, &rows, &strain, 1.0);
        let mut reactions = Reactions::new(liquid.obstacles);
        liquid.react_to_push(&discretisation, &rows, &strain, 1.0, &mut reactions);
        let gained = momentum(&discretisation.faces, push.impulse.into_iter());
        (gained, reactions.of_obstacles(liquid.obstacles))
    });
    let [linear, angular] = missing(gained, &given);
    assert!(linear < 1e-5 && angular < 1e-5, "{linear} {angular}");
}
