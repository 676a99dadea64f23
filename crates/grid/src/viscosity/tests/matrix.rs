//! The weights, the rows and the matrix.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::WallCondition;
use ooze_core::random::uniform;
use ooze_field::Field;
use proptest::prelude::*;

use super::super::faces::Faces;
use super::super::rows::{Air, Form, RowMaker};
use super::super::system::ViscousSystem;
use super::super::weights::Weights;
use super::{Case, closed, open_domain};

/// Balls of liquid at random places, some across walls, some thinner than a cell.
fn balls(seed: u64, cells: f32, flat: bool) -> impl Fn(Vec3) -> f32 + Sync {
    move |point| {
        let ball = |index: u64| {
            let pick = |axis: u64| uniform(seed, 8 * index + axis);
            let mut centre = Vec3::new(pick(0), pick(1), pick(2)) * cells;
            if flat {
                centre.z = point.z;
            }
            point.distance(centre) - (0.4 + 0.25 * cells * pick(3))
        };
        (0..6).map(ball).fold(f32::INFINITY, f32::min)
    }
}

fn assembled(case: &Case, form: Form, dt: f64) -> (ViscousSystem, Faces) {
    case.seen(|liquid| {
        let weights = Weights::by_volume(&case.liquid);
        let faces = Faces::number(liquid, &weights, None);
        let maker = RowMaker {
            liquid,
            weights: &weights,
            faces: &faces,
            form,
            air: Air::Unknown,
            least_theta: 0.05,
            least_share: 0.0,
        };
        let system = ViscousSystem::assemble(&maker, dt).expect("a fair system");
        (system, faces)
    })
}

/// A random liquid in a box with one slippery side and five that hold it.
fn walled(seed: u64, flat: bool) -> Case {
    let mut domain = open_domain(IVec3::splat(12), 1.0, flat);
    domain.sides = [[closed(WallCondition::NoSlip); 2]; 3];
    domain.sides[0][1] = closed(WallCondition::Slip);
    Case::new(domain, Vec::new(), balls(seed, 12.0, flat))
}

#[test]
fn the_matrix_is_exactly_symmetric() {
    for flat in [false, true] {
        for form in [
            Form::Strain,
            Form::Gradient {
                traction_free: false,
            },
        ] {
            let (system, _) = assembled(&walled(5, flat), form, 37.3);
            assert!(system.matrix.size() > 50);
            assert_eq!(system.matrix.asymmetry(), None);
        }
    }
}

#[test]
fn rigid_motion_has_no_strain() {
    for flat in [false, true] {
        let case = Case::new(
            open_domain(IVec3::splat(16), 1.0, flat),
            Vec::new(),
            balls(3, 16.0, flat),
        );
        let (system, faces) = assembled(&case, Form::Strain, 1.0);
        let spin = if flat {
            DVec3::Z
        } else {
            DVec3::new(0.5, -1.0, 0.25)
        };
        let velocity = faces.gather(|axis, cell| {
            let offset = ooze_field::Place::Face(axis).offset().as_dvec3();
            let point = cell.as_dvec3() + offset;
            (DVec3::new(0.3, -0.1, 0.7) + spin.cross(point - 7.0))[axis]
        });
        assert!(system.rows.len() > 100);
        for row in 0..system.rows.len() {
            let (columns, coefficients) = system.rows.row(row);
            let entries = columns.iter().zip(coefficients);
            let strain: f64 = entries
                .map(|(&column, &coefficient)| f64::from(coefficient) * velocity[column as usize])
                .sum();
            assert!(strain.abs() < 1e-14, "row {row}: {strain}");
        }
        // Without strain the matrix is the mass alone.
        let mut product = vec![0.0; velocity.len()];
        system.matrix.multiply(&velocity, &mut product);
        for index in 0..velocity.len() {
            let expected = system.mass[index] * velocity[index];
            assert!((product[index] - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn every_weight_field_has_the_liquids_mass_and_centre() {
    for flat in [false, true] {
        let case = Case::new(
            open_domain(IVec3::splat(20), 1.0, flat),
            Vec::new(),
            move |point| {
                let centre = Vec3::new(9.3, 10.2, if flat { 0.5 } else { 8.7 });
                point
                    .with_z(if flat { 0.5 } else { point.z })
                    .distance(centre)
                    - 6.1
            },
        );
        let weights = Weights::by_volume(&case.liquid);
        let centroid = |field: &Field<f32>| {
            let topology = case.topology();
            let (mut mass, mut moment) = (0.0, DVec3::ZERO);
            for slot in 0..topology.tile_count() {
                for (local, &share) in field.tile(slot).iter().enumerate() {
                    let point = field.position(topology.cell(slot, local)).as_dvec3();
                    mass += f64::from(share);
                    moment += f64::from(share) * point;
                }
            }
            let mut centre = moment / mass;
            if flat {
                centre.z = 0.5;
            }
            (mass, centre)
        };
        let (mass, _) = centroid(&weights.cells);
        let expected = DVec3::new(9.3, 10.2, if flat { 0.5 } else { 8.7 });
        let (faces, edges) = if flat { (0..2, 2..3) } else { (0..3, 0..3) };
        let others = weights.faces[faces].iter().chain(&weights.edges[edges]);
        for field in std::iter::once(&weights.cells).chain(others) {
            let (other_mass, centre) = centroid(field);
            assert!(
                (other_mass / mass - 1.0).abs() < 1e-6,
                "{:?} {other_mass} {mass}",
                field.place()
            );
            // A shift of half a cell, which makes liquids fall too slowly, would be a hundred times as much.
            assert!(
                (centre - expected).length() < 0.005,
                "{:?} {centre}",
                field.place()
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_stage_never_raises_kinetic_energy(
        seed in 0u64..1000, exponent in -3.0f64..5.0, flat in any::<bool>()
    ) {
        let case = walled(seed, flat);
        let mut velocity = case.velocity(|point| {
            let key = point.dot(Vec3::new(2.0, 200.0, 20_000.0)) as u64;
            Vec3::new(uniform(1, key), uniform(2, key), uniform(3, key)) - 0.5
        });
        // What walls prescribe is not the liquid's energy.
        let solved = |velocity: &ooze_field::FieldByAxis<f32>| {
            let (system, faces) = assembled(&case, Form::Strain, 1.0);
            let speeds = faces.velocities(velocity);
            system.mass.iter().zip(&speeds).map(|(mass, speed)| mass * speed * speed).sum::<f64>()
        };
        let before = solved(&velocity);
        case.diffuse(&mut velocity, 10f64.powf(exponent));
        let after = solved(&velocity);
        prop_assert!(after <= before * (1.0 + 1e-5), "{} from {}", after, before);
    }
}
