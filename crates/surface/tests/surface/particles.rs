//! Surfaces of particles: their volume, their bubbles, their slabs, and that nothing else than the particles counts.

use glam::{IVec3, Vec3};
use ooze_surface::{ParticleSurface, Slab, Surface, SurfaceMethod, SurfaceSettings};

use crate::common::{
    assert_closed, euler_number, fill, on_threads, pieces, random_vector, uniform,
};

const METHODS: [SurfaceMethod; 3] = [
    SurfaceMethod::Anisotropic,
    SurfaceMethod::Averaged,
    SurfaceMethod::Summed,
];

/// Settings with another method.
fn with(method: SurfaceMethod) -> SurfaceSettings {
    SurfaceSettings {
        method,
        ..SurfaceSettings::default()
    }
}

/// The surface of particles one metre apart.
fn surface(positions: &[Vec3], settings: SurfaceSettings) -> Surface {
    let particles = ParticleSurface {
        settings,
        ..ParticleSurface::new(positions, 1.0)
    };
    let surface = particles.build().expect("sound particles");
    assert_closed(&surface.mesh, &format!("{} particles", positions.len()));
    surface
}

/// A pool eight particles deep with droplets above.
fn splash() -> Vec<Vec3> {
    let mut positions = fill(IVec3::new(10, 10, 4), 0.8, |_| true);
    positions.extend(
        (0..60).map(|key| random_vector(1, key) * Vec3::new(9.0, 9.0, 6.0) + 13.0 * Vec3::Z),
    );
    positions
}

/// Shapes and how far from their particles' volume their surface may be when the level is not moved.
fn shapes() -> Vec<(&'static str, Vec<Vec3>, f64)> {
    let cube = |jitter| fill(IVec3::splat(7), jitter, |_| true);
    let ball = |radius| {
        fill(IVec3::splat(10), 0.6, move |point: Vec3| {
            point.length() < radius
        })
    };
    let sheet = |lowest: f32| {
        fill(IVec3::new(12, 12, 1), 0.3, move |point: Vec3| {
            point.z > lowest
        })
    };
    let strand = |lowest: f32| {
        fill(IVec3::new(20, 1, 1), 0.4, move |point: Vec3| {
            point.y > lowest && point.z > lowest
        })
    };
    vec![
        ("orderly cube", cube(0.0), 0.03),
        ("cube", cube(0.5), 0.03),
        ("disorderly cube", cube(1.0), 0.03),
        ("ball", ball(9.0), 0.03),
        ("droplet", ball(2.5), 0.1),
        ("pool", fill(IVec3::new(16, 16, 4), 0.8, |_| true), 0.03),
        ("strand", strand(0.0), 0.1),
        ("double strand", strand(-1.0), 0.1),
        ("sheet", sheet(0.0), 0.06),
        ("double sheet", sheet(-1.0), 0.06),
        ("splash", splash(), 0.05),
        (
            "spray",
            (0..100).map(|key| 30.0 * random_vector(4, key)).collect(),
            0.15,
        ),
    ]
}

#[test]
fn the_mesh_encloses_the_volume_of_the_particles() {
    for (name, positions, nominal) in shapes() {
        let matched = surface(&positions, SurfaceSettings::default());
        let report = matched.report;
        assert_eq!(report.volume_wanted, positions.len() as f64);
        assert!(report.volume_change().abs() < 1e-3, "{name}: {report:?}");
        let measured = matched.mesh.volume() / positions.len() as f64 - 1.0;
        assert!((measured - report.volume_change()).abs() < 1e-9, "{name}");
        // The level hardly has to be moved: large and small parts are right each by themselves.
        assert!(report.level_change.abs() < 0.1, "{name}: {report:?}");
        let settings = SurfaceSettings {
            match_volume: false,
            ..SurfaceSettings::default()
        };
        let unmatched = surface(&positions, settings).report;
        assert_eq!(unmatched.level_change, 0.0);
        let change = unmatched.volume_change();
        assert!(change.abs() < nominal, "{name}: {unmatched:?}, {change}");
    }
}

#[test]
fn bulk_liquids_have_neither_bubbles_nor_handles() {
    for (name, positions, _) in shapes() {
        if name.contains("cube") || name.contains("ball") || name.contains("pool") {
            let mesh = surface(&positions, SurfaceSettings::default()).mesh;
            assert_eq!(pieces(&mesh).len(), 1, "{name}");
            assert_eq!(euler_number(&mesh), 2, "{name}");
        }
    }
}

#[test]
fn one_particle_is_a_sphere_and_none_are_nothing() {
    let centre = Vec3::new(0.13, 5.29, -7.41);
    let radius = (3.0_f32 / (4.0 * std::f32::consts::PI)).cbrt();
    for method in METHODS {
        let Surface { mesh, report } = surface(&[centre], with(method));
        assert!(
            report.volume_change().abs() < 1e-3,
            "{method:?}: {report:?}"
        );
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            let arm = *position - centre;
            let off = arm.length() / radius - 1.0;
            assert!(off.abs() < 0.15, "{method:?} {arm}");
            assert!(arm.normalize().dot(*normal) > 0.9, "{method:?} {arm}");
        }
    }
    let empty = ParticleSurface::new(&[], 1e-6).build().expect("nothing");
    assert_eq!(empty, Surface::default());
}

