//! Changing keys from the command line.

use glam::{IVec3, Vec3};
use ooze_core::Force;
use ooze_grid::Transfer;
use ooze_scene::{Method, Override, Scene, builtin};

const SCENE: &str = "method = \"flip\"\n[domain]\nsize = [1, 1, 1]\ncell_size = 0.1\n[time]\nduration = 5\n\
                     [[liquid]]\nshape.sphere = { centre = [0.5, 0.5, 0.5], radius = 0.2 }\n";

fn read(overrides: &[Override]) -> Scene {
    Scene::parse_with(SCENE, "scene.toml", "", overrides)
        .unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn refused(overrides: &[Override]) -> Vec<String> {
    Scene::parse_with(SCENE, "scene.toml", "", overrides)
        .unwrap_err()
        .lines()
}

#[test]
fn flags_change_their_keys_and_take_away_the_alternative() {
    let scene = read(&[
        Override::resolution("32"),
        Override::frames("7"),
        Override::method("apic"),
    ]);
    assert_eq!(scene.setup.domain.cells, IVec3::splat(32));
    assert_eq!(scene.time.frames, 7);
    assert!(matches!(scene.method, Method::Flip(settings) if settings.transfer == Transfer::Apic));
    assert_eq!(scene.method_name, "apic");
}

#[test]
fn any_key_can_be_set() {
    let scene = read(&[
        Override::set("liquid.0.velocity=[1, 2, 3]"),
        Override::set("liquid.0.material = milk"),
        Override::set("materials.milk.density=1"),
        Override::set("time.cfl=0.5"),
        Override::set("gravity=[0, 0, 0]"),
        Override::set("name=\"two words\""),
        Override::set("domain.sides.top=open"),
    ]);
    assert_eq!(scene.setup.initial[0].velocity, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(scene.setup.materials[0].density, 1.0);
    assert!(scene.setup.forces.is_empty());
    assert_eq!(scene.name, "two words");
    assert!(matches!(scene.method, Method::Flip(settings) if settings.cfl == 0.5));
    // Later flags win.
    let scene = read(&[Override::set("seed=1"), Override::set("seed=2")]);
    assert_eq!(scene.setup.seed, 2);
}

#[test]
fn lists_need_no_brackets_and_items_have_two_spellings() {
    let scene = read(&[
        Override::set("gravity=0,-1.6,0"),
        Override::set("liquid[0].velocity=1, 2e-1, -3"),
        Override::set("output.channels=velocity,age"),
        Override::set("method.may_ignore=flow_curve"),
    ]);
    assert!(
        matches!(scene.setup.forces[..], [Force::Constant { acceleration }] if acceleration == Vec3::new(0.0, -1.6, 0.0))
    );
    assert_eq!(scene.setup.initial[0].velocity, Vec3::new(1.0, 0.2, -3.0));
    let channels = ["velocity", "age"].map(str::to_owned);
    assert_eq!(scene.output.channels, Some(channels.to_vec()));
    // The same on the command line as it would be in the file, and written down as such.
    assert!(
        scene.source_text.contains("gravity = [0, -1.6, 0]"),
        "{}",
        scene.source_text
    );
    assert_eq!(
        refused(&[Override::set("gravity=0,x,0")]),
        ["--set:1:17: `gravity.1` is x, but must be a number, from -100000 to 100000 m/s²"]
    );
}

#[test]
fn a_short_form_can_be_changed_as_the_long_one() {
    let text = format!("{SCENE}material = \"goo\"\n[materials]\ngoo = \"honey\"\n");
    let overrides = [
        Override::set("method.flip_fraction=0.5"),
        Override::set("materials.goo.viscosity=3"),
    ];
    let scene = Scene::parse_with(&text, "scene.toml", "", &overrides)
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(
        matches!(scene.method, Method::Flip(settings) if settings.transfer == Transfer::Flip(0.5))
    );
    let goo = &scene.setup.materials[0];
    assert_eq!((goo.viscosity, goo.density), (3.0, 1420.0));
}

#[test]
fn a_preset_is_changed_under_its_own_name() {
    let scene = read(&[
        Override::set("liquid.0.material=honey"),
        Override::set("materials.honey.viscosity=100"),
    ]);
    let honey = &scene.setup.materials[0];
    assert_eq!((honey.viscosity, honey.density), (100.0, 1420.0));
    assert_eq!(scene.warnings().len(), 0, "{:?}", scene.warnings());
}

#[test]
fn a_material_that_nothing_is_made_of_is_set_right() {
    let honey = builtin::find("honey").unwrap();
    let overrides = [Override::set("materials.honey.viscosity=100")];
    let scene = Scene::parse_with(honey.text, "honey.toml", "", &overrides).unwrap();
    let told: Vec<String> = scene
        .warnings()
        .iter()
        .map(|warning| warning.line())
        .collect();
    assert_eq!(
        told,
        [
            "--set:1:33: material `honey` is used by no liquid and no emitter (the scene's liquids are made of `cold-honey`: write \
             --set materials.cold-honey.viscosity=100)"
        ]
    );
}

#[test]
fn a_flag_and_a_set_for_the_same_are_refused() {
    for (flag, set, expected) in [
        (
            Override::frames("20"),
            "time.frames=10",
            "`--frames 20` and `--set time.frames=10`",
        ),
        (
            Override::frames("20"),
            "time.duration=1",
            "`--frames 20` and `--set time.duration=1`",
        ),
        (
            Override::resolution("32"),
            "domain.cell_size=0.1",
            "`--resolution 32` and",
        ),
        (
            Override::method("apic"),
            "method=flip",
            "`--method apic` and `--set method=flip`",
        ),
    ] {
        let lines = refused(&[flag, Override::set(set)]);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].contains(expected) && lines[0].ends_with("(leave one of them out)"),
            "{lines:?}"
        );
    }
    read(&[Override::frames("20"), Override::set("time.frame_rate=10")]);
}

