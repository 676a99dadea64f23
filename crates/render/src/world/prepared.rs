//! A world made ready for tracing: hierarchies, finishes and lamps.

use glam::Vec3;
use ooze_geometry::{Aabb, TriangleMesh};
use std::borrow::Cow;

use super::contact::{pressed_positions, settle};
use super::normals::corner_normals;
use super::surface::{Surface, lift};
use super::texture::mapped;
use super::{Particles, Role, World};
use crate::shade::{Ember, Embers, Finish, Lamp, LampSet, Media, textured};
use crate::trace::{Crossing, MeshSource, Ray, RayFrame, SphereSet, TriangleSet};
use ooze_staging::Sky;
use ooze_staging::{Backdrop, Body, Ground, Pattern, Stage, Subsurface};

/// What a ray meets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Triangle(Crossing),
    Sphere(u32),
    Ground,
    Lamp(usize),
}

/// What a ray meets, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) distance: f32,
    pub(crate) target: Target,
}

/// A world made ready for tracing.
pub(crate) struct Prepared<'a> {
    meshes: Vec<Cow<'a, TriangleMesh>>,
    clouds: &'a [Particles],
    /// For each sphere its cloud and its place there.
    sphere_sources: Vec<(u32, u32)>,
    pub(crate) triangles: TriangleSet,
    pub(crate) spheres: SphereSet,
    /// Of the meshes, then of the clouds, then of the ground.
    pub(crate) finishes: Vec<Finish>,
    pub(crate) lamps: LampSet,
    pub(crate) sky: Sky,
    pub(crate) stage: Stage,
}

impl<'a> Prepared<'a> {
    /// Makes `world` ready, for a shutter time in seconds.
    pub(crate) fn new(world: &'a World, shutter: f32, subsurface: Subsurface) -> Self {
        let meshes = settled_meshes(world);
        let sources: Vec<MeshSource<'_>> = meshes
            .iter()
            .map(|mesh| MeshSource {
                mesh,
                normals: corner_normals(mesh),
            })
            .collect();
        let triangles = TriangleSet::new(&sources, shutter);
        let sphere_sources: Vec<(u32, u32)> = world
            .particles
            .iter()
            .enumerate()
            .flat_map(|(cloud, particles)| {
                (0..particles.positions.len()).map(move |index| (cloud as u32, index as u32))
            })
            .collect();
        let spheres: Vec<(Vec3, f32)> = world
            .particles
            .iter()
            .flat_map(|cloud| {
                cloud
                    .positions
                    .iter()
                    .map(|&position| (position, cloud.radius))
            })
            .collect();
        let of_objects = world.objects.iter().map(|object| {
            let size = object.mesh.bounds().extent().length();
            Finish::new(
                &object.look,
                if object.role == Role::Solid { 0 } else { 1 },
                subsurface,
                size,
            )
        });
        let of_clouds = world
            .particles
            .iter()
            .map(|cloud| Finish::for_particles(&cloud.look));
        let of_ground = world
            .stage
            .ground
            .iter()
            .map(|ground| Finish::new(&ground.look, 0, subsurface, 1.0));
        Self {
            finishes: of_objects.chain(of_clouds).chain(of_ground).collect(),
            clouds: &world.particles,
            sphere_sources,
            spheres: SphereSet::new(&spheres),
            triangles,
            lamps: LampSet {
                lamps: world.lights.area.iter().map(Lamp::new).collect(),
                embers: Embers::new(glowing_triangles(world, &meshes)),
                surroundings: world.lights.surroundings.clone(),
            },
            sky: world.lights.sky,
            stage: world.stage.clone(),
            meshes,
        }
    }

    /// The nearest thing that the ray meets. Lamps hidden from the camera are left out for rays straight from it.
    #[inline]
    pub(crate) fn intersect(&self, ray: &Ray, from_camera: bool) -> Option<Hit> {
        let frame = RayFrame::new(ray);
        let mut hit = None;
        let mut limit = f32::MAX;
        let mut offer = |distance: f32, target: Target, limit: &mut f32| {
            if distance < *limit {
                *limit = distance;
                hit = Some(Hit { distance, target });
            }
        };
        if let Some(ground) = &self.stage.ground
            && let Some(distance) = ground_distance(ground, ray)
        {
            offer(distance, Target::Ground, &mut limit);
        }
        for (index, lamp) in self.lamps.lamps.iter().enumerate() {
            if (lamp.visible || !from_camera)
                && let Some(distance) = lamp.meet(ray)
            {
                offer(distance, Target::Lamp(index), &mut limit);
            }
        }
        if let Some(crossing) = self.triangles.nearest(&frame, limit) {
            offer(crossing.distance, Target::Triangle(crossing), &mut limit);
        }
        if let Some((distance, index)) = self.spheres.nearest(&frame, limit) {
            offer(distance, Target::Sphere(index), &mut limit);
        }
        hit
    }