#[test]
fn the_simple_functions_enclose_the_volume_too() {
    for method in [SurfaceMethod::Averaged, SurfaceMethod::Summed] {
        for positions in [
            fill(IVec3::splat(6), 0.5, |_| true),
            fill(IVec3::splat(8), 0.2, |point| point.length() < 7.0),
        ] {
            let report = surface(&positions, with(method)).report;
            assert!(
                report.volume_change().abs() < 0.02,
                "{method:?}: {report:?}"
            );
        }
    }
}

#[test]
fn a_plane_surface_is_where_the_liquid_ends_and_smooth() {
    let positions = fill(IVec3::new(14, 14, 5), 0.5, |_| true);
    let Surface { mesh, .. } = surface(&positions, SurfaceSettings::default());
    let (mut count, mut height, mut square, mut tilt) = (0.0, 0.0, 0.0, 0.0);
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        if position.truncate().abs().max_element() < 9.0 && position.z > 0.0 {
            count += 1.0;
            height += position.z;
            square += position.z * position.z;
            tilt += 1.0 - normal.z * normal.z;
        }
    }
    let mean: f32 = height / count;
    assert!((mean - 5.0).abs() < 0.1, "{mean}");
    let roughness = (square / count - mean * mean).sqrt();
    assert!(roughness < 0.08, "{roughness}");
    let tilt = (tilt / count).sqrt().to_degrees();
    assert!(tilt < 5.0, "{tilt}");
}

#[test]
fn gaps_between_particles_are_filled_and_bubbles_kept() {
    let ball = |cavity: f32| {
        let inside = |point: Vec3| point.length() < 9.0 && point.length() > cavity;
        fill(IVec3::splat(10), 0.9, inside)
    };
    let whole = surface(&ball(0.0), SurfaceSettings::default());
    assert_eq!(pieces(&whole.mesh).len(), 1);
    let hollow = surface(&ball(4.0), SurfaceSettings::default());
    let parts = pieces(&hollow.mesh);
    assert_eq!(parts.len(), 2);
    for &vertex in &parts[1] {
        let arm = hollow.mesh.positions[vertex as usize];
        assert!((arm.length() - 4.0).abs() < 0.8, "{arm}");
        assert!(arm.dot(hollow.mesh.normals[vertex as usize]) < 0.0);
    }
    let all_gone = SurfaceSettings {
        smallest_bubble: 1000.0,
        ..SurfaceSettings::default()
    };
    let filled = surface(&ball(4.0), all_gone);
    assert_eq!(pieces(&filled.mesh).len(), 1);
    assert!(filled.report.bubbles_filled > 0);
}

#[test]
fn what_is_far_away_costs_nothing_and_changes_nothing() {
    let settings = SurfaceSettings {
        match_volume: false,
        ..SurfaceSettings::default()
    };
    let near = fill(IVec3::splat(4), 0.5, |_| true);
    let alone = surface(&near, settings).mesh;
    let mut together = near.clone();
    // A box around all would have 10¹⁷ samples.
    together.insert(0, Vec3::splat(-2e5));
    together.push(Vec3::new(2e5, -1e5, 1e5));
    let mesh = surface(&together, settings).mesh;
    assert_eq!(pieces(&mesh).len(), 3);
    let same = mesh.positions.iter().filter(|p| p.length() < 100.0);
    assert!(same.eq(alone.positions.iter()));
}

#[test]
fn a_flat_liquid_gives_a_slab() {
    let slab = Slab {
        lower: 0.2,
        upper: 0.7,
    };
    let mut positions: Vec<Vec3> = fill(IVec3::new(12, 12, 1), 0.7, |point| {
        point.z > 0.0 && point.truncate().length() < 10.0
    })
    .into_iter()
    .filter(|point| uniform(5, point.x.to_bits().into()) > 0.02)
    .map(|point| point.with_z(0.3 + 0.1 * point.z))
    .collect();
    positions.push(Vec3::new(20.3, 0.1, 0.5));
    for method in METHODS {
        let particles = ParticleSurface {
            slab: Some(slab),
            settings: with(method),
            ..ParticleSurface::new(&positions, 0.5)
        };
        assert_eq!(particles.spacing(), 1.0);
        let Surface { mesh, report } = particles.build().expect("sound particles");
        assert_closed(&mesh, &format!("slab {method:?}"));
        assert!(
            report.volume_change().abs() < 0.02,
            "{method:?}: {report:?}"
        );
        let bounds = mesh.bounds();
        assert_eq!([bounds.lower.z, bounds.upper.z], [slab.lower, slab.upper]);
        // A disc without holes and a droplet.
        assert_eq!(pieces(&mesh).len(), 2, "{method:?}");
        assert_eq!(euler_number(&mesh), 4, "{method:?}");
    }
}

#[test]
fn the_surface_is_the_same_on_any_number_of_threads() {
    let positions = splash();
    let velocities: Vec<Vec3> = positions.iter().map(|p| 0.1 * *p).collect();
    for method in METHODS {
        let mut particles = ParticleSurface {
            settings: with(method),
            ..ParticleSurface::new(&positions, 1.0)
        };
        particles.attributes.velocities = &velocities;
        let [one, two, five] = on_threads(|| particles.build().expect("sound particles"));
        assert_eq!(one, two);
        assert_eq!(one, five);
    }
}
