//! Strain on the staggered grid.

use std::sync::Arc;

use glam::{IVec3, Mat3, Quat, Vec3};
use ooze_core::Elasticity;
use ooze_field::{Field, FieldByAxis, Lattice, Place, Topology};

use super::super::{PointLaw, Strain, SymmetricTensor};
use crate::ElasticitySettings;

const ELASTIC: Elasticity = Elasticity {
    modulus: 1.0,
    yield_strain: 1e3,
    decay_rate: 1.0,
};
const SIZE: f32 = 0.1;

fn topology(flat: bool) -> Arc<Topology> {
    let lattice = Lattice::new(Vec3::ZERO, SIZE, IVec3::splat(16), flat);
    Arc::new(Topology::full(lattice))
}

/// Liquid everywhere.
fn full(topology: &Arc<Topology>) -> Field<f32> {
    Field::new(topology, Place::Cell, -1.0)
}

fn velocity(topology: &Arc<Topology>, value: impl Fn(Vec3) -> Vec3 + Sync) -> FieldByAxis<f32> {
    std::array::from_fn(|axis| {
        Field::from_points(topology, Place::Face(axis), 0.0, |point| value(point)[axis])
    })
}

fn uniform(topology: &Arc<Topology>, tensor: SymmetricTensor) -> Strain {
    let mut strain = Strain::zero(topology);
    for axis in 0..3 {
        strain.diagonal[axis]
            .values_mut()
            .fill(tensor.diagonal[axis]);
        strain.shear[axis].values_mut().fill(tensor.shear[axis]);
    }
    strain
}

/// The tensor whose components are those stored with a cell.
fn stored(strain: &Strain, cell: IVec3) -> SymmetricTensor {
    let part = |fields: &FieldByAxis<f32>| Vec3::from_array(fields.each_ref().map(|f| f.get(cell)));
    SymmetricTensor {
        diagonal: part(&strain.diagonal),
        shear: part(&strain.shear),
    }
}

/// One step of a linear velocity field, in the middle of the box.
fn stepped(flat: bool, start: SymmetricTensor, gradient: Mat3, dt: f32) -> SymmetricTensor {
    let topology = topology(flat);
    let mut strain = uniform(&topology, start);
    let flow = velocity(&topology, |point| gradient * point);
    let axes = topology.lattice().axes();
    let point = PointLaw::new(&ElasticitySettings::default(), dt, axes);
    strain.update(&point, &flow, None, &full(&topology), |_| ELASTIC);
    let middle = IVec3::new(8, 7, if flat { 0 } else { 8 });
    stored(&strain, middle)
}

const SQUEEZED: SymmetricTensor = SymmetricTensor {
    diagonal: Vec3::new(0.2, -0.3, 0.1),
    shear: Vec3::new(0.05, -0.1, 0.15),
};

fn spin_matrix(spin: Vec3) -> Mat3 {
    Mat3::from_cols(
        spin.cross(Vec3::X),
        spin.cross(Vec3::Y),
        spin.cross(Vec3::Z),
    )
}

#[test]
fn a_linear_flow_on_the_grid_is_the_law_at_a_point() {
    let gradient = Mat3::from_cols(
        Vec3::new(1.0, 2.0, -0.5),
        Vec3::new(-1.5, 0.5, 0.7),
        Vec3::new(0.3, 0.9, -1.5),
    );
    let dt = 0.05;
    let found = stepped(false, SQUEEZED, gradient, dt);
    let rows = [gradient.row(0), gradient.row(1), gradient.row(2)];
    let point = PointLaw::new(&ElasticitySettings::default(), dt, 3);
    let expected = point.advance(SQUEEZED, &rows, &ELASTIC);
    assert!(
        (found + expected * -1.0).norm() < 1e-5,
        "{found:?} of {expected:?}"
    );
}

#[test]
fn rigid_motion_rotates_strain_and_makes_none() {
    for (flat, spin) in [(false, Vec3::new(2.0, -3.0, 5.0)), (true, Vec3::Z * 4.0)] {
        let none = stepped(flat, SymmetricTensor::ZERO, spin_matrix(spin), 0.1);
        assert!(none.norm() < 1e-5, "{none:?}");
        let start = if flat {
            SymmetricTensor {
                diagonal: Vec3::new(0.3, -0.3, 0.0),
                shear: Vec3::Z * 0.1,
            }
        } else {
            SQUEEZED
        };
        let turned = stepped(flat, start, spin_matrix(spin), 0.1);
        let turn = Mat3::from_quat(Quat::from_scaled_axis(0.1 * spin));
        let error = (turned + start.rotated(&turn) * -1.0).norm();
        assert!(error < 1e-5, "flat {flat}: {error}");
    }
}

#[test]
fn plain_differences_find_the_divergence() {
    let topology = topology(false);
    let mut strain = Strain::zero(&topology);
    // ε_xx = x, ε_xy = 2y, ε_xz = 3z: ∇·ε along x is 6.
    strain.diagonal[0] = Field::from_points(&topology, Place::Cell, 0.0, |point| point.x);
    strain.shear[2] = Field::from_points(&topology, Place::Edge(2), 0.0, |point| 2.0 * point.y);
    strain.shear[1] = Field::from_points(&topology, Place::Edge(1), 0.0, |point| 3.0 * point.z);
    let middle = IVec3::splat(8);
    assert!((strain.divergence(0, middle) - 6.0).abs() < 1e-4);
    // ε_xy does not change along x, nor ε_xz.
    assert!(strain.divergence(1, middle).abs() < 1e-4);
    assert!(strain.divergence(2, middle).abs() < 1e-4);
}