    /// The surface of a crossed triangle.
    #[inline]
    pub(crate) fn triangle_surface(&self, crossing: &Crossing, time: f32) -> Surface {
        let Crossing { slot, weights, .. } = *crossing;
        let corners = self.triangles.corners(slot, time);
        let normals = self.triangles.normals(slot);
        let blend = |values: [Vec3; 3]| {
            values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2]
        };
        // From the corners, not from the ray: errors do not grow with distance.
        let point = blend(corners);
        let geometric = (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .normalize_or(Vec3::Y);
        let object = self.triangles.object(slot);
        let mesh = &self.meshes[object as usize];
        let triangle = mesh.triangles[self.triangles.triangle(slot)];
        let mut surface = Surface {
            point,
            lifted: lift(point, corners, normals, weights),
            geometric,
            shading: blend(normals).normalize_or(geometric),
            finish: object,
            object,
            colour: (!mesh.colours.is_empty())
                .then(|| blend(triangle.map(|vertex| mesh.colours[vertex as usize]))),
            temperature: (!mesh.temperatures.is_empty()).then(|| {
                (0..3)
                    .map(|corner| mesh.temperatures[triangle[corner] as usize] * weights[corner])
                    .sum()
            }),
            tint: 1.0,
        };
        if let Some(texture) = &self.finishes[object as usize].texture
            && let Some(mapped) = mapped(mesh, triangle, corners, weights)
        {
            let found = textured(texture, &mapped);
            surface.tint = found.tint;
            surface.shading = (surface.shading - found.tilt).normalize_or(surface.shading);
        }
        surface
    }

    /// The surface that a ray met.
    #[inline]
    pub(crate) fn surface(&self, ray: &Ray, hit: &Hit) -> Option<Surface> {
        match hit.target {
            Target::Triangle(crossing) => Some(self.triangle_surface(&crossing, ray.time)),
            Target::Sphere(index) => {
                let (cloud, particle) = self.sphere_sources[index as usize];
                let particles = &self.clouds[cloud as usize];
                let centre = particles.positions[particle as usize];
                let normal = (ray.at(hit.distance) - centre).normalize_or(Vec3::Y);
                let mut surface = Surface::smooth(
                    centre + normal * particles.radius,
                    normal,
                    self.meshes.len() as u32 + cloud,
                );
                surface.colour = particles.colours.get(particle as usize).copied();
                surface.temperature = particles.temperatures.get(particle as usize).copied();
                Some(surface)
            }
            Target::Ground => self.stage.ground.as_ref().map(|ground| {
                let at = ray.at(hit.distance);
                let point = Vec3::new(at.x, ground.height, at.z);
                let mut surface = Surface::smooth(point, Vec3::Y, self.finishes.len() as u32 - 1);
                surface.colour = pattern_colour(ground, point);
                surface
            }),
            Target::Lamp(_) => None,
        }
    }

    /// The colour of vertices, blended over a crossed triangle; for lines towards lamps, which need nothing else.
    #[inline]
    pub(crate) fn crossing_colour(&self, crossing: &Crossing) -> Option<Vec3> {
        let mesh = &self.meshes[self.triangles.object(crossing.slot) as usize];
        if mesh.colours.is_empty() {
            return None;
        }
        let triangle = mesh.triangles[self.triangles.triangle(crossing.slot)];
        Some(
            (0..3)
                .map(|corner| mesh.colours[triangle[corner] as usize] * crossing.weights[corner])
                .sum(),
        )
    }

    /// Whether an object is a mesh, not particles or ground.
    #[inline]
    pub(crate) fn is_mesh(&self, object: u32) -> bool {
        (object as usize) < self.meshes.len()
    }

    /// The backdrop, where a path sees it in place of what is around.
    #[inline]
    pub(crate) fn backdrop(&self, sees_backdrop: bool) -> Option<&Backdrop> {
        self.stage.backdrop.as_ref().filter(|_| sees_backdrop)
    }

    /// Radiance from what is around, in `direction`, without what is sampled as lamps.
    #[inline]
    pub(crate) fn around(&self, direction: Vec3) -> Vec3 {
        match &self.lamps.surroundings {
            Some(surroundings) => surroundings.radiance(direction),
            None => self.sky.radiance(direction),
        }
    }

