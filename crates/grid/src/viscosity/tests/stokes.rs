//! Pressure and viscosity solved for as one.

use std::sync::Arc;

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{Impulse, StepReport, WallCondition};
use ooze_field::{Field, FieldByAxis, Place, face_fields};
use ooze_geometry::{Motion, Pose, Shape};

use super::reaction::{around_a_ball, missing, momentum, noise, sliding};
use super::{Case, closed, open_domain};
use crate::coupling::{BodyFaces, FreeBodies};
use crate::reactions::Reactions;
use crate::viscosity::CellViscosity;
use crate::viscosity::stokes::LEAST_SHARE;
use crate::viscosity::stokes::cells::PressedFaces;
use crate::viscosity::system::masses;
use crate::viscosity::weights::Weights;

/// What a step of both leaves.
struct Outcome {
    report: StepReport,
    /// As velocities, in m/s.
    pressure: Field<f32>,
    impulses: Vec<Impulse>,
}

impl Case {
    fn flow(&self, velocity: &mut FieldByAxis<f32>, dt: f64) -> Outcome {
        let mut report = StepReport::default();
        let mut known = face_fields(self.topology(), 1u8);
        self.seen(|liquid| {
            let mut reactions = Reactions::new(liquid.obstacles);
            let reports = (&mut reactions, &mut report);
            let none = (&FreeBodies::default(), &BodyFaces::default());
            let pressure = liquid.flow(velocity, &mut known, dt, none, reports);
            let impulses = reactions.of_obstacles(liquid.obstacles);
            let pressure = pressure.expect("the stage succeeds").expect("a solution");
            assert_eq!(report.events, Vec::<String>::new());
            Outcome {
                report,
                pressure,
                impulses,
            }
        })
    }

    /// The largest flow out of a cell that is mostly liquid, in m/s.
    fn largest_outflow(&self, velocity: &FieldByAxis<f32>) -> f32 {
        let weights = Weights::by_volume(&self.liquid);
        let topology = self.topology();
        let mut largest = 0.0f32;
        for slot in 0..topology.tile_count() {
            for local in 0..topology.tile_cells() {
                if weights.cells.tile(slot)[local] < 0.6 {
                    continue;
                }
                let cell = topology.cell(slot, local);
                let mut outflow = 0.0;
                let mut open_at_all = false;
                for axis in 0..self.domain.dimensions() {
                    for (face, sign) in [(cell, -1.0), (cell + IVec3::AXES[axis], 1.0)] {
                        let open = self.boundary.open[axis].get(face);
                        let wall = self.boundary.wall_velocity[axis].get(face);
                        outflow += sign * (open * velocity[axis].get(face) + (1.0 - open) * wall);
                        open_at_all |= open > 0.0;
                    }
                }
                if open_at_all {
                    largest = largest.max(outflow.abs());
                }
            }
        }
        largest
    }
}

fn iterations(outcome: &Outcome) -> u32 {
    let solves = outcome.report.solves.iter();
    solves
        .map(|(_, solve)| solve.iterations_max)
        .max()
        .unwrap_or(0)
}

/// A ball, or a disc, whose surface lies anywhere between cells.
fn ball(flat: bool) -> Case {
    let cells = if flat {
        IVec3::new(24, 24, 1)
    } else {
        IVec3::splat(24)
    };
    let centre = 0.5 * cells.as_vec3() + Vec3::new(0.31, -0.17, 0.0);
    Case::new(open_domain(cells, 1.0, flat), Vec::new(), move |point| {
        let way = point - centre;
        let way = if flat { way.with_z(0.0) } else { way };
        way.length() - 7.3
    })
}

#[test]
fn rigid_motion_takes_no_iteration() {
    for flat in [true, false] {
        for viscosity in [0.1, 100.0, 1e6] {
            let case = ball(flat).with_viscosity(viscosity);
            let rigid = |point: Vec3| {
                let spin = Vec3::new(0.0, 0.0, 0.7).cross(point - 12.0);
                Vec3::new(0.3, -2.0, 0.0) + spin
            };
            let mut velocity = case.velocity(rigid);
            let before = velocity.clone();
            let outcome = case.flow(&mut velocity, 1.0);
            assert_eq!(iterations(&outcome), 0, "flat {flat}, {viscosity}");
            for (now, before) in velocity.iter().zip(&before) {
                for (now, before) in now.values().iter().zip(before.values()) {
                    assert!((now - before).abs() < 2e-3, "{now} {before}");
                }
            }
        }
    }
}

