//! Keys of materials.

use std::sync::LazyLock;

use glam::Vec3;
use ooze_core::{Material, MeltingCurve};

use super::{HEATED, KELVIN, LiquidKeys, TABLES, TextureKeys};
use crate::keys::{
    Kind, MOMENTUM, Methods, Readers, TableKind, Text, number, seconds, table, variants, vector,
};
use crate::place::Placed;
use crate::presets::{CLAVET, MUELLER};

/// Names of all presets.
pub(crate) fn preset_names() -> Vec<&'static str> {
    let presets = Material::presets();
    presets.iter().map(|preset| preset.name).collect()
}

/// Names of all looks that the renderer has.
fn look_names() -> Vec<&'static str> {
    ooze_staging::Look::names().collect()
}

/// The methods in which materials are elastic.
const ELASTIC: Methods = MOMENTUM.with(CLAVET);
/// The methods whose surfaces pull.
const TENSE: Methods = CLAVET.with(MUELLER);

/// The properties of a table that not every method reads, as paths of keys within it, and who reads them. Keys of a table that
/// are read by those who read the table are not listed.
fn properties(table: &TableKind, path: &str, outside: Methods, found: &mut Vec<(String, Readers)>) {
    for key in &table.keys {
        let readers = Readers {
            methods: key.readers.methods.within(outside),
            ..key.readers
        };
        let name = format!("{path}{}", key.name);
        if readers.methods != outside {
            found.push((name.clone(), readers));
        }
        if let Kind::Table(describe) = key.kind {
            properties(&describe(), &format!("{name}."), readers.methods, found);
        }
    }
}

/// The properties of materials that not every method reads, as `thermal.melting_point`, and who reads them.
pub(crate) fn material_properties() -> Vec<(String, Readers)> {
    let mut found = Vec::new();
    properties(&MaterialKeys::description(), "", Methods::ALL, &mut found);
    found
}

/// The properties of liquids that not every method reads, and who reads them.
pub(crate) fn liquid_properties() -> Vec<(String, Readers)> {
    let mut found = Vec::new();
    properties(&LiquidKeys::description(), "", Methods::ALL, &mut found);
    found
}

/// Names of the properties of materials and liquids that not every method reads.
pub(crate) fn property_names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let known = material_properties().into_iter().chain(liquid_properties());
        let last = |(path, _): (String, Readers)| path.rsplit('.').next().map(str::to_owned);
        known.filter_map(last).collect()
    });
    NAMES.iter().map(String::as_str).collect()
}

/// The methods that carry heat.
pub(crate) const WARM: Methods = HEATED.with(MUELLER);

table! {
    /// A material of your own: a preset with changes. `materials.sauce = "ketchup"` is short for
    /// `materials.sauce.base = "ketchup"`. The presets are listed in materials.md.
    struct MaterialKeys "material" shorthand base {
        /// The preset that everything left out here is taken from; left out, the preset of the same name, or else water.
        base: String [Text::OneOf(preset_names)] optional;
        /// Density.
        density: f64 [number("kg/m³").between(0.01, 100_000.0)] optional;
        /// Dynamic viscosity; of a liquid with a `flow_curve`, the apparent one at a shear rate of 10/s.
        viscosity: f64 [number("Pa s").between(0.0, 1e12)] optional;
        /// Surface tension against air.
        surface_tension: f64 [number("N/m").between(0.0, 10.0)] optional for TENSE;
        /// Temperature at the start, for which all values hold.
        temperature: f64 [KELVIN] optional for WARM;
        /// Elastic strength with plastic flow.
        elasticity: ElasticityKeys [()] optional for ELASTIC, essential;
        /// Yield stress and shear thinning.
        flow_curve: FlowCurveKeys [()] optional for Methods::NONE, essential;
        /// Time after which a deformation is forgotten.
        relaxation_time: f64 [seconds().size()] optional for CLAVET;
        /// Heat and melting.
        thermal: ThermalKeys [()] optional for WARM;
        /// Linear red, green and blue.
        colour: Vec3 [vector(number("").between(0.0, 1.0))] optional;
        /// What pictures make it look like.
        look: String [Text::OneOf(look_names)] optional;
        /// How clear pictures show what has melted of it, around what is solid still: 0 as the solid, 1 without any haze. Left out, as
        /// the look has it: 0.92 for `wax`, 0 for others. For milky looks, in liquids of particles.
        clearing: f64 [number("").between(0.0, 1.0)] optional;
        /// A pattern that sticks to it, in pictures; for bodies that are not clear.
        texture: TextureKeys [()] optional;
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
        /// Melting point, the middle of the range in which it melts.
        melting_point: f64 [KELVIN] optional for HEATED, essential;
        /// Width of that range; left out, 2 K.
        melting_width: f64 [number("K").between(0.1, 1000.0)] optional for HEATED;
        /// Heat of fusion.
        latent_heat: f64 [number("J/kg").between(0.0, 1e8)] optional for HEATED;
        /// Viscosity of the solid: what has set creeps as a liquid that is so thick. A block of height H sinks by about
        /// density · gravity · H/(6 · viscosity) of its height in a second. Left out, melting makes no difference to the flow.
        solid_viscosity: f64 [number("Pa s").between(0.0, 1e12)] optional for HEATED;
        /// How viscosity changes in the melting range.
        melting_curve: MeltingCurve [()] optional for HEATED;
        /// Share of the elastic modulus that is left in the melt; in the melting range it follows what is still solid. What sets
        /// is free of strain, what melts loses the stress that it had. Left out, melting makes no difference to it.
        molten_modulus: f64 [number("").between(0.0, 1.0)] optional for MOMENTUM;
        /// Share of the yield strain that is left in the melt.
        molten_yield_strain: f64 [number("").between(0.0, 1.0)] optional for MOMENTUM;
        /// Growth of volume with temperature. Left out, `method.mueller.thermal_expansion`.
        expansion: f64 [number("1/K").between(0.0, 0.1)] optional for MUELLER;
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
        /// Measured values.
        Table(TableKeys) "table" [()];
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

table! {
    /// Measured viscosities, by equal factors over equal differences of temperature between them; only their ratios count.
    struct TableKeys "table" {
        /// Two to sixteen of them, in the order of temperature.
        points: Vec<Placed<TablePointKeys>> [TABLES] required;
    }
}

table! {
    /// A measured viscosity.
    struct TablePointKeys "point" {
        /// At which temperature.
        temperature: f64 [KELVIN] required;
        /// The viscosity.
        viscosity: f64 [number("Pa s").between(1e-9, 1e15)] required;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ooze_core::Property;

    #[test]
    fn every_property_of_materials_says_who_reads_it() {
        let known = material_properties();
        for key in Property::KEYS {
            let table = key.split('.').next();
            let tagged = |known: &str| known == key || Some(known) == table;
            assert!(known.iter().any(|(known, _)| tagged(known)), "{key}");
        }
        let names = property_names();
        for name in ["flow_curve", "melting_point", "viscosity_gradient"] {
            assert!(names.contains(&name), "{names:?}");
        }
    }
}
