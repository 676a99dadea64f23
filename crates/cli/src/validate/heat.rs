//! Heat: conduction and melting against closed forms, and what becomes of every joule.

use std::collections::BTreeMap;

use ooze_core::{FrameStatistics, HeatFlow, HeaterStrength, MaterialId, Side};
use ooze_scene::{Override, Scene, builtin};

use super::trial::{figures, follow};
use super::{Case, CaseError, Numbers, Verdict, read};

/// Diffusivity of the scene in m²/s.
const DIFFUSIVITY: f64 = 0.01;
/// Temperatures in kelvin of the column and of what heats it.
const COLD: f64 = 300.0;
const HOT: f64 = 400.0;
/// What single precision makes of such temperatures, in kelvin.
const ROUNDING: f64 = 1e-3;
/// The column melts in half a kelvin above COLD, with a Stefan number of 0.5.
const MELTING: &str = "materials.conductor.thermal={ conductivity = 10000, specific_heat = 1000, \
                       melting_point = 300.25, melting_width = 0.5, latent_heat = 200000 }";

/// The methods in which things melt.
const HEATED: [&str; 4] = ["flip", "apic", "level-set", "carlson-2004"];

/// A built-in scene in which something melts or sets, on so few cells that its whole length takes a minute or two.
#[derive(Clone, Copy)]
struct Balance {
    name: &'static str,
    scene: &'static str,
    /// Other than the scene's own.
    method: Option<&'static str>,
    /// Along the longest side of the domain.
    cells: &'static str,
}

/// Balances by their names, from scenes, methods and cells.
macro_rules! balances {
    ($($name:literal: $scene:literal, $method:expr, $cells:literal;)*) => {
        &[$(Balance { name: $name, scene: $scene, method: $method, cells: $cells }),*]
    };
}

const BALANCES: &[Balance] = balances! {
    "heat-balance-wax-block": "wax-block", None, "24";
    "heat-balance-wax-block-level-set": "wax-block", Some("level-set"), "20";
    "heat-balance-wax-block-carlson-2004": "wax-block", Some("carlson-2004"), "20";
    "heat-balance-wax-rabbit": "wax-rabbit", None, "20";
    "heat-balance-candle": "candle", None, "24";
    "heat-balance-lava-flow": "lava-flow", None, "40";
    "heat-balance-glass-blob": "glass-blob", None, "48";
    "heat-balance-ice-cream": "ice-cream", None, "20";
    "heat-balance-solder": "solder", None, "36";
    "heat-balance-hot-ball-in-wax": "hot-ball-in-wax", None, "32";
    "heat-balance-ice-cubes": "ice-cubes", None, "24";
    "heat-balance-spoon-in-jelly": "spoon-in-jelly", None, "30";
};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case {
            name: "heat-from-a-wall",
            summary: "heat enters a column as erfc(x/2√(κt)), within 1 %, in short and long steps, at second order",
            quick: true,
            run: from_a_wall,
        },
        Case {
            name: "stefan",
            summary: "a front melts into a column as 2λ√(κt), one phase (λ = 0.464786) and two (0.39753), within 2 %",
            quick: true,
            run: stefan,
        },
        Case {
            name: "set-block",
            summary: "a block of set wax, 8 to 15 cells high, sinks by less than 1 % of its height in a minute",
            quick: false,
            run: set_block,
        },
    ];
    cases.extend(BALANCES.iter().map(|balance| Case {
        name: balance.name,
        summary: "in that scene, which melts or sets, heat changes by what came through walls, bodies, air, heaters and emitters, to 1e-4, and nothing is hotter or colder than its sources",
        quick: false,
        run: |case| {
            let own = BALANCES.iter().filter(|balance| balance.name == case.name);
            let verdicts: Result<Vec<_>, _> = own.map(|balance| balance.verdicts(case)).collect();
            Ok(verdicts?.concat())
        },
    }));
    cases
}

fn column(case: &Case, method: &str, changes: &[String]) -> Result<Scene, CaseError> {
    let text = include_str!("../../../../validation/heat-from-below.toml");
    let mut overrides = vec![Override::method(method)];
    overrides.extend(changes.iter().map(|change| Override::set(change)));
    Ok(read(text, case.name, &overrides)?)
}

/// The complement of the error function of a number that is not negative (Abramowitz & Stegun 1964, 7.1.26), to 1.5e-7.
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [
        0.254_829_592,
        -0.284_496_736,
        1.421_413_741,
        -1.453_152_027,
        1.061_405_429,
    ];
    let sum = series.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    sum * (-x * x).exp()
}

