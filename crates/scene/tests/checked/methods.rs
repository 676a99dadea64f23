//! Methods as checked scenes hold them.

use super::*;

#[test]
fn presets_of_methods_are_their_settings() {
    let flip = FlipSettings::default();
    assert_eq!(settings(&format!("method = \"flip\"\n{DOMAIN}")), flip);
    let apic = settings(&format!("method = \"apic\"\n{DOMAIN}"));
    assert_eq!(
        apic,
        FlipSettings {
            transfer: Transfer::Apic,
            ..flip
        }
    );
    let paper = settings(&format!("method = \"batty-bridson-2008\"\n{DOMAIN}"));
    assert_eq!(paper.sampling, Sampling::Coarse);
    assert_eq!(paper.pressure.wall_weights, WallWeights::Volume);
    assert_eq!(
        paper.pressure.preconditioner,
        PressurePreconditioner::IncompleteCholesky
    );
    assert_eq!(
        paper.viscosity.preconditioner,
        ViscosityPreconditioner::IncompleteCholesky
    );
    assert!(!paper.density_correction && !paper.volume_correction);
    assert_eq!((paper.transfer, paper.cfl), (flip.transfer, flip.cfl));
}

#[test]
fn stages_change_what_the_preset_has() {
    let changed = settings(&format!(
        "[method]\npreset = \"apic\"\ntransfer = \"flip\"\nflip_fraction = 0.5\nsampling = \"coarse\"\n\
         density_correction = false\nvolume_correction = false\n\
         [method.pressure]\ntolerance = 1e-4\nmax_iterations = 9\npreconditioner = \"jacobi\"\nwall_weights = \"volume\"\n\
         [time]\ncfl = 0.5\n{DOMAIN}"
    ));
    assert_eq!(changed.transfer, Transfer::Flip(0.5));
    assert_eq!(changed.sampling, Sampling::Coarse);
    assert!(!changed.density_correction && !changed.volume_correction);
    assert_eq!(changed.cfl, 0.5);
    assert_eq!(
        (changed.pressure.tolerance, changed.pressure.max_iterations),
        (1e-4, 9)
    );
    assert_eq!(
        changed.pressure.preconditioner,
        PressurePreconditioner::Jacobi
    );
    assert_eq!(changed.pressure.wall_weights, WallWeights::Volume);
}

#[test]
fn the_viscous_stage_can_be_changed() {
    let plain = settings(DOMAIN).viscosity;
    assert_eq!(plain, FlipSettings::default().viscosity);
    let changed = settings(&format!(
        "[method.viscosity]\nscheme = \"decoupled\"\nsurface = \"dirichlet\"\npressure = \"apart\"\ntolerance = 1e-4\nmax_iterations = 9\n\
         preconditioner = \"jacobi\"\nfirst_projection = false\nenabled = false\n{DOMAIN}"
    ));
    let expected = ViscositySettings {
        enabled: false,
        scheme: ViscosityScheme::Decoupled(SurfaceCondition::Dirichlet),
        substeps: None,
        pressure: ViscousPressure::Apart,
        edge_mean: ViscositySettings::default().edge_mean,
        tolerance: 1e-4,
        max_iterations: 9,
        preconditioner: ViscosityPreconditioner::Jacobi,
        first_projection: false,
    };
    assert_eq!(changed.viscosity, expected);
    for (word, scheme) in [
        ("variational", ViscosityScheme::Variational),
        (
            "decoupled",
            ViscosityScheme::Decoupled(SurfaceCondition::Neumann),
        ),
        ("implicit-explicit", ViscosityScheme::ImplicitExplicit),
        ("explicit", ViscosityScheme::Explicit),
    ] {
        let text = format!("method.viscosity.scheme = \"{word}\"\n{DOMAIN}");
        assert_eq!(settings(&text).viscosity.scheme, scheme);
    }
}

