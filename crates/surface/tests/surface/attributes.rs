//! What particles carry reaches the vertices.

use glam::{IVec3, Vec3};
use ooze_geometry::TriangleMesh;
use ooze_surface::{Attributes, ParticleSurface, set_attributes};

use crate::common::fill;

#[test]
fn vertices_carry_what_the_particles_around_them_do() {
    let positions = fill(IVec3::splat(6), 0.4, |_| true);
    let velocity = |point: Vec3| Vec3::new(0.3 * point.y, -0.2 * point.x, 0.1 * point.z);
    let velocities: Vec<Vec3> = positions.iter().map(|&point| velocity(point)).collect();
    let colours: Vec<Vec3> = positions
        .iter()
        .map(|point| if point.x < 0.0 { Vec3::X } else { Vec3::Y })
        .collect();
    let temperatures = vec![350.0; positions.len()];
    let particles = ParticleSurface {
        attributes: Attributes {
            velocities: &velocities,
            colours: &colours,
            temperatures: &temperatures,
            rest_positions: [&positions, &[]],
        },
        ..ParticleSurface::new(&positions, 1.0)
    };
    let mesh = particles.build().expect("sound particles").mesh;
    assert_eq!(mesh.velocities.len(), mesh.positions.len());
    assert!(mesh.rest_positions[1].is_empty());
    for (vertex, &position) in mesh.positions.iter().enumerate() {
        // The particles lie within the surface, by half a spacing or so.
        let off = mesh.velocities[vertex].distance(velocity(position));
        assert!(off < 0.35, "{position}: {off}");
        assert!((mesh.temperatures[vertex] - 350.0).abs() < 1e-3);
        let off = mesh.rest_positions[0][vertex].distance(position);
        assert!(off < 1.0, "{position}: {off}");
        let colour = mesh.colours[vertex];
        assert!((colour.element_sum() - 1.0).abs() < 1e-5 && colour.z == 0.0);
        if position.x.abs() > 2.0 {
            assert_eq!(colour.x > 0.5, position.x < 0.0);
        }
    }
    // Across the border colours blend.
    assert!(
        mesh.colours
            .iter()
            .any(|colour| colour.x > 0.2 && colour.y > 0.2)
    );
    let bare = ParticleSurface::new(&positions, 1.0)
        .build()
        .expect("sound particles")
        .mesh;
    assert_eq!(bare.positions, mesh.positions);
    assert!(bare.velocities.is_empty() && bare.colours.is_empty() && bare.temperatures.is_empty());
}

#[test]
fn a_vertex_out_of_reach_takes_the_nearest_particle_or_nothing() {
    let mut mesh = TriangleMesh {
        positions: vec![
            Vec3::ZERO,
            Vec3::new(2.5, 0.0, 0.0),
            Vec3::new(50.0, 0.0, 0.0),
        ],
        ..TriangleMesh::default()
    };
    let positions = [Vec3::new(0.1, 0.0, 0.0), Vec3::new(-0.9, 0.0, 0.0)];
    let temperatures = [300.0, 400.0];
    let attributes = Attributes {
        temperatures: &temperatures,
        ..Attributes::default()
    };
    set_attributes(&mut mesh, &positions, 1.0, &attributes).expect("sound particles");
    assert!(mesh.temperatures[0] > 300.0 && mesh.temperatures[0] < 350.0);
    assert_eq!(mesh.temperatures[1..], [300.0, 0.0]);
}
