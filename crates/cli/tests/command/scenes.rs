//! Scenes that come with the program, and those that begin with its help.

use crate::Workshop;

#[test]
fn a_new_scene_is_sound_and_kept() {
    let workshop = Workshop::new();
    let spoken = workshop.ooze(&["new", "mine"], 0);
    assert!(spoken.out.contains("ooze run mine.toml"), "{}", spoken.out);
    let text = std::fs::read_to_string(workshop.path("mine.toml")).unwrap();
    let spoken = workshop.ooze(&["check", "mine.toml"], 0);
    assert!(spoken.out.contains("particles"), "{}", spoken.out);
    workshop
        .ooze(&["new", "mine.toml"], 4)
        .complains("mine.toml: is there already");
    assert_eq!(
        std::fs::read_to_string(workshop.path("mine.toml")).unwrap(),
        text
    );
    let flags = ["--resolution", "24", "--frames", "1", "--quiet"];
    workshop.ooze(&[&["run", "mine.toml"], &flags[..]].concat(), 0);
    assert!(workshop.path("out/mine/frames/particles_0001.npz").exists());
}

#[test]
fn a_new_scene_has_a_schema_for_editors_beside_it() {
    let workshop = Workshop::new();
    workshop.ooze(&["new", "mine"], 0);
    let text = std::fs::read_to_string(workshop.path("mine.toml")).unwrap();
    assert!(
        text.starts_with("#:schema ./ooze-scene.schema.json\n"),
        "{text}"
    );
    let schema = std::fs::read_to_string(workshop.path("ooze-scene.schema.json")).unwrap();
    assert_eq!(schema, workshop.ooze(&["schema"], 0).out);
    // An old schema is brought up to date, a file of another kind is left alone.
    workshop.write("ooze-scene.schema.json", "{\"title\": \"ooze scene\"}");
    workshop.ooze(&["new", "second"], 0);
    assert_eq!(
        std::fs::read_to_string(workshop.path("ooze-scene.schema.json")).unwrap(),
        schema
    );
    workshop.write("ooze-scene.schema.json", "{\"title\": \"mine\"}");
    workshop
        .ooze(&["new", "third"], 0)
        .complains("is no schema of ooze and stays as it is");
    let kept = std::fs::read_to_string(workshop.path("ooze-scene.schema.json")).unwrap();
    assert_eq!(kept, "{\"title\": \"mine\"}");
}

#[test]
fn a_built_in_scene_can_be_had_as_a_file() {
    let workshop = Workshop::new();
    workshop.ooze(&["new", "mine", "--from", "honey"], 0);
    let text = std::fs::read_to_string(workshop.path("mine.toml")).unwrap();
    assert!(text.contains("name = \"mine\""), "{text}");
    assert!(text.contains("#   ooze run mine.toml\n"), "{text}");
    let built_in = ooze_scene::builtin::find("honey").unwrap().text;
    let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
    assert_eq!(comments(&text), comments(built_in) + 1);
    let out = workshop.ooze(&["check", "mine.toml"], 0).out;
    assert!(out.starts_with("mine: no errors, no warnings"), "{out}");
    workshop
        .ooze(&["new", "other", "--from", "hony"], 2)
        .complains("did you mean \"honey\"?");
    workshop
        .ooze(&["new", "mine", "--from", "honey"], 4)
        .complains("mine.toml: is there already");
}

#[test]
fn a_scene_is_copied_with_the_meshes_that_it_reads() {
    let workshop = Workshop::new();
    std::fs::create_dir_all(workshop.path("old/meshes")).unwrap();
    std::fs::create_dir(workshop.path("new")).unwrap();
    let mesh = ooze_geometry::generate::cuboid(glam::Vec3::ZERO, glam::Vec3::splat(0.02));
    let file = std::fs::File::create(workshop.path("old/meshes/cube.obj")).unwrap();
    ooze_geometry::write_obj(&mesh, file).unwrap();
    let statue =
        "shape.mesh = { file = \"meshes/cube.obj\", position = [0.3, 0.02, 0.08] } # a cube";
    let scene = crate::DAM.replace(
        "shape.box = { lower = [0.3, 0, 0.06], upper = [0.36, 0.2, 0.1] }",
        statue,
    );
    workshop.write("old/statue.toml", &scene);
    workshop.ooze(&["new", "new/copy", "--from", "old/statue.toml"], 0);
    let text = std::fs::read_to_string(workshop.path("new/copy.toml")).unwrap();
    assert!(
        text.contains("file = \"copy-files/cube.obj\", position = [0.3, 0.02, 0.08] } # a cube"),
        "{text}"
    );
    std::fs::remove_dir_all(workshop.path("old")).unwrap();
    workshop.ooze(&["run", "new/copy.toml", "--frames", "1", "--quiet"], 0);
}

#[test]
fn there_is_a_new_scene_for_each_method() {
    let workshop = Workshop::new();
    for method in ["flip", "level-set", "clavet", "mueller"] {
        workshop.ooze(&["new", method, "--method", method], 0);
        let file = format!("{method}.toml");
        let flags = [
            "--resolution",
            "16",
            "--frames",
            "1",
            "--quiet",
            "--no-video",
        ];
        workshop.ooze(&[&["run", file.as_str()], &flags[..]].concat(), 0);
    }
    workshop
        .ooze(&["new", "x", "--method", "flp"], 2)
        .complains("'flip'");
}

