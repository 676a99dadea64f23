//! Keys of materials.

use glam::Vec3;
use ooze_core::Material;

use crate::keys::{Number, Text, number, seconds, table, variants, vector};

/// Names of all presets.
pub(crate) fn preset_names() -> Vec<&'static str> {
    let presets = Material::presets();
    presets.iter().map(|preset| preset.name).collect()
}

/// Names of all looks that the renderer has.
fn look_names() -> Vec<&'static str> {
    ooze_render::Look::names().collect()
}

/// A temperature.
const KELVIN: Number = number("K").between(1.0, 10_000.0);

table! {
    /// A material of your own: a preset with changes. `materials.sauce = "ketchup"` is short for
    /// `materials.sauce.base = "ketchup"`. The presets are listed in materials.md.
    struct MaterialKeys "material" shorthand base {
        /// The preset that everything left out here is taken from.
        base: String [Text::OneOf(preset_names)] default("water");
        /// Density.
        density: f64 [number("kg/m³").between(0.01, 100_000.0)] optional;
        /// Dynamic viscosity; of a liquid with a `flow_curve`, the apparent one at a shear rate of 10/s.
        viscosity: f64 [number("Pa s").between(0.0, 1e12)] optional;
        /// Surface tension against air.
        surface_tension: f64 [number("N/m").between(0.0, 10.0)] optional;
        /// Temperature at the start, for which all values hold.
        temperature: f64 [KELVIN] optional;
        /// Elastic strength with plastic flow.
        elasticity: ElasticityKeys [()] optional;
        /// Yield stress and shear thinning.
        flow_curve: FlowCurveKeys [()] optional;
        /// Time after which a deformation is forgotten.
        relaxation_time: f64 [seconds().size()] optional;
        /// Heat and melting.
        thermal: ThermalKeys [()] optional;
        /// Linear red, green and blue.
        colour: Vec3 [vector(number("").between(0.0, 1.0))] optional;
        /// What pictures make it look like.
        look: String [Text::OneOf(look_names)] optional;
    }
}

table! {
    /// Elastic strength with plastic flow (Goktekin 2011). A base without it needs all keys.
    struct ElasticityKeys "elasticity" {
        /// Elastic modulus; the shear modulus is half of it.
        modulus: f64 [number("Pa").at_least(0.0)] optional;
        /// Size of the deviatoric strain up to which nothing flows.
        yield_strain: f64 [number("").between(0.0, 100.0)] optional;
        /// Rate at which strain beyond the yield strain flows away.
        decay_rate: f64 [number("1/s").between(0.0, 1e6)] optional;
    }
}

table! {
    /// The flow curve of Herschel & Bulkley: stress = yield stress + consistency · shear rate ^ flow index. A base
    /// without it needs all keys.
    struct FlowCurveKeys "flow curve" {
        /// Stress below which the liquid stands.
        yield_stress: f64 [number("Pa").at_least(0.0)] optional;
        /// Consistency.
        consistency: f64 [number("Pa sⁿ").at_least(0.0)] optional;
        /// Flow index: below 1 thins, above 1 thickens.
        flow_index: f64 [number("").between(0.05, 3.0)] optional;
    }
}

table! {
    /// Heat and melting. A base without it needs `conductivity` and `specific_heat`.
    struct ThermalKeys "thermal" {
        /// Thermal conductivity.
        conductivity: f64 [number("W/(m K)").between(0.0, 10_000.0)] optional;
        /// Specific heat capacity.
        specific_heat: f64 [number("J/(kg K)").between(1.0, 100_000.0)] optional;
        /// Melting point.
        melting_point: f64 [KELVIN] optional;
        /// Heat of fusion.
        latent_heat: f64 [number("J/kg").between(0.0, 1e8)] optional;
        /// Growth of volume with temperature, in `mueller`. Left out, `method.mueller.thermal_expansion`.
        expansion: f64 [number("1/K").between(0.0, 0.1)] optional;
        /// How viscosity follows temperature.
        viscosity_law: LawKeys [()] optional;
    }
}

variants! {
    /// How viscosity follows temperature, relative to the viscosity at the material's own temperature.
    enum LawKeys "viscosity law" {
        /// Viscosity ∝ exp(−rate · T): falls by the same factor with every kelvin.
        Exponential(ExponentialKeys) "exponential" [()];
        /// Viscosity ∝ exp(E/(R T)): thermally activated flow.
        Arrhenius(ArrheniusKeys) "arrhenius" [()];
        /// log₁₀ of viscosity = constant + slope/(T − pole): water, glasses and melts (Vogel, Fulcher, Tammann).
        Vogel(VogelKeys) "vogel" [()];
    }
}

table! {
    /// Viscosity ∝ exp(−rate · T).
    struct ExponentialKeys "exponential" {
        /// Decrease of the logarithm of viscosity per kelvin.
        rate: f64 [number("1/K").between(0.0, 10.0)] required;
    }
}

table! {
    /// Viscosity ∝ exp(E/(R T)).
    struct ArrheniusKeys "arrhenius" {
        /// Activation energy.
        activation_energy: f64 [number("J/mol").between(0.0, 1e7)] required;
    }
}

table! {
    /// log₁₀ of viscosity = constant + slope/(T − pole).
    struct VogelKeys "vogel" {
        /// The slope.
        slope: f64 [number("K").between(0.0, 1e6)] required;
        /// Temperature at which the law ends; must lie below the material's own.
        pole: f64 [number("K").between(0.0, 10_000.0)] required;
    }
}
