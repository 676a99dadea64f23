//! Free drops: strained, oscillating, flying.

use glam::{DVec3, Vec3};
use ooze_core::{Liquid, LiquidSetup, Material, StepError};
use ooze_geometry::Shape;

use super::{World, change_vectors, closed_box, single_liquid};

/// A flat drop of `radius` in the middle of a box four times as wide, `across` cells across.
pub fn drop_in_space(material: Material, radius: f32, stretch: f32, across: i32) -> LiquidSetup {
    let size = Vec3::new(6.0 * radius, 6.0 * radius, 0.0);
    let centre = Vec3::new(0.5 * size.x, 0.5 * size.y, 0.0);
    let axes = Vec3::new(radius * stretch, radius / stretch, 10.0 * radius);
    let shape = Shape::ellipsoid(centre, axes).expect("cases have drops with a volume");
    single_liquid(closed_box(size, 3 * across, true), material, shape)
}

/// Gives a liquid the velocity (−rate x, rate y) about the middle of its particles.
fn set_straining<L: Liquid>(liquid: &mut L, rate: f32) {
    let positions = liquid.channels().take_vectors("position");
    let positions = positions.unwrap_or_default();
    let sum: DVec3 = positions.iter().map(|point| point.as_dvec3()).sum();
    let centre = (sum / positions.len().max(1) as f64).as_vec3();
    change_vectors(liquid, "velocity", |point, _| {
        let away = point - centre;
        Vec3::new(-rate * away.x, rate * away.y, 0.0)
    });
}

/// Semi-axes of a flat drop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropRadii {
    /// Along x.
    pub x: f64,
    /// Along y.
    pub y: f64,
}

/// Semi-axes of the ellipse with the particles' second moments: ⟨x²⟩ = a²/4.
pub fn radii(positions: &[Vec3]) -> DropRadii {
    let count = positions.len().max(1) as f64;
    let centre = positions
        .iter()
        .map(|point| point.as_dvec3())
        .sum::<DVec3>()
        / count;
    let squares = positions.iter().map(|point| {
        let away = point.as_dvec3() - centre;
        away * away
    });
    let moments = squares.sum::<DVec3>() / count;
    DropRadii {
        x: 2.0 * moments.x.sqrt(),
        y: 2.0 * moments.y.sqrt(),
    }
}

/// Rate of the strain of [`strained_drop`] in 1/s.
const STRAIN_RATE: f32 = 100.0;

/// Moments in seconds, and the smaller and larger semi-axis that theory has for the drop of [`strained_drop`] then.
pub const STRAINED_DROP: [(f64, f64, f64); 3] = [
    (0.0008, 0.92327, 1.08310),
    (0.0038, 0.69482, 1.43922),
    (0.0076, 0.51427, 1.94452),
];

/// A drop without viscosity of radius 1 m, `across` cells across, for [`elliptical_drop`].
pub fn strained_drop(across: i32) -> LiquidSetup {
    let ideal = Material::newtonian("ideal", 1000.0, 0.0, 0.0);
    let mut setup = drop_in_space(ideal, 1.0, 1.0, across);
    // The stiffness must know the speed that is set afterwards.
    setup.initial[0].velocity = Vec3::X * STRAIN_RATE;
    setup
}

/// Strains a free drop and returns its semi-axes at the moments of [`STRAINED_DROP`], relative to its radius.
pub fn elliptical_drop<L: Liquid>(mut liquid: L) -> Result<Vec<DropRadii>, StepError> {
    set_straining(&mut liquid, STRAIN_RATE);
    let mut world = World::new(liquid);
    let at_start = radii(&world.positions());
    let mut found = Vec::new();
    for (moment, _, _) in STRAINED_DROP {
        world.run(moment)?;
        let now = radii(&world.positions());
        found.push(DropRadii {
            x: now.x / at_start.x,
            y: now.y / at_start.y,
        });
    }
    Ok(found)
}

/// Throws a stretched drop and returns the largest change of its momentum in any of 50 steps, relative to the momentum.
pub fn momentum_drift<L: Liquid>(mut liquid: L) -> Result<f64, StepError> {
    change_vectors(&mut liquid, "velocity", |_, velocity| {
        velocity + Vec3::new(0.0, 0.02, 0.0)
    });
    let mut world = World::new(liquid);
    let step = world.liquid.stable_step(&world.solids).seconds;
    let mut largest: f64 = 0.0;
    for _ in 0..50 {
        let before = world.liquid.measure(&world.solids).momentum;
        world.step(step)?;
        let after = world.liquid.measure(&world.solids).momentum;
        largest = largest.max((after - before).length() / before.length());
    }
    Ok(largest)
}

/// What was measured of a drop that swings about its round form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillation {
    /// Angular frequency in 1/s.
    pub frequency: f64,
    /// Rate at which the amplitude decays, in 1/s.
    pub decay: f64,
    /// Times that the drop has passed its round form.
    pub crossings: usize,
}

/// Lets a stretched flat drop swing until `end` and measures how: by the moments at which it is round, and by its largest
/// deviations between them. None if it passes its round form fewer than three times.
pub fn oscillation<L: Liquid>(liquid: L, end: f64) -> Result<Option<Oscillation>, StepError> {
    const SAMPLES: u32 = 400;
    let mut world = World::new(liquid);
    let deviation = |world: &World<L>| {
        let DropRadii { x, y } = radii(&world.positions());
        (x - y) / (x + y)
    };
    let mut crossings: Vec<f64> = Vec::new();
    let mut peaks: Vec<f64> = vec![0.0];
    let mut before = (0.0, deviation(&world));
    for sample in 1..=SAMPLES {
        world.run(end * f64::from(sample) / f64::from(SAMPLES))?;
        let now = (world.time, deviation(&world));
        if now.1 * before.1 < 0.0 {
            let share = before.1 / (before.1 - now.1);
            crossings.push(before.0 + share * (now.0 - before.0));
            peaks.push(0.0);
        }
        if let Some(peak) = peaks.last_mut() {
            *peak = peak.max(now.1.abs());
        }
        before = now;
    }
    let half_periods = crossings.len().saturating_sub(1);
    let (Some(first), Some(last), true) = (crossings.first(), crossings.last(), half_periods >= 2)
    else {
        return Ok(None);
    };
    let half_period = (last - first) / half_periods as f64;
    // Peaks before the first and after the last crossing may be cut off.
    let whole = &peaks[1..peaks.len() - 1];
    let loss = (whole[0] / whole[whole.len() - 1]).ln();
    Ok(Some(Oscillation {
        frequency: std::f64::consts::PI / half_period,
        decay: loss / (half_period * (whole.len() - 1) as f64),
        crossings: crossings.len(),
    }))
}
