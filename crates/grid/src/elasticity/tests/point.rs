//! Strain at one point.

use glam::{Mat3, Quat, Vec3};
use ooze_core::Elasticity;
use proptest::prelude::*;

use super::super::{PointLaw, SymmetricTensor, relaxed};
use crate::{Decay, ElasticitySettings};

/// A material that never flows.
const ELASTIC: Elasticity = Elasticity {
    modulus: 1.0,
    yield_strain: 1e3,
    decay_rate: 1.0,
};
/// The material of the shear table.
const GOO: Elasticity = Elasticity {
    modulus: 1.0,
    yield_strain: 0.3,
    decay_rate: 5.0,
};

fn settings(rotation: bool) -> ElasticitySettings {
    ElasticitySettings {
        rotation,
        ..ElasticitySettings::default()
    }
}

/// Simple shear along x at a rate of 1/s.
const SHEAR: [Vec3; 3] = [Vec3::Y, Vec3::ZERO, Vec3::ZERO];

/// The strain after `time` seconds of a constant gradient in `steps` equal steps.
fn after(
    settings: &ElasticitySettings,
    law: &Elasticity,
    gradient: &[Vec3; 3],
    time: f32,
    steps: u32,
) -> SymmetricTensor {
    let point = PointLaw::new(settings, time / steps as f32, 3);
    (0..steps).fold(SymmetricTensor::ZERO, |strain, _| {
        point.advance(strain, gradient, law)
    })
}

#[test]
fn start_up_shear_follows_the_closed_form_in_steps_of_any_length() {
    // γ/√2 + γ̇/(2α) (1 − e^(−α (t − t_y))) after the yield time t_y = √2 γ/γ̇.
    let table = [
        (0.2, 0.1),
        (0.4243, 0.21215),
        (0.6, 0.27060),
        (1.0, 0.30651),
        (2.0, 0.31209),
    ];
    for (time, expected) in table {
        for steps in [1, 2, 7, 50, 1000] {
            let strain = after(&settings(false), &GOO, &SHEAR, time, steps);
            let error = (strain.shear.z - expected).abs() / expected;
            assert!(
                error < 1e-3,
                "{time} s in {steps} steps: {}",
                strain.shear.z
            );
        }
        // Forward Euler gets there with short steps only.
        let published = ElasticitySettings {
            decay: Decay::Explicit,
            ..settings(false)
        };
        let strain = after(&published, &GOO, &SHEAR, time, 2000);
        assert!((strain.shear.z / expected - 1.0).abs() < 2e-3);
    }
}

#[test]
fn strain_relaxes_to_the_yield_strain_and_not_to_nothing() {
    let loaded = after(&settings(false), &GOO, &SHEAR, 2.0, 10);
    let point = PointLaw::new(&settings(true), 100.0, 3);
    let rested = point.advance(loaded, &[Vec3::ZERO; 3], &GOO);
    assert!((rested.norm() - GOO.yield_strain).abs() < 1e-6);
    // Its direction is kept, and one long rest is as good as many short ones.
    let short = PointLaw::new(&settings(true), 0.01, 3);
    let mut strain = loaded;
    for _ in 0..37 {
        strain = short.advance(strain, &[Vec3::ZERO; 3], &GOO);
    }
    let once = relaxed(loaded, &GOO, 0.37);
    assert!((strain.shear.z - once.shear.z).abs() < 1e-5);
}

#[test]
fn sheared_strain_turns_with_the_liquid() {
    // Co-rotational, purely elastic: ε_xy = sin(g)/2 and ε_xx = (1 − cos g)/2 at the shear g.
    for shear in [0.5_f32, 1.0, 2.0, 3.0] {
        let steps = |count| after(&settings(true), &ELASTIC, &SHEAR, shear, count);
        let error = |strain: SymmetricTensor| {
            let along = (strain.shear.z - 0.5 * shear.sin()).abs();
            let across = (strain.diagonal.x - 0.5 * (1.0 - shear.cos())).abs();
            along.max(across)
        };
        assert!(error(steps(200)) < 1e-4, "{shear}: {}", error(steps(200)));
        // Second order in the step.
        let order = (error(steps(4)) / error(steps(8))).log2();
        assert!((order - 2.0).abs() < 0.3, "{shear}: order {order}");
        // Without rotation the strain only grows.
        let still = after(&settings(false), &ELASTIC, &SHEAR, shear, 10);
        assert!((still.shear.z - 0.5 * shear).abs() < 1e-5);
    }
}

#[test]
fn a_flowing_liquid_has_its_creep_viscosity_however_long_the_step() {
    // No yield strain and many decay times a step: ε = ε̇/α.
    let liquid = Elasticity {
        modulus: 1.0,
        yield_strain: 0.0,
        decay_rate: 1e4,
    };
    let strain = after(&settings(false), &liquid, &SHEAR, 1.0, 3);
    assert!((strain.shear.z / 0.5e-4 - 1.0).abs() < 1e-3);
}

fn tensor() -> impl Strategy<Value = SymmetricTensor> {
    let part = || prop::array::uniform3(-1.0_f32..1.0).prop_map(Vec3::from_array);
    (part(), part()).prop_map(|(diagonal, shear)| SymmetricTensor { diagonal, shear }.deviator(3))
}

proptest! {
    #[test]
    fn rigid_motion_rotates_strain_exactly(
        strain in tensor(),
        spin in prop::array::uniform3(-30.0_f32..30.0).prop_map(Vec3::from_array),
        dt in 1e-4_f32..0.1,
    ) {
        // Rows of the gradient of spin × x.
        let column = |unit: Vec3| spin.cross(unit);
        let columns = Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z));
        let rows = [columns.row(0), columns.row(1), columns.row(2)];
        let turned = PointLaw::new(&settings(true), dt, 3).advance(strain, &rows, &ELASTIC);
        let turn = Mat3::from_quat(Quat::from_scaled_axis(dt * spin));
        let expected = strain.rotated(&turn);
        let error = (turned + expected * -1.0).norm();
        prop_assert!(error < 2e-5, "{error}");
        // Unstrained liquid stays unstrained.
        let none = PointLaw::new(&settings(true), dt, 3)
            .advance(SymmetricTensor::ZERO, &rows, &ELASTIC);
        prop_assert!(none.norm() < 1e-6);
    }

    #[test]
    fn flow_never_adds_strain_and_long_steps_are_harmless(
        strain in tensor(),
        rate in tensor(),
        dt in 1e-3_f32..1.0,
        decay_rate in 0.0_f32..1e4,
        yield_strain in 0.0_f32..1.0,
    ) {
        let law = Elasticity { modulus: 1.0, yield_strain, decay_rate };
        let growth = rate * 3.0;
        let gradient = {
            let matrix = Mat3::from(growth);
            [matrix.row(0), matrix.row(1), matrix.row(2)]
        };
        let result = PointLaw::new(&settings(false), dt, 3).advance(strain, &gradient, &law);
        let largest = strain.norm() + dt * growth.norm();
        prop_assert!(result.norm() <= largest * (1.0 + 1e-5) + 1e-6);
        prop_assert!((result.diagonal.element_sum()).abs() < 1e-4);
    }
}
