//! Heat in a material: conduction, melting, and viscosity as a function of temperature.

use ooze_commons::choice;

use super::Elasticity;

/// Kelvin in which materials melt that do not say theirs: pure substances melt at a point, but a range of some width lets heat
/// and viscosity follow smoothly.
const USUAL_MELTING_RANGE: f32 = 2.0;

/// How a material takes up, conducts and spends heat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thermal {
    /// Conductivity in W/(m K).
    pub conductivity: f32,
    /// Specific heat capacity in J/(kg K).
    pub specific_heat: f32,
    /// Temperature in kelvin at which it melts, or the middle of the range in which it does.
    pub melting_point: Option<f32>,
    /// Width in kelvin of the range around the melting point in which it melts; none for the usual one.
    pub melting_width: Option<f32>,
    /// Heat of fusion in J/kg.
    pub latent_heat: Option<f32>,
    /// Viscosity in Pa s of the solid: what has set creeps as a liquid that is so thick. None for materials whose melting point
    /// makes no difference to how they flow.
    pub solid_viscosity: Option<f32>,
    /// How viscosity changes between both in the melting range.
    pub melting_curve: MeltingCurve,
    /// What is left of elastic strength in the melt; none for materials that are as elastic molten as they are solid.
    pub molten_strength: Option<MoltenStrength>,
    /// Growth of volume with temperature in 1/K; none where it is not known.
    pub expansion: Option<f32>,
    /// How viscosity follows temperature.
    pub viscosity_law: Option<ViscosityLaw>,
}

/// What is left of a solid's elastic strength once all of it has melted, as shares of the solid's; in between it follows what is
/// still solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoltenStrength {
    /// Of the modulus.
    pub modulus: f32,
    /// Of the yield strain.
    pub yield_strain: f32,
}

impl MoltenStrength {
    /// As elastic as the solid.
    pub const WHOLE: Self = Self {
        modulus: 1.0,
        yield_strain: 1.0,
    };

    /// The elasticity of a material of which the share `melted` has melted.
    #[inline]
    pub fn soften(&self, solid: &Elasticity, melted: f32) -> Elasticity {
        let share = |molten: f32| 1.0 + (molten - 1.0) * melted;
        Elasticity {
            modulus: solid.modulus * share(self.modulus),
            yield_strain: solid.yield_strain * share(self.yield_strain),
            decay_rate: solid.decay_rate,
        }
    }
}

choice! {
    /// How viscosity changes in the melting range, from that of the solid to that of the melt (Carlson 2004, sec. 4.3).
    pub enum MeltingCurve default Logarithmic {
        /// By equal factors over equal differences of temperature.
        Logarithmic "logarithmic";
        /// Linearly in temperature: it stays near that of the solid until the very end of the range.
        Linear "linear";
        /// With the square of the share that is still solid.
        Quadratic "quadratic";
    }
}

impl Thermal {
    /// A material of that conductivity in W/(m K) and specific heat in J/(kg K) that does not melt.
    pub const fn conducting(conductivity: f32, specific_heat: f32) -> Self {
        Self {
            conductivity,
            specific_heat,
            melting_point: None,
            melting_width: None,
            latent_heat: None,
            solid_viscosity: None,
            melting_curve: MeltingCurve::Logarithmic,
            molten_strength: None,
            expansion: None,
            viscosity_law: None,
        }
    }

    /// Temperatures in kelvin between which it melts, if it does.
    pub fn melting_range(&self) -> Option<[f32; 2]> {
        let half = 0.5 * self.melting_width.unwrap_or(USUAL_MELTING_RANGE);
        self.melting_point
            .map(|middle| [middle - half, middle + half])
    }

    /// Viscosity in Pa s at a temperature in kelvin at which the melt's is `melt`.
    pub(super) fn viscosity(&self, temperature: f32, melt: f32) -> f32 {
        let Some((solid, [from, to])) = self.solid_viscosity.zip(self.melting_range()) else {
            return melt;
        };
        let melted = ((temperature - from) / (to - from)).clamp(0.0, 1.0);
        let frozen = 1.0 - melted;
        match self.melting_curve {
            MeltingCurve::Logarithmic => solid.powf(frozen) * melt.powf(melted),
            // Sums of shares: far below the range the melt's law may give so much more than the solid has that a difference of both
            // would be rounding alone.
            MeltingCurve::Linear => solid * frozen + melt * melted,
            MeltingCurve::Quadratic => solid * frozen * frozen + melt * (1.0 - frozen * frozen),
        }
    }