/// Largest difference from erfc over layers of a cell's height at the end, as a share of the difference of temperatures.
fn largest_error(scene: &Scene) -> Result<f64, CaseError> {
    let height = scene.setup.domain.cell_size;
    let mut largest = f64::NAN;
    follow(scene, |time, liquid, _| {
        let channels = liquid.channels();
        let positions = channels.vectors("position").unwrap_or_default();
        let temperatures = channels.scalars("temperature").unwrap_or_default();
        let length = 2.0 * (DIFFUSIVITY * time).sqrt();
        let mut layers = BTreeMap::<i32, (f64, f64)>::new();
        for (point, &found) in positions.iter().zip(temperatures) {
            let expected = erfc(f64::from(point.y) / length);
            let layer = layers.entry((point.y / height) as i32).or_default();
            layer.0 += (f64::from(found) - COLD) / (HOT - COLD) - expected;
            layer.1 += 1.0;
        }
        let errors = layers.values().map(|(sum, count)| (sum / count).abs());
        largest = errors.fold(0.0, f64::max);
    })?;
    Ok(largest)
}

fn from_a_wall(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    // Kernels of three spacings smooth what is next to a wall.
    let methods = [
        ("flip", 0.01),
        ("apic", 0.01),
        ("carlson-2004", 0.01),
        ("mueller", 0.025),
    ];
    for (method, tolerance) in methods {
        let scene = column(case, method, &[])?;
        let error = Numbers::at_most(largest_error(&scene)?, tolerance);
        verdicts.push(case.verdict(&scene, "largest error", error));
    }
    for method in HEATED {
        let scene = column(case, method, &[])?;
        let figures = figures(&scene)?;
        let heat = |frame: Option<&FrameStatistics>| frame.and_then(|frame| frame.heat);
        let entered = match (heat(figures.first()), heat(figures.last())) {
            (Some(first), Some(last)) => last.content - first.content,
            _ => f64::NAN,
        };
        // 2 ρ c ΔT √(κt/π) for each square metre, after a second.
        let area = 0.25 * f64::from(scene.setup.domain.cell_size);
        let expected = 2e6 * (HOT - COLD) * (DIFFUSIVITY / std::f64::consts::PI).sqrt() * area;
        // A level set is 1.5 % short, though its profile is right where markers see it.
        let tolerance = if method == "level-set" { 0.02 } else { 0.01 };
        let entered = Numbers::relative(entered, expected, tolerance);
        verdicts.push(case.verdict(&scene, "heat that entered", entered));
    }
    // `carlson-2004` was found to be of first order here; why is not known.
    for (method, order) in [("flip", 1.5), ("apic", 1.5), ("carlson-2004", 0.9)] {
        let mut errors = Vec::new();
        for (cells, rate) in [(16, 250), (32, 1000)] {
            let changes = [
                format!("domain.cells={cells}"),
                format!("time.frame_rate={rate}"),
                format!("time.frames={rate}"),
            ];
            let scene = column(case, method, &changes)?;
            errors.push(largest_error(&scene)?);
            let error = Numbers::at_most(errors[errors.len() - 1], 0.02);
            verdicts.push(case.verdict(&scene, "line by line", error));
            if let [coarse, fine] = errors[..] {
                let order = Numbers::at_least((coarse / fine).log2(), order);
                verdicts.push(case.verdict(&scene, "order", order));
            }
        }
    }
    Ok(verdicts)
}

fn stefan(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for method in HEATED {
        for (lambda, temperature, name) in
            [(0.464_786, 300, "one phase"), (0.397_53, 260, "two phases")]
        {
            let mut errors = Vec::new();
            for cells in [40, 80] {
                let changes = [
                    MELTING.to_owned(),
                    format!("liquid.0.temperature={temperature}"),
                    format!("domain.cells={cells}"),
                    "time.frame_rate=50".to_owned(),
                    "time.frames=150".to_owned(),
                ];
                let scene = column(case, method, &changes)?;
                let figures = figures(&scene)?;
                let Some(last) = figures.last() else { continue };
                // The column is a metre high.
                let depth = last.heat.map_or(f64::NAN, |heat| heat.melted);
                let expected = 2.0 * lambda * (DIFFUSIVITY * last.time).sqrt();
                let front = Numbers::relative(depth, expected, 0.02);
                verdicts.push(case.verdict(&scene, name, front));
                errors.push((depth / expected - 1.0).abs());
                let unbooked = Numbers::at_most(unbooked(&figures), 1e-4);
                verdicts.push(case.verdict(&scene, &format!("{name}, unbooked heat"), unbooked));
                if let [coarse, fine] = errors[..] {
                    let order = Numbers::at_least((coarse / fine).log2(), 1.0);
                    verdicts.push(case.verdict(&scene, &format!("{name}, order"), order));
                }
            }
        }
    }
    Ok(verdicts)
}

/// Heat that nobody brought or took, as a share of all that passed.
fn unbooked(figures: &[FrameStatistics]) -> f64 {
    let heat = |frame: Option<&FrameStatistics>| frame.and_then(|frame| frame.heat);
    let (Some(first), Some(last)) = (heat(figures.first()), heat(figures.last())) else {
        return f64::NAN;
    };
    let flows: Vec<HeatFlow> = figures.iter().filter_map(|frame| frame.heat_flow).collect();
    let booked: f64 = flows.iter().map(HeatFlow::total).sum();
    let passed: f64 = flows.iter().flat_map(HeatFlow::parts).map(f64::abs).sum();
    (last.content - first.content - booked).abs() / passed
}

