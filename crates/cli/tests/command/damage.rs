//! Files that were cut or changed are found and named.

use std::fs;

use crate::Workshop;

#[test]
fn a_damaged_frame_is_named_by_info_and_export() {
    let workshop = Workshop::new();
    workshop.ooze(
        &["run", "dam.toml", "-o", "out", "--quiet", "--frames", "3"],
        0,
    );
    workshop.ooze(&["info", "out"], 0);

    let truncated = workshop.path("out/frames/particles_0001.npz");
    let bytes = fs::read(&truncated).unwrap();
    fs::write(&truncated, &bytes[..bytes.len() - 100]).unwrap();
    let altered = workshop.path("out/frames/particles_0002.npz");
    let mut bytes = fs::read(&altered).unwrap();
    // Solids have a velocity too, `body_velocity.npy`.
    let name = b"velocity.npy";
    let named = |start: &usize| bytes[*start..].starts_with(name) && bytes[*start - 1] != b'_';
    let start = (1..bytes.len()).find(named).unwrap();
    bytes[start + 500] ^= 4;
    fs::write(&altered, bytes).unwrap();

    workshop
        .ooze(&["info", "out"], 4)
        .complains("particles_0001.npz is truncated")
        .complains("particles_0002.npz was altered: member velocity.npy")
        .complains("2 of the run's files are damaged");
    let export = ["export", "out", "--format", "csv", "--frames"];
    workshop
        .ooze(&[&export[..], &["1"]].concat(), 4)
        .complains("particles_0001.npz is truncated");
    workshop
        .ooze(&[&export[..], &["2"]].concat(), 4)
        .complains("member velocity.npy");
    assert!(!workshop.path("out/export/particles_0002.csv").exists());
    workshop.ooze(&[&export[..], &["3.."]].concat(), 0);
    assert!(workshop.path("out/export/particles_0003.csv").exists());
}

#[test]
fn a_damaged_checkpoint_is_not_resumed() {
    let workshop = Workshop::new();
    workshop.ooze(
        &["run", "dam.toml", "-o", "out", "--quiet", "--frames", "2"],
        0,
    );
    let path = workshop.path("out/checkpoint/state.npz");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    workshop
        .ooze(&["resume", "out"], 4)
        .complains("checkpoint/state.npz is truncated")
        .complains("`ooze run --force`");
}

#[test]
fn an_edited_scene_is_not_resumed() {
    let workshop = Workshop::new();
    workshop.ooze(
        &["run", "dam.toml", "-o", "out", "--quiet", "--frames", "2"],
        0,
    );
    let path = workshop.path("out/scene.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text + "\n# harmless, but who knows\n").unwrap();
    workshop
        .ooze(&["resume", "out"], 4)
        .complains("scene.toml was changed after the checkpoint was written");
}

#[test]
fn an_edited_mesh_is_not_resumed() {
    let workshop = Workshop::new();
    let tetrahedron =
        "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    workshop.write("rock.obj", tetrahedron);
    let collider =
        "\n[[collider]]\nshape.mesh = { file = \"rock.obj\", position = [0.2, 0, 0.02] }\n";
    workshop.write("rock.toml", &format!("{}{collider}", crate::DAM));
    workshop.ooze(
        &["run", "rock.toml", "-o", "out", "--quiet", "--frames", "1"],
        0,
    );
    workshop.ooze(&["resume", "out"], 0);
    workshop.write("rock.obj", &tetrahedron.replace("0.1", "0.09"));
    workshop
        .ooze(&["resume", "out"], 4)
        .complains("rock.obj: was changed since the run began");
}