    /// Thermal diffusivity in m²/s of a material of that density.
    pub fn diffusivity(&self, density: f32) -> f32 {
        self.conductivity / (density * self.specific_heat)
    }
}

/// A law for viscosity over temperature, relative to the viscosity at a reference temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViscosityLaw {
    /// μ ∝ exp(−rate · T): good for a few tens of kelvin.
    Exponential {
        /// Decrease of ln μ in 1/K.
        rate: f32,
    },
    /// μ ∝ exp(E/(R T)) (Andrade 1930): thermally activated flow.
    Arrhenius {
        /// Activation energy E in J/mol.
        activation_energy: f32,
    },
    /// log₁₀ μ = A + B/(T − C) (Vogel 1921, Fulcher 1925, Tammann & Hesse 1926): water, glasses and melts. A is set by
    /// the viscosity at the reference temperature.
    Vogel {
        /// B in kelvin.
        slope: f32,
        /// C in kelvin; below it the law has no meaning.
        pole: f32,
    },
    /// Measured values, with equal factors over equal differences of temperature between them.
    Table(ViscosityTable),
}

/// Viscosities in Pa s over temperatures in kelvin, as they were measured; constant beyond the first and the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscosityTable {
    count: usize,
    points: [[f32; 2]; ViscosityTable::MOST],
}

impl ViscosityTable {
    /// Most points of a table.
    pub const MOST: usize = 16;

    /// A table of two points or more, each a temperature and a viscosity, in the order of temperature; none if they are fewer or
    /// too many, if temperatures do not rise, or if a viscosity is not positive.
    pub fn new(points: &[[f32; 2]]) -> Option<Self> {
        let rising = points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        let positive = points.iter().all(|point| point[1] > 0.0);
        if !(2..=Self::MOST).contains(&points.len()) || !rising || !positive {
            return None;
        }
        let mut table = Self {
            count: points.len(),
            points: [[0.0; 2]; Self::MOST],
        };
        table.points[..points.len()].copy_from_slice(points);
        Some(table)
    }

    /// The logarithm of the viscosity at a temperature.
    fn logarithm(&self, temperature: f32) -> f32 {
        let points = &self.points[..self.count];
        let above = points.partition_point(|point| point[0] <= temperature);
        if above == 0 || above == self.count {
            return points[above.min(self.count - 1)][1].ln();
        }
        let [[from, low], [to, high]] = [points[above - 1], points[above]];
        let share = (temperature - from) / (to - from);
        low.ln() + share * (high.ln() - low.ln())
    }
}

/// The gas constant in J/(mol K).
const GAS_CONSTANT: f32 = 8.314_463;

/// Nothing in ooze tells viscosities apart beyond this factor, and a larger one would leave single precision.
const LARGEST_RATIO: f32 = 1e12;

