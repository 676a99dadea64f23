//! Liquids in tanks: at rest, and when a dam breaks.

use glam::Vec3;
use ooze_core::{Liquid, LiquidSetup, Material, StepError};
use ooze_geometry::Shape;

use super::{GRAVITY, World, closed_box, down, single_liquid};

/// Water that fills a tank of `size` up to `depth`, with `cells` cells along x.
pub fn tank_setup(
    material: Material,
    size: Vec3,
    depth: f32,
    cells: i32,
    flat: bool,
) -> LiquidSetup {
    let upper = Vec3::new(size.x, depth, size.z.max(1.0));
    let filled = cuboid(Vec3::new(0.0, 0.0, -1.0), upper);
    let mut setup = single_liquid(closed_box(size, cells, flat), material, filled);
    setup.forces.push(down());
    setup
}

fn cuboid(lower: Vec3, upper: Vec3) -> Shape {
    let shape = Shape::cuboid(0.5 * (lower + upper), 0.5 * (upper - lower));
    shape.expect("cases have boxes with a volume")
}

/// What was measured in a tank at rest.
#[derive(Clone, Copy, Debug)]
pub struct TankAtRest {
    /// Largest deviation of pressure at a quarter, half and three quarters of the depth, relative to the floor's.
    pub pressure_error: f64,
    /// Root mean square speed over √(gH).
    pub residual_speed: f64,
    /// Relative change of volume.
    pub compression: f64,
    /// Height of the middle of mass relative to the start.
    pub sinking: f64,
}

/// Points at each depth where pressure is read.
const COLUMNS: u32 = 7;

/// Lets a tank come to rest until `end` and measures it. Pressures are means over the last fifth of the time.
pub fn tank_at_rest<L: Liquid>(
    liquid: L,
    setup: &LiquidSetup,
    depth: f32,
    end: f64,
) -> Result<TankAtRest, StepError> {
    let mut world = World::new(liquid);
    let middle = 0.5 * (setup.domain.lower + setup.domain.upper());
    let full = f64::from(setup.materials[0].density * GRAVITY * depth);
    let before = mean_height(&world.positions());
    let shares = [0.25, 0.5, 0.75];
    let mut pressures = [0.0; 3];
    world.run(0.8 * end)?;
    let samples = 20;
    for sample in 1..=samples {
        world.run(end * (0.8 + 0.2 * f64::from(sample) / f64::from(samples)))?;
        for (pressure, share) in pressures.iter_mut().zip(shares) {
            // Along a line across the tank: packings of particles bear a little shear.
            for column in 1..=COLUMNS {
                let across = column as f32 / (COLUMNS + 1) as f32 * setup.domain.upper().x;
                let point = Vec3::new(across, depth * (1.0 - share as f32), middle.z);
                let found = world.liquid.pressure_at(point).map_or(f64::NAN, f64::from);
                *pressure += found / f64::from(samples * COLUMNS);
            }
        }
    }
    let measure = world.liquid.measure(&world.solids);
    let speed = (2.0 * measure.kinetic_energy / measure.mass).sqrt();
    let errors = pressures.iter().zip(shares);
    Ok(TankAtRest {
        pressure_error: errors
            .map(|(pressure, share)| (pressure / full - share).abs())
            .fold(0.0, f64::max),
        residual_speed: speed / f64::from(GRAVITY * depth).sqrt(),
        compression: measure.volume_drift(),
        sinking: f64::from(mean_height(&world.positions()) / before) - 1.0,
    })
}

fn mean_height(positions: &[Vec3]) -> f32 {
    positions.iter().map(|point| point.y).sum::<f32>() / positions.len().max(1) as f32
}

/// A column `width` wide and twice as high in a flat tank five times as wide, with `cells` cells along x.
pub fn dam_break_setup(material: Material, width: f32, cells: i32) -> LiquidSetup {
    let size = Vec3::new(5.0 * width, 2.5 * width, 0.0);
    let mut setup = tank_setup(material, size, 2.0 * width, cells, true);
    let column = cuboid(
        Vec3::new(0.0, 0.0, -1.0),
        Vec3::new(width, 2.0 * width, 1.0),
    );
    setup.initial[0].shape = column.into();
    setup
}

/// Time T = t √(2g/a) and front Z = x/a of a column a wide and 2a high (Martin & Moyce 1952, fig. 3).
pub const MARTIN_MOYCE: [(f64, f64); 15] = [
    (0.41, 1.11),
    (0.84, 1.22),
    (1.19, 1.44),
    (1.43, 1.67),
    (1.63, 1.89),
    (1.83, 2.11),
    (1.98, 2.33),
    (2.20, 2.56),
    (2.32, 2.78),
    (2.51, 3.00),
    (2.65, 3.22),
    (2.83, 3.44),
    (2.98, 3.67),
    (3.11, 3.89),
    (3.33, 4.11),
];

/// What was measured of a dam break.
#[derive(Clone, Copy, Debug)]
pub struct DamBreak {
    /// Root mean square deviation from Martin & Moyce, after the best shift in time up to 0.3.
    pub deviation: f64,
    /// Speed of the front between T = 2 and T = 3, in a for T.
    pub slope: f64,
    /// The front at T = 3, in a.
    pub reached: f64,
}

/// Follows the front of a dam break.
pub fn dam_break<L: Liquid>(liquid: L, width: f32) -> Result<DamBreak, StepError> {
    let mut world = World::new(liquid);
    let scale = f64::from(2.0 * GRAVITY / width).sqrt();
    let mut front: Vec<(f64, f64)> = Vec::new();
    for sample in 0..=70 {
        let moment = 0.05 * f64::from(sample);
        world.run(moment / scale)?;
        // A particle's edge is half a spacing beyond its middle, at the start as later: the first is the wall's.
        let furthest = world
            .positions()
            .iter()
            .map(|point| point.x)
            .fold(0.0, f32::max);
        front.push((moment, f64::from(furthest / width)));
    }
    let at = |moment: f64| {
        let after = front
            .partition_point(|&(time, _)| time < moment)
            .clamp(1, front.len() - 1);
        let ((t0, z0), (t1, z1)) = (front[after - 1], front[after]);
        z0 + (z1 - z0) * (moment - t0) / (t1 - t0)
    };
    let deviation = |shift: f64| {
        let squares = MARTIN_MOYCE
            .iter()
            .map(|&(time, reached)| (at(time - shift) / reached - 1.0).powi(2));
        (squares.sum::<f64>() / MARTIN_MOYCE.len() as f64).sqrt()
    };
    Ok(DamBreak {
        deviation: (0..=30)
            .map(|step| deviation(f64::from(step) * 0.01))
            .fold(f64::INFINITY, f64::min),
        slope: at(3.0) - at(2.0),
        reached: at(3.0),
    })
}
