//! Bodies that the liquid moves: how deep they float, how fast they sink, what it takes to turn them, and that they rest.

use std::f64::consts::{PI, TAU};

use glam::Vec3;
use ooze_core::{Load, Solid, Solids};
use ooze_scene::{Override, Scene};

use super::trial::{figures, follow};
use super::{Case, CaseError, Numbers, Verdict, read};

const METHODS: [&str; 2] = ["flip", "level-set"];

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "floating-box",
            summary: "boxes of 0.01 to 0.99 of the liquid's density float as deep as Archimedes has it, within half a cell; a cell with `carlson-2004-rigid`",
            quick: true,
            run: floating_box,
        },
        Case {
            name: "stokes-sphere",
            summary: "a ball of 8 cells sinks along a tube with Stokes' speed and its correction for walls within 5 %, whatever the step",
            quick: false,
            run: stokes_sphere,
        },
        Case {
            name: "taylor-couette",
            summary: "a cylinder that turns in a cup needs a torque of 4πμΩR₁²R₂²/(R₂² − R₁²) a metre within 5 %",
            quick: true,
            run: taylor_couette,
        },
        Case {
            name: "stack-under-water",
            summary: "blocks that stand on one another under water stay there for five seconds",
            quick: true,
            run: stack_under_water,
        },
        Case {
            name: "bounce",
            summary: "a ball of steel that hits the floor under water bounces as Legendre et al. (2005) found, under thick oil it does not",
            quick: false,
            run: bounce,
        },
        Case {
            name: "hundred-bodies",
            summary: "a hundred bodies fall into a tank of 300 000 particles, float, sink and come to rest: none leaves, none gains energy",
            quick: false,
            run: hundred_bodies,
        },
        Case {
            name: "settling-sphere",
            summary: "a ball settles in silicone oil as fast as measured (ten Cate et al. 2002, E1 and E3) within 5 %",
            quick: false,
            run: settling_sphere,
        },
    ]
}

/// The solid of that name; cases know theirs.
fn named<'a>(solids: &'a dyn Solids, name: &str) -> Option<&'a Solid> {
    solids.all().iter().find(|solid| solid.name == name)
}

/// Height of a solid's origin and its velocity upwards, at the start and after each frame, with their times.
fn heights(scene: &Scene, name: &str) -> Result<Vec<[f64; 3]>, CaseError> {
    let mut heights = Vec::new();
    follow(scene, |time, _, solids| {
        let of = |solid: &Solid| {
            let place = solid.end.translation;
            [
                time,
                f64::from(place.y),
                f64::from(solid.next.velocity(place).y),
            ]
        };
        heights.push(named(solids, name).map_or([f64::NAN; 3], of));
    })?;
    Ok(heights)
}

fn floating_box(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/floating-box.toml");
    // Sizes of the tank and of the box, and how high the liquid stands where the box is not.
    let (tank, level, width, height, density): (f64, f64, f64, f64, f64) =
        (1.0, 0.4075, 0.4, 0.2, 1000.0);
    let mut verdicts = Vec::new();
    let joint = METHODS.map(|method| (method, &[0.01, 0.1, 0.5, 0.9, 0.99][..], 0.5));
    // Made for bodies of half the density and more.
    let rigid = ("carlson-2004-rigid", &[0.6, 0.9][..], 1.0);
    for (method, ratios, near) in joint.into_iter().chain([rigid]) {
        for &ratio in ratios {
            // Liquid is poured around the box: what it takes the place of is missing.
            let cell = 0.025;
            let draft = ratio * height;
            let start = level - draft + cell;
            let immersed = (level - start).clamp(0.0, height);
            let rest = level + (draft - immersed) * width / tank - draft + 0.5 * height;
            let place = format!("[0.51, {}, 0.0]", start + 0.5 * height);
            let overrides = [
                Override::method(method),
                Override::set(&format!("body.0.density={}", ratio * density)),
                Override::set(&format!("body.0.motion.keyframes.0.position={place}")),
            ];
            let scene = read(text, case.name, &overrides)?;
            let heights = heights(&scene, "box")?;
            let late: Vec<f64> = heights
                .iter()
                .filter(|[time, ..]| *time > 3.0)
                .map(|[_, height, _]| *height)
                .collect();
            let mean = late.iter().sum::<f64>() / late.len() as f64;
            let numbers =
                Numbers::within(mean, rest, f64::from(scene.setup.domain.cell_size), near);
            let quantity = format!("height, density ratio {ratio}");
            verdicts.push(case.verdict(&scene, &quantity, numbers));
        }
    }
    Ok(verdicts)
}

