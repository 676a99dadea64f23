//! The force of elastic stress: what it conserves, and its energy.

use std::sync::Arc;

use glam::{DVec3, IVec3, Vec3};
use ooze_core::random::uniform;
use ooze_core::{Collider, Contact, Elasticity, WallCondition};
use ooze_field::{Field, FieldByAxis, Place, edge_fields, face_fields};
use ooze_geometry::{Motion, Pose, Shape};

use super::super::faces::face_position;
use super::super::rows::SampleKind;
use super::super::{CellViscosity, Stiffening};
use super::{Case, closed, open_domain};
use crate::ElasticitySettings;
use crate::elasticity::{PointLaw, Strain, explicit_limit};

const ELASTIC: Elasticity = Elasticity {
    modulus: 1.0,
    yield_strain: 1e6,
    decay_rate: 0.0,
};

/// A lopsided blob, or disc, in a box without walls; its modulus is 1 Pa and its density 1 kg/m³.
fn blob(flat: bool) -> Case {
    let cells = if flat { 32 } else { 16 };
    let size = 1.0 / cells as f32;
    let middle = Vec3::new(0.47, 0.52, if flat { 0.5 * size } else { 0.51 });
    let mut case = Case::new(
        open_domain(IVec3::splat(cells), size, flat),
        Vec::new(),
        move |point| {
            let point = if flat { point.with_z(middle.z) } else { point };
            ((point - middle) * Vec3::new(0.8, 1.2, 1.0)).length() - 0.28
        },
    );
    case.settings.tolerance = 1e-9;
    case
}

fn random(case: &Case, seed: u64) -> Strain {
    let mut strain = Strain::zero(case.topology());
    let first = if case.domain.flat { 2 } else { 0 };
    let axes = case.domain.dimensions();
    let fields = strain.diagonal[..axes]
        .iter_mut()
        .chain(&mut strain.shear[first..]);
    for (number, field) in fields.enumerate() {
        for (index, value) in field.values_mut().iter_mut().enumerate() {
            *value = uniform(seed + number as u64, index as u64) - 0.5;
        }
    }
    strain
}

fn push(case: &Case, strain: &Strain, velocity: &mut FieldByAxis<f32>, dt: f64) {
    let mut known = face_fields(case.topology(), 1u8);
    case.seen(|liquid| {
        let discretisation = liquid.discretisation();
        let rows = liquid.stress_rows(&discretisation);
        liquid.push(&discretisation, &rows, strain, velocity, &mut known, dt);
    });
}

/// Elastic energy: modulus/2 times the square of the strain, of the samples that the liquid feels.
fn elastic_energy(case: &Case, strain: &Strain) -> f64 {
    case.seen(|liquid| {
        let rows = liquid.stress_rows(&liquid.discretisation()).strain;
        let samples = rows.samples.iter().zip(rows.rows.weights());
        samples
            .map(|(sample, &weight)| {
                // Both kinds of weights have a factor: two of stretching, and shear stands for two components.
                let (component, share) = match sample.kind {
                    SampleKind::Stretching(axis) => (axis, 0.25),
                    SampleKind::Shear(axis) => (3 + axis, 1.0),
                };
                let field = strain.component(usize::from(component));
                let value = f64::from(field.values()[sample.index as usize]);
                share * f64::from(weight) * value * value
            })
            .sum()
    })
}

/// Kinetic energy of the faces with the masses of the elastic step.
fn kinetic_energy(case: &Case, velocity: &FieldByAxis<f32>) -> f64 {
    case.seen(|liquid| {
        let discretisation = liquid.discretisation();
        let rows = liquid.stress_rows(&discretisation);
        let none = Strain::zero(case.topology());
        let mass = liquid.impulses(&discretisation, &rows, &none, 0.0).mass;
        let speeds = discretisation.faces.velocities(velocity);
        let parts = mass.iter().zip(speeds);
        parts.map(|(mass, speed)| 0.5 * mass * speed * speed).sum()
    })
}

