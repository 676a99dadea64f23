//! What the particles of a FLIP liquid carry.

use glam::Vec3;
use ooze_core::channel_rules::{expect_each, expect_not_negative};
use ooze_core::{
    Birth, Carried, ChannelRule, EnthalpyCurve, Exchange, Gradient, Handle, Mean, SymmetricTensor,
};

use super::elastic::Laws;
use crate::{FlipSettings, Transfer};

/// The channels of a liquid; those that only some liquids have are optional.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlipChannels {
    /// Velocity gradients in 1/s, where the transfer is affine (Jiang et al. 2015); of elastic liquids the part that turns.
    pub(crate) gradient: Option<Handle<Gradient>>,
    /// Elastic strains, where the liquid is elastic.
    pub(crate) strain: Option<Handle<SymmetricTensor>>,
    /// Their viscosities.
    pub(crate) viscosity: ViscosityChannel,
    /// What they hold of heat, where it matters.
    pub(crate) heat: Option<HeatChannels>,
    /// The numbers of the solids that hold them, zero for those that are free; only where a scene has solids that melt.
    pub(crate) frozen: Option<Handle<u8>>,
    /// Whether they touched a wall in the last step: 1 where they did.
    pub(crate) touching: Handle<u8>,
}

/// Dynamic viscosities in Pa s. Their geometric mean is as sharp between liquids as the particles are.
pub(crate) type ViscosityChannel = Handle<f32>;

/// Heat, and what follows from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeatChannels {
    /// Specific enthalpies in J/kg, zero at the material's own temperature.
    pub(crate) enthalpy: Handle<f32>,
    /// Temperatures in kelvin.
    pub(crate) temperature: Handle<f32>,
    /// Shares that have melted.
    pub(crate) melted: Handle<f32>,
    /// Viscosities over those of their material at the same temperature.
    pub(crate) thickness: Handle<f32>,
}

impl HeatChannels {
    pub(crate) fn register(carried: &mut Carried) -> Self {
        let thickness = |birth: &Birth<'_>| {
            let own = birth.material.viscosity_at(birth.temperature);
            match viscosity(birth) / own {
                ratio if ratio.is_finite() => ratio,
                _ => 1.0,
            }
        };
        let enthalpy = |birth: &Birth<'_>| {
            EnthalpyCurve::of(birth.material).enthalpy(f64::from(birth.temperature)) as f32
        };
        let melted = |birth: &Birth<'_>| {
            EnthalpyCurve::of(birth.material).melted(f64::from(birth.temperature)) as f32
        };
        let share = |name: &str, shares: &[f32]| {
            expect_each(
                name,
                shares,
                || "a share".into(),
                |share| (0.0..=1.0).contains(&share),
            )
        };
        Self {
            enthalpy: carried.register(ChannelRule::new("enthalpy", enthalpy).in_frames()),
            thickness: carried.register(ChannelRule::new("thickness", thickness)),
            temperature: carried.register(
                ChannelRule::new("temperature", |birth| birth.temperature)
                    .in_frames()
                    .checked(expect_not_negative),
            ),
            melted: carried.register(
                ChannelRule::new("melted", melted)
                    .in_frames()
                    .checked(share),
            ),
        }
    }
}

impl FlipChannels {
    pub(crate) fn register(
        carried: &mut Carried,
        settings: &FlipSettings,
        laws: &Laws,
        (heat, melts): (bool, bool),
    ) -> Self {
        let affine = settings.transfer == Transfer::Apic || laws.any();
        let strain = ChannelRule::new("strain", |_| SymmetricTensor::ZERO).in_frames();
        let touching = ChannelRule::new("touching", |_| 0u8)
            .checked(|name, flags| expect_each(name, flags, || "0 or 1".into(), |flag| flag <= 1));
        Self {
            gradient: affine.then(|| carried.register(ChannelRule::new("affine", gradient))),
            strain: laws.any().then(|| carried.register(strain)),
            viscosity: register_viscosity(carried),
            heat: heat.then(|| HeatChannels::register(carried)),
            frozen: melts.then(|| carried.register(ChannelRule::new("frozen", holder))),
            touching: carried.register(touching),
        }
    }
}

/// Lets particles carry viscosities.
pub(crate) fn register_viscosity(carried: &mut Carried) -> ViscosityChannel {
    let rule = ChannelRule::new("viscosity", viscosity)
        .in_frames()
        .exchanged(Exchange::ToCells(Mean::Geometric))
        .checked(expect_not_negative);
    carried.register(rule)
}

/// The gradient of a liquid that spins rigidly at the start.
fn gradient(birth: &Birth<'_>) -> Gradient {
    let spin = birth.liquid.map_or(Vec3::ZERO, |liquid| liquid.spin);
    [
        Vec3::new(0.0, -spin.z, spin.y),
        Vec3::new(spin.z, 0.0, -spin.x),
        Vec3::new(-spin.y, spin.x, 0.0),
    ]
}

/// The number of the solid that a particle is part of at first.
fn holder(birth: &Birth<'_>) -> u8 {
    let hold = birth.liquid.and_then(|liquid| liquid.hold.as_ref());
    hold.map_or(0, |hold| hold.number)
}

fn viscosity(birth: &Birth<'_>) -> f32 {
    let gradient = birth.liquid.and_then(|liquid| liquid.viscosity_gradient);
    match gradient {
        Some(gradient) => gradient.at(birth.position),
        None => birth.material.viscosity_at(birth.temperature),
    }
}