/// In a tube of 1/k of its diameter a ball is slower than Stokes has it by 1 − 2.104k + 2.089k³ − 0.948k⁵ (Faxén; Happel & Brenner 1965).
fn stokes_sphere(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/stokes-sphere.toml");
    let (radius, gravity, tube): (f64, f64, f64) = (0.004, 9.81, 0.01333);
    let share = radius / tube;
    let walls = 1.0 - 2.104 * share + 2.089 * share.powi(3) - 0.948 * share.powi(5);
    let mut verdicts = Vec::new();
    for method in METHODS {
        // ν dt/dx² with dt = 10 ms, and by how much the ball is denser; what is not settled yet fades across the tube as exp(−5.8 νt/R²).
        for (step, viscosity, excess, frames) in [
            ("1", 0.1, 10.0, "120"),
            ("10", 1.0, 100.0, "12"),
            ("100", 10.0, 1000.0, "6"),
        ] {
            let overrides = [
                Override::method(method),
                Override::set(&format!("materials.syrup.viscosity={viscosity}")),
                Override::set(&format!("body.0.density={}", 1000.0 + excess)),
                Override::frames(frames),
            ];
            let scene = read(text, case.name, &overrides)?;
            let heights = heights(&scene, "ball")?;
            let speed = heights.last().map_or(f64::NAN, |[_, _, speed]| -speed);
            let expected = 2.0 * excess * gravity * radius * radius / (9.0 * viscosity) * walls;
            let numbers = Numbers::relative(speed, expected, 0.05);
            let quantity = format!("speed, νdt/dx² = {step}");
            verdicts.push(case.verdict(&scene, &quantity, numbers));
        }
    }
    Ok(verdicts)
}

fn taylor_couette(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/taylor-couette.toml");
    let (inner, outer): (f64, f64) = (0.02, 0.04);
    let spin = 0.1591549 * TAU;
    let mut verdicts = Vec::new();
    for method in METHODS {
        for viscosity in [1.0, 100.0] {
            let overrides = [
                Override::method(method),
                Override::set(&format!("materials.syrup.viscosity={viscosity}")),
            ];
            let scene = read(text, case.name, &overrides)?;
            let frames = figures(&scene)?;
            let loads = frames.last().map(|frame| frame.forces.as_slice());
            let load = loads
                .unwrap_or_default()
                .iter()
                .find(|load| load.solid == "cylinder");
            let width = f64::from(scene.setup.domain.cell_size);
            let part = |load: &Load| load.torque[2] / width;
            let torque = load.map_or(f64::NAN, |load| part(&load.pressure) + part(&load.viscous));
            let squares = [inner, outer].map(|radius| radius * radius);
            let expected =
                4.0 * PI * viscosity * spin * squares[0] * squares[1] / (squares[1] - squares[0]);
            // It holds the cylinder back.
            let numbers = Numbers::relative(-torque, expected, 0.05);
            let quantity = format!("torque a metre, {viscosity} Pa s");
            verdicts.push(case.verdict(&scene, &quantity, numbers));
        }
    }
    Ok(verdicts)
}

fn stack_under_water(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/stack-under-water.toml");
    let mut verdicts = Vec::new();
    for method in METHODS {
        let scene = read(text, case.name, &[Override::method(method)])?;
        let cell = f64::from(scene.setup.domain.cell_size);
        let mut start: Vec<Vec3> = Vec::new();
        let mut moved = 0.0f64;
        follow(&scene, |_, _, solids| {
            let places: Vec<Vec3> = solids
                .all()
                .iter()
                .map(|solid| solid.end.to_world(solid.shape.bounds().centre()))
                .collect();
            if start.is_empty() {
                start.clone_from(&places);
            }
            let ways = start
                .iter()
                .zip(&places)
                .map(|(a, b)| f64::from(a.distance(*b)));
            moved = ways.fold(moved, f64::max);
        })?;
        let numbers = Numbers::at_most(moved / cell, 0.25);
        verdicts.push(case.verdict(&scene, "way of a block, in cells", numbers));
    }
    Ok(verdicts)
}

fn settling_sphere(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/settling-sphere.toml");
    let (diameter, radius) = (0.015, 0.0075);
    let mut verdicts = Vec::new();
    for (name, density, viscosity, plateau, seconds) in [
        ("E1", 970.0, 0.373, 0.0366, 1.3),
        ("E3", 962.0, 0.113, 0.0868, 1.1),
    ] {
        for method in METHODS {
            let overrides = [
                Override::method(method),
                Override::set(&format!("materials.oil.density={density}")),
                Override::set(&format!("materials.oil.viscosity={viscosity}")),
                Override::set(&format!("time.duration={seconds}")),
            ];
            let scene = read(text, case.name, &overrides)?;
            let heights = heights(&scene, "ball")?;
            // The plateau is the fastest before the floor is felt.
            let free = heights
                .iter()
                .filter(|[_, height, _]| *height > radius + 0.2 * diameter);
            let fastest = free.fold(0.0, |fastest: f64, [_, _, speed]| fastest.max(-speed));
            let numbers = Numbers::relative(fastest, plateau, 0.05);
            verdicts.push(case.verdict(&scene, &format!("{name}, plateau"), numbers));
        }
    }
    Ok(verdicts)
}