#[test]
fn strips_of_any_thickness_resist_as_trouton_has_it() {
    for flat in [true, false] {
        let trouton = if flat { 4.0 } else { 3.0 };
        for (half, shift) in [(1.0, 0.0), (1.5, 0.3), (2.2, 0.45), (3.0, 0.1)] {
            let cells = IVec3::new(40, 14, if flat { 1 } else { 14 });
            let (centre, length) = (0.5 * cells.as_vec3() + Vec3::new(0.0, shift, 0.0), 14.0);
            let case = Case::new(open_domain(cells, 1.0, flat), Vec::new(), move |point| {
                let beyond = (point - centre).abs() - Vec3::new(length, half, half);
                let beyond = if flat { beyond.with_z(-1.0) } else { beyond };
                beyond.max_element()
            })
            .with_viscosity(10.0);
            let dt = 1e4;
            // Weight away from the middle: the tension there is half of the square of half the length, at density one.
            let mut velocity = case.velocity(|point| Vec3::X * (point - centre).x * dt as f32);
            let outcome = case.flow(&mut velocity, dt);
            let middle = (centre - 0.5).as_ivec3();
            let growth = velocity[0].get(middle + IVec3::X) - velocity[0].get(middle);
            let resists = 0.5 * length * length / growth / 10.0;
            assert!(
                (resists / trouton - 1.0).abs() < 0.03,
                "flat {flat}, {half}, {shift}: {resists}"
            );
            assert!(iterations(&outcome) <= 40, "{}", iterations(&outcome));
        }
    }
}

/// Where the lid of a slot is, in cells.
const LID: f32 = 12.0;

/// A slot whose lid glides over a floor at any height.
fn lid_slot(floor: f32) -> Case {
    let width = 8.0 * LID;
    let cells = IVec3::new(width as i32, LID as i32 + 4, 1);
    let mut domain = open_domain(cells, 1.0, true);
    domain.sides[0] = [closed(WallCondition::NoSlip); 2];
    let far = Vec3::new(width + 9.0, 9.0, 9.0);
    let lid = sliding("lid", Vec3::new(-9.0, LID, -9.0), far.with_y(LID + 20.0));
    let mut ground = sliding("ground", Vec3::new(-9.0, -20.0, -9.0), far.with_y(floor));
    ground.motion = Motion::fixed(Pose::IDENTITY).expect("a fair pose");
    Case::new(domain, vec![lid, ground], |_| -5.0)
}

#[test]
fn walls_do_not_slip_where_pressure_drives_the_flow() {
    for floor in [0.0, 0.25, 0.6, 0.9] {
        for viscosity in [1.0, 100.0, 1e4, 1e6] {
            let case = lid_slot(floor).with_viscosity(viscosity);
            let mut velocity = case.velocity(|_| Vec3::ZERO);
            // Long enough for inertia to be over.
            for _ in 0..if viscosity < 1e4 { 60 } else { 2 } {
                case.flow(&mut velocity, 20.0);
            }
            let mut worst = 0.0f32;
            for row in 1..LID as i32 {
                let height = (row as f32 + 0.5 - floor) / (LID - floor);
                let exact = 3.0 * height * height - 2.0 * height;
                let face = IVec3::new(4 * LID as i32, row, 0);
                worst = worst.max((velocity[0].get(face) - exact).abs());
            }
            assert!(worst < 0.008, "{floor}, {viscosity}: {worst}");
        }
    }
}

#[test]
fn nothing_flows_out_of_liquid_and_energy_falls() {
    for flat in [false, true] {
        for condition in [WallCondition::NoSlip, WallCondition::Slip] {
            for viscosity in [1e-3, 0.1, 10.0, 1e4] {
                let case = around_a_ball(condition, flat).with_viscosity(viscosity);
                let mut velocity = noise(&case);
                let before = case.energy(&velocity);
                case.flow(&mut velocity, 0.02);
                let after = case.energy(&velocity);
                assert!(after <= before, "{before} {after}");
                let outflow = case.largest_outflow(&velocity);
                let scale = (after / before).sqrt() as f32;
                assert!(
                    outflow < 1e-3 * scale.max(1e-3),
                    "{condition:?} flat {flat}, {viscosity}: {outflow} {scale}"
                );
            }
        }
    }
}