#[test]
fn internal_forces_add_up_to_nothing_and_turn_nothing() {
    for flat in [false, true] {
        let case = blob(flat);
        let strain = random(&case, 7);
        let (discretisation, push) = case.seen(|liquid| {
            let discretisation = liquid.discretisation();
            let rows = liquid.stress_rows(&discretisation);
            let push = liquid.impulses(&discretisation, &rows, &strain, 1.0);
            (discretisation, push)
        });
        let mut force = DVec3::ZERO;
        let mut torque = DVec3::ZERO;
        let mut size = 0.0;
        for (place, impulse) in discretisation.faces.places.iter().zip(&push.impulse) {
            let axis = usize::from(place.axis);
            let point = face_position(case.topology(), axis, IVec3::from_array(place.cell));
            let part = DVec3::AXES[axis] * *impulse;
            force += part;
            torque += point.as_dvec3().cross(part);
            size += impulse.abs();
        }
        assert!(size > 1.0);
        assert!(
            force.length() < 1e-6 * size,
            "flat {flat}: {force} of {size}"
        );
        assert!(
            torque.length() < 1e-6 * size,
            "flat {flat}: {torque} of {size}"
        );
    }
}

/// Liquid on a floor that leans across the grid, with a surface between cell planes; its modulus grows to the right a
/// hundredfold if it is `mixed`.
fn leaning(flat: bool, condition: WallCondition, mixed: bool) -> Case {
    let cells = if flat { 24 } else { 12 };
    let size = 1.0 / cells as f32;
    let normal = Vec3::new(-0.37, 1.0, if flat { 0.0 } else { 0.21 }).normalize();
    let below = Vec3::new(0.5, 0.31, 0.5);
    let shape = Shape::half_space(below, normal).expect("a fair floor");
    let floor = Collider {
        name: "floor".into(),
        shape: Arc::new(shape),
        motion: Motion::fixed(Pose::IDENTITY).expect("a fair pose"),
        contact: Contact {
            condition,
            friction: 0.0,
            heat: None,
        },
    };
    let domain = open_domain(IVec3::splat(cells), size, flat);
    let middle = Vec3::new(0.48, 0.36, if flat { 0.5 * size } else { 0.53 });
    let mut case = Case::new(domain, vec![floor], move |point| {
        let point = if flat { point.with_z(middle.z) } else { point };
        (point - middle).length() - 0.33
    });
    if mixed {
        let modulus = |point: Vec3| 100f32.powf(point.x.clamp(0.0, 1.0) - 1.0);
        case.viscosity = CellViscosity::Varying {
            cells: Field::from_points(case.topology(), Place::Cell, 0.0, modulus),
            largest: 1.0,
        };
    }
    case
}

/// The sum over all samples of stress times rate of strain.
fn power(stress: &Strain, rates: &Strain) -> f64 {
    (0..6)
        .map(|number| {
            // Each shear component stands for two.
            let times = if number < 3 { 1.0 } else { 2.0 };
            let parts = stress.component(number).values().iter();
            let parts = parts.zip(rates.component(number).values());
            times
                * parts
                    .map(|(&a, &b)| f64::from(a) * f64::from(b))
                    .sum::<f64>()
        })
        .sum()
}

