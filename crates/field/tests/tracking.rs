//! Surfaces that are moved: orders of convergence, and shapes that should come back as they were.

mod common;

use std::f32::consts::PI;
use std::sync::Arc;

use common::{circle, full, level_set, sphere};
use glam::{IVec3, Vec3};
use ooze_field::level_set::{
    Advection, Air, NoWalls, ParticleSettings, PathRule, Reinitialisation, Relaxation,
    SurfaceParticles, TrackedSurface, TrackingSettings, advect, extend_faces, follow,
    relax_to_distance, retiled, volume,
};
use ooze_field::{Field, Lattice, Place, Topology, face_fields};

/// Mean error of a smooth bump carried across a flat lattice.
fn bump_error(cells: i32, scheme: Advection) -> f64 {
    let topology = full(cells, true);
    let bump = |centre: f32| {
        move |point: Vec3| {
            let square = (point.x - centre).powi(2) + point.y * point.y;
            1.0 - (-100.0 * square).exp()
        }
    };
    let mut phi = Field::from_points(&topology, Place::Cell, 1.0 + 1e-6, bump(-0.15));
    let velocity = |_: Vec3| Vec3::new(1.0, 0.0, 0.0);
    let steps = 4 * cells / 10;
    let dt = 0.3 / steps as f32;
    for _ in 0..steps {
        phi = advect(&phi, &velocity, dt, f32::INFINITY, scheme);
    }
    let exact = Field::from_points(&topology, Place::Cell, 1.0, bump(0.15));
    let inside = |cell: IVec3| cell.cmpge(IVec3::ZERO).all() && cell.x < cells && cell.y < cells;
    let mut sum = 0.0;
    for slot in 0..topology.tile_count() {
        for local in 0..topology.tile_cells() {
            if inside(topology.cell(slot, local)) {
                sum += f64::from((phi.tile(slot)[local] - exact.tile(slot)[local]).abs());
            }
        }
    }
    sum / f64::from(cells * cells)
}

#[test]
fn what_lies_beyond_reach_of_the_surface_need_not_move() {
    let ball = sphere(Vec3::new(0.1, 0.0, 0.0), 0.25);
    let phi = level_set(40, false, Place::Cell, ball);
    let velocity = |point: Vec3| Vec3::new(-point.y, point.x, 0.0);
    let cell_size = phi.topology().lattice().cell_size;
    // The fastest corner of the box is the square root of a half away from the axis.
    let dt = 1.2 * cell_size;
    let longest_way = dt * 0.5_f32.sqrt();
    for scheme in [Advection::SemiLagrangian, Advection::MacCormack] {
        let whole = advect(&phi, &velocity, dt, f32::INFINITY, scheme);
        let part = advect(&phi, &velocity, dt, longest_way, scheme);
        let mut kept = 0;
        let values = phi.values().iter().zip(whole.values()).zip(part.values());
        for ((before, whole), part) in values {
            if whole.abs() < 2.0 * cell_size {
                assert_eq!(whole, part, "{scheme:?}");
            } else {
                assert_eq!(whole.signum(), part.signum(), "{scheme:?}");
                kept += usize::from(before == part && before != whole);
            }
        }
        assert!(
            kept > 1000,
            "{scheme:?}: only {kept} samples are left alone"
        );
    }
}

#[test]
fn advection_schemes_have_their_orders() {
    for (scheme, order) in [
        (Advection::SemiLagrangian, 0.8),
        (Advection::MacCormack, 1.6),
        (Advection::Upwind, 0.7),
        (Advection::Eno2, 1.6),
        (Advection::Eno3, 1.7),
        (Advection::Weno5, 2.7),
    ] {
        let (coarse, fine) = (bump_error(40, scheme), bump_error(80, scheme));
        let measured = (coarse / fine).log2();
        assert!(measured > order, "{scheme:?}: {measured} ({coarse} {fine})");
    }
}

#[test]
fn paths_have_their_orders() {
    let velocity = |point: Vec3| Vec3::new(-point.y, point.x, 0.0);
    let error = |rule, steps: u32| {
        let mut point = Vec3::X;
        for _ in 0..steps {
            point = follow(&velocity, point, 2.0 / steps as f32, rule);
        }
        point.distance(Vec3::new(2.0_f32.cos(), 2.0_f32.sin(), 0.0))
    };
    for (rule, order) in [(PathRule::Midpoint, 1.9), (PathRule::Fourth, 3.8)] {
        let measured = (error(rule, 4) / error(rule, 8)).log2();
        assert!(measured > order, "{rule:?}: {measured}");
    }
}

