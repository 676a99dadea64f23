//! Surfaces of particles.

use glam::{IVec3, Vec3, Vec3Swizzles};
use ooze_surface::{Attributes, ParticleSurface, SurfaceError, SurfaceMethod, SurfaceSettings};

use crate::common::{assert_closed, euler_number, fill, on_threads, pieces, random_vector};

#[test]
fn bulk_liquids_enclose_the_volume_of_their_particles() {
    let ball = fill(IVec3::splat(14), 0.5, |point| point.length() < 12.0);
    let pool = fill(IVec3::new(16, 6, 16), 0.5, |_| true);
    for (what, positions) in [("ball", ball), ("pool", pool)] {
        let surface = ParticleSurface::new(&positions, 1.0)
            .build()
            .expect("a fair liquid");
        assert_closed(&surface.mesh, what);
        let volume = surface.mesh.volume() / positions.len() as f64;
        assert!((volume - 1.0).abs() < 0.02, "{what}: {volume}");
        assert_eq!(euler_number(&surface.mesh), 2, "{what} has handles");
        assert_eq!(
            pieces(&surface.mesh).len(),
            1,
            "{what} has holes or satellites"
        );
    }
}

#[test]
fn a_strand_of_single_particles_stays_in_one_piece_and_keeps_its_length() {
    let positions: Vec<Vec3> = (0..40)
        .map(|index| Vec3::X * index as f32 + 0.15 * random_vector(1, index))
        .collect();
    let surface = ParticleSurface::new(&positions, 1.0)
        .build()
        .expect("a fair strand");
    assert_closed(&surface.mesh, "strand");
    assert_eq!(pieces(&surface.mesh).len(), 1);
    let length = surface.mesh.bounds().extent().x;
    assert!((39.0..41.5).contains(&length), "{length}");
}

#[test]
fn every_method_gives_closed_meshes_and_the_same_on_any_number_of_threads() {
    let positions: Vec<Vec3> = (0..600)
        .map(|index| 6.0 * random_vector(2, index))
        .collect();
    let velocities: Vec<Vec3> = positions.iter().map(|position| position.yzx()).collect();
    for method in [
        SurfaceMethod::Anisotropic,
        SurfaceMethod::Averaged,
        SurfaceMethod::Summed,
    ] {
        let mut particles = ParticleSurface::new(&positions, 1.0);
        particles.settings = SurfaceSettings {
            method,
            ..SurfaceSettings::default()
        };
        particles.attributes = Attributes {
            velocities: &velocities,
            ..Attributes::default()
        };
        let [one, two, five] = on_threads(|| particles.build().expect("a fair splash").mesh);
        assert_closed(&one, "splash");
        assert_eq!(one.velocities.len(), one.positions.len());
        assert_eq!(one, two);
        assert_eq!(one, five);
    }
}

#[test]
fn nothing_and_one_particle_are_fine_and_a_lost_one_is_named() {
    let empty = ParticleSurface::new(&[], 1.0)
        .build()
        .expect("nothing is fine");
    assert!(empty.mesh.triangles.is_empty());
    let single = [Vec3::new(3.0, 1.0, -2.0)];
    let drop = ParticleSurface::new(&single, 1.0)
        .build()
        .expect("one is fine")
        .mesh;
    assert_closed(&drop, "drop");
    assert!((drop.volume() - 1.0).abs() < 0.1, "{}", drop.volume());
    let lost = [Vec3::ZERO, Vec3::new(0.0, f32::NAN, 0.0)];
    assert!(matches!(
        ParticleSurface::new(&lost, 1.0).build(),
        Err(SurfaceError::PositionNotFinite { index: 1, .. })
    ));
}
