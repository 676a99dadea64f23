//! Slender bodies of thick liquid under their own weight. What they resist with is neither shear nor stretching alone but
//! both together with the pressure that keeps their volume: Trouton's 3μ (4μ in the plane) in place of 2μ.

use ooze_scene::{Override, Scene};

use super::trial::{follow, positions};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Gravity in m/s².
const GRAVITY: f64 = 9.81;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "hanging-filament",
            summary: "a hanging thread grows as L/L₀ = −ln(1 − τ)/τ, τ = tρgL₀/3μ (Trouton), within 5 %",
            quick: false,
            run: hanging_filament,
        },
        Case {
            name: "cantilever",
            summary: "tip of a clamped bar: 3ρgL⁴/8μh² and 0.6ρgL²/μ of shear within 5 %; what wrong surfaces make of it",
            quick: true,
            run: cantilever,
        },
    ]
}

/// Share of the particles below the place where a thread is said to end: single particles fall off its tip.
const BEYOND_TIP: f64 = 0.002;

fn hanging_filament(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/hanging-filament.toml");
    let scene = read(text, case.name, &[])?;
    let ceiling = f64::from(scene.setup.domain.upper().y);
    let mut lengths = Vec::new();
    follow(&scene, |time, liquid, _| {
        let mut heights: Vec<f32> = positions(liquid).iter().map(|point| point.y).collect();
        let rank = (BEYOND_TIP * heights.len() as f64) as usize;
        let (_, tip, _) = heights.select_nth_unstable_by(rank, f32::total_cmp);
        lengths.push((time, ceiling - f64::from(*tip)));
    })?;
    let start = lengths[0].1;
    // The scene's viscosity makes τ a quarter of the time in seconds.
    let moments = [(0.1, 1.0536), (0.25, 1.1507), (0.5, 1.3863), (0.75, 1.8484)];
    Ok(moments
        .iter()
        .map(|&(moment, expected)| {
            let reached = lengths.iter().find(|(time, _)| *time > 4.0 * moment - 1e-6);
            let stretch = reached.map_or(f64::NAN, |(_, length)| length / start);
            let quantity = format!("L/L0 at τ = {moment}");
            case.verdict(
                &scene,
                &quantity,
                Numbers::relative(stretch, expected, 0.05),
            )
        })
        .collect())
}

/// Speed at `along` of a bar that begins to sink: length 1 m, height 0.1 m, in the plane. Bending as a beam of modulus 4μ,
/// and shear with the factor 6/5 of a rectangle.
fn beam_speed(viscosity: f64, density: f64, along: f64) -> f64 {
    let (length, height): (f64, f64) = (1.0, 0.1);
    let weight = density * GRAVITY / viscosity;
    let bent = along.powi(4) - 4.0 * length * along.powi(3) + 6.0 * length.powi(2) * along.powi(2);
    let sheared = 0.6 * (2.0 * length * along - along.powi(2));
    weight * (bent / (8.0 * height.powi(2)) + sheared)
}

/// Downward speed near the tip of a bar at the end of a scene, and when that is.
fn tip_speed(scene: &Scene, along: f64) -> Result<(f64, f64), CaseError> {
    let point = glam::Vec3::new(along as f32, 0.45, 0.5 * scene.setup.domain.cell_size);
    let mut result = (f64::NAN, 0.0);
    follow(scene, |time, liquid, _| {
        let velocity = liquid.velocity_at(point);
        result = (
            velocity.map_or(f64::NAN, |velocity| -f64::from(velocity.y)),
            time,
        );
    })?;
    Ok(result)
}

fn cantilever(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/cantilever.toml");
    let along: f64 = 0.98;
    let with = |overrides: &[Override]| -> Result<(Scene, f64, f64), CaseError> {
        let scene = read(text, case.name, overrides)?;
        let (speed, time) = tip_speed(&scene, along)?;
        Ok((scene, speed, time))
    };
    let decoupled = |surface: &str| {
        [
            Override::set("method.viscosity.scheme=decoupled"),
            Override::set(&format!("method.viscosity.surface={surface}")),
        ]
    };
    let (scene, bent, _) = with(&[])?;
    let (split, soft, _) = with(&[Override::set("method.viscosity.pressure=apart")])?;
    let material = &scene.setup.materials[0];
    let (viscosity, density) = (f64::from(material.viscosity), f64::from(material.density));
    // Per component, μ v_xx = −ρg with nothing to hold the surfaces: the bar resists as a stack of cards.
    let stack = density * GRAVITY / viscosity * (along - 0.5 * along * along);
    let (neumann, stacked, _) = with(&decoupled("neumann"))?;
    // Air that keeps the velocity which the bar had before the solve goes along with it: nothing holds the bar.
    let (dirichlet, falling, time) = with(&decoupled("dirichlet"))?;
    let beam = beam_speed(viscosity, density, along);
    Ok(vec![
        case.verdict(&scene, "tip speed", Numbers::relative(bent, beam, 0.05)),
        // A viscous solve that knows nothing of pressure resists with 2μ in place of 4μ where steps are long.
        case.verdict(
            &split,
            "tip speed if pressure acts apart",
            Numbers::relative(soft, 2.0 * beam, 0.05),
        ),
        case.verdict(
            &neumann,
            "tip speed if ∂u/∂n = 0",
            Numbers::relative(stacked, stack, 0.05),
        ),
        case.verdict(
            &dirichlet,
            "tip speed if the air keeps its own",
            Numbers::relative(falling, GRAVITY * time, 0.1),
        ),
    ])
}
