//! What a USD file makes of things that no scene has yet, and of exports that are given up. How whole runs look to OpenUSD is
//! tested with the command.

use std::path::Path;

use glam::Vec3;
use ooze_core::{ChannelData, Channels};
use ooze_export::{
    ExportSolid, Exporter, PreviewSurface, Stage, StageCollider, StageLiquid, StageTracers,
    UsdFile, View,
};
use ooze_geometry::{TriangleMesh, generate};

use crate::crate_reader::CrateReader;
use crate::python::Python;
use crate::{frame, nothing, particles, solid, surface};

fn stage() -> Stage {
    Stage {
        name: "test".into(),
        frame_rate: 24.0,
        liquids: vec![StageLiquid {
            name: "lava".into(),
            look: PreviewSurface {
                colour: Vec3::new(0.1, 0.2, 0.3),
                roughness: 0.5,
                metallic: 0.0,
                opacity: 1.0,
                refractive_index: 1.5,
                emission: Vec3::new(4.0, 1.0, 0.25),
            },
        }],
        particle_diameter: 0.01,
        tracers: vec![StageTracers {
            colour: Vec3::X,
            diameter: 0.002,
        }],
        surfaces: true,
        colliders: vec![collider("stone", 0, None)],
        // Zooms in while it rises.
        camera: Box::new(|time| View {
            eye: Vec3::new(0.0, time as f32, 4.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            field_of_view: 40.0 - 24.0 * time as f32,
            aspect: 1.5,
        }),
    }
}

fn collider(name: &str, index: usize, copy_of: Option<(usize, Vec3)>) -> StageCollider {
    StageCollider {
        name: name.into(),
        look: PreviewSurface {
            colour: Vec3::ONE,
            roughness: 1.0,
            metallic: 0.0,
            opacity: 1.0,
            refractive_index: 1.5,
            emission: Vec3::ZERO,
        },
        mesh: stone(),
        index,
        copy_of,
    }
}

fn stone() -> TriangleMesh {
    generate::cuboid(Vec3::ZERO, Vec3::new(0.1, 0.2, 0.3))
}

/// Where the stone is in a frame.
fn place(number: u32) -> [ExportSolid; 1] {
    let number = number as f32;
    [solid("stone", Vec3::X * number, 0.5 * number)]
}

/// Tracers of the only set.
fn tracers(count: usize) -> Channels {
    let mut channels = particles(count);
    channels.retain(|name| ["position", "velocity", "id"].contains(&name));
    channels.insert("set", ChannelData::Byte(vec![0; count]));
    channels
}

fn write(path: &Path) {
    let mut file = Box::new(UsdFile::create(path, stage()).unwrap());
    let (channels, surfaces) = (particles(40), [surface("lava")]);
    let mut whole = frame(1, Some(&channels), &surfaces);
    let solids = [1, 2].map(place);
    let dots = [tracers(5), tracers(0)];
    (whole.solids, whole.tracers) = (&solids[0], Some(&dots[0]));
    file.write(&whole).unwrap();
    let (channels, surfaces) = (particles(0), [nothing("lava")]);
    let mut empty = frame(2, Some(&channels), &surfaces);
    (empty.solids, empty.tracers) = (&solids[1], Some(&dots[1]));
    file.write(&empty).unwrap();
    assert_eq!(file.finish().unwrap().as_deref(), Some(path));
}

#[test]
fn the_same_frames_give_the_same_bytes_and_nothing_appears_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, given_up] =
        ["a.usdc", "b.usdc", "c.usdc"].map(|name| folder.path().join(name));
    write(&first);
    write(&second);
    let bytes = std::fs::read(&first).unwrap();
    assert_eq!(bytes, std::fs::read(&second).unwrap());
    assert!(bytes.starts_with(b"PXR-USDC\0\x08\0"));

    let mut file = UsdFile::create(&given_up, stage()).unwrap();
    let surfaces = [surface("lava")];
    let mut first = frame(1, None, &surfaces);
    let message = file.write(&first).unwrap_err().to_string();
    assert_eq!(message, "frame 1 tells where 0 solids are, but 1 are shown");
    let solids = place(1);
    first.solids = &solids;
    file.write(&first).unwrap();
    assert!(!given_up.exists());
    let mut broken = surface("lava");
    broken.mesh.positions[0].x = f32::NAN;
    let message = file
        .write(&frame(2, None, &[broken]))
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("frame 2: `positions` of item 0 of lava"),
        "{message}"
    );
    drop(file);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// The colours of the surface are its points here, in the frame that has one.
