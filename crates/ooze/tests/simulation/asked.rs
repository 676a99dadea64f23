//! What scenes say about their liquids is what methods do: with a property that a method reads the liquid moves otherwise,
//! with one that it does not read it moves the same, to the last bit.

use glam::Vec3;
use ooze::Simulation;
use ooze_scene::{Override, Scene, method_names, readers_of};

fn scene(text: &str, overrides: &[Override]) -> Scene {
    Scene::parse_with(text, "asked.toml", "", overrides)
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Positions and velocities of the particles, or markers, at the end of a scene. Markers keep to their places: what changes little
/// shows in velocities alone.
fn motion(scene: &Scene) -> [Vec<Vec3>; 2] {
    let mut simulation = Simulation::of_scene(scene).unwrap();
    for _ in 0..scene.time.frames {
        simulation.advance_frame(&|| false).unwrap();
    }
    let channels = simulation.liquid().channels();
    ["position", "velocity"].map(|name| channels.vectors(name).unwrap().to_vec())
}

/// A block of goo that slumps, and a drop of water above it, in two dimensions.
const BLOCK: &str = r#"
[method]
may_ignore = ["elasticity", "flow_curve", "relaxation_time", "melting_point", "viscosity_gradient"]
mueller = { compression = 0.1 }

[domain]
size = [0.12, 0.12, 0.0]
cells = 12
flat = true
sides.bottom = { closed = { temperature = 250 } }

[time]
frame_rate = 60
frames = 3

[materials.goo]
viscosity = 1.0
surface_tension = 0.0

[[liquid]]
material = "goo"
shape.box = { lower = [0.02, 0, -1], upper = [0.06, 0.05, 1] }
"#;

const NOTHING: &[&str] = &[];
const CONDUCTING: &[&str] = &["materials.goo.thermal.conductivity=50"];
/// Half of it has melted.
const MELTING: &[&str] = &[
    "materials.goo.thermal={ conductivity = 50, melting_point = 293.15, melting_width = 10, solid_viscosity = 100 }",
];
const MELTING_JELLY: &[&str] = &[
    MELTING[0],
    "materials.goo.elasticity={ modulus = 400, yield_strain = 0.02, decay_rate = 5 }",
];

#[test]
fn methods_read_the_properties_that_are_said_to_be_read_and_no_others() {
    // Each beside what it needs to be felt.
    let properties = [
        (
            "elasticity",
            NOTHING,
            "materials.goo.elasticity={ modulus = 400, yield_strain = 0.1, decay_rate = 5 }",
        ),
        (
            "flow_curve",
            NOTHING,
            "materials.goo.flow_curve={ yield_stress = 40, consistency = 3, flow_index = 0.5 }",
        ),
        (
            "relaxation_time",
            NOTHING,
            "materials.goo.relaxation_time=0.05",
        ),
        (
            "surface_tension",
            NOTHING,
            "materials.goo.surface_tension=10",
        ),
        ("temperature", NOTHING, "materials.goo.temperature=330"),
        ("temperature", NOTHING, "liquid.0.temperature=330"),
        (
            "thermal.viscosity_law",
            NOTHING,
            "materials.goo.thermal.viscosity_law.exponential.rate=0.2",
        ),
        (
            "thermal.conductivity",
            NOTHING,
            "materials.goo.thermal.conductivity=50",
        ),
        (
            "thermal.specific_heat",
            CONDUCTING,
            "materials.goo.thermal.specific_heat=1000",
        ),
        (
            "thermal.expansion",
            CONDUCTING,
            "materials.goo.thermal.expansion=0.01",
        ),
        (
            "thermal.melting_point",
            NOTHING,
            "materials.goo.thermal.melting_point=293",
        ),
        (
            "thermal.melting_width",
            MELTING,
            "materials.goo.thermal.melting_width=20",
        ),
        (
            "thermal.latent_heat",
            MELTING,
            "materials.goo.thermal.latent_heat=1e4",
        ),
        (
            "thermal.solid_viscosity",
            MELTING,
            "materials.goo.thermal.solid_viscosity=1000",
        ),
        (
            "thermal.melting_curve",
            MELTING,
            "materials.goo.thermal.melting_curve=linear",
        ),
        (
            "thermal.molten_modulus",
            MELTING_JELLY,
            "materials.goo.thermal.molten_modulus=0.1",
        ),
        (
            "thermal.molten_yield_strain",
            MELTING_JELLY,
            "materials.goo.thermal.molten_yield_strain=0.1",
        ),
        (
            "viscosity_gradient",
            NOTHING,
            "liquid.0.viscosity_gradient={ from = [0, 0, 0], to = [0, 0.05, 0], values = [9, 0.1] }",
        ),
    ];
    for method in method_names() {
        let moved = |changes: &[&str]| {
            let changes = changes.iter().map(|change| Override::set(change));
            let all: Vec<Override> = [Override::method(method)]
                .into_iter()
                .chain(changes)
                .collect();
            motion(&scene(BLOCK, &all))
        };
        let plain =
            [NOTHING, CONDUCTING, MELTING, MELTING_JELLY].map(|beside| (beside, moved(beside)));
        assert!(plain[0].1[0].len() > 10, "{method}");
        for (property, beside, change) in properties {
            let changed = moved(&[beside, &[change]].concat());
            let read = readers_of(property).contains(&method);
            let plain = plain.iter().find(|(own, _)| *own == beside);
            let (_, plain) = plain.expect("one of the four");
            assert_eq!(changed != *plain, read, "{property} in {method}");
        }
    }
}

/// How far liquid reaches from the middle: along the axes, and along the diagonals between them.
fn reach(points: &[Vec3]) -> (f32, f32) {
    let along = |direction: Vec3| {
        let reach = points.iter().map(|point| direction.dot(*point).abs());
        reach.fold(0.0, f32::max)
    };
    let diagonal = std::f32::consts::FRAC_1_SQRT_2;
    (
        along(Vec3::X).max(along(Vec3::Z)),
        along(Vec3::new(diagonal, 0.0, diagonal)).max(along(Vec3::new(diagonal, 0.0, -diagonal))),
    )
}

#[test]
fn a_drop_of_honey_stays_round_on_the_floor() {
    let text = "[domain]\nlower = [-0.04, 0, -0.04]\nsize = [0.08, 0.06, 0.08]\ncells = 16\n[time]\nframe_rate = 30\nframes = 8\n\
                [[liquid]]\nmaterial = \"honey\"\nvelocity = [0, -0.6, 0]\nshape.sphere = { centre = [0, 0.023, 0], radius = 0.022 }\n";
    let roundness = |overrides: &[Override]| {
        let [positions, _] = motion(&scene(text, overrides));
        let (axes, diagonals) = reach(&positions);
        diagonals / axes
    };
    let round = roundness(&[]);
    assert!((0.95..1.05).contains(&round), "{round}");
    // On a floor that it glides along it fills the box from wall to wall and becomes square.
    let square = roundness(&[Override::set("domain.contact=slip")]);
    assert!(square > 1.12, "{square}");
}
