//! Diffusion of heat and colour against closed forms.

use glam::Vec3;
use ooze_core::{ChannelData, Contact, Liquid, LiquidSetup, Side, WallHeat};
use ooze_particles::cases::{self, World};
use ooze_particles::{MuellerLiquid, MuellerSettings};

use super::liquid;
use crate::support::water;

const DIFFUSIVITY: f32 = 1e-3;

/// Water that fills a flat box without weight.
fn still_water() -> LiquidSetup {
    let mut setup = cases::tank_setup(water(), Vec3::new(0.2, 0.4, 0.0), 0.4, 10, true);
    setup.forces.clear();
    setup
}

/// A closed side of that temperature.
pub(super) fn heated(temperature: f32) -> Side {
    let heat = WallHeat {
        temperature,
        transfer: None,
    };
    Side::Closed(Contact {
        heat: Some(heat),
        ..Contact::default()
    })
}

fn settings() -> MuellerSettings {
    MuellerSettings {
        heat_diffusivity: Some(DIFFUSIVITY),
        ..MuellerSettings::default()
    }
}

fn set_temperatures(liquid: &mut MuellerLiquid, temperature: impl Fn(Vec3) -> f32) {
    let mut saved = liquid.save();
    let positions = saved.vectors("position").expect("positions are saved");
    let values = positions.iter().map(|&point| temperature(point)).collect();
    saved.insert("temperature", ChannelData::Scalar(values));
    liquid.load(saved).expect("the state fits");
}

#[test]
fn heat_enters_from_the_bottom_as_erfc() {
    let mut setup = still_water();
    setup.domain.sides[1][0] = heated(400.0);
    let mut world = World::new(liquid(&setup, settings()));
    set_temperatures(&mut world.liquid, |_| 300.0);
    let end = 4.0;
    world.run(end).expect("steps succeed");
    let particles = &world.liquid.state().particles;
    let length = 2.0 * (DIFFUSIVITY * end as f32).sqrt();
    for (share, expected) in [(0.5, 0.47950), (1.0, 0.15730)] {
        let (mut sum, mut count) = (0.0, 0.0);
        for (point, value) in particles
            .position
            .iter()
            .zip(particles.carried.named::<f32>("temperature"))
        {
            // The profile is nearly straight over a layer of particles: their mean is that of its middle.
            let off = (point.y / length - share) / 0.1;
            let weight = (1.0 - off.abs()).max(0.0);
            sum += weight * value;
            count += weight;
        }
        let found = (sum / count - 300.0) / 100.0;
        assert!(
            (found - expected).abs() < 0.02,
            "{share}: {found} {expected}"
        );
    }
}

#[test]
fn a_wave_of_heat_decays_at_its_rate_and_heat_is_kept() {
    let mut world = World::new(liquid(
        &still_water(),
        MuellerSettings {
            thermal_expansion: 1e-6,
            ..settings()
        },
    ));
    let number = std::f32::consts::PI / 0.4;
    set_temperatures(&mut world.liquid, |point| {
        300.0 + 10.0 * (point.y * number).cos()
    });
    let figures = |world: &World<MuellerLiquid>| {
        let particles = &world.liquid.state().particles;
        let values = particles.carried.named::<f32>("temperature");
        let pairs = particles.position.iter().zip(values);
        let wave =
            pairs.map(|(point, value)| f64::from((point.y * number).cos() * (value - 300.0)));
        let heat = values.iter().map(|&value| f64::from(value)).sum::<f64>();
        (wave.sum::<f64>(), heat)
    };
    let (wave, heat) = figures(&world);
    let end = 5.0;
    world.run(end).expect("steps succeed");
    let (after, kept) = figures(&world);
    let rate = (wave / after).ln() / end;
    let expected = f64::from(DIFFUSIVITY * number * number);
    assert!((rate / expected - 1.0).abs() < 0.05, "{rate} {expected}");
    assert!((kept / heat - 1.0).abs() < 1e-5, "{heat} {kept}");
}

#[test]
fn colours_spread_only_if_they_diffuse() {
    let mut setup = still_water();
    setup.materials.push(water());
    setup.materials[1].appearance.colour = Vec3::X;
    setup.materials[0].appearance.colour = Vec3::ZERO;
    let mut upper = setup.initial[0].clone();
    upper.material = ooze_core::MaterialId(1);
    let half = ooze_geometry::Shape::cuboid(Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.1, 0.1, 1.0));
    upper.shape = half.expect("a fair box").into();
    setup.initial.insert(0, upper);
    let run = |diffusivity| {
        let settings = MuellerSettings {
            diffusivity,
            interface_tension: Some(0.0),
            ..MuellerSettings::default()
        };
        let mut world = World::new(liquid(&setup, settings));
        world.run(2.0).expect("steps succeed");
        let particles = &world.liquid.state().particles;
        let pairs = particles
            .position
            .iter()
            .zip(particles.carried.named::<Vec3>("colour"));
        let near = pairs.filter(|(point, _)| point.y > 0.22 && point.y < 0.24);
        let reds: Vec<f32> = near.map(|(_, colour)| colour.x).collect();
        (reds.iter().sum::<f32>() / reds.len() as f32, reds.len())
    };
    // Two half spaces: 1 − erfc(x/(2 √(κ t)))/2 with x = 0.03.
    let (spread, count) = run(DIFFUSIVITY);
    assert!(count > 5);
    let expected = 1.0 - 0.5 * 0.6353;
    assert!((spread - expected).abs() < 0.03, "{spread} {expected}");
}