#[test]
fn particle_methods_are_presets_with_stages_of_their_own() {
    let method = |text: &str| read(&format!("{text}\n{DOMAIN}")).method;
    let clavet = ClavetSettings::default();
    assert_eq!(method("method = \"clavet\""), Method::Clavet(clavet));
    let published = Method::Clavet(ClavetSettings::published());
    assert_eq!(method("method = \"clavet-2005\""), published);
    let changed = method(
        "[method]\npreset = \"clavet\"\n[method.clavet]\ncohesion = 0.5\norder = \"sequential\"\n[time]\ncfl = 0.2",
    );
    let expected = ClavetSettings {
        cohesion: Some(0.5),
        order: RelaxationOrder::Sequential,
        cfl: 0.2,
        ..clavet
    };
    assert_eq!(changed, Method::Clavet(expected));
    let published = Method::Mueller(MuellerSettings::published());
    assert_eq!(method("method = \"mueller-2003\""), published);
    let changed = method(
        "[method]\npreset = \"mueller\"\n[method.mueller]\nkernels = \"cubic-spline\"\n\
         walls = \"ghosts\"\ndensity = \"summed\"\ndensity_diffusion = 0.2\nviscosity = \"laplacian\"",
    );
    let expected = MuellerSettings {
        kernels: Kernels::CubicSpline,
        walls: WallForm::Ghosts,
        density: DensityRule::Summed,
        density_diffusion: 0.2,
        viscosity: ViscosityForm::Laplacian,
        ..MuellerSettings::default()
    };
    assert_eq!(changed, Method::Mueller(expected));
}

#[test]
fn keys_of_another_method_are_told_and_both_are_named() {
    let told = |text: &str| {
        let warnings = read(&format!("{text}\n{DOMAIN}")).warnings().to_vec();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        warnings[0].line()
    };
    let message = told("[method]\npreset = \"clavet\"\nflip_fraction = 0.5");
    assert!(message.contains("method.flip_fraction"), "{message}");
    assert!(message.contains("`clavet`"), "{message}");
    let message = told("[method]\npreset = \"mueller\"\n[method.clavet]\ncohesion = 0.5");
    assert!(message.contains("`method.clavet`"), "{message}");
    let message = told("[method.mueller]\nradius = 2.5");
    assert!(message.contains("use the method `mueller`"), "{message}");
    let message = told("method.preset = \"level-set\"\nmethod.transfer = \"apic\"");
    assert!(message.contains("`method.transfer`"), "{message}");
}

#[test]
fn materials_that_a_particle_method_cannot_carry_are_refused() {
    let text = format!(
        "method = \"clavet\"\n{DOMAIN}[materials.stone]\nviscosity = 1e12\n[[liquid]]\nmaterial = \"stone\"\n{BALL}"
    );
    let errors = Scene::parse(&text, "scene.toml", "").expect_err("too viscous");
    let message = format!("{errors:?}");
    assert!(message.contains("linear viscosity of `stone`"), "{message}");
}

#[test]
fn the_level_set_liquid_has_presets_and_keys_of_its_own() {
    let method = |text: &str| read(&format!("{text}\n{DOMAIN}")).method;
    assert_eq!(
        method("method = \"level-set\""),
        Method::LevelSet(LevelSetSettings::default())
    );
    assert_eq!(
        method("method = \"goktekin-2011\""),
        Method::LevelSet(LevelSetSettings::goktekin_2011())
    );
    let changed = method(
        "method.preset = \"level-set\"\nmethod.volume_correction = false\nmethod.pressure.tolerance = 1e-4\n\
         method.level_set = { advection = \"weno5\", particles = false, surface = \"lively\", walls = \"voxels\" }",
    );
    let mut expected = LevelSetSettings {
        volume_correction: false,
        surface: SurfaceTreatment::Lively,
        walls: WallShape::Voxels,
        ..LevelSetSettings::default()
    };
    expected.pressure.tolerance = 1e-4;
    expected.tracking.advection = Advection::CARLSON[5];
    expected.tracking.particles = None;
    assert_eq!(changed, Method::LevelSet(expected));
}