#[test]
fn materials_are_listed_and_shown() {
    let workshop = Workshop::new();
    let list = workshop.ooze(&["materials"], 0).out;
    for name in ["honey", "ketchup", "slime"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    }
    let ketchup = workshop.ooze(&["materials", "ketchup"], 0).out;
    for words in [
        "1145 kg/m³",
        "yield stress 32 Pa",
        "no method yet",
        "Steffe",
        "all methods",
    ] {
        assert!(ketchup.contains(words), "{words} is not in {ketchup}");
    }
    workshop
        .ooze(&["materials", "ketchap"], 2)
        .complains("did you mean \"ketchup\"?");
}

#[test]
fn near_names_are_suggested_wherever_a_name_is_typed() {
    let workshop = Workshop::new();
    for (arguments, words) in [
        (&["run", "hony"][..], "did you mean \"honey\"?"),
        (&["check", "dam-brek"], "did you mean \"dam-break\"?"),
        (&["run", "honey", "--method", "clavt"], "'clavet'"),
        (&["bench", "milion"], "did you mean \"million\"?"),
        (
            &["validate", "martin-moice"],
            "did you mean \"martin-moyce\"?",
        ),
    ] {
        workshop.ooze(arguments, 2).complains(words);
    }
    for (flags, words) in [
        (
            &["--set", "liquid.0.material=hony"][..],
            "did you mean \"honey\"?",
        ),
        (&["--set", "domian.cells=8"], "did you mean `domain`?"),
    ] {
        workshop
            .ooze(&[&["check", "dam.toml"], flags].concat(), 3)
            .complains(words);
    }
}

#[test]
fn what_the_method_does_not_read_is_told() {
    let workshop = Workshop::new();
    let goo = "[[liquid]]\nmaterial = \"slime\"\n";
    workshop.write("goo.toml", &crate::DAM.replace("[[liquid]]\n", goo));
    for command in ["check", "run"] {
        workshop
            .ooze(&[command, "goo.toml", "--method", "mueller"], 3)
            .complains("`slime` has a preset's `elasticity`")
            .complains("method.may_ignore = [\"elasticity\"]");
    }
    assert!(!workshop.path("out").exists());
    let agreed = ["--set", "method.may_ignore=elasticity"];
    let out = workshop
        .ooze(
            &[&["check", "goo.toml", "--method", "mueller"], &agreed[..]].concat(),
            0,
        )
        .out;
    assert!(out.contains("not read   `elasticity` of slime"), "{out}");
    let out = workshop.ooze(&["check", "goo.toml"], 0).out;
    assert!(
        out.contains("walls      no-slip where `contact` is automatic: `slime` is thick"),
        "{out}"
    );
    // Also what no method reads yet, and what the scene does not write itself.
    let ketchup = ["run", "dam.toml", "--frames", "1", "--set"];
    let ketchup = [&ketchup[..], &["liquid.0.material=ketchup"]].concat();
    workshop
        .ooze(&ketchup, 3)
        .complains("would flow with 6.7 Pa s however hard it is pushed")
        .complains("method.may_ignore = [\"flow_curve\"]");
    let agreed = ["--set", "method.may_ignore=flow_curve"];
    workshop.ooze(&[&ketchup[..], &agreed].concat(), 0);
}

#[test]
fn scenes_with_nothing_to_simulate_are_refused() {
    let workshop = Workshop::new();
    workshop.write("empty.toml", "[domain]\nsize = [1, 1, 1]\n");
    let outside = "shape.box={ lower = [5, 5, 5], upper = [6, 6, 6] }";
    let outside = format!("liquid.0.{outside}");
    for command in ["check", "run"] {
        workshop
            .ooze(&[command, "empty.toml"], 3)
            .complains("there is nothing to simulate");
        workshop
            .ooze(&[command, "dam.toml", "--set", &outside], 3)
            .complains(
                "there is nothing to simulate: liquid `liquid-1` lies outside of the domain",
            );
    }
    assert!(!workshop.path("out").exists());
}

#[test]
fn built_in_scenes_are_listed_and_sound() {
    let workshop = Workshop::new();
    let list = workshop.ooze(&["list"], 0).out;
    for name in ["honey", "buckling-sheet", "dam-break", "hollow-shape"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
        workshop.ooze(&["check", "--quick", name], 0);
    }
}

#[test]
fn changes_are_written_into_the_scene_as_run() {
    let workshop = Workshop::new();
    let flags = [
        "--frames",
        "1",
        "--set",
        "seed=7",
        "--set",
        "gravity=[0,-1.6,0]",
        "--quiet",
    ];
    workshop.ooze(&[&["run", "dam.toml"], &flags[..]].concat(), 0);
    let text = std::fs::read_to_string(workshop.path("out/dam/scene.toml")).unwrap();
    assert!(text.contains("seed = 7"), "{text}");
    // The scene as run gives the same run again.
    workshop.ooze(&["run", "out/dam/scene.toml", "-o", "again", "--quiet"], 0);
    assert_eq!(
        crate::support::contents(&workshop.path("again")),
        crate::support::contents(&workshop.path("out/dam"))
    );
}

#[test]
fn schema_and_reference_are_printed() {
    let workshop = Workshop::new();
    let schema = workshop.ooze(&["schema"], 0).out;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert!(schema["properties"]["domain"].is_object());
    assert!(workshop.ooze(&["reference"], 0).out.starts_with("# "));
}
