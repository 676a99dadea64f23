//! Free drops: strained, oscillating.

use glam::{DVec3, Vec3};
use ooze_core::{ChannelData, Channels, Liquid, LiquidSetup, Material, StepError};
use ooze_geometry::Shape;

use super::{World, closed_box, single_liquid};

/// A flat drop of `radius` in the middle of a box four times as wide, `across` cells across.
pub fn drop_in_space(material: Material, radius: f32, stretch: f32, across: i32) -> LiquidSetup {
    let size = Vec3::new(6.0 * radius, 6.0 * radius, 0.0);
    let centre = Vec3::new(0.5 * size.x, 0.5 * size.y, 0.0);
    let axes = Vec3::new(radius * stretch, radius / stretch, 10.0 * radius);
    let shape = Shape::ellipsoid(centre, axes).expect("cases have drops with a volume");
    single_liquid(closed_box(size, 3 * across, true), material, shape)
}

/// Gives a liquid the velocity (−rate x, rate y) about the middle of its particles.
pub fn set_straining<L: Liquid>(liquid: &mut L, rate: f32) {
    let mut saved: Channels = liquid.save();
    let Ok(positions) = saved.vectors("position") else {
        return;
    };
    let centre = positions
        .iter()
        .map(|point| point.as_dvec3())
        .sum::<DVec3>()
        / positions.len().max(1) as f64;
    let velocities = positions
        .iter()
        .map(|point| {
            let away = *point - centre.as_vec3();
            Vec3::new(-rate * away.x, rate * away.y, 0.0)
        })
        .collect();
    saved.insert("velocity", ChannelData::Vector(velocities));
    // What was saved has the form that is loaded.
    let loaded = liquid.load(saved);
    debug_assert!(loaded.is_ok());
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

/// Strains a free drop at `rate` and returns its semi-axes at the moments, relative to its radius.
pub fn elliptical_drop<L: Liquid>(
    mut liquid: L,
    rate: f32,
    moments: &[f64],
) -> Result<Vec<DropRadii>, StepError> {
    set_straining(&mut liquid, rate);
    let mut world = World::new(liquid);
    let at_start = radii(&world.positions());
    let mut found = Vec::new();
    for &moment in moments {
        world.run(moment)?;
        let now = radii(&world.positions());
        found.push(DropRadii {
            x: now.x / at_start.x,
            y: now.y / at_start.y,
        });
    }
    Ok(found)
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
