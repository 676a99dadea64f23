//! What a checked scene holds is what its keys say.

use glam::{IVec3, Vec3};
use ooze_core::{Contact, Force, Material, Side, ViscosityLaw, WallCondition};
use ooze_grid::{
    Advection, BodyCoupling, BodySettings, FlipSettings, LevelSetSettings, LoopOrder,
    PressurePreconditioner, Sampling, SurfaceCondition, SurfaceTreatment, Transfer,
    ViscosityPreconditioner, ViscosityScheme, ViscositySettings, ViscousPressure, WallShape,
    WallWeights,
};
use ooze_particles::{
    ClavetSettings, DensityRule, Kernels, MuellerSettings, RelaxationOrder, ViscosityForm, WallForm,
};
use ooze_scene::{Method, ProbeQuantity, Scene};

mod methods;

const DOMAIN: &str = "[domain]\nsize = [1, 1, 1]\n";
const BALL: &str = "shape.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.2 }\n";

/// Liquid wherever the domain is.
const EVERYWHERE: &str =
    "[[liquid]]\nshape.half_space = { point = [0, 1e3, 0], normal = [0, 1, 0] }\n";

/// Reads a scene, with liquid in it if the text has none.
fn read(text: &str) -> Scene {
    let wet = text.contains("[[liquid]]") || text.contains("[[emitter]]");
    let text = format!("{text}\n{}", if wet { "" } else { EVERYWHERE });
    Scene::parse(&text, "some/scene.toml", "").unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn settings(text: &str) -> FlipSettings {
    match read(text).method {
        Method::Flip(settings) => settings,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_left_out_has_the_documented_defaults() {
    let scene = read(DOMAIN);
    assert_eq!(
        (scene.name.as_str(), scene.description.as_str()),
        ("scene", "")
    );
    assert_eq!(scene.setup.seed, 0);
    assert_eq!(scene.setup.domain.cells, IVec3::splat(64));
    assert_eq!(
        scene.setup.domain.sides,
        [[Side::Closed(Contact::default()); 2]; 3]
    );
    let gravity = Force::Constant {
        acceleration: Vec3::new(0.0, -9.81, 0.0),
    };
    assert_eq!(scene.setup.forces, [gravity]);
    assert_eq!((scene.time.frame_rate, scene.time.frames), (30.0, 90));
    assert_eq!(scene.method, Method::Flip(FlipSettings::default()));
    assert_eq!((scene.output.every, scene.output.particles), (1, true));
    assert_eq!(scene.output.channels, None);
    assert!(scene.source_text.starts_with(DOMAIN));
}

#[test]
fn cells_are_cubes_and_sides_are_rounded_to_them() {
    let scene = read("[domain]\nlower = [-1, 2, 3]\nsize = [2.0, 1.04, 0.5]\ncells = 100\n");
    let domain = &scene.setup.domain;
    assert_eq!(domain.cells, IVec3::new(100, 52, 25));
    assert_eq!(domain.cell_size, 0.02);
    assert_eq!(domain.lower, Vec3::new(-1.0, 2.0, 3.0));
    let by_size = read("[domain]\nsize = [2.0, 1.04, 0.5]\ncell_size = 0.02\n");
    assert_eq!(by_size.setup.domain.cells, domain.cells);
}

#[test]
fn a_flat_scene_is_a_slab_around_its_plane() {
    let scene = read("[domain]\nlower = [0, 0, 7]\nsize = [2, 1, 0]\ncells = 50\nflat = true\n");
    let domain = &scene.setup.domain;
    assert_eq!(domain.cells, IVec3::new(50, 25, 1));
    assert!((domain.lower.z + domain.upper().z).abs() < 1e-7);
    assert!((domain.upper().z - 0.02).abs() < 1e-7);
    assert_eq!(domain.dimensions(), 2);
}

#[test]
fn sides_are_open_or_closed_in_every_way_of_writing() {
    let scene = read(&format!(
        "{DOMAIN}[domain.sides]\nleft = \"open\"\nright = \"closed\"\nbottom.closed.contact = \"no-slip\"\n\
         top = {{ open = {{}} }}\nback = {{ closed = {{ friction = 0.25 }} }}\nfront = {{ closed = {{ contact = \"sticky\" }} }}\n"
    ));
    let wall = |condition, friction| {
        Side::Closed(Contact {
            condition,
            friction,
            heat: None,
        })
    };
    assert_eq!(
        scene.setup.domain.sides,
        [
            [Side::Open, wall(WallCondition::Slip, 0.0)],
            [wall(WallCondition::NoSlip, 0.0), Side::Open],
            [
                wall(WallCondition::Slip, 0.25),
                wall(WallCondition::Sticky, 0.0)
            ],
        ]
    );
}

#[test]
fn duration_becomes_frames() {
    let time = |keys: &str| read(&format!("{DOMAIN}[time]\n{keys}")).time;
    assert_eq!(time("frame_rate = 25\nduration = 2.0\n").frames, 50);
    assert_eq!(time("frame_rate = 24\nduration = 1e-3\n").frames, 1);
    let counted = time("frame_rate = 24\nframes = 12\nmax_substeps = 7\n");
    assert_eq!((counted.frames, counted.max_substeps), (12, 7));
    assert_eq!(counted.duration(), 0.5);
}

#[test]
fn a_liquid_may_have_a_gradient_of_viscosity() {
    let scene = read(&format!(
        "{DOMAIN}[[liquid]]\nmaterial = \"honey\"\nshape.sphere = {{ centre = [0.5, 0.5, 0.5], radius = 0.1 }}\n\
         viscosity_gradient = {{ from = [0.4, 0.5, 0.5], to = [0.6, 0.5, 0.5], values = [0.1, 100] }}\n"
    ));
    let gradient = scene.setup.initial[0].viscosity_gradient;
    let gradient = gradient.expect("the gradient that was written");
    assert_eq!(gradient.values, [0.1, 100.0]);
    assert_eq!((gradient.from.x, gradient.to.x), (0.4, 0.6));
}

#[test]
fn materials_start_from_their_base() {
    let scene = read(&format!(
        "method.may_ignore = [\"flow_curve\"]\n{DOMAIN}[materials]\nsauce = \"ketchup\"\n[materials.goo]\nbase = \"honey\"\nviscosity = 3\nlook = \"slime\"\n\
         thermal.viscosity_law.exponential.rate = 0.1\nelasticity = {{ modulus = 10, yield_strain = 0.2, decay_rate = 3 }}\n\
         [materials.paste]\nbase = \"toothpaste\"\nflow_curve.yield_stress = 300\nelasticity.decay_rate = 9\n\
         [[liquid]]\nmaterial = \"goo\"\n{BALL}[[liquid]]\nmaterial = \"milk\"\n{BALL}[[liquid]]\nmaterial = \"sauce\"\n{BALL}\
         [[liquid]]\nmaterial = \"paste\"\n{BALL}"
    ));
    let named = |name: &str| {
        let found = scene
            .setup
            .materials
            .iter()
            .find(|material| material.name == name);
        found.unwrap_or_else(|| panic!("no {name}")).clone()
    };
    let [goo, honey] = [named("goo"), Material::preset("honey").unwrap()];
    assert_eq!((goo.density, goo.viscosity), (honey.density, 3.0));
    assert_eq!(goo.appearance.look, "slime");
    let [heat, honey_heat] = [goo.thermal.unwrap(), honey.thermal.unwrap()];
    assert_eq!(heat.specific_heat, honey_heat.specific_heat);
    assert_eq!(
        heat.viscosity_law,
        Some(ViscosityLaw::Exponential { rate: 0.1 })
    );
    assert_eq!(goo.elasticity.unwrap().modulus, 10.0);
    let sauce = named("sauce");
    assert_eq!(
        Material {
            name: "ketchup".into(),
            ..sauce
        },
        Material::preset("ketchup").unwrap()
    );
    assert_eq!(named("milk"), Material::preset("milk").unwrap());
    let [paste, toothpaste] = [named("paste"), Material::preset("toothpaste").unwrap()];
    assert_eq!(paste.flow_curve.unwrap().yield_stress, 300.0);
    assert_eq!(
        paste.flow_curve.unwrap().consistency,
        toothpaste.flow_curve.unwrap().consistency
    );
    // 100 Pa more at the reference rate of 10/s.
    assert!((paste.viscosity - toothpaste.viscosity - 10.0).abs() < 0.2);
    assert_eq!(
        paste.elasticity.unwrap().modulus,
        toothpaste.elasticity.unwrap().modulus
    );
    assert_eq!(paste.elasticity.unwrap().decay_rate, 9.0);
    let materials: Vec<&str> = scene
        .setup
        .initial
        .iter()
        .map(|liquid| {
            scene.setup.materials[usize::from(liquid.material.0)]
                .name
                .as_str()
        })
        .collect();
    assert_eq!(materials, ["goo", "milk", "sauce", "paste"]);
}

#[test]
fn a_material_of_one_s_own_hides_the_preset_of_its_name() {
    let scene = read(&format!(
        "{DOMAIN}[materials.water]\ndensity = 900\n[[liquid]]\n{BALL}"
    ));
    assert_eq!(scene.setup.materials.len(), 1);
    assert_eq!(scene.setup.materials[0].density, 900.0);
}

#[test]
fn liquids_emitters_and_drains_keep_their_numbers() {
    let scene = read(&format!(
        "{DOMAIN}[[liquid]]\nvelocity = [1, 2, 3]\nspin = [0, 0.5, 0]\n{BALL}\
         [[emitter]]\nname = \"tap\"\ndirection = [0, -2, 0]\nspeed = 3\nstart = 0.5\nstop = 1\nrate = 1e-3\n{BALL}\
         [[emitter]]\nvelocity = [0, 0, 1]\n{BALL}[[drain]]\nstart = 1\n{BALL}"
    ));
    let setup = &scene.setup;
    assert_eq!(setup.initial[0].name, "liquid-1");
    assert_eq!(setup.initial[0].velocity, Vec3::new(1.0, 2.0, 3.0));
    // Half a turn a second is π radians a second.
    assert!((setup.initial[0].spin.y - std::f32::consts::PI).abs() < 1e-6);
    let [tap, other] = &setup.emitters[..] else {
        panic!("two emitters")
    };
    assert_eq!(
        (tap.name.as_str(), other.name.as_str()),
        ("tap", "emitter-2")
    );
    assert_eq!(tap.velocity, Vec3::new(0.0, -3.0, 0.0));
    assert_eq!((tap.start, tap.stop, tap.rate), (0.5, 1.0, Some(1e-3)));
    assert_eq!(
        (other.start, other.stop, other.rate),
        (0.0, f64::INFINITY, None)
    );
    assert_eq!(
        (setup.drains[0].start, setup.drains[0].stop),
        (1.0, f64::INFINITY)
    );
}

#[test]
fn forces_follow_gravity_and_none_is_no_force() {
    let scene = read(&format!(
        "gravity = [0, 0, 0]\n{DOMAIN}[[force]]\nconstant.acceleration = [1, 0, 0]\n[[force]]\nswirl = {{ centre = [1, 2, 3], axis = [0, 0, 4], radius = 0.5, strength = 2 }}\n"
    ));
    let wind = Force::Constant {
        acceleration: Vec3::X,
    };
    let swirl = Force::Swirl {
        centre: Vec3::new(1.0, 2.0, 3.0),
        axis: Vec3::Z,
        radius: 0.5,
        strength: 2.0,
    };
    assert_eq!(scene.setup.forces, [wind, swirl]);
}

#[test]
fn every_shape_has_its_inside_where_its_keys_say() {
    for (shape, inside, outside) in [
        (
            "box = { centre = [0.5, 0.5, 0.5], size = [0.2, 0.4, 0.6] }",
            [0.5, 0.69, 0.5],
            [0.61, 0.5, 0.5],
        ),
        (
            "box = { lower = [0, 0, 0], upper = [0.5, 0.2, 0.2] }",
            [0.49, 0.19, 0.1],
            [0.51, 0.1, 0.1],
        ),
        (
            "rounded_box = { centre = [0.5, 0.5, 0.5], size = [0.4, 0.4, 0.4], radius = 0.1 }",
            [0.69, 0.5, 0.5],
            [0.69, 0.69, 0.69],
        ),
        (
            "sphere = { centre = [0.5, 0.5, 0.5], radius = 0.2 }",
            [0.5, 0.69, 0.5],
            [0.65, 0.65, 0.5],
        ),
        (
            "ellipsoid = { centre = [0.5, 0.5, 0.5], radii = [0.1, 0.2, 0.3] }",
            [0.5, 0.5, 0.79],
            [0.61, 0.5, 0.5],
        ),
        (
            "capsule = { from = [0.2, 0.5, 0.5], to = [0.8, 0.5, 0.5], radius = 0.1 }",
            [0.89, 0.5, 0.5],
            [0.5, 0.61, 0.5],
        ),
        (
            "cylinder = { from = [0.2, 0.5, 0.5], to = [0.8, 0.5, 0.5], radius = 0.1 }",
            [0.79, 0.59, 0.5],
            [0.81, 0.5, 0.5],
        ),
        (
            "cone = { from = [0.5, 0, 0.5], to = [0.5, 1, 0.5], from_radius = 0.4, to_radius = 0 }",
            [0.8, 0.1, 0.5],
            [0.8, 0.9, 0.5],
        ),
        (
            "torus = { centre = [0.5, 0.5, 0.5], major_radius = 0.3, minor_radius = 0.1 }",
            [0.8, 0.5, 0.5],
            [0.5, 0.5, 0.5],
        ),
        (
            "torus = { centre = [0.5, 0.5, 0.5], axis = [1, 0, 0], major_radius = 0.3, minor_radius = 0.1 }",
            [0.5, 0.8, 0.5],
            [0.8, 0.5, 0.5],
        ),
        (
            "half_space = { point = [0, 0.5, 0], normal = [0, 1, 0] }",
            [0.9, 0.4, 0.9],
            [0.1, 0.6, 0.1],
        ),
        (
            "union = [{ sphere = { centre = [0.2, 0.5, 0.5], radius = 0.1 } }, { sphere = { centre = [0.8, 0.5, 0.5], radius = 0.1 } }]",
            [0.8, 0.5, 0.5],
            [0.5, 0.5, 0.5],
        ),
        (
            "intersection = [{ sphere = { centre = [0.4, 0.5, 0.5], radius = 0.2 } }, { sphere = { centre = [0.6, 0.5, 0.5], radius = 0.2 } }]",
            [0.5, 0.5, 0.5],
            [0.3, 0.5, 0.5],
        ),
        (
            "difference = { from.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.4 }, subtract = [{ sphere = { centre = [0.5, 0.5, 0.5], radius = 0.2 } }] }",
            [0.8, 0.5, 0.5],
            [0.5, 0.5, 0.5],
        ),
        (
            "smooth_union = { shapes = [{ sphere = { centre = [0.35, 0.5, 0.5], radius = 0.14 } }, { sphere = { centre = [0.65, 0.5, 0.5], radius = 0.14 } }], radius = 0.1 }",
            [0.5, 0.5, 0.5],
            [0.5, 0.8, 0.5],
        ),
        (
            "shell = { of.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.3 }, thickness = 0.1 }",
            [0.75, 0.5, 0.5],
            [0.81, 0.5, 0.5],
        ),
        (
            "shell = { of.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.3 }, thickness = 0.1, side = \"centred\" }",
            [0.84, 0.5, 0.5],
            [0.7, 0.5, 0.5],
        ),
        (
            "transform = { of.box = { centre = [0, 0, 0], size = [1, 0.2, 0.2] }, scale = 0.5, rotation = { axis = [0, 0, 1], angle = 90 }, position = [0.5, 0.5, 0.5] }",
            [0.5, 0.74, 0.5],
            [0.74, 0.5, 0.5],
        ),
    ] {
        let scene = read(&format!("{DOMAIN}[[liquid]]\n[liquid.shape]\n{shape}\n"));
        let region = &scene.setup.initial[0].shape;
        assert!(
            region.contains(Vec3::from(inside)),
            "{shape}: {inside:?} is outside"
        );
        assert!(
            !region.contains(Vec3::from(outside)),
            "{shape}: {outside:?} is inside"
        );
    }
}

#[test]
fn colliders_move_as_their_keys_say() {
    let scene = read(&format!(
        "{DOMAIN}[[liquid]]\n{BALL}[[collider]]\nname = \"arm\"\ncontact = \"sticky\"\nlook = \"glass\"\nvisible = false\ncolour = [1, 0, 0]\n\
         shape.box = {{ centre = [0, 0, 0], size = [0.2, 0.1, 0.1] }}\n[collider.motion]\nposition = [0.5, 0.5, 0.5]\n\
         rotation = {{ axis = [0, 0, 1], angle = 90 }}\nscale = 2\n\
         keyframes = [{{ time = 1, position = [0.2, 0.5, 0.5], interpolation = \"linear\" }}, {{ time = 2, position = [0.4, 0.5, 0.5] }}]\n\
         spin = {{ axis = [0, 1, 0], turns_per_second = 0.5 }}\n"
    ));
    let arm = &scene.colliders[0];
    assert_eq!(
        (arm.name.as_str(), arm.contact.condition),
        ("arm", WallCondition::Sticky)
    );
    let look = &scene.solid_looks[0];
    assert_eq!(
        (look.look, look.visible, look.colour),
        ("glass", false, Vec3::X)
    );
    let start = arm.motion.pose(0.0);
    assert_eq!(
        (start.translation, start.scale),
        (Vec3::new(0.2, 0.5, 0.5), 2.0)
    );
    assert!(start.rotation.mul_vec3(Vec3::X).abs_diff_eq(Vec3::Y, 1e-6));
    assert!(
        arm.motion
            .pose(1.25)
            .translation
            .abs_diff_eq(Vec3::new(0.25, 0.5, 0.5), 1e-6)
    );
    // Spinning happens in the body's own frame: half a turn about its y sends its x, the world's y, to -y.
    let turned = arm.motion.pose(1.0).rotation.mul_vec3(Vec3::X);
    assert!(turned.abs_diff_eq(-Vec3::Y, 1e-5), "{turned}");
}

#[test]
fn probes_have_a_column_for_each_part_of_a_reading() {
    let scene = read(&format!(
        "{DOMAIN}{EVERYWHERE}[[collider]]\nname = \"a\"\n{BALL}[[collider]]\nname = \"b\"\nshape.box = {{ lower = [0, 0, 0], upper = [0.1, 0.1, 0.1] }}\n\
         [[probe]]\nname = \"volume\"\nmeasure.volume.{BALL}\
         [[probe]]\nname = \"v\"\nmeasure.velocity.point = [0.5, 0.5, 0.5]\n\
         [[probe]]\nname = \"p\"\nmeasure.pressure.point = [0.5, 0.5, 0.5]\n\
         [[probe]]\nname = \"low\"\nmeasure.front.direction = \"-y\"\n\
         [[probe]]\nname = \"where\"\nmeasure.body.collider = \"b\"\n\
         [[probe]]\nname = \"drag\"\nmeasure.force.collider = \"a\"\n"
    ));
    let columns: Vec<String> = scene
        .probes
        .iter()
        .flat_map(|probe| probe.columns())
        .collect();
    assert_eq!(
        columns,
        [
            "volume",
            "v_x",
            "v_y",
            "v_z",
            "p",
            "low",
            "where_x",
            "where_y",
            "where_z",
            "drag_pressure_x",
            "drag_pressure_y",
            "drag_pressure_z",
            "drag_viscous_x",
            "drag_viscous_y",
            "drag_viscous_z",
            "drag_pressure_torque_x",
            "drag_pressure_torque_y",
            "drag_pressure_torque_z",
            "drag_viscous_torque_x",
            "drag_viscous_torque_y",
            "drag_viscous_torque_z",
        ]
    );
    assert!(
        matches!(&scene.probes[0].measure, ProbeQuantity::Volume(shape) if shape.contains(Vec3::splat(0.5)))
    );
    assert!(matches!(
        scene.probes[3].measure,
        ProbeQuantity::Front {
            axis: 1,
            upward: false
        }
    ));
    assert!(matches!(scene.probes[4].measure, ProbeQuantity::Body(1)));
    assert!(matches!(scene.probes[5].measure, ProbeQuantity::Force(0)));
}

#[test]
fn output_is_as_asked() {
    let output = read(&format!(
        "{DOMAIN}[output]\nevery = 5\nparticles = false\nchannels = [\"velocity\", \"age\"]\ncheckpoint_frames = 7\ncheckpoint_minutes = 0.5\n"
    ))
    .output;
    assert_eq!((output.every, output.particles), (5, false));
    assert_eq!(output.channels, Some(vec!["velocity".into(), "age".into()]));
    assert_eq!(
        (output.checkpoint_frames, output.checkpoint_minutes),
        (Some(7), 0.5)
    );
}

#[test]
fn predictions_count_what_is_there() {
    // A box of 0.5 × 0.25 × 1 m in cells of 1/64 m: 32 × 16 × 64 cells of 8 particles.
    let half = "[[liquid]]\nshape.box = { lower = [0, 0, 0], upper = [0.5, 0.25, 1] }\n";
    let scene = read(&format!("{DOMAIN}{half}"));
    let prediction = scene.prediction();
    assert_eq!(prediction.cells, 64 * 64 * 64);
    let expected = 32.0 * 16.0 * 64.0 * 8.0;
    let error = prediction.particles as f64 / expected - 1.0;
    assert!(error.abs() < 0.05, "{prediction:?}");
    assert_eq!(prediction.most_particles, prediction.particles);
    // The liquid alone covers 4 × 2 × 8 tiles; its margin adds a layer.
    assert!((64..=3 * 64).contains(&prediction.tiles), "{prediction:?}");

    // A collider takes away what it covers; a second liquid in the same place adds nothing.
    let cut = "[[collider]]\nshape.box = { lower = [-1, -1, -1], upper = [0.25, 2, 2] }\n";
    let overlapping = read(&format!("{DOMAIN}{half}{half}{cut}"));
    let error = overlapping.prediction().particles as f64 / (0.5 * expected) - 1.0;
    assert!(error.abs() < 0.1, "{:?}", overlapping.prediction());

    // A jet of 0.1 × 0.1 m at 1 m/s for 2 s is 0.02 m³, beside what fills the emitter.
    let jet = read(&format!(
        "{DOMAIN}[[emitter]]\nvelocity = [0, -1, 0]\nstop = 2\nshape.box = {{ centre = [0.5, 0.8, 0.5], size = [0.1, 0.05, 0.1] }}\n"
    ));
    let expected = (0.02 + 0.0005) * 64f64.powi(3) * 8.0;
    let error = jet.prediction().most_particles as f64 / expected - 1.0;
    assert!(error.abs() < 0.1, "{:?}", jet.prediction());

    // Large particles are fewer, flat scenes have four a cell.
    let coarse = read(&format!("method = \"batty-bridson-2008\"\n{DOMAIN}{half}"));
    assert!(
        (coarse.prediction().particles as f64 * 8.0 / prediction.particles as f64 - 1.0).abs()
            < 0.01
    );
    let slice = half.replace("[0, 0, 0]", "[0, 0, -1]");
    let flat = read(&format!("[domain]\nsize = [1, 1, 0]\nflat = true\n{slice}"));
    let error = flat.prediction().particles as f64 / (32.0 * 16.0 * 4.0) - 1.0;
    assert!(error.abs() < 0.05, "{:?}", flat.prediction());
}

#[test]
fn memory_grows_with_the_liquid_and_not_with_the_box() {
    let small = read(&format!("{DOMAIN}cell_size = 0.01\n[[liquid]]\n{BALL}"));
    let large = read(&format!(
        "[domain]\nsize = [2, 2, 2]\ncell_size = 0.01\n[[liquid]]\n{BALL}"
    ));
    let ratio = large.prediction().memory_bytes as f64 / small.prediction().memory_bytes as f64;
    assert!(ratio < 1.1, "{ratio}");
}