fn check_with_own_reader(path: &Path) {
    let file = CrateReader::new(std::fs::read(path).unwrap());
    let mesh = "/test/liquids/lava";
    let points = file.vectors(&format!("{mesh}.points"));
    let colours = file.vectors(&format!("{mesh}.primvars:displayColor"));
    assert_eq!(points, colours);
    let counts: Vec<(f64, usize)> = points
        .iter()
        .map(|(time, list)| (*time, list.len()))
        .collect();
    assert_eq!(counts, [(1.0, 8), (2.0, 0)]);
    for (name, by) in [("rest_position", Vec3::X), ("rest_position_2", Vec3::Z)] {
        let rests = file.vectors(&format!("{mesh}.primvars:{name}"));
        let shifted: Vec<Vec3> = points[0].1.iter().map(|&point| point + by).collect();
        assert_eq!(rests[0].1, shifted, "{name}");
    }
    let particles = file.vectors("/test/particles.points");
    assert_eq!(particles[0].1.len(), 40);
    let dots = file.vectors("/test/tracers.points");
    assert_eq!([dots[0].1.len(), dots[1].1.len()], [5, 0]);
    let colours = file.vectors("/test/tracers.primvars:displayColor");
    assert_eq!(colours[0].1, [Vec3::X; 5]);
    let stone = "/test/colliders/stone";
    let found = file.still_vectors(&format!("{stone}.points"));
    assert_eq!(found, self::stone().positions);
    let moved = file.matrices(&format!("{stone}.xformOp:transform"));
    assert_eq!(moved.len(), 2);
    for ((time, matrix), number) in moved.into_iter().zip([1, 2]) {
        assert_eq!(time, f64::from(number));
        let corner = Vec3::new(0.1, -0.2, 0.3);
        let found = matrix.transform_point3(corner.as_dvec3()).as_vec3();
        assert!(found.distance(place(number)[0].body.pose.to_world(corner)) < 1e-6);
    }
    for path in ["/test/camera", "/test/particles.primvars:material"] {
        assert!(file.paths().any(|found| found == path), "{path}");
    }
}

/// OpenUSD must find no fault, and these things.
const CHECKS: &str = r#"
import sys
from pxr import Gf, Usd, UsdGeom, UsdShade, UsdValidation
stage = Usd.Stage.Open(sys.argv[1])
validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
errors = UsdValidation.ValidationContext(validators).Validate(stage)
assert not errors, [error.GetErrorAsString() for error in errors]

mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/test/liquids/lava"))
primvars = UsdGeom.PrimvarsAPI(mesh)
points = mesh.GetPointsAttr().Get(1)
assert len(points) == 8 and len(mesh.GetPointsAttr().Get(2)) == 0
colours, heat = primvars.GetPrimvar("displayColor"), primvars.GetPrimvar("temperature")
assert colours.GetInterpolation() == heat.GetInterpolation() == "vertex"
assert list(colours.Get(1)) == list(points), "colours are positions here"
assert all(abs(t - 300 - 100 * p[1]) < 1e-3 for t, p in zip(heat.Get(1), points))
rest = primvars.GetPrimvar("rest_position")
assert rest.GetInterpolation() == "vertex" and rest.GetTypeName() == "point3f[]"
assert list(rest.Get(1)) == [p + Gf.Vec3f(1, 0, 0) for p in points]

material, _ = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()
shader, _, _ = material.ComputeSurfaceSource()
reader = shader.GetInput("diffuseColor").GetConnectedSources()[0][0].source
assert reader.GetPrim().GetAttribute("info:id").Get() == "UsdPrimvarReader_float3"
assert reader.GetInput("varname").Get() == "displayColor"
assert shader.GetInput("emissiveColor").Get() == Gf.Vec3f(4, 1, 0.25)

particles = UsdGeom.PrimvarsAPI(stage.GetPrimAtPath("/test/particles"))
assert particles.GetPrimvar("odd__name_").Get(1)[39] == 1 / 3
assert list(particles.GetPrimvar("material").Get(1)) == [7] * 40
assert len(particles.GetPrimvar("material").Get(2)) == 0

camera = UsdGeom.Camera(stage.GetPrimAtPath("/test/camera"))
for frame in (1, 2):
    seen = camera.GetCamera(frame)
    assert abs(seen.GetFieldOfView(seen.FOVVertical) - (40 - frame)) < 1e-3
    assert abs(seen.aspectRatio - 1.5) < 1e-5
    eye = Gf.Vec3d(0, frame / 24, 4)
    assert (seen.frustum.position - eye).GetLength() < 1e-6
    assert (seen.frustum.ComputeViewDirection() + eye.GetNormalized()).GetLength() < 1e-6
    assert seen.frustum.ComputeUpVector()[1] > 0.9
"#;

#[test]
fn vertex_colours_temperatures_and_moving_cameras_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.usdc");
    write(&path);
    check_with_own_reader(&path);
    let Some(python) = Python::given() else {
        return;
    };
    check_with_openusd(&python, CHECKS, &path);
}