#[test]
fn the_force_does_as_much_work_as_its_rates_of_strain_store() {
    for flat in [true, false] {
        for condition in [WallCondition::NoSlip, WallCondition::Slip] {
            for mixed in [false, true] {
                let case = leaning(flat, condition, mixed);
                let strain = random(&case, 31);
                let velocity: FieldByAxis<f32> = std::array::from_fn(|axis| {
                    let mut field = Field::new(case.topology(), Place::Face(axis), 0.0);
                    for (index, value) in field.values_mut().iter_mut().enumerate() {
                        *value = uniform(70 + axis as u64, index as u64) - 0.5;
                    }
                    field
                });
                let (works, stored) = case.seen(|liquid| {
                    let discretisation = liquid.discretisation();
                    let rows = liquid.stress_rows(&discretisation);
                    let impulse = liquid
                        .impulses(&discretisation, &rows, &strain, 1.0)
                        .impulse;
                    let speeds = discretisation.faces.velocities(&velocity);
                    let works: Vec<f64> = impulse.iter().zip(speeds).map(|(a, b)| a * b).collect();
                    let rates = liquid.strain_rates(&discretisation, &rows, &velocity);
                    (works, power(&strain, &rates))
                });
                let work: f64 = works.iter().sum();
                let size: f64 = works.iter().map(|work| work.abs()).sum();
                assert!(size > 10.0, "{size}");
                assert!(
                    (work + stored).abs() < 1e-7 * size,
                    "flat {flat}, {condition:?}, mixed {mixed}: {work} for {stored}"
                );
            }
        }
    }
}

#[test]
fn a_force_does_the_work_that_the_strain_rate_says() {
    // Uniform compression along x, which a wall feels as a push: Gᵀσ against a plain difference of stress.
    let case = blob(true);
    let mut strain = Strain::zero(case.topology());
    let profile = |point: Vec3| 0.3 * point.x * point.x;
    strain.diagonal[0] = Field::from_points(case.topology(), Place::Cell, 0.0, profile);
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    push(&case, &strain, &mut velocity, 1e-3);
    // In the middle of the liquid the acceleration is modulus/density ∂ε_xx/∂x.
    let cell = IVec3::new(15, 16, 0);
    let x = f64::from(velocity[0].position(cell).x);
    let found = f64::from(velocity[0].get(cell)) / 1e-3;
    assert!(
        (found / (0.6 * x) - 1.0).abs() < 1e-3,
        "{found} of {}",
        0.6 * x
    );
    assert!(velocity[1].get(cell).abs() < 1e-7);
}

/// What an implicit step adds to a viscosity: so much everywhere, less where rows of stress count for less.
fn stiffening(case: &Case, added: f32) -> Stiffening {
    let even = Stiffening {
        cells: Field::new(case.topology(), Place::Cell, added),
        edges: edge_fields(case.topology(), added),
    };
    case.seen(|liquid| {
        let rows = liquid.stress_rows(&liquid.discretisation());
        rows.lightened(&even)
    })
}

/// Energies after steps without pressure or transport, from a smooth strain and rest.
fn energies(case: &Case, dt: f64, share: f64, steps: usize) -> (Vec<f64>, FieldByAxis<f32>) {
    let settings = ElasticitySettings {
        rotation: false,
        ..ElasticitySettings::default()
    };
    let axes = case.domain.dimensions();
    let point = PointLaw::new(&settings, dt as f32, axes);
    let mut strain = Strain::zero(case.topology());
    let wave = |point: Vec3| 0.1 * (7.0 * point.x).sin() * (5.0 * point.y + 1.0).cos();
    let cells = Field::from_points(case.topology(), Place::Cell, 0.0, wave);
    strain.diagonal[1] = Field::from_points(case.topology(), Place::Cell, 0.0, |p| -wave(p));
    strain.diagonal[0] = cells;
    let mut velocity = case.velocity(|_| Vec3::ZERO);
    let mut energies = vec![elastic_energy(case, &strain)];
    for _ in 0..steps {
        push(case, &strain, &mut velocity, dt);
        if share > 0.0 {
            let implicit = Case {
                viscosity: CellViscosity::Uniform(0.0),
                stiffening: Some(stiffening(case, (0.5 * share * dt) as f32)),
                ..case.clone()
            };
            implicit.diffuse(&mut velocity, dt);
        }
        strain.update(&point, &velocity, None, &case.liquid, |_| ELASTIC);
        energies.push(elastic_energy(case, &strain) + kinetic_energy(case, &velocity));
    }
    (energies, velocity)
}