#[test]
fn level_set_liquids_refuse_what_they_cannot_do() {
    let refused = |text: &str| {
        let problems = Scene::parse(text, "scene.toml", "")
            .map(|_| ())
            .unwrap_err();
        format!("{problems:?}")
    };
    let long = refused(&format!("method = \"level-set\"\ntime.cfl = 6\n{DOMAIN}"));
    assert!(long.contains("5 cells around the liquid"), "{long}");
}

/// A stone in water.
const STONE: &str = "[[liquid]]\nmaterial = \"water\"\nshape.box = { lower = [0, 0, 0], upper = [1, 0.5, 1] }\n\
     [[body]]\ndensity = 2000\nshape.sphere = { centre = [0.5, 0.4, 0.5], radius = 0.1 }\n";

#[test]
fn bodies_can_be_coupled_as_rigid_fluids_in_level_sets() {
    let method = |text: &str| read(&format!("{text}\n{DOMAIN}{STONE}")).method;
    let published = LevelSetSettings::carlson_2004_rigid();
    assert_eq!(published.bodies.coupling, BodyCoupling::RigidFluid);
    assert_eq!(
        method("method = \"carlson-2004-rigid\""),
        Method::LevelSet(published)
    );
    let changed = method(
        "method.preset = \"level-set\"\n\
         method.bodies = { coupling = \"rigid-fluid\", loop_order = \"advection-first\", buoyant_weight = true, ultra_buoyant = 0.3 }",
    );
    let expected = BodySettings {
        coupling: BodyCoupling::RigidFluid,
        loop_order: LoopOrder::Quick,
        buoyant_weight: true,
        ultra_buoyant: 0.3,
    };
    match changed {
        Method::LevelSet(settings) => assert_eq!(settings.bodies, expected),
        other => panic!("{other:?}"),
    }
}

#[test]
fn couplings_that_a_method_or_a_liquid_cannot_have_are_refused_with_both_lines() {
    let refused = |text: &str| {
        let errors = Scene::parse(text, "scene.toml", "").map(|_| ());
        let errors = errors.expect_err("it is refused");
        let problem = errors.problems().first().expect("there is one");
        problem.line()
    };
    let text = |method: &str| format!("{method}\n{DOMAIN}{STONE}");
    let rigid = "coupling = \"rigid-fluid\"";
    for preset in ["flip", "apic", "carlson-2004", "clavet"] {
        let told = refused(&text(&format!(
            "[method]\npreset = \"{preset}\"\nbodies.{rigid}"
        )));
        assert!(told.contains("scene.toml:3"), "{told}");
        assert!(told.contains(&format!("method `{preset}`")), "{told}");
    }
    let told = refused(&text(
        "method.bodies.loop_order = \"advection-first\"\nmethod.preset = \"level-set\"",
    ));
    assert!(told.contains("`method.bodies.loop_order`"), "{told}");
    assert!(told.contains("scene.toml:1"), "{told}");
    let preset = "method = \"carlson-2004-rigid\"";
    let honey = "[[liquid]]\nmaterial = \"honey\"\nshape.box = { lower = [0, 0.5, 0], upper = [1, 0.6, 1] }\n";
    let told = refused(&format!("{}{honey}", text(preset)));
    assert!(told.contains("`water` and `honey`"), "{told}");
    let told = refused(&text(preset).replace("\"water\"", "\"gelatin\""));
    assert!(told.contains("not elastic"), "{told}");
    let told = refused(&text(preset).replace("density", "temperature = 350\ndensity"));
    assert!(told.contains("heat"), "{told}");
    // Without bodies there is nothing to couple.
    read(&format!("{preset}\n{DOMAIN}{honey}"));
}

#[test]
fn bodies_that_a_rigid_fluid_throws_out_are_warned_of() {
    let warnings = |more: &str| {
        let text = format!("method.preset = \"carlson-2004-rigid\"\n{more}{DOMAIN}{STONE}");
        let scene = read(&text.replace("density = 2000", "density = 300"));
        scene.warnings().len()
    };
    assert_eq!(warnings(""), 1);
    assert_eq!(warnings("method.bodies.buoyant_weight = true\n"), 0);
}