impl Balance {
    fn verdicts(&self, case: &Case) -> Result<Vec<Verdict>, CaseError> {
        let text = builtin::find(self.scene).map_or("", |builtin| builtin.text);
        let mut changes = vec![Override::resolution(self.cells)];
        changes.extend(self.method.map(Override::method));
        let scene = read(text, self.scene, &changes)?;
        let figures = figures(&scene)?;
        let unbooked = Numbers::at_most(unbooked(&figures), 1e-4);
        let mut verdicts = vec![case.verdict(&scene, "unbooked heat", unbooked)];
        if let Some([coldest, hottest]) = sources(&scene) {
            let beyond = figures.iter().filter_map(|frame| frame.heat).map(|heat| {
                (f64::from(coldest) - heat.coldest).max(heat.hottest - f64::from(hottest))
            });
            let beyond = Numbers::at_most(beyond.fold(0.0, f64::max), ROUNDING);
            verdicts.push(case.verdict(&scene, "kelvin beyond its sources", beyond));
        }
        Ok(verdicts)
    }
}

/// The coldest and the hottest of all that a scene's liquid can get heat from; none where a heater has watts instead of a
/// temperature.
fn sources(scene: &Scene) -> Option<[f32; 2]> {
    let setup = &scene.setup;
    let own = |material: MaterialId| setup.materials[usize::from(material.0)].temperature;
    let liquids = setup.initial.iter();
    let liquids = liquids.map(|liquid| liquid.temperature.unwrap_or(own(liquid.material)));
    let emitters = setup.emitters.iter();
    let emitters = emitters.map(|emitter| emitter.temperature.unwrap_or(own(emitter.material)));
    let solids = scene.colliders.iter().map(|collider| collider.contact);
    let bodies = scene.bodies.iter().map(|body| body.contact);
    let sides = setup
        .domain
        .sides
        .iter()
        .flatten()
        .filter_map(|side| match side {
            Side::Closed(contact) => Some(*contact),
            Side::Open => None,
        });
    let walls = solids.chain(bodies).chain(sides);
    let walls = walls.filter_map(|contact| contact.heat.map(|wall| wall.temperature));
    let air = setup.heat.ambient.map(|air| air.temperature);
    let mut all: Vec<f32> = liquids.chain(emitters).chain(walls).chain(air).collect();
    for heater in &setup.heat.heaters {
        match heater.strength {
            HeaterStrength::Temperature { temperature, .. } => all.push(temperature),
            HeaterStrength::Power(_) => return None,
        }
    }
    let widened = |[least, most]: [f32; 2], &one: &f32| [least.min(one), most.max(one)];
    Some(all.iter().fold([f32::INFINITY, f32::NEG_INFINITY], widened))
}

/// What makes the block of set wax one in three dimensions.
const IN_SPACE: [&str; 6] = [
    "domain.flat=false",
    "domain.lower=[-0.1, 0, -0.1]",
    "domain.size=[0.2, 0.14, 0.2]",
    "domain.sides.back=open",
    "domain.sides.front=open",
    "liquid.0.shape.box={ lower = [-0.05, 0, -0.05], upper = [0.05, 0.1, 0.05] }",
];

/// How far a block of set wax sinks, as the share of its height that its centre of mass loses of its own.
fn set_block(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for method in ["flip", "apic"] {
        // It is half as high as the domain is wide.
        for (cells, rate) in [(16, 30), (20, 30), (20, 100), (30, 30)] {
            verdicts.push(sunk_in_a_minute(case, method, (cells, rate), &[])?);
        }
        for cells in [16, 20] {
            verdicts.push(sunk_in_a_minute(case, method, (cells, 24), &IN_SPACE)?);
        }
    }
    Ok(verdicts)
}

fn sunk_in_a_minute(
    case: &Case,
    method: &str,
    (cells, rate): (u32, u32),
    shape: &[&str],
) -> Result<Verdict, CaseError> {
    let text = include_str!("../../../../validation/set-block.toml");
    let settings = [
        format!("domain.cells={cells}"),
        format!("time.frame_rate={rate}"),
    ];
    let mut changes = vec![Override::method(method)];
    let settings = settings.iter().map(String::as_str);
    changes.extend(settings.chain(shape.iter().copied()).map(Override::set));
    let scene = read(text, case.name, &changes)?;
    let figures = figures(&scene)?;
    let energy =
        |frame: Option<&FrameStatistics>| frame.map_or(f64::NAN, |frame| frame.potential_energy);
    let lost = 1.0 - energy(figures.last()) / energy(figures.first());
    let dimensions = scene.setup.domain.dimensions();
    let quantity = format!("sunk in a minute, {dimensions}D, {rate} steps a second");
    // Rising would be as wrong.
    Ok(case.verdict(&scene, &quantity, Numbers::within(lost, 0.0, 1.0, 0.01)))
}