impl ViscosityLaw {
    /// Viscosity at `temperature` divided by viscosity at `reference`, both in kelvin; limited to 10^±12.
    pub fn ratio(&self, temperature: f32, reference: f32) -> f32 {
        let logarithm = match *self {
            Self::Exponential { rate } => rate * (reference - temperature),
            Self::Arrhenius { activation_energy } => {
                activation_energy / GAS_CONSTANT * (1.0 / temperature - 1.0 / reference)
            }
            Self::Vogel { slope, pole } => {
                // At and below the pole the liquid is a solid glass.
                let above_pole = (temperature - pole).max(1e-3);
                std::f32::consts::LN_10 * slope * (1.0 / above_pole - 1.0 / (reference - pole))
            }
            Self::Table(table) => table.logarithm(temperature) - table.logarithm(reference),
        };
        logarithm.exp().clamp(1.0 / LARGEST_RATIO, LARGEST_RATIO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> ViscosityTable {
        let points = [[250.0, 40.0], [300.0, 4.0], [400.0, 1.0]];
        ViscosityTable::new(&points).expect("a fair table")
    }

    #[test]
    fn a_table_meets_its_points_and_goes_evenly_between_them() {
        let law = ViscosityLaw::Table(table());
        for (temperature, expected) in
            [(250.0, 10.0), (275.0, 3.1623), (400.0, 0.25), (900.0, 0.25)]
        {
            let found = law.ratio(temperature, 300.0);
            assert!(
                (found / expected - 1.0).abs() < 1e-4,
                "{temperature}: {found}"
            );
        }
        for wrong in [
            &[[1.0, 1.0]][..],
            &[[2.0, 1.0], [1.0, 1.0]],
            &[[1.0, 0.0], [2.0, 1.0]],
        ] {
            assert_eq!(ViscosityTable::new(wrong), None);
        }
    }

    #[test]
    fn what_sets_is_as_thick_as_the_solid_and_melts_along_its_curve() {
        let mut thermal = Thermal::conducting(0.2, 2000.0);
        assert_eq!(thermal.viscosity(100.0, 0.1), 0.1);
        thermal.melting_point = Some(330.0);
        thermal.melting_width = Some(10.0);
        thermal.solid_viscosity = Some(1e7);
        for (curve, half_way) in [
            (MeltingCurve::Logarithmic, 1e3),
            (MeltingCurve::Linear, 5e6),
            (MeltingCurve::Quadratic, 2.5e6),
        ] {
            thermal.melting_curve = curve;
            for (temperature, expected) in [(320.0, 1e7), (330.0, half_way), (336.0, 0.1)] {
                let found = thermal.viscosity(temperature, 0.1);
                assert!((found / expected - 1.0).abs() < 1e-3, "{curve:?}: {found}");
            }
            // A melt that its law makes beyond measure thick there leaves the solid as it is.
            assert_eq!(thermal.viscosity(320.0, 1e16), 1e7);
        }
    }

    #[test]
    fn elastic_strength_goes_with_what_is_solid() {
        let solid = Elasticity {
            modulus: 1000.0,
            yield_strain: 0.4,
            decay_rate: 3.0,
        };
        let strength = MoltenStrength {
            modulus: 0.0,
            yield_strain: 0.5,
        };
        assert_eq!(strength.soften(&solid, 0.0), solid);
        assert_eq!(MoltenStrength::WHOLE.soften(&solid, 1.0), solid);
        let half = strength.soften(&solid, 0.5);
        assert!((half.modulus - 500.0).abs() < 1e-3 && (half.yield_strain - 0.3).abs() < 1e-6);
        assert_eq!(strength.soften(&solid, 1.0).modulus, 0.0);
    }

    const LAWS: [ViscosityLaw; 3] = [
        ViscosityLaw::Exponential { rate: 0.09 },
        ViscosityLaw::Arrhenius {
            activation_energy: 9.5e4,
        },
        ViscosityLaw::Vogel {
            slope: 247.8,
            pole: 140.0,
        },
    ];

    #[test]
    fn every_law_is_one_at_its_reference_and_falls_with_temperature() {
        for law in LAWS {
            assert_eq!(law.ratio(293.15, 293.15), 1.0);
            let ratios: Vec<f32> = (150..600)
                .map(|temperature| law.ratio(temperature as f32, 293.15))
                .collect();
            assert!(
                ratios.windows(2).all(|pair| pair[1] <= pair[0]),
                "{law:?} rises"
            );
            assert!(ratios[0] > 1.0 && ratios[449] < 1.0);
        }
    }

    #[test]
    fn laws_stay_finite_where_they_have_no_meaning() {
        for law in LAWS {
            for temperature in [1e-3, 1.0, 139.0, 140.0, 1e5] {
                let ratio = law.ratio(temperature, 293.15);
                assert!(
                    ratio.is_finite() && ratio > 0.0,
                    "{law:?} at {temperature}: {ratio}"
                );
            }
        }
    }

    #[test]
    fn water_follows_vogel_over_the_kitchen_s_range() {
        // Viscosities of water in mPa s (CRC Handbook of Chemistry and Physics).
        let law = LAWS[2];
        for (celsius, expected) in [(10.0, 1.306), (40.0, 0.653), (60.0, 0.466), (90.0, 0.314)] {
            let measured = 1.0016 * law.ratio(celsius + 273.15, 293.15);
            assert!(
                (measured / expected - 1.0).abs() < 0.02,
                "{celsius} °C: {measured} against {expected}"
            );
        }
    }
}