/// After they have hit the floor, balls in liquids have exp(−35/St) of the speed that they would have in air, with the Stokes number
/// St = (ρ_ball + ρ_liquid/2) U d/(9 μ) of their impact (Legendre, Daniel & Guiraud 2005); below about ten there is no bounce.
fn bounce(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = include_str!("../../../../validation/bounce.toml");
    let (density, liquid, diameter, restitution) = (7800.0, 1000.0, 0.016, 0.8);
    let mut verdicts = Vec::new();
    for method in METHODS {
        for viscosity in [0.001, 5.0] {
            let overrides = [
                Override::method(method),
                Override::set(&format!("materials.oil.viscosity={viscosity}")),
            ];
            let scene = read(text, case.name, &overrides)?;
            let heights = heights(&scene, "ball")?;
            // The ball is fastest just before the impact and, upwards, just after it.
            let fastest = |sign: f64| {
                let speeds = heights.iter().map(|[_, _, speed]| sign * speed);
                speeds.fold(0.0f64, f64::max)
            };
            let [down, up] = [-1.0, 1.0].map(fastest);
            let stokes = (density + 0.5 * liquid) * down * diameter / (9.0 * viscosity);
            let expected = restitution * (-35.0 / stokes).exp();
            let numbers = Numbers::within(up / down, expected, 1.0, 0.1);
            let quantity = format!("speed after over before, {viscosity} Pa s");
            verdicts.push(case.verdict(&scene, &quantity, numbers));
        }
    }
    Ok(verdicts)
}

/// A tank of 48 × 44 × 32 cells, a little more than half full, and above it a hundred bodies of four shapes and five densities.
fn hundred_bodies_scene() -> String {
    let mut text = String::from(
        "name = 'hundred-bodies'
        description = 'a hundred bodies fall into a tank'
        domain = { size = [0.6, 0.75, 0.4], cell_size = 0.0125, contact = 'slip' }
        time = { frame_rate = 30, duration = 6.0 }
        [[liquid]]
        material = 'water'
        shape.box = { lower = [0.0, 0.0, 0.0], upper = [0.6, 0.3063, 0.4] }
        ",
    );
    for number in 0..100 {
        let place = [number % 6, number / 6 % 4, number / 24].map(f64::from);
        let shape = match number % 4 {
            0 => "sphere = { centre = [0, 0, 0], radius = 0.027 }",
            1 => "box = { centre = [0, 0, 0], size = [0.05, 0.04, 0.055] }",
            2 => "capsule = { from = [-0.02, 0, 0], to = [0.02, 0, 0], radius = 0.02 }",
            _ => "cylinder = { from = [0, -0.02, 0], to = [0, 0.02, 0], radius = 0.026 }",
        };
        let density = [200, 700, 1300, 2700, 7800][number as usize % 5];
        let position = [
            0.06 + 0.096 * place[0],
            0.345 + 0.078 * place[2],
            0.06 + 0.093 * place[1],
        ];
        text += &format!(
            "[[body]]
            density = {density}
            shape.{shape}
            motion = {{ position = {position:?}, rotation = {{ axis = [1, 2, 3], angle = {} }} }}
            ",
            37 * number
        );
    }
    text
}

fn hundred_bodies(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let text = hundred_bodies_scene();
    let mut verdicts = Vec::new();
    for method in METHODS {
        let scene = read(&text, case.name, &[Override::method(method)])?;
        let (lower, upper) = (scene.setup.domain.lower, scene.setup.domain.upper());
        let mut outside = 0;
        // Of bodies and liquid: kinetic and potential.
        let mut energies: Vec<f64> = Vec::new();
        let mut of_bodies: Vec<f64> = Vec::new();
        follow(&scene, |_, liquid, solids| {
            let measure = liquid.measure(solids);
            let mut energy = measure.kinetic_energy + measure.potential_energy;
            let mut kinetic = 0.0;
            outside = 0;
            for solid in solids.all() {
                let Some((free, motion)) = solid.free.zip(solid.motion()) else {
                    continue;
                };
                let centre = solid.end.to_world(free.centre);
                let inside = centre.cmpge(lower).all() && centre.cmple(upper).all();
                outside += usize::from(!inside);
                energy += 9.81 * free.mass * f64::from(centre.y);
                kinetic += motion.kinetic_energy;
            }
            energies.push(energy + kinetic);
            of_bodies.push(kinetic);
        })?;
        let lost = energies[0]
            - energies
                .iter()
                .fold(f64::MAX, |least, &energy| least.min(energy));
        let mut least = f64::MAX;
        let mut gained = 0.0f64;
        for &energy in &energies {
            least = least.min(energy);
            gained = gained.max(energy - least);
        }
        // What floats still rocks with the water, which sloshes for minutes.
        let largest = |energies: &[f64]| energies.iter().fold(0.0f64, |most, &each| most.max(each));
        let late = of_bodies.len() - of_bodies.len() / 6;
        let rest = largest(&of_bodies[late..]) / largest(&of_bodies);
        let quantities = [
            ("bodies outside", Numbers::at_most(outside as f64, 0.0)),
            (
                "energy gained over lost",
                Numbers::at_most(gained / lost, 0.01),
            ),
            (
                "kinetic energy of bodies in the last second over the most",
                Numbers::at_most(rest, 0.005),
            ),
        ];
        for (quantity, numbers) in quantities {
            verdicts.push(case.verdict(&scene, quantity, numbers));
        }
    }
    Ok(verdicts)
}