#[test]
fn viscosity_of_any_contrast_takes_few_iterations() {
    for contrast in [1.0f32, 1e2, 1e4, 1e6, 1e8] {
        for soft_inside in [false, true] {
            let mut case = ball(false);
            let centre = Vec3::new(12.3, 11.8, 12.0);
            let cells = Field::from_points(case.topology(), Place::Cell, 0.0, |point| {
                let inside = (point - centre).length() < 4.0;
                if inside == soft_inside { 1.0 } else { contrast }
            });
            case.viscosity = CellViscosity::Varying {
                cells,
                largest: contrast,
            };
            let mut velocity = case.velocity(|point| {
                let way = point - centre;
                Vec3::new(way.x, -0.5 * way.y, 0.3 * way.x)
            });
            let outcome = case.flow(&mut velocity, 1.0);
            let taken = iterations(&outcome);
            assert!(taken <= 40, "{contrast} {soft_inside}: {taken}");
        }
    }
}

#[test]
fn thick_liquid_that_glides_along_walls_takes_few_iterations() {
    for flat in [true, false] {
        for viscosity in [10.0, 100.0, 1e4, 1e6] {
            let case = around_a_ball(WallCondition::Slip, flat).with_viscosity(viscosity);
            let mut velocity = case.velocity(|_| Vec3::NEG_Y);
            let outcome = case.flow(&mut velocity, 0.02);
            let taken = iterations(&outcome);
            assert!(taken <= 20, "flat {flat}, {viscosity}: {taken}");
            let outflow = case.largest_outflow(&velocity);
            assert!(outflow < 1e-3, "flat {flat}, {viscosity}: {outflow}");
        }
    }
}

#[test]
fn films_on_walls_take_few_iterations_wherever_they_have_set() {
    let centre = Vec3::splat(12.0) + Vec3::new(0.3, -0.2, 0.1);
    let mut ball = sliding("ball", Vec3::ZERO, Vec3::ONE);
    ball.shape = Arc::new(Shape::sphere(centre, 7.4).expect("a fair ball"));
    ball.motion = Motion::fixed(Pose::IDENTITY).expect("a fair pose");
    let domain = open_domain(IVec3::splat(24), 1.0, false);
    let mut case = Case::new(domain, vec![ball], |point| point.distance(centre) - 9.9);
    for contrast in [1e2f32, 1e5, 1e8] {
        // As melt that sets on its way down.
        case.viscosity = CellViscosity::Varying {
            cells: Field::from_points(case.topology(), Place::Cell, 0.0, |point| {
                100.0 * contrast.powf((0.7 - 0.05 * (point - centre).y).clamp(0.0, 1.0))
            }),
            largest: 100.0 * contrast,
        };
        let mut velocity = case.velocity(|_| Vec3::NEG_Y);
        let outcome = case.flow(&mut velocity, 1.0);
        let taken = iterations(&outcome);
        assert!(taken <= 30, "{contrast}: {taken}");
    }
}

#[test]
fn what_the_liquid_loses_the_walls_get_of_both() {
    for flat in [false, true] {
        let case = around_a_ball(WallCondition::NoSlip, flat);
        let mut velocity = noise(&case);
        let (faces, mass) = case.seen(|liquid| {
            let weights = Weights::by_volume(&case.liquid);
            let faces = PressedFaces::find(liquid, &weights).faces;
            let mass = masses(liquid, &faces, &weights, LEAST_SHARE);
            (faces, mass)
        });
        let before = faces.velocities(&velocity);
        let outcome = case.flow(&mut velocity, 0.02);
        let after = faces.velocities(&velocity);
        let changes = after.iter().zip(&before).zip(&mass);
        let gained = momentum(
            &faces,
            changes.map(|((after, before), mass)| mass * (after - before)),
        );
        let [linear, angular] = missing(gained, &outcome.impulses);
        assert!(linear < 1e-3 && angular < 1e-3, "{linear} {angular}");
        let pressed: DVec3 = outcome
            .impulses
            .iter()
            .map(|body| body.pressure.linear)
            .sum();
        assert!(pressed.length() > 0.0);
        assert!(outcome.pressure.values().iter().any(|&value| value != 0.0));
    }
}
