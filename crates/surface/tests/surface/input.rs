//! Bad input is named.

use glam::Vec3;
use ooze_surface::{Attributes, ParticleSurface, Slab, SurfaceError, SurfaceSettings};

fn fault(particles: ParticleSurface) -> SurfaceError {
    particles.build().expect_err("a fault")
}

#[test]
fn a_particle_that_is_nowhere_is_named() {
    let mut positions = vec![Vec3::ZERO; 5000];
    positions[3217].y = f32::NAN;
    positions[4000].x = f32::INFINITY;
    let error = fault(ParticleSurface::new(&positions, 1e-6));
    assert!(
        matches!(error, SurfaceError::PositionNotFinite { index: 3217, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("particle 3217"), "{error}");
    positions[3217] = Vec3::new(0.0, -2e4, 0.0);
    let error = fault(ParticleSurface::new(&positions, 1e-6));
    assert!(
        matches!(error, SurfaceError::TooFar { index: 3217, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("10000 m"), "{error}");
}

#[test]
fn attributes_must_fit_the_particles() {
    let positions = [Vec3::ZERO, Vec3::X];
    let with = |attributes| {
        fault(ParticleSurface {
            attributes,
            ..ParticleSurface::new(&positions, 1.0)
        })
    };
    let error = with(Attributes {
        colours: &[Vec3::ONE],
        ..Attributes::default()
    });
    assert_eq!(
        error.to_string(),
        "colours has 1 entries for 2 particles; give one each or none at all"
    );
    let error = with(Attributes {
        temperatures: &[300.0, f32::NAN],
        ..Attributes::default()
    });
    assert_eq!(
        error.to_string(),
        "temperatures of particle 1 is not finite"
    );
    let error = with(Attributes {
        velocities: &[Vec3::NAN, Vec3::NAN],
        ..Attributes::default()
    });
    assert!(matches!(
        error,
        SurfaceError::AttributeNotFinite { index: 0, .. }
    ));
}

#[test]
fn numbers_out_of_range_are_named_with_the_range() {
    let positions = [Vec3::ZERO];
    for volume in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = fault(ParticleSurface::new(&positions, volume));
        assert!(
            error.to_string().starts_with("particle_volume is "),
            "{error}"
        );
    }
    let flat = ParticleSurface {
        slab: Some(Slab {
            lower: 1.0,
            upper: 1.0,
        }),
        ..ParticleSurface::new(&positions, 1.0)
    };
    assert!(
        fault(flat)
            .to_string()
            .contains("thickness of the slab is 0")
    );
    let faulty = [
        SurfaceSettings {
            cell_size: 0.05,
            ..SurfaceSettings::default()
        },
        SurfaceSettings {
            centre_smoothing: 1.5,
            ..SurfaceSettings::default()
        },
        SurfaceSettings {
            smallest_bubble: f32::NAN,
            ..SurfaceSettings::default()
        },
    ];
    let names = [
        "cell_size is 0.05",
        "centre_smoothing is 1.5",
        "smallest_bubble is NaN",
    ];
    for (settings, name) in faulty.into_iter().zip(names) {
        // Even without particles: a wrong setting is wrong in every frame.
        let error = fault(ParticleSurface {
            settings,
            ..ParticleSurface::new(&[], 1.0)
        });
        assert!(error.to_string().starts_with(name), "{error}");
    }
}