fn check_with_openusd(python: &Python, checks: &str, path: &Path) {
    let output = python
        .command()
        .args(["-c", checks])
        .arg(path)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// How many stones lie beside a plate, which is the first of the solids that are shown.
const STONES: usize = 9;

/// Where a stone's own frame has what the first one has at its origin.
fn shift(stone: usize) -> Vec3 {
    Vec3::new(0.0, 0.5 * stone as f32, 0.0)
}

/// Stones in a frame; in between there is a solid that is not shown.
fn stones(number: u32) -> Vec<ExportSolid> {
    let solids = (0..STONES + 2).map(|index| {
        let place = Vec3::new(index as f32, number as f32, 0.0);
        solid("any", place, 0.25 * (index as u32 + number) as f32)
    });
    solids.collect()
}

const CHECKS_OF_STONES: &str = r#"
import sys
from pxr import Gf, Usd, UsdGeom, UsdShade, UsdValidation
stage = Usd.Stage.Open(sys.argv[1])
validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
errors = UsdValidation.ValidationContext(validators).Validate(stage)
assert not errors, [error.GetErrorAsString() for error in errors]
stones = UsdGeom.PointInstancer(stage.GetPrimAtPath("/test/colliders/stone_0"))
for frame in (1, 2):
    transforms = stones.ComputeInstanceTransformsAtTime(frame, frame)
    assert len(transforms) == 9
    for stone, matrix in enumerate(transforms):
        index = stone + 2
        turn = Gf.Rotation(Gf.Vec3d(0, 1, 0), 0.25 * (index + frame) * 180 / 3.141592653589793)
        point = Gf.Vec3d(0.1, 0.2, -0.3)
        own = point + Gf.Vec3d(0, 0.5 * stone, 0)
        expected = turn.TransformDir(2 * own) + Gf.Vec3d(index, frame, 0)
        found = matrix.Transform(point)
        assert (found - expected).GetLength() < 1e-3, (stone, found, expected)
    # Half a frame later they have moved on by themselves.
    moved = stones.ComputeInstanceTransformsAtTime(frame + 0.5, frame)
    way = moved[0].Transform(Gf.Vec3d(0)) - transforms[0].Transform(Gf.Vec3d(0))
    assert (way - Gf.Vec3d(0.5, -1, 0) * 0.5 / 24).GetLength() < 1e-3, way
mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/test/colliders/stone_0/prototype"))
material, _ = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()
assert material
"#;

#[test]
fn many_solids_alike_are_one_mesh_at_many_places() {
    let mut stage = stage();
    stage.colliders = vec![collider("plate", 0, None)];
    for number in 0..STONES {
        let copied = (number > 0).then(|| (1, shift(number)));
        // The second solid of the frames is not shown.
        let stone = collider(&format!("stone-{number}"), number + 2, copied);
        stage.colliders.push(stone);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.usdc");
    let mut file = Box::new(UsdFile::create(&path, stage).unwrap());
    for number in [1, 2] {
        let surfaces = [nothing("lava")];
        let mut frame = frame(number, None, &surfaces);
        let solids = stones(number);
        frame.solids = &solids;
        file.write(&frame).unwrap();
    }
    file.finish().unwrap();

    let read = CrateReader::new(std::fs::read(&path).unwrap());
    let meshes: Vec<&str> = read
        .paths()
        .filter(|path| path.starts_with("/test/colliders/") && path.ends_with(".points"))
        .collect();
    let stone = "/test/colliders/stone_0";
    let prototype = format!("{stone}/prototype.points");
    assert_eq!(meshes, ["/test/colliders/plate.points", &prototype]);
    assert_eq!(read.still_vectors(&prototype), self::stone().positions);
    assert_eq!(
        read.matrices("/test/colliders/plate.xformOp:transform")
            .len(),
        2
    );
    let positions = read.vectors(&format!("{stone}.positions"));
    let velocities = read.vectors(&format!("{stone}.velocities"));
    let spins = read.vectors(&format!("{stone}.angularVelocities"));
    let turns = read.orientations(&format!("{stone}.orientationsf"));
    for (sample, number) in [1, 2].into_iter().enumerate() {
        let solids = stones(number);
        for index in 0..STONES {
            let body = &solids[index + 2].body;
            let origin = body.pose.to_world(shift(index));
            assert_eq!(
                positions[sample],
                (f64::from(number), positions[sample].1.clone())
            );
            assert!(positions[sample].1[index].distance(origin) < 1e-6);
            assert_eq!(velocities[sample].1[index], body.twist.velocity(origin));
            assert!(spins[sample].1[index].abs_diff_eq(Vec3::Y * 57.295_78, 1e-4));
            assert_eq!(turns[sample].1[index], body.pose.rotation);
        }
    }
    if let Some(python) = Python::given() {
        check_with_openusd(&python, CHECKS_OF_STONES, &path);
    }
}