    /// The clear bodies around a point.
    pub(crate) fn media_at(&self, point: Vec3) -> Media {
        let mut media = Media::default();
        for (object, inside) in self
            .triangles
            .containing(point, self.meshes.len())
            .into_iter()
            .enumerate()
        {
            if inside && let Some(medium) = self.finishes[object].medium(object as u32, None) {
                media.enter(medium);
            }
        }
        media
    }
}

/// The triangles of all glowing meshes.
fn glowing_triangles<'a>(
    world: &'a World,
    meshes: &'a [Cow<'_, TriangleMesh>],
) -> impl Iterator<Item = Ember> + 'a {
    world
        .objects
        .iter()
        .zip(meshes)
        .filter_map(|(object, mesh)| object.look.glow.map(|glow| (glow, mesh)))
        .flat_map(|(glow, mesh)| {
            (0..mesh.triangles.len()).map(move |index| {
                let temperature = if mesh.temperatures.is_empty() {
                    glow.default_temperature
                } else {
                    let sum: f32 = mesh.triangles[index]
                        .iter()
                        .map(|&vertex| mesh.temperatures[vertex as usize])
                        .sum();
                    sum / 3.0
                };
                Ember {
                    corners: mesh.corners(index),
                    radiance: glow.radiance_at(temperature),
                }
            })
        })
}

/// Where a ray meets the ground's plane.
#[inline]
fn ground_distance(ground: &Ground, ray: &Ray) -> Option<f32> {
    let distance = (ground.height - ray.origin.y) / ray.direction.y;
    (distance > 0.0 && distance.is_finite()).then_some(distance)
}

/// The second colour of the ground's pattern, where it applies.
fn pattern_colour(ground: &Ground, point: Vec3) -> Option<Vec3> {
    match ground.pattern {
        Pattern::Plain => None,
        Pattern::Checker { size, colour } => {
            let offset = (point - ground.centre) / size;
            ((offset.x.floor() + offset.z.floor()).rem_euclid(2.0) >= 1.0).then_some(colour)
        }
    }
}

/// The meshes of all objects, liquids pressed against solids, ground and what has not melted of them, and all settled on the
/// ground.
fn settled_meshes(world: &World) -> Vec<Cow<'_, TriangleMesh>> {
    let ground = world.stage.ground.as_ref().map(|ground| ground.height);
    let mut meshes: Vec<Cow<'_, TriangleMesh>> = world
        .objects
        .iter()
        .map(|object| Cow::Borrowed(&*object.mesh))
        .collect();
    if world.contact_gap > 0.0 {
        // What liquids are pressed against has to stand where it will be drawn.
        for (role, against) in [
            (Role::Core, &[Role::Solid][..]),
            (Role::Liquid, &[Role::Solid, Role::Core]),
        ] {
            press(world, &mut meshes, role, against, ground);
        }
    }
    if let Some(height) = ground {
        for (object, mesh) in world.objects.iter().zip(&mut meshes) {
            let bounds = object.mesh.bounds();
            if touches(&bounds, height) {
                let size = bounds.extent().length();
                settle(&mut mesh.to_mut().positions, height, size);
            }
        }
    }
    meshes
}

/// Presses the bodies of one role against those of others, and against the ground.
fn press(
    world: &World,
    meshes: &mut [Cow<'_, TriangleMesh>],
    role: Role,
    against: &[Role],
    ground: Option<f32>,
) {
    if !world.objects.iter().any(|object| object.role == role) {
        return;
    }
    // A sheet without thickness has no inside to press into.
    let walls: Vec<MeshSource<'_>> = world
        .objects
        .iter()
        .zip(&*meshes)
        .filter(|(object, _)| {
            against.contains(&object.role) && !matches!(object.look.body, Body::ThinGlass { .. })
        })
        .map(|(_, mesh)| MeshSource {
            mesh,
            normals: vec![[Vec3::Y; 3]; mesh.triangles.len()],
        })
        .collect();
    let walls = TriangleSet::new(&walls, 0.0);
    for (object, mesh) in world.objects.iter().zip(meshes) {
        if object.role == role {
            mesh.to_mut().positions =
                pressed_positions(&object.mesh, &walls, ground, world.contact_gap);
        }
    }
}

/// Whether a body reaches the ground at `height`, give or take rounding.
fn touches(bounds: &Aabb, height: f32) -> bool {
    let slack = 0.01 * bounds.extent().length();
    bounds.lower.y <= height + slack && bounds.upper.y >= height - slack
}
