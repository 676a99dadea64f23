//! What has set must stand: how thick a solid must be for the height that it has in a scene.
//!
//! A block of height H that is as thick as μ sinks by about ρgH/(6μ) of its height in a second.

use glam::Vec3;
use ooze_core::{LiquidSetup, MaterialId};

use super::domain_box;
use crate::file::{MaterialKeys, SceneKeys};

/// Share of its height by which what has set may sink, and the seconds in which it may.
const MOST: f64 = 0.01;
const MINUTE: f64 = 60.0;
/// The largest viscosity that there is, in Pa s.
const THICKEST: f64 = 1e12;

/// Makes solids whose viscosity the scene does not say thick enough to stand. Tells of those whose viscosity it does say and that
/// sink by more, a line each.
pub(super) fn let_stand(keys: &SceneKeys, setup: &mut LiquidSetup) -> Vec<String> {
    let gravity = keys.gravity.value;
    let mut creeping = Vec::new();
    for index in 0..setup.materials.len() {
        let height = f64::from(height(setup, MaterialId(index as u8), gravity));
        let material = &mut setup.materials[index];
        let strength = f64::from(gravity.length());
        let Some(thermal) = &mut material.thermal else {
            continue;
        };
        let solid = thermal.melting_point.and(thermal.solid_viscosity);
        let Some(solid) = solid.map(f64::from) else {
            continue;
        };
        let share = f64::from(material.density) * strength * height * MINUTE / (6.0 * solid);
        if share <= MOST {
            continue;
        }
        let needed = (solid * share / MOST).min(THICKEST);
        let own = keys.materials.0.iter();
        let mut own = own.filter(|(name, _)| *name == material.name);
        let written = |own: &MaterialKeys| {
            let thermal = own.thermal.as_ref();
            thermal.is_some_and(|thermal| thermal.solid_viscosity.is_some())
        };
        if own.any(|(_, own)| written(own)) {
            creeping.push(format!(
                "`{}` that has set sinks by about {:.2} % of its height in a minute where it is {height:.3} m high: {needed:.0e} Pa s and more stand",
                material.name,
                100.0 * share
            ));
        } else {
            thermal.solid_viscosity = Some(needed as f32);
        }
    }
    creeping
}

/// The height in metres of the highest liquid of a material at the start.
fn height(setup: &LiquidSetup, material: MaterialId, gravity: Vec3) -> f32 {
    let domain = domain_box(&setup.domain);
    let down = gravity.normalize_or_zero().abs();
    let liquids = setup
        .initial
        .iter()
        .filter(|liquid| liquid.material == material && liquid.hold.is_none())
        .map(|liquid| liquid.shape.bounds().intersection(domain));
    let heights = liquids.map(|bounds| (bounds.upper - bounds.lower).max(Vec3::ZERO).dot(down));
    heights.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use crate::Scene;

    /// A block of wax that is half a metre high, with this in its table of heat.
    fn block(thermal: &str) -> Scene {
        let text = format!(
            "[domain]\nsize = [1, 1, 1]\n[materials.tallow]\nbase = \"wax\"\nthermal = {{ {thermal} }}\n\
             [[liquid]]\nmaterial = \"tallow\"\ntemperature = 300\n\
             shape.box = {{ lower = [0.3, 0, 0.3], upper = [0.7, 0.5, 0.7] }}\n"
        );
        Scene::parse(&text, "block.toml", "").expect("a fair scene")
    }

    #[test]
    fn what_sets_is_thick_enough_for_its_height_or_told_to_creep() {
        // 1000 ρgH for half a metre.
        let soft = block("solid_viscosity = 1e5");
        let density = soft.setup.materials[0].density;
        let needed = 1000.0 * density * 9.81 * 0.5;
        assert_eq!(soft.creeping().len(), 1);
        assert!(
            soft.creeping()[0].contains("0.500 m high"),
            "{:?}",
            soft.creeping()
        );
        assert_eq!(soft.warnings().len(), 0, "{:?}", soft.warnings());
        for firm in [
            block(&format!("solid_viscosity = {}", 1.01 * needed)),
            block(""),
        ] {
            assert!(firm.creeping().is_empty());
            let thermal = firm.setup.materials[0].thermal.expect("it melts");
            assert!(thermal.solid_viscosity.expect("it sets") >= needed);
        }
    }
}