#[test]
fn relaxation_restores_distances_and_stops_by_itself() {
    let shape = sphere(Vec3::new(0.01, -0.02, 0.013), 0.3);
    let distorted = |point: Vec3| shape(point) * (1.4 + 0.4 * (9.0 * point.x).sin());
    let mut phi = level_set(40, false, Place::Cell, distorted);
    let before = volume(&phi);
    let band = 4.0 / 40.0;
    let strict = Relaxation {
        tolerance: 0.002,
        most_steps: 60,
        ..Relaxation::default()
    };
    let steps = relax_to_distance(&mut phi, band, strict);
    assert!((3..60).contains(&steps), "{steps}");
    let topology = phi.topology();
    let mut worst: f32 = 0.0;
    for slot in 0..topology.tile_count() {
        for (local, &value) in phi.tile(slot).iter().enumerate() {
            let exact = shape(phi.position(topology.cell(slot, local)));
            if exact.abs() < 2.0 / 40.0 {
                worst = worst.max((value - exact).abs() * 40.0);
            }
        }
    }
    assert!(worst < 0.15, "{worst} cells");
    let change = volume(&phi) / before - 1.0;
    assert!(change.abs() < 0.01, "{change}");
    // A distance already: one step is enough (Carlson 2004, sec. 6.2.2).
    assert_eq!(relax_to_distance(&mut phi, band, Relaxation::default()), 1);
}

#[test]
fn extension_velocities_are_constant_along_normals() {
    let topology = full(40, true);
    let phi = Field::from_points(&topology, Place::Cell, 1.0, circle(Vec3::ZERO, 0.2));
    let turn = |point: Vec3| point.normalize_or_zero();
    let mut velocity = face_fields(&topology, 0.0f32);
    let mut known = face_fields(&topology, 0u8);
    for axis in 0..2 {
        velocity[axis] = Field::from_points(&topology, Place::Face(axis), 0.0, |point| {
            if point.truncate().length() < 0.2 {
                turn(point)[axis]
            } else {
                77.0
            }
        });
        known[axis] = Field::from_points(&topology, Place::Face(axis), 0, |point| {
            u8::from(point.truncate().length() < 0.2)
        });
    }
    extend_faces(&mut velocity, &mut known, &phi, 5.0);
    for axis in 0..2 {
        let (mut worst, mut reached) = (0.0_f32, 0);
        for slot in 0..topology.tile_count() {
            for local in 0..topology.tile_cells() {
                let point = velocity[axis]
                    .position(topology.cell(slot, local))
                    .with_z(0.0);
                if point.length() < 0.2 + 4.0 / 40.0 {
                    worst = worst.max((velocity[axis].tile(slot)[local] - turn(point)[axis]).abs());
                    reached += u32::from(known[axis].tile(slot)[local]);
                }
            }
        }
        assert!(worst < 0.12 && reached > 400, "{worst} {reached}");
    }
}

#[test]
fn escaped_particles_rebuild_what_the_grid_has_lost() {
    // A ball of which the level set has lost a part: particles bring it back.
    let shape = circle(Vec3::ZERO, 0.25);
    let topology = full(40, true);
    let exact = Field::from_points(&topology, Place::Cell, 0.15, shape);
    let settings = ParticleSettings::PUBLISHED;
    let particles = SurfaceParticles::seed(&exact, &settings, 7);
    let mut damaged = Field::from_points(&topology, Place::Cell, 0.15, circle(Vec3::ZERO, 0.225));
    assert_eq!(particles.correct(&mut exact.clone(), settings.air), 0);
    let (lost, whole) = (volume(&damaged), volume(&exact));
    let escaped = particles.correct(&mut damaged, settings.air);
    let regained = volume(&damaged);
    assert!(escaped > 100, "{escaped}");
    assert!(
        (regained / whole - 1.0).abs() < 0.04 && lost < 0.85 * whole,
        "{lost} {regained} {whole}"
    );
}

#[test]
fn reseeding_keeps_numbers_even_and_is_repeatable() {
    let shape = sphere(Vec3::ZERO, 0.25);
    let phi = level_set(24, false, Place::Node, shape);
    let settings = ParticleSettings::default();
    let first = SurfaceParticles::seed(&phi, &settings, 3);
    let without_air = ParticleSettings {
        air: Air::Absent,
        ..settings
    };
    let inner = SurfaceParticles::seed(&phi, &without_air, 3);
    assert!(inner.liquid.iter().all(|&side| side != 0));
    assert_eq!(
        first,
        common::on_threads(1, || SurfaceParticles::seed(&phi, &settings, 3))
    );
    let liquid = first.liquid.iter().filter(|&&side| side != 0).count();
    assert!(
        liquid * 4 > first.len() && liquid * 2 < first.len(),
        "{liquid} {}",
        first.len()
    );
    for (position, side) in first.position.iter().zip(&first.liquid) {
        assert_eq!(phi.sample(*position) < 0.0, *side != 0);
    }
    let mut again = first.clone();
    again.reseed(&phi, &settings, 4);
    let change = again.len() as f32 / first.len() as f32 - 1.0;
    assert!((0.0..0.1).contains(&change), "{change}");
}

