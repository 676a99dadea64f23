//! Elastic and yielding liquids (Goktekin 2011): the law at a point, free flight, bodies that stand or slump, and what the
//! elastic terms cost.

use glam::Vec3;
use ooze_core::Elasticity;
use ooze_grid::{ElasticitySettings, PointLaw, SymmetricTensor};
use ooze_scene::{Override, Scene, builtin};

use super::trial::{Motion, figures, follow, positions};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "goo-shear",
            summary: "strain of goo in shear: start-up with yield, and rotation, follow their closed forms",
            quick: true,
            run: shear,
        },
        Case {
            name: "goo-flight",
            summary: "strained goo in free flight falls with g and keeps its spin, explicitly and implicitly",
            quick: true,
            run: flight,
        },
        Case {
            name: "yield-cube",
            summary: "a cube of yield-stress liquid stands at 0.65 ρgH and flows at 0.15 ρgH",
            quick: true,
            run: yield_cube,
        },
        Case {
            name: "cylinder-slump",
            summary: "a cylinder with a yield stress of ρgH/10 loses 52 % of its height",
            quick: false,
            run: cylinder_slump,
        },
        Case {
            name: "goo-cost",
            summary: "what elasticity costs in a step of `goo-splash` on FLIP and on a level set, explicitly and implicitly",
            quick: false,
            run: cost,
        },
    ]
}

/// The strain after a unit rate of shear for `time` seconds.
fn sheared(law: &Elasticity, rotation: bool, time: f32) -> SymmetricTensor {
    let settings = ElasticitySettings {
        rotation,
        ..ElasticitySettings::default()
    };
    let steps = 100;
    let point = PointLaw::new(&settings, time / steps as f32, 3);
    let gradient = [Vec3::Y, Vec3::ZERO, Vec3::ZERO];
    (0..steps).fold(SymmetricTensor::ZERO, |strain, _| {
        point.advance(strain, &gradient, law)
    })
}

fn shear(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    // Any scene of the method will do: the law is a point's.
    let scene = read(
        include_str!("../../../../validation/goo-flight.toml"),
        case.name,
        &[],
    )?;
    let goo = Elasticity {
        modulus: 1.0,
        yield_strain: 0.3,
        decay_rate: 5.0,
    };
    let table = [
        (0.2, 0.1),
        (0.4243, 0.21215),
        (0.6, 0.27060),
        (1.0, 0.30651),
        (2.0, 0.31209),
    ];
    let mut verdicts = Vec::new();
    for (time, expected) in table {
        let found = f64::from(sheared(&goo, false, time).shear.z);
        let numbers = Numbers::relative(found, expected, 1e-3);
        verdicts.push(case.verdict(&scene, &format!("strain after {time} s"), numbers));
    }
    let elastic = Elasticity {
        yield_strain: 100.0,
        ..goo
    };
    for shear in [1.0_f32, 2.0] {
        let found = sheared(&elastic, true, shear);
        let along = Numbers::within(
            found.shear.z.into(),
            f64::from(shear.sin()) / 2.0,
            1.0,
            1e-3,
        );
        verdicts.push(case.verdict(&scene, &format!("turned ε_xy at shear {shear}"), along));
        let stretch = f64::from(1.0 - shear.cos()) / 2.0;
        let across = Numbers::within(found.diagonal.x.into(), stretch, 1.0, 1e-3);
        verdicts.push(case.verdict(&scene, &format!("turned ε_xx at shear {shear}"), across));
    }
    Ok(verdicts)
}

fn flight(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/goo-flight.toml");
    let mut verdicts = Vec::new();
    for scheme in ["explicit", "implicit"] {
        let chosen = format!("method.elasticity.scheme={scheme}");
        let scene = read(text, case.name, &[Override::set(&chosen)])?;
        let mut motions = Vec::new();
        follow(&scene, |time, liquid, solids| {
            motions.push((time, Motion::of(liquid, solids)));
        })?;
        // The first frame evens out how the blob was filled with particles.
        let ((start, before), (end, after)) = (motions[1], motions[motions.len() - 1]);
        let acceleration = (before.velocity.y - after.velocity.y) / (end - start);
        let fall = Numbers::relative(acceleration, GRAVITY, 1e-3);
        verdicts.push(case.verdict(&scene, &format!("acceleration, {scheme}"), fall));
        let lost = (after.spin - before.spin).length() / before.spin.length();
        let spin = Numbers::at_most(lost, 0.02);
        verdicts.push(case.verdict(&scene, &format!("spin lost, {scheme}"), spin));
    }
    Ok(verdicts)
}

