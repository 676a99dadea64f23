//! Things to try looks on, each about 0.2 m across.

use glam::{Vec3, vec3};
use ooze_geometry::{Aabb, TriangleMesh};
use ooze_render::{Camera, Lights, Look, Particles, Pattern, RenderError, Role, Stage, World};
use std::f32::consts::TAU;

use crate::mesher::{Field, rounded, turned};

/// Names of the scenes.
pub const NAMES: [&str; 8] = [
    "blob",
    "coil",
    "pool",
    "tumbler",
    "drops",
    "swirl",
    "particles",
    "inside",
];

/// A scene by name with a look on its subject, and a camera for it.
pub fn make(
    name: &str,
    look_name: &str,
    aspect: f32,
) -> Result<Option<(World, Camera)>, RenderError> {
    let look = Look::named(look_name)?;
    let mesh = match name {
        "blob" => blob(),
        "coil" => coil(),
        "pool" | "inside" => pool(),
        "tumbler" => tumbler_filling(),
        "drops" => drops(),
        "swirl" => swirl(),
        "particles" => TriangleMesh::default(),
        _ => return Ok(None),
    };
    let mesh = with_temperatures(mesh, look.glow.is_some());
    let mut bounds = mesh.bounds();
    let container = (name == "tumbler").then(tumbler);
    if let Some(container) = &container {
        bounds = bounds.union(container.bounds());
    }
    let cloud = (name == "particles").then(|| splash(look));
    if let Some(cloud) = &cloud {
        bounds = Aabb::from_points(cloud.positions.iter().copied()).dilated(cloud.radius);
    }
    let mut world = World::studio(&bounds);
    world.contact_gap = 0.002;
    if name == "drops"
        && let Some(ground) = &mut world.stage.ground
    {
        // The table cuts the drops at their widest, as water lies on glass.
        ground.height = 0.0;
    }
    if look.glow.is_some() {
        world.stage = Stage::dark(&bounds);
        world.lights = Lights::dusk(&bounds);
    }
    if matches!(look_name, "water" | "glycerine")
        && let Some(ground) = &mut world.stage.ground
    {
        ground.pattern = Pattern::Checker {
            size: 0.03,
            colour: vec3(0.20, 0.30, 0.36),
        };
    }
    if let Some(container) = container {
        world.add("tumbler", container, Look::named("glass")?, Role::Solid);
    }
    world.particles.extend(cloud);
    if !mesh.triangles.is_empty() {
        world.add("subject", mesh, look, Role::Liquid);
    }
    let mut camera = Camera::framing(&bounds, aspect);
    if name == "inside" {
        camera = Camera::look_at(vec3(0.05, 0.03, 0.08), vec3(-0.03, 0.045, -0.03));
        camera.field_of_view = 70.0;
    }
    Ok(Some((world, camera)))
}

/// Hot inside, cooler where thin or high.
fn with_temperatures(mut mesh: TriangleMesh, hot: bool) -> TriangleMesh {
    if hot {
        mesh.temperatures = mesh
            .positions
            .iter()
            .map(|point| {
                let wave = (60.0 * point.x + 20.0 * point.y).sin() * (55.0 * point.z + 3.0).sin()
                    + 0.6
                        * (140.0 * point.x - 90.0 * point.z).sin()
                        * (120.0 * point.y + 1.0).cos();
                1120.0 + 260.0 * wave - 400.0 * point.y
            })
            .collect();
    }
    mesh
}

fn blob() -> TriangleMesh {
    let balls = [
        (vec3(0.0, 0.038, 0.0), 0.046),
        (vec3(0.052, 0.024, 0.022), 0.030),
        (vec3(-0.048, 0.020, 0.034), 0.026),
        (vec3(0.012, 0.078, -0.010), 0.024),
        (vec3(-0.064, 0.016, -0.030), 0.022),
        (vec3(0.088, 0.012, -0.014), 0.016),
        (vec3(0.030, 0.012, 0.078), 0.014),
    ];
    Field::sample(
        Aabb::new(vec3(-0.12, -0.02, -0.1), vec3(0.14, 0.13, 0.12)),
        0.0011,
        &balls,
        0.006,
        |point| point.y + 1.0,
    )
    .surface()
}

/// A rope that coils on its pile.
fn coil() -> TriangleMesh {
    let mut balls = Vec::new();
    let turns = 5.5;
    let steps = 1500;
    for step in 0..steps {
        let t = step as f32 / steps as f32;
        let angle = TAU * turns * t;
        let radius = 0.044 - 0.012 * t + 0.003 * (angle * 0.37).sin();
        let height = 0.010 + 0.066 * t.powf(1.1);
        balls.push((
            vec3(radius * angle.cos(), height, radius * angle.sin()),
            0.0062,
        ));
    }
    let top = balls[balls.len() - 1].0;
    for step in 0..400 {
        let t = step as f32 / 400.0;
        let centre =
            top.lerp(vec3(0.0, 0.20, 0.0), t * t * (3.0 - 2.0 * t)) + vec3(0.0, 0.02 * t, 0.0);
        balls.push((centre, 0.0062 + 0.0035 * t * t));
    }
    let puddle = |point: Vec3| {
        let flat = vec3(point.x, 0.0, point.z).length();
        let wobble = 0.006 * (3.0 * point.z.atan2(point.x)).sin()
            + 0.004 * (5.0 * point.z.atan2(point.x) + 1.0).cos();
        let edge = ((flat - 0.072 - wobble) / 0.072) * 0.02;
        (point.y - 0.011).max(edge).max(-point.y - 0.004)
    };
    Field::sample(
        Aabb::new(vec3(-0.11, -0.012, -0.11), vec3(0.11, 0.235, 0.11)),
        0.0011,
        &balls,
        0.0016,
        puddle,
    )
    .surface()
}