#[test]
fn implicit_steps_never_add_energy_and_explicit_ones_keep_it() {
    for flat in [true, false] {
        let case = blob(flat);
        let size = f64::from(case.domain.cell_size);
        let (limit, _) = explicit_limit(1.0, 0.0, size);
        for stretch in [0.5, 10.0, 100.0] {
            let (energies, _) = energies(&case, stretch * limit, 1.0, 10);
            for pair in energies.windows(2) {
                let grown = pair[1] - pair[0];
                assert!(
                    grown < 1e-6 * energies[0],
                    "flat {flat}, {stretch} limits: {energies:?}"
                );
            }
        }
        if !flat {
            continue;
        }
        // Explicit steps within the limit: bounded for hundreds of steps, beyond it not.
        let (kept, _) = energies(&case, limit, 0.0, 300);
        let largest = kept.iter().copied().fold(0.0, f64::max);
        assert!(
            largest < 1.6 * kept[0],
            "flat {flat}: {largest} of {}",
            kept[0]
        );
        assert!(kept[300] > 0.5 * kept[0]);
        let (lost, _) = energies(&case, 3.0 * limit, 0.0, 100);
        assert!(lost[100] > 1e3 * lost[0] || lost[100].is_nan());
    }
}

#[test]
fn implicit_and_explicit_steps_agree_when_short() {
    let case = blob(true);
    let (limit, _) = explicit_limit(1.0, 0.0, f64::from(case.domain.cell_size));
    let apart = |parts: u32| {
        let dt = limit / f64::from(parts);
        let steps = 8 * parts as usize;
        let (_, explicit) = energies(&case, dt, 0.0, steps);
        let (_, mut implicit) = energies(&case, dt, 1.0, steps);
        let whole = case.energy(&explicit);
        for (field, other) in implicit.iter_mut().zip(&explicit) {
            for (value, other) in field.values_mut().iter_mut().zip(other.values()) {
                *value -= other;
            }
        }
        (case.energy(&implicit) / whole).sqrt()
    };
    let (coarse, fine) = (apart(4), apart(16));
    assert!(fine < 0.1, "{coarse} {fine}");
    // First order: a quarter of the step, a quarter of the difference.
    assert!(fine < 0.35 * coarse, "{coarse} {fine}");
}

#[test]
fn a_wall_that_holds_the_liquid_takes_its_shear_stress_and_a_slippery_one_does_not() {
    let block = |condition| {
        let mut domain = open_domain(IVec3::splat(16), 1.0 / 16.0, true);
        domain.sides[1][0] = closed(condition);
        Case::new(domain, Vec::new(), |point| {
            (point.y - 0.5).max((point.x - 0.5).abs() - 0.3)
        })
    };
    let pushed = |condition| {
        let case = block(condition);
        let mut strain = Strain::zero(case.topology());
        strain.shear[2].values_mut().fill(0.1);
        let mut velocity = case.velocity(|_| Vec3::ZERO);
        push(&case, &strain, &mut velocity, 1e-3);
        // The liquid goes on inside the wall, where it is nobody's.
        case.sum(&velocity, |point, axis, speed| {
            if axis == 0 && point.y > 0.0 {
                speed
            } else {
                0.0
            }
        })
    };
    let (held, free) = (pushed(WallCondition::NoSlip), pushed(WallCondition::Slip));
    // The stress μ ε_xy drags at the wall's 0.6 m: −0.1 · 0.6 N for a millisecond; momenta are in cells of density one.
    let cells = 16.0 * 16.0;
    let expected = -0.1 * 0.6 * 1e-3 * cells;
    assert!((held / expected - 1.0).abs() < 0.1, "{held} of {expected}");
    assert!(free.abs() < 0.02 * expected.abs(), "{free}");
}
