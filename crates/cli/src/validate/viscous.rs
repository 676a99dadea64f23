//! Viscous liquids that move freely: viscosity may change neither how they fall nor how they spin, and one large step
//! must be enough (Batty & Bridson 2008, sec. 7).

use glam::{DVec3, Vec3};
use ooze_scene::{Override, Scene};

use super::trial::{Motion, follow};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Speed in m/s within a falling liquid from which on it has blown up: that with which it falls at the end.
const CALM: f64 = 0.6;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "spinning-disc",
            summary: "a viscous disc keeps 99 % of its spin a revolution; ∂u/∂n = 0 stops it as exp(−3.39 νt/R²)",
            quick: true,
            run: spinning_disc,
        },
        Case {
            name: "spinning-ball",
            summary: "a viscous ball keeps 99 % of its spin a revolution; ∂u/∂n = 0 stops it as exp(−4.33 νt/R²)",
            quick: false,
            run: spinning_ball,
        },
        Case {
            name: "falling-blob",
            summary: "from 0.01 to a million Pa s, a blob falls with exactly g and neither drifts nor turns",
            quick: true,
            run: falling_blob,
        },
        Case {
            name: "large-step",
            summary: "a blob that falls in large steps: how many sub-steps the explicit schemes need, and the variational one none",
            quick: true,
            run: large_step,
        },
    ]
}

/// Spin of a scene's liquid after its first frame and at the end, and the time between.
struct Spin {
    before: f64,
    after: f64,
    seconds: f64,
}

impl Spin {
    fn follow(scene: &Scene) -> Result<Self, CaseError> {
        let mut spins = Vec::new();
        follow(scene, |time, liquid, solids| {
            spins.push((time, Motion::of(liquid, solids).spin.z));
        })?;
        // The first frame evens out how the disc or ball was filled with particles.
        let ((start, before), (end, after)) = (spins[1], spins[spins.len() - 1]);
        Ok(Self {
            before,
            after,
            seconds: end - start,
        })
    }

    /// Rate at which the spin decays, in 1/s.
    fn decay(&self) -> f64 {
        (self.before / self.after).ln() / self.seconds
    }
}

fn spinning_disc(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/spinning-disc.toml");
    spinning(case, text, "50", "5", 3.39)
}

fn spinning_ball(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/spinning-ball.toml");
    spinning(case, text, "14", "3", 4.33)
}

/// Both scenes spin once a second, have R = 1/3 m and step as far as the liquid crosses one cell. Affine transfers keep
/// spin best. Where the loss is measured, over so many frames, the liquid is thick enough to keep its shape while it
/// spins: a ball that goes flat turns more slowly and says nothing. Where ∂u/∂n = 0 stops the spin ν is 0.1 m²/s, and
/// steps are short beside the time that it takes.
fn spinning(
    case: &Case,
    text: &str,
    kept_frames: &str,
    stopped_frames: &str,
    rate: f64,
) -> Result<Vec<Verdict>, CaseError> {
    let (viscosity, radius) = (0.1, 1.0 / 3.0);
    let overrides = [
        Override::set("materials.syrup.viscosity=1e4"),
        Override::frames(kept_frames),
    ];
    let scene = read(text, case.name, &overrides)?;
    let loss = 1.0 - (-Spin::follow(&scene)?.decay()).exp();
    let kept = case.verdict(&scene, "loss a revolution", Numbers::at_most(loss, 0.01));
    let overrides = [
        Override::set("method.viscosity.scheme=decoupled"),
        Override::set("method.viscosity.surface=neumann"),
        Override::set("time.cfl=0.4"),
        Override::frames(stopped_frames),
    ];
    let scene = read(text, case.name, &overrides)?;
    let decay = Spin::follow(&scene)?.decay() * radius * radius / viscosity;
    let numbers = Numbers::relative(decay, rate, 0.1);
    let stopped = case.verdict(&scene, "decay R²/ν if ∂u/∂n = 0", numbers);
    Ok(vec![kept, stopped])
}