/// A square pool with waves and a splash.
fn pool() -> TriangleMesh {
    let mut balls = Vec::new();
    for step in 0..26 {
        let angle = TAU * step as f32 / 26.0;
        let lean = 0.5 + 0.5 * (angle * 3.0).sin();
        for rise in 0..14 {
            let t = rise as f32 / 13.0;
            let radius = 0.026 + 0.022 * t * t;
            let size = 0.0042 * (1.0 - 0.6 * t);
            if t < 0.45 + 0.5 * lean {
                balls.push((
                    vec3(
                        radius * angle.cos(),
                        0.056 + 0.046 * t,
                        radius * angle.sin(),
                    ),
                    size,
                ));
            }
        }
        if step % 4 == 1 {
            balls.push((
                vec3(
                    0.066 * angle.cos(),
                    0.118 + 0.012 * lean,
                    0.066 * angle.sin(),
                ),
                0.0045,
            ));
        }
    }
    let water = |point: Vec3| {
        let radius = vec3(point.x, 0.0, point.z).length();
        let ripple = 0.0035 * (radius * 150.0).cos() * (-radius * 12.0).exp()
            + 0.0015 * (40.0 * point.x + 25.0 * point.z).sin();
        let box_distance = (point.x.abs().max(point.z.abs()) - 0.11).max(-point.y);
        (point.y - 0.055 - ripple).max(box_distance)
    };
    Field::sample(
        Aabb::new(vec3(-0.115, -0.004, -0.115), vec3(0.115, 0.14, 0.115)),
        0.0011,
        &balls,
        0.0022,
        water,
    )
    .surface()
}

/// A drinking glass with a thick base.
fn tumbler() -> TriangleMesh {
    let outside_then_inside = [
        (0.0, 0.0),
        (0.031, 0.0),
        (0.040, 0.105),
        (0.0372, 0.105),
        (0.0288, 0.010),
        (0.0, 0.010),
    ];
    turned(&rounded(&outside_then_inside, 0.0035), 192)
}

/// What fills it, reaching a little into the glass.
fn tumbler_filling() -> TriangleMesh {
    let wall = |height: f32| 0.0288 + (0.0372 - 0.0288) * (height - 0.010) / 0.095 + 0.0008;
    let profile = [
        (0.0, 0.0094),
        (wall(0.0094) - 0.0012, 0.0094),
        (wall(0.072), 0.0735),
        (wall(0.071) - 0.0035, 0.0715),
        (0.0, 0.0712),
    ];
    turned(&rounded(&profile, 0.0030), 192)
}

/// Drops on a table.
fn drops() -> TriangleMesh {
    let balls = [
        (vec3(0.0, 0.006, 0.0), 0.026),
        (vec3(0.055, 0.004, 0.02), 0.014),
        (vec3(-0.05, 0.004, 0.03), 0.018),
        (vec3(0.03, 0.002, 0.06), 0.008),
        (vec3(-0.03, 0.003, -0.045), 0.012),
        (vec3(0.075, 0.002, -0.035), 0.007),
    ];
    Field::sample(
        Aabb::new(vec3(-0.09, -0.03, -0.08), vec3(0.1, 0.05, 0.09)),
        0.001,
        &balls,
        0.003,
        |point| point.y + 1.0,
    )
    .surface()
}

/// The blob with two colours stirred together.
fn swirl() -> TriangleMesh {
    let mut mesh = blob();
    mesh.colours = mesh
        .positions
        .iter()
        .map(|point| {
            let angle = point.z.atan2(point.x) + 30.0 * point.length() + 18.0 * point.y;
            let blend = 0.5 + 0.5 * (3.0 * angle).sin();
            vec3(0.75, 0.06, 0.10).lerp(vec3(0.93, 0.85, 0.66), blend * blend * (3.0 - 2.0 * blend))
        })
        .collect();
    mesh
}

/// A splash of particles coloured by height.
fn splash(look: Look) -> Particles {
    let mut positions = Vec::new();
    for ring in 0..60 {
        for step in 0..160 {
            let angle = TAU * (step as f32 + 0.37 * ring as f32) / 160.0;
            let radius = 0.1 * ((ring as f32 + 0.5) / 60.0).sqrt();
            let height = 0.02
                + 0.05
                    * (-((radius - 0.05) / 0.014).powi(2)).exp()
                    * (1.0 + 0.4 * (5.0 * angle).sin());
            for layer in 0..3 {
                positions.push(vec3(
                    radius * angle.cos(),
                    height * (layer as f32 + 0.5) / 3.0,
                    radius * angle.sin(),
                ));
            }
        }
    }
    let colours = positions
        .iter()
        .map(|point| vec3(0.03, 0.16, 0.5).lerp(vec3(0.8, 0.92, 1.0), (point.y / 0.08).min(1.0)))
        .collect();
    Particles {
        name: "splash".to_owned(),
        positions,
        radius: 0.0016,
        colours,
        temperatures: Vec::new(),
        look,
    }
}
