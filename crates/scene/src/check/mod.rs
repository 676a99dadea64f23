//! From keys to the checked scene: what only makes sense together is checked here.
//!
//! Like reading, checking never stops at the first fault: whatever could be read is looked at.

mod body;
mod carlson;
mod contact;
mod coupling;
mod domain;
mod elasticity;
mod heat;
mod in_code;
mod level_set;
mod look_over;
mod material;
mod melting;
mod mesh;
mod method;
mod motion;
mod nothing;
mod particles;
mod pictures;
mod placing;
mod probe;
mod sample;
mod shape;
mod sources;
mod standing;
mod texture;
mod tracers;
mod units;
mod unread;
mod viscosity;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Body, Carried, Collider, Domain, Force, LiquidSetup};
use ooze_geometry::MeshDistance;

use crate::file::{ForceKeys, SceneKeys};
use crate::keys::Asked;
use crate::place::{Place, Placed};
use crate::prediction;
use crate::{OutputSettings, Problem, Scene};
use contact::AutomaticWalls;
use mesh::Whereabouts;
use shape::Needs;

pub(crate) use look_over::{Parts, solid_at};
pub(crate) use placing::steady_acceleration;
pub(crate) use sample::Samples;

/// Where a scene comes from.
pub(crate) struct Origin<'a> {
    pub source_name: &'a str,
    pub source_text: String,
    pub base_folder: &'a Path,
}

/// What checks share: the problems found, and what is needed to resolve names and files.
pub(crate) struct Checker {
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    base_folder: PathBuf,
    /// Meshes by path; none for those that could not be read, which is told once.
    meshes: BTreeMap<PathBuf, Option<Arc<MeshDistance>>>,
    /// What the shape that is being made must resolve.
    needs: Needs,
    /// Where the shape that is being made will be; unknown in a faulty domain.
    whereabouts: Option<Whereabouts>,
    /// Where `domain.flat = true` stands, if it does.
    flat: Option<Place>,
    /// Walls that are left to the liquids.
    walls: AutomaticWalls,
}

/// Changes a setting if its key is there.
fn change<T: Copy>(setting: &mut T, given: &Option<Placed<T>>) {
    if let Some(given) = given {
        *setting = given.value;
    }
}

impl Checker {
    fn new(base_folder: &Path, errors: Vec<Problem>) -> Self {
        Self {
            errors,
            warnings: Vec::new(),
            base_folder: base_folder.into(),
            meshes: BTreeMap::new(),
            // Of a faulty domain; the scene is refused anyway.
            needs: Needs {
                cell_size: 0.1,
                depth: 0.0,
            },
            whereabouts: None,
            flat: None,
            walls: AutomaticWalls::slippery(""),
        }
    }

    fn error(&mut self, problem: Problem) {
        self.errors.push(problem);
    }

    /// Notes that two keys do not go together.
    fn clash(&mut self, one: &Place, other: &Place, why: &str) {
        let message = format!(
            "`{}` and `{}` do not go together: {why}",
            one.key, other.key
        );
        self.error(Problem::error(other, message).and(one));
    }

    /// In a flat scene, refuses a vector that leaves the plane.
    fn in_plane(&mut self, vector: &Placed<Vec3>) {
        if let Some(flat) = self.flat.clone()
            && vector.value.z != 0.0
        {
            self.clash(
                &flat,
                &vector.place,
                "in a flat scene nothing moves along z, so the third number must be 0",
            );
        }
    }

    /// In a flat scene, refuses an axis of rotation other than z.
    fn axis_across_plane(&mut self, axis: &Placed<Vec3>) {
        if let Some(flat) = self.flat.clone()
            && (axis.value.x != 0.0 || axis.value.y != 0.0)
        {
            self.clash(
                &flat,
                &axis.place,
                "in a flat scene things turn about z only, [0, 0, 1]",
            );
        }
    }
}

/// Checks a whole scene; returns it, if it could be made, and all errors.
pub(crate) fn scene(
    keys: Option<&SceneKeys>,
    origin: Origin<'_>,
    errors: Vec<Problem>,
    asked: &[Asked],
) -> (Option<Scene>, Vec<Problem>) {
    let mut checker = Checker::new(origin.base_folder, errors);
    let scene = keys.and_then(|keys| checker.scene(keys, origin, asked));
    (scene, checker.errors)
}

