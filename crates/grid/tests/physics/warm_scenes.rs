//! Warm scenes that have closed forms, or that show where heat goes, for any liquid on a grid.

use std::collections::BTreeMap;

use glam::Vec3;
use ooze_core::{
    Ambient, Contact, LiquidSetup, Material, MeltingCurve, Side, Thermal, WallCondition, WallHeat,
};
use ooze_geometry::Shape;

use crate::support::{cuboid, down, setup, unit_box};

/// In m²/s, with a density of 1000 kg/m³ and a specific heat of 1000 J/(kg K).
pub const DIFFUSIVITY: f32 = 0.01;
pub const COLD: f32 = 300.0;
pub const HOT: f32 = 400.0;

/// A thick liquid that conducts heat very well.
pub fn conductor() -> Material {
    Material {
        temperature: COLD,
        thermal: Some(Thermal::conducting(DIFFUSIVITY * 1e6, 1000.0)),
        ..Material::newtonian("conductor", 1000.0, 1.0, 0.0)
    }
}

pub fn warm(temperature: f32) -> Contact {
    Contact {
        heat: Some(WallHeat {
            temperature,
            transfer: None,
        }),
        ..Contact::default()
    }
}

/// A flat box full of a material without weight, with a left side of that temperature.
pub fn heated_from_the_left(material: Material, cells: i32, temperature: f32) -> LiquidSetup {
    let mut setup = setup(unit_box(cells, true), cuboid(Vec3::ZERO, Vec3::ONE));
    setup.materials = vec![material];
    setup.forces.clear();
    setup.domain.sides[0][0] = Side::Closed(warm(temperature));
    setup
}

/// Largest difference of temperatures from a profile over a coordinate, as a share of HOT − COLD: means over layers of a cell's
/// width, of the points that count.
pub fn largest_error(
    found: impl Iterator<Item = (Vec3, f32)>,
    width: f32,
    coordinate: impl Fn(Vec3) -> Option<f32>,
    profile: impl Fn(f64) -> f64,
) -> f64 {
    let mut layers = BTreeMap::<i32, (f64, f64)>::new();
    for (point, found) in found {
        if let Some(at) = coordinate(point) {
            let found = f64::from((found - COLD) / (HOT - COLD));
            let layer = layers.entry((at / width).floor() as i32).or_default();
            layer.0 += found - profile(f64::from(at));
            layer.1 += 1.0;
        }
    }
    let errors = layers.values().map(|(sum, count)| (sum / count).abs());
    errors.fold(0.0, f64::max)
}

/// The complement of the error function (Abramowitz & Stegun 1964, 7.1.26), to 1.5e-7.
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
    let series = [
        0.254_829_592,
        -0.284_496_736,
        1.421_413_741,
        -1.453_152_027,
        1.061_405_429,
    ];
    let sum = series.iter().rev().fold(0.0, |sum, &term| (sum + term) * t);
    let positive = sum * (-x * x).exp();
    if x < 0.0 { 2.0 - positive } else { positive }
}

/// Share of a wall's temperature that has come to a depth in metres after some seconds.
pub fn entered(depth: f64, seconds: f64) -> f64 {
    erfc(depth / (2.0 * (f64::from(DIFFUSIVITY) * seconds).sqrt()))
}

/// A material that melts in half a kelvin above COLD, with latent heat for a Stefan number between COLD and HOT.
pub fn melting(stefan: f32) -> Material {
    let mut material = conductor();
    let thermal = material.thermal.as_mut().expect("it conducts");
    thermal.melting_point = Some(COLD + 0.25);
    thermal.melting_width = Some(0.5);
    thermal.latent_heat = Some(1000.0 * (HOT - COLD) / stefan);
    material
}

/// Depth in metres to which a material of Stefan number 0.5 melts from a hot wall.
pub fn stefan_depth(seconds: f64) -> f64 {
    // √π λ exp(λ²) erf λ = 0.5.
    let lambda = 0.464_786;
    2.0 * lambda * (f64::from(DIFFUSIVITY) * seconds).sqrt()
}

/// A warm drop that falls into a cold pool on a hot floor under cool air: everything moves.
pub fn warm_drop() -> LiquidSetup {
    let pool = cuboid(Vec3::ZERO, Vec3::new(1.0, 0.33, 1.0));
    let mut setup = setup(unit_box(24, true), pool);
    let mut material = Material::preset("wax").expect("a preset");
    material.temperature = 340.0;
    setup.materials = vec![material.clone()];
    setup.initial[0].temperature = Some(310.0);
    let drop = Shape::sphere(Vec3::new(0.5, 0.7, 0.0), 0.15).expect("a fair ball");
    setup.fill(drop, material).temperature = Some(380.0);
    setup.domain.sides[1][0] = Side::Closed(warm(HOT));
    setup.heat.ambient = Some(Ambient {
        temperature: 295.0,
        transfer: 500.0,
        emissivity: 0.9,
    });
    setup
}

/// A block of wax whose right half is hot, on a floor that holds it.
pub fn half_molten_block() -> LiquidSetup {
    let mut wax = Material::preset("wax").expect("a preset");
    let thermal = wax.thermal.as_mut().expect("it melts");
    thermal.solid_viscosity = Some(1e7);
    thermal.melting_curve = MeltingCurve::Linear;
    wax.viscosity = 20.0;
    let mut setup = setup(
        unit_box(24, true),
        cuboid(Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.4, 0.5, 1.0)),
    );
    setup.materials = vec![wax.clone()];
    setup.initial[0].temperature = Some(300.0);
    let right = cuboid(Vec3::new(0.4, 0.0, 0.0), Vec3::new(0.6, 0.5, 1.0));
    setup.fill(right, wax).temperature = Some(360.0);
    setup.forces = vec![down()];
    let held = Contact {
        condition: WallCondition::NoSlip,
        ..Contact::default()
    };
    setup.domain.sides[1][0] = Side::Closed(held);
    setup
}