fn falling_blob(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/falling-blob.toml");
    let mut verdicts = Vec::new();
    for viscosity in ["1e-2", "1.0", "1e2", "1e4", "1e6"] {
        let thickness = format!("materials.goo.viscosity={viscosity}");
        let scene = read(text, case.name, &[Override::set(&thickness)])?;
        let mut start = Motion::default();
        let mut drift: f64 = 0.0;
        let mut turn: f64 = 0.0;
        let mut acceleration = f64::NAN;
        follow(&scene, |time, liquid, solids| {
            let now = Motion::of(liquid, solids);
            if time == 0.0 {
                start = now;
                return;
            }
            let gained = now.velocity - start.velocity;
            acceleration = -gained.y / time;
            drift = drift.max((gained * DVec3::new(1.0, 0.0, 1.0)).length() / time);
            turn = turn.max((now.spin - start.spin).length() / time);
        })?;
        let quantity = |what: &str| format!("{what}, {viscosity} Pa s");
        let fall = Numbers::relative(acceleration, GRAVITY, 1e-4);
        verdicts.push(case.verdict(&scene, &quantity("acceleration"), fall));
        let drift = Numbers::at_most(drift / GRAVITY, 1e-4);
        verdicts.push(case.verdict(&scene, &quantity("drift over g"), drift));
        // The blob is 0.2 m in radius.
        let turn = Numbers::at_most(turn / (0.2 * GRAVITY), 1e-4);
        verdicts.push(case.verdict(&scene, &quantity("turn over g"), turn));
    }
    Ok(verdicts)
}

/// The fewest sub-steps of a large step with which a scheme stays calm, found by running it with fewer and fewer. A
/// checkerboard decays fastest: forward Euler bears ν dt/dx² up to 1/8 in the plane for any motion, and twice that for
/// motion free of divergence, which is all that pressure leaves from step to step; so the blow-up lies between 14 and 28
/// sub-steps. Where only the coupling of the components is explicit it would bear 14 by itself, but it acts together with
/// implicit diffusion, which damps the same motion more: no blow-up is seen.
fn large_step(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/large-step.toml");
    let mut verdicts = Vec::new();
    let enough = |scheme: &str, most: u32| -> Result<(Scene, f64), CaseError> {
        let with = |substeps: u32| {
            let chosen = format!("method.viscosity.scheme={scheme}");
            let count = format!("method.viscosity.substeps={substeps}");
            let overrides = [Override::set(&chosen), Override::set(&count)];
            read(text, case.name, &overrides)
        };
        let mut fewest = most;
        while fewest > 1 && unrest(&with(fewest - 1)?) < CALM {
            fewest -= 1;
        }
        Ok((with(fewest)?, f64::from(fewest)))
    };
    let (scene, fewest) = enough("explicit", 32)?;
    let numbers = Numbers::within(fewest, 21.0, 1.0, 7.0);
    verdicts.push(case.verdict(&scene, "fewest sub-steps, explicit", numbers));
    let (scene, fewest) = enough("implicit-explicit", 16)?;
    let numbers = Numbers::at_most(fewest, 14.0);
    verdicts.push(case.verdict(&scene, "fewest sub-steps, implicit-explicit", numbers));
    for scheme in ["explicit", "implicit-explicit", "variational"] {
        let chosen = format!("method.viscosity.scheme={scheme}");
        let scene = read(text, case.name, &[Override::set(&chosen)])?;
        let quantity = format!("unrest, {scheme} as it chooses");
        let numbers = Numbers::at_most(unrest(&scene), 1e-4);
        verdicts.push(case.verdict(&scene, &quantity, numbers));
    }
    Ok(verdicts)
}

/// The fastest that a particle of a freely falling liquid moves beside its mean, in m/s; infinite if it cannot be simulated.
fn unrest(scene: &Scene) -> f64 {
    let mut fastest = 0.0;
    let fallen = follow(scene, |_, liquid, _| {
        let channels = liquid.channels();
        let velocities = channels.vectors("velocity").unwrap_or_default();
        let mean = velocities.iter().sum::<Vec3>() / velocities.len() as f32;
        let speeds = velocities
            .iter()
            .map(|velocity| f64::from((*velocity - mean).length()));
        // Not `max`, which would pass over what is no number.
        fastest = speeds.fold(
            fastest,
            |most, speed| if speed <= most { most } else { speed },
        );
    });
    fallen.map_or(f64::INFINITY, |()| fastest)
}