impl Checker {
    fn scene(&mut self, keys: &SceneKeys, origin: Origin<'_>, asked: &[Asked]) -> Option<Scene> {
        let time = self.time(&keys.time);
        let (method, method_name) = self.method(&keys.method, keys.time.cfl.as_ref());
        let materials = self.materials(keys);
        self.thickening(keys, &materials);
        let unread = self.unread(keys, &materials, asked);
        self.walls = AutomaticWalls::of_scene(keys, &materials);
        let domain = self.domain(keys.domain.as_ref());
        self.whereabouts = domain.as_ref().map(|domain| Whereabouts {
            domain: domain_box(domain),
            cell_size: domain.cell_size,
            poses: vec![ooze_geometry::Pose::IDENTITY],
        });
        // Where liquid overlaps a solid that melts there is none.
        let mut initial = self.melting_solids(keys, &materials);
        initial.extend(self.liquids(&keys.liquid, &materials));
        let mut emitters = self.emitters(&keys.emitter, &materials);
        emitters.extend(self.drops(&keys.drops, &materials));
        let drains = self.drains(&keys.drain);
        let forces = self.forces(keys);
        let heat = self.heat(keys);
        let textures = self.textures(keys, &materials, domain.as_ref());
        self.thermal_values(keys, &materials);
        self.walls_without_heat(keys);
        let (colliders, mut solid_looks) = self.colliders(&keys.collider);
        let bodies = self.bodies(keys, &materials);
        solid_looks.extend(bodies.looks.iter().cloned());
        self.rigid_fluids(keys, &method, &materials, (&bodies, domain.as_ref()));
        self.forces_beside_bodies(keys);
        let (tracers, tracer_looks) = self.tracers(keys, domain.as_ref());
        let probes = self.probes(keys);
        let name = self.name(keys, origin.source_name);
        self.suspect_units(keys);
        let output = output_settings(keys);
        let pictures = self.pictures(&keys.pictures, &method, &heat.heaters);

        // From here on the geometry must be sound: distances of half a scene mean nothing.
        if !self.errors.is_empty() {
            return None;
        }
        let mut setup = LiquidSetup {
            domain: domain?,
            materials: materials.list,
            initial,
            emitters,
            drains,
            forces,
            heat,
            carried: Carried::default(),
            texture: None,
            tracers,
            seed: keys.seed.value,
        };
        let creeping = standing::let_stand(keys, &mut setup);
        texture::carry_coordinates(&mut setup, keys, &textures);
        self.particle_constants(&method, &setup, &keys.method)?;
        self.bodies_that_can_be(keys, &colliders, &bodies, &setup)?;
        // What never changes of bodies is looked at as of colliders.
        let at_start = bodies.bodies.iter().map(Body::as_collider);
        let solids: Vec<Collider> = colliders.iter().cloned().chain(at_start).collect();
        let scene_so_far = look_over::Parts {
            setup: &setup,
            colliders: &solids,
            method: &method,
            time: &time,
            probes: &probes,
        };
        self.elastic_steps(keys, &scene_so_far);
        let prediction = prediction::predict(&scene_so_far);
        self.within_memory(keys, &prediction)?;
        self.something_to_simulate(keys, &scene_so_far)?;
        self.look_over(keys, &scene_so_far);
        self.warnings.sort_by(|a, b| a.order().cmp(&b.order()));
        Some(Scene {
            name,
            description: keys.description.value.clone(),
            setup,
            method,
            method_name,
            colliders,
            bodies: bodies.bodies,
            joints: bodies.joints,
            solid_looks,
            textures,
            tracer_looks,
            probes,
            time,
            output,
            pictures,
            source_text: origin.source_text,
            base_folder: self.base_folder.clone(),
            mesh_files: self.meshes.keys().cloned().collect(),
            warnings: std::mem::take(&mut self.warnings),
            unread,
            walls: self.walls.in_words(),
            creeping,
            prediction,
        })
    }

    /// The scene's name, good for a folder.
    fn name(&mut self, keys: &SceneKeys, source_name: &str) -> String {
        let allowed = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
        if let Some(name) = &keys.name {
            if !name.chars().all(allowed) || name.starts_with('.') || name.chars().count() > 100 {
                self.error(Problem::error(
                    &name.place,
                    format!(
                        "`name` is {}, but must be good for a folder: at most 100 letters, digits, `-`, `_`, `.` and spaces, not beginning with `.`",
                        name.place.text()
                    ),
                ));
            }
            return name.value.clone();
        }
        // A file may be called as it likes, `...toml` even; its scene must obey the same rules as a name that is given.
        let stem = Path::new(source_name).file_stem().unwrap_or_default();
        let name: String = stem
            .to_string_lossy()
            .trim_start_matches('.')
            .chars()
            .map(|letter| if allowed(letter) { letter } else { '-' })
            .take(100)
            .collect();
        if name.is_empty() {
            "scene".into()
        } else {
            name
        }
    }

    fn forces(&mut self, keys: &SceneKeys) -> Vec<Force> {
        self.in_plane(&keys.gravity);
        let gravity = (keys.gravity.value != Vec3::ZERO).then_some(Force::Constant {
            acceleration: keys.gravity.value,
        });
        let others: Vec<Force> = keys.force.iter().map(|force| self.force(force)).collect();
        gravity.into_iter().chain(others).collect()
    }

    fn force(&mut self, keys: &ForceKeys) -> Force {
        match keys {
            ForceKeys::Constant(constant) => {
                self.in_plane(&constant.acceleration);
                Force::Constant {
                    acceleration: constant.acceleration.value,
                }
            }
            ForceKeys::Swirl(swirl) => {
                if swirl.axis.explicit || self.flat.is_none() {
                    self.axis_across_plane(&swirl.axis);
                }
                // The usual axis of a flat scene is the only one it can have.
                let upright = self.flat.is_some() && !swirl.axis.explicit;
                let axis = if upright { Vec3::Z } else { swirl.axis.value };
                Force::Swirl {
                    centre: swirl.centre.value,
                    axis: axis.normalize(),
                    radius: swirl.radius.value as f32,
                    strength: swirl.strength.value as f32,
                }
            }
        }
    }
}

fn output_settings(keys: &SceneKeys) -> OutputSettings {
    let output = &keys.output;
    OutputSettings {
        every: output.every.value as u32,
        particles: output.particles.value,
        video: output.video.value,
        channels: output
            .channels
            .as_ref()
            .map(|list| list.iter().map(|word| word.name().into()).collect()),
        checkpoint_frames: output
            .checkpoint_frames
            .as_ref()
            .map(|count| count.value as u32),
        checkpoint_minutes: output.checkpoint_minutes.value,
    }
}

/// Extents of a domain as a box.
fn domain_box(domain: &Domain) -> ooze_geometry::Aabb {
    ooze_geometry::Aabb::new(domain.lower, domain.upper())
}