#[test]
fn reseeding_one_half_leaves_the_other_as_it_is() {
    let phi = level_set(24, false, Place::Node, sphere(Vec3::ZERO, 0.25));
    let settings = ParticleSettings::default();
    let whole = SurfaceParticles::seed(&phi, &settings, 3);
    let mut thinned = whole.clone();
    // A third is left on both sides.
    thinned.keep_where(|point| (1e4 * (point.x + point.y)).rem_euclid(3.0) < 1.0);
    let count = |particles: &SurfaceParticles, right: bool| {
        let points = particles.position.iter();
        points.filter(|point| (point.x > 0.0) == right).count()
    };
    let mut half = thinned.clone();
    half.reseed_where(&phi, &settings, 5, |middle| middle.x > 0.0);
    assert_eq!(count(&half, false), count(&thinned, false));
    let left = thinned.position.iter().filter(|point| point.x < 0.0);
    assert!(left.eq(half.position.iter().take(count(&thinned, false))));
    let change = count(&half, true) as f32 / count(&whole, true) as f32 - 1.0;
    assert!(change.abs() < 0.1, "{change}");
}

#[test]
fn tiles_follow_the_liquid() {
    let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(64), false);
    let topology = Arc::new(Topology::full(lattice));
    let ball = sphere(Vec3::splat(20.0), 12.0);
    let phi = Field::from_points(&topology, Place::Node, 6.0, ball);
    let small = retiled(&phi, 9);
    assert!(small.topology().tile_count() < topology.tile_count() / 3);
    for slot in 0..topology.tile_count() {
        for (local, &value) in phi.tile(slot).iter().enumerate() {
            let cell = topology.cell(slot, local);
            if value < 8.0 {
                assert_eq!(
                    small
                        .topology()
                        .index(cell)
                        .map(|index| small.values()[index]),
                    Some(value)
                );
            }
        }
    }
}

/// A disc with a slot (Zalesak 1979), as the distance to it in units of its lattice.
fn slotted(point: Vec3) -> f32 {
    let centred = point - Vec3::new(50.0, 75.0, 0.0);
    let disc = centred.truncate().length() - 15.0;
    let slot = (centred.x.abs() - 2.5).max(centred.y - 10.0);
    disc.max(-slot)
}

/// Share of the disc's area lost in a quarter of a turn, and its error in place.
fn quarter_turn(settings: TrackingSettings) -> (f64, f64) {
    let lattice = Lattice::new(Vec3::ZERO, 1.0, IVec3::splat(100), true);
    let topology = Arc::new(Topology::full(lattice));
    let phi = Field::from_points(&topology, Place::Node, 10.0, slotted);
    let exact = volume(&phi);
    assert!((exact / 582.2 - 1.0).abs() < 2e-3, "{exact}");
    let mut surface = TrackedSurface::new(phi, &settings, 1);
    let velocity = |point: Vec3| 0.01 * Vec3::new(50.0 - point.y, point.x - 50.0, 0.0);
    for _ in 0..157 {
        surface.advance(
            &velocity,
            PI / 314.0 * 100.0,
            f32::INFINITY,
            &settings,
            &NoWalls,
        );
    }
    let turned = Field::from_points(&topology, Place::Node, 10.0, |point| {
        slotted(Vec3::new(point.y, 100.0 - point.x, 0.0))
    });
    let mut wrong = 0.0;
    for (value, exact) in surface.phi.values().iter().zip(turned.values()) {
        wrong += f64::from(u8::from((*value < 0.0) != (*exact < 0.0)));
    }
    (1.0 - volume(&surface.phi) / exact, wrong / exact)
}

#[test]
fn particles_keep_the_slotted_disc() {
    for (advection, most_lost) in [
        (Advection::SemiLagrangian, 0.03),
        (Advection::MacCormack, 0.01),
        (Advection::CARLSON[5], 0.01),
    ] {
        for reinitialisation in [
            Reinitialisation::Marching,
            Reinitialisation::Relaxation(Relaxation::default()),
        ] {
            let alone = TrackingSettings {
                advection,
                particles: None,
                reinitialisation,
                ..TrackingSettings::default()
            };
            let with = TrackingSettings {
                particles: Some(ParticleSettings::PUBLISHED),
                ..alone
            };
            let (lost, misplaced) = quarter_turn(with);
            assert!(
                lost.abs() < most_lost,
                "{advection:?} {reinitialisation:?}: {lost}"
            );
            assert!(
                misplaced < 0.04,
                "{advection:?} {reinitialisation:?}: {misplaced}"
            );
            let (_, misplaced_alone) = quarter_turn(alone);
            assert!(
                misplaced < 0.8 * misplaced_alone,
                "{misplaced} {misplaced_alone}"
            );
        }
    }
}