/// Height of a scene's liquid at its end, as a share of the height at the start; the highest hundredth is left out.
fn height_kept(scene: &Scene) -> Result<f64, CaseError> {
    let mut heights = Vec::new();
    follow(scene, |_, liquid, _| {
        let mut own: Vec<f32> = positions(liquid).iter().map(|point| point.y).collect();
        own.sort_by(f32::total_cmp);
        heights.push(f64::from(own[own.len() - 1 - own.len() / 100]));
    })?;
    Ok(heights[heights.len() - 1] / heights[0])
}

fn yield_cube(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/yield-column.toml");
    let weight = 1000.0 * GRAVITY * 0.2;
    let kept = |share: f64| -> Result<(Scene, f64), CaseError> {
        // The yield stress is modulus · yield strain / √2.
        let modulus = share * weight * 2f64.sqrt() / 0.1;
        let chosen = format!("materials.goo.elasticity.modulus={modulus}");
        let scene = read(text, case.name, &[Override::set(&chosen)])?;
        let kept = height_kept(&scene)?;
        Ok((scene, kept))
    };
    let (strong, stands) = kept(0.65)?;
    let (weak, flows) = kept(0.15)?;
    Ok(vec![
        case.verdict(
            &strong,
            "height kept at 0.65",
            Numbers::at_least(stands, 0.9),
        ),
        case.verdict(&weak, "height kept at 0.15", Numbers::at_most(flows, 0.75)),
    ])
}

fn cylinder_slump(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/cylinder-slump.toml");
    let scene = read(text, case.name, &[])?;
    let slump = 1.0 - height_kept(&scene)?;
    // s/H = 1 − √3 t′ (1 − ln(√3 t′)) at t′ = τ_y/(ρgH) = 0.1.
    let scaled = 3f64.sqrt() * 0.1;
    let expected = 1.0 - scaled * (1.0 - scaled.ln());
    let numbers = Numbers::relative(slump, expected, 0.15);
    Ok(vec![case.verdict(&scene, "slump over height", numbers)])
}

/// Seconds of simulated time, of the whole run and of the elastic stage, and the sub-steps.
struct Spent {
    total: f64,
    elastic: f64,
    substeps: f64,
}

fn spent(scene: &Scene) -> Result<Spent, CaseError> {
    let frames = figures(scene)?;
    let seconds = |stage: &str| -> f64 {
        let parts = frames.iter().filter_map(|frame| frame.seconds.get(stage));
        parts.sum()
    };
    Ok(Spent {
        total: seconds("total") - seconds("measure"),
        elastic: seconds("elasticity"),
        substeps: frames.iter().map(|frame| f64::from(frame.substeps)).sum(),
    })
}

fn cost(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = builtin::find("goo-splash").map_or("", |scene| scene.text);
    let mut verdicts = Vec::new();
    for (transport, share_of_step, step_ratio) in [("flip", 0.3, 1.3), ("level-set", 0.15, 1.15)] {
        let run = |setting: &str| -> Result<(Scene, Spent), CaseError> {
            let preset = format!("method.preset={transport}");
            let overrides = [
                Override::frames("12"),
                Override::set(&preset),
                Override::set(setting),
            ];
            let scene = read(text, case.name, &overrides)?;
            let spent = spent(&scene)?;
            Ok((scene, spent))
        };
        let (_, off) = run("method.elasticity.enabled=false")?;
        for scheme in ["explicit", "implicit", "automatic"] {
            let (scene, on) = run(&format!("method.elasticity.scheme={scheme}"))?;
            let share = Numbers::at_most(on.elastic / on.total, share_of_step);
            verdicts.push(case.verdict(&scene, &format!("share of the step, {scheme}"), share));
            let step = (on.total / on.substeps) / (off.total / off.substeps);
            let ratio = Numbers::at_most(step, step_ratio);
            verdicts.push(case.verdict(&scene, &format!("step over plain step, {scheme}"), ratio));
            let ratio = Numbers::at_most(on.total / off.total, 6.0);
            verdicts.push(case.verdict(&scene, &format!("run over plain run, {scheme}"), ratio));
        }
    }
    Ok(verdicts)
}