#[test]
fn errors_name_the_flag() {
    for (change, expected) in [
        (
            Override::resolution("many"),
            "--resolution:1:14: `domain.cells` is many, but must be a whole number, from 4 to 16384",
        ),
        (
            Override::resolution("2"),
            "--resolution:1:14: `domain.cells` is 2, but must be a whole number, from 4 to 16384",
        ),
        (
            Override::frames("-1"),
            "--frames:1:10: `time.frames` is -1, but must be a whole number, from 1 to 1000000",
        ),
        (
            Override::method("filp"),
            "--method:1:10: `method` is \"filp\", which is none of those known (did you mean \"flip\"?)",
        ),
        (
            Override::set("domain.cels=3"),
            "--set:1:19: `domain` has no key `cels` (did you mean `cells`?)",
        ),
        (
            Override::set("domain.flat=[1"),
            "--set:1:19: the value of `domain.flat` is not valid TOML: unclosed array, expected `]`",
        ),
        (
            Override::set("domain"),
            "--set:1:1: `--set domain=` has no value (write --set key=value, as --set domain.cells=128)",
        ),
        (
            Override::set("=3"),
            "--set:1:1: `--set =3` names no key (write --set key=value, as --set domain.cells=128)",
        ),
        (
            Override::set("liquid.5.velocity=[0, 0, 0]"),
            "--set:1:1: `5` is no item of `liquid`, which has 1 (items count from 0, as liquid.0)",
        ),
        (
            Override::set("liquid.velocity=[0, 0, 0]"),
            "--set:1:1: `velocity` is no item of `liquid`, which has 1 (say which, counted from 0, as liquid.0.velocity)",
        ),
        (
            Override::set("liquid.0.shape.sphere.radius.x=1"),
            "--set:1:1: `liquid.0.shape.sphere.radius` is a number, it has no key `x`",
        ),
    ] {
        assert_eq!(refused(&[change]), [expected]);
    }
}

#[test]
fn errors_of_flags_and_file_come_together() {
    let text = format!("{SCENE}velocty = [0, 0, 0]\n");
    let errors = Scene::parse_with(&text, "scene.toml", "", &[Override::frames("0")]).unwrap_err();
    let names: Vec<&str> = errors
        .problems()
        .iter()
        .map(|problem| problem.source_name())
        .collect();
    assert_eq!(names, ["--frames", "scene.toml"]);
}

#[test]
fn the_text_as_run_gives_the_same_scene_again() {
    for builtin in builtin::list() {
        let overrides = [
            Override::resolution("64"),
            Override::frames("3"),
            Override::set("materials.\u{fc}=\"honey\""),
            Override::set("description='it\\n\"works\"'"),
            Override::set("time.cfl=1.0"),
        ];
        let changed = Scene::parse_with(builtin.text, builtin.name, "", &overrides).unwrap();
        let again = Scene::parse(&changed.source_text, builtin.name, "")
            .unwrap_or_else(|errors| panic!("{errors:?}\n{}", changed.source_text));
        assert_eq!(again.setup.domain, changed.setup.domain);
        assert_eq!(again.setup.materials, changed.setup.materials);
        assert_eq!(again.method, changed.method);
        assert_eq!(
            (again.time, &again.description),
            (changed.time, &changed.description)
        );
        assert_eq!(again.prediction(), changed.prediction());
        assert!(changed.source_text.starts_with(&format!(
            "# {} with --resolution 64 --frames 3",
            builtin.name
        )));
    }
}
