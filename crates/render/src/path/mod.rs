//! Following light backwards from the camera.
//!
//! A unidirectional path tracer (Kajiya 1986) with lamps sampled directly and combined with scattered directions by
//! multiple importance sampling (Veach and Guibas 1995, balance heuristic), one weight per lobe of a surface.
//!
//! Two liberties, common in production, keep liquids free of noise:
//! - Lines towards lamps pass straight through clear bodies, dimmed by Fresnel reflection at their surfaces and by
//!   absorption inside, so the shadow of a clear liquid is a tinted glow and not black. True caustics are left out in
//!   exchange: a path that left a diffuse surface and then crossed a clear boundary ignores lamps. The sky is not sampled
//!   that way and stays exact.
//! - The brightness of one sample is clamped.

mod direct;
mod interface;
mod medium;
mod opaque;
mod walk;

use glam::Vec3;

use crate::math::exponential;
use crate::random::Sampler;
use crate::shade::{Media, Substance};
use crate::trace::Ray;
use crate::world::{Prepared, Surface, Target};
use ooze_staging::Quality;

/// How a path treats a lamp it meets.
#[derive(Clone, Copy, Debug)]
enum LampRule {
    /// Counts it: nothing else does.
    Full,
    /// Shares it with the direct sampling at the surface that the path left.
    Weighted {
        density: f32,
        from: Vec3,
        normal: Option<Vec3>,
    },
    /// Leaves it out: direct sampling through clear bodies has counted it.
    Ignore,
}

impl LampRule {
    /// The rule after a mirror or a clear boundary: direct sampling does not follow such a turn, but goes straight.
    fn past_clear_body(self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::Weighted { .. } | Self::Ignore => Self::Ignore,
        }
    }
}

/// A path on its way.
#[derive(Clone, Copy, Debug)]
struct Path {
    ray: Ray,
    media: Media,
    /// Share of light from here that reaches the camera.
    weight: Vec3,
    lamps: LampRule,
    /// Whether nothing has happened since the camera.
    from_camera: bool,
    /// Whether the path has only been refracted so far.
    sees_backdrop: bool,
    /// Bounces left, of any kind.
    bounces: u32,
    /// Diffuse bounces left.
    diffuse: u32,
    /// Splits left.
    splits: u32,
}

impl Path {
    /// The path that continues in `direction` from `origin`.
    fn continued(&self, origin: Vec3, direction: Vec3) -> Self {
        Self {
            ray: Ray {
                origin,
                direction,
                time: self.ray.time,
            },
            from_camera: false,
            bounces: self.bounces.saturating_sub(1),
            ..*self
        }
    }
}

/// What the denoiser needs to know about a pixel besides its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Features {
    pub(crate) albedo: Vec3,
    /// 1 where an albedo was found, 0 where the path was turned by chance before.
    pub(crate) albedo_weight: f32,
    pub(crate) normal: Vec3,
    pub(crate) depth: f32,
}

/// Whether a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Continue,
    End,
}

/// The features of one sample while its path is followed; paths split off it record nothing.
struct Recorder<'a> {
    features: Option<&'a mut Features>,
}

impl Recorder<'_> {
    fn none() -> Self {
        Recorder { features: None }
    }

    /// Records the first surface.
    fn first_surface(&mut self, path: &Path, normal: Vec3, depth: f32) {
        if let Some(features) = &mut self.features
            && path.from_camera
        {
            features.normal = normal;
            features.depth = depth;
        }
    }

    /// Records the colour of the first surface that is not clear, seen through the clear ones before it.
    fn albedo(&mut self, albedo: Vec3) {
        if let Some(features) = self.features.take() {
            features.albedo = albedo;
            features.albedo_weight = 1.0;
        }
    }

    /// Gives up on the albedo: a rare turn would only bring noise into it.
    fn lose_albedo(&mut self) {
        self.features = None;
    }
}

/// Follows paths through a world.
pub(crate) struct Tracer<'a> {
    pub(crate) world: &'a Prepared<'a>,
    pub(crate) quality: &'a Quality,
    /// The clear bodies around the camera.
    pub(crate) camera_media: Media,
}

impl Tracer<'_> {
    /// Light that reaches the camera along `ray`, and features of what it sees.
    pub(crate) fn sample(&self, ray: Ray, sampler: &mut Sampler) -> (Vec3, Features) {
        let path = Path {
            ray,
            media: self.camera_media,
            weight: Vec3::ONE,
            lamps: LampRule::Full,
            from_camera: true,
            sees_backdrop: true,
            bounces: self.quality.bounces,
            diffuse: self.quality.diffuse_bounces,
            splits: self.quality.splits,
        };
        let mut features = Features::default();
        let light = self.follow(
            path,
            sampler,
            Recorder {
                features: Some(&mut features),
            },
        );
        (light, features)
    }

    /// Light that a path gathers, weighted for the camera.
    fn follow(&self, mut path: Path, sampler: &mut Sampler, mut recorder: Recorder<'_>) -> Vec3 {
        let mut gathered = Vec3::ZERO;
        loop {
            let hit = self.world.intersect(&path.ray, path.from_camera);
            let distance = hit.map_or(f32::MAX, |hit| hit.distance);
            if let Some(medium) = path.media.current()
                && self.scatter_in(&medium, distance, &mut path, sampler, &mut gathered)
            {
                recorder.lose_albedo();
                if path.bounces == 0 {
                    return gathered
                        + self.exhausted(
                            &path,
                            distance
                                .min(1.0 / path.media.current().map_or(1.0, |medium| medium.haze)),
                        );
                }
                continue;
            }
            let Some(hit) = hit else {
                let light = path.weight * self.environment(&path);
                recorder.albedo(light.min(Vec3::ONE));
                return gathered + light;
            };
            if let Target::Lamp(index) = hit.target {
                recorder.albedo(Vec3::ONE);
                return gathered + path.weight * self.lamp_light(index, &path, hit.distance);
            }
            let Some(mut surface) = self.world.surface(&path.ray, &hit) else {
                return gathered;
            };
            if matches!(hit.target, Target::Ground)
                && self.fade_ground(&mut surface, &mut path, &mut gathered) == Step::End
            {
                recorder.albedo(gathered.min(Vec3::ONE));
                return gathered;
            }
            recorder.first_surface(
                &path,
                surface.facing(path.ray.direction).shading,
                hit.distance,
            );
            let step = match self.world.finishes[surface.finish as usize].substance {
                Substance::Clear { .. } => self.cross_boundary(
                    &surface,
                    hit.distance,
                    &mut path,
                    sampler,
                    &mut recorder,
                    &mut gathered,
                ),
                Substance::ThinGlass => self.cross_sheet(
                    &surface,
                    hit.distance,
                    &mut path,
                    sampler,
                    &mut recorder,
                    &mut gathered,
                ),
                Substance::Opaque | Substance::Metal | Substance::Scattering { .. } => self
                    .reflect_from(
                        &surface,
                        hit.distance,
                        &mut path,
                        sampler,
                        &mut recorder,
                        &mut gathered,
                    ),
            };
            if step == Step::End || !self.survives(&mut path, sampler) {
                return gathered;
            }
        }
    }

    /// Russian roulette: paths that carry little end at random, and the others carry more in their place.
    fn survives(&self, path: &mut Path, sampler: &mut Sampler) -> bool {
        const CERTAIN: f32 = 0.05;
        let carried = path.weight.max_element();
        if carried >= CERTAIN {
            return true;
        }
        let chance = carried / CERTAIN;
        if sampler.single() >= chance {
            return false;
        }
        path.weight /= chance;
        true
    }

    /// Light assumed for a path that may not bounce again on its way through clear bodies: its surroundings', dimmed as if
    /// it went on as far again as its last step.
    fn exhausted(&self, path: &Path, distance: f32) -> Vec3 {
        let dimmed = path.media.current().map_or(Vec3::ONE, |medium| {
            exponential(-(medium.absorption + Vec3::splat(0.5 * medium.haze)) * distance)
        });
        path.weight * dimmed * self.environment(path)
    }

    /// Light from where nothing is, along the path's ray.
    fn environment(&self, path: &Path) -> Vec3 {
        let direction = path.ray.direction;
        match self.world.backdrop(path.sees_backdrop) {
            Some(backdrop) => backdrop.radiance(direction),
            None => self.world.around(direction) + self.glare(path),
        }
    }

    /// Light of the bright parts of the surroundings, which direct sampling shares.
    fn glare(&self, path: &Path) -> Vec3 {
        let Some(surroundings) = &self.world.lamps.surroundings else {
            return Vec3::ZERO;
        };
        let direction = path.ray.direction;
        match path.lamps {
            LampRule::Full => surroundings.glare(direction),
            LampRule::Ignore => Vec3::ZERO,
            LampRule::Weighted {
                density,
                from,
                normal,
            } => {
                let lamp = self.world.lamps.glare_density(from, normal, direction);
                surroundings.glare(direction) * (density / (density + lamp))
            }
        }
    }

    /// Light of a lamp that the path met.
    fn lamp_light(&self, index: usize, path: &Path, distance: f32) -> Vec3 {
        let radiance = self.world.lamps.lamps[index].radiance_along(&path.ray);
        match path.lamps {
            LampRule::Full => radiance,
            LampRule::Ignore => Vec3::ZERO,
            LampRule::Weighted {
                density,
                from,
                normal,
            } => {
                let total = (from - path.ray.origin).length() + distance;
                let lamp =
                    self.world
                        .lamps
                        .lamp_density(index, from, normal, path.ray.direction, total);
                radiance * (density / (density + lamp))
            }
        }
    }

    /// Light that a hot surface gives off towards the path that met it.
    fn glow_light(&self, surface: &Surface, path: &Path, distance: f32) -> Vec3 {
        let Some(glow) = &self.world.finishes[surface.finish as usize].glow else {
            return Vec3::ZERO;
        };
        let against = -path.ray.direction.dot(surface.geometric);
        if against <= 0.0 {
            return Vec3::ZERO;
        }
        let radiance = glow.radiance_at(surface.temperature.unwrap_or(glow.default_temperature));
        match path.lamps {
            // Direct sampling knows glowing meshes, not glowing particles.
            LampRule::Weighted {
                density,
                from,
                normal,
            } if self.world.is_mesh(surface.object) => {
                let ember = self
                    .world
                    .lamps
                    .ember_density(radiance, from, normal, against, distance);
                radiance * (density / (density + ember))
            }
            LampRule::Ignore if self.world.is_mesh(surface.object) => Vec3::ZERO,
            LampRule::Full | LampRule::Weighted { .. } | LampRule::Ignore => radiance,
        }
    }

    /// Blends the ground into the backdrop: gathers the backdrop's share and leaves the rest to the path.
    fn fade_ground(&self, surface: &mut Surface, path: &mut Path, gathered: &mut Vec3) -> Step {
        let Some(ground) = &self.world.stage.ground else {
            return Step::End;
        };
        let fade = ground.fade(surface.point);
        if fade > 0.0 {
            let beyond = if path.sees_backdrop {
                self.environment(path)
            } else {
                // Towards the sky the far ground shows what stands at the horizon above it.
                let direction = path.ray.direction;
                let level = Vec3::new(direction.x, direction.y.max(0.0), direction.z);
                self.world.around(level.normalize_or(Vec3::X))
            };
            *gathered += fade * path.weight * beyond;
            path.weight *= 1.0 - fade;
        }
        surface.point = ground.lit_point(surface.point);
        surface.lifted = surface.point;
        if fade >= 1.0 {
            Step::End
        } else {
            Step::Continue
        }
    }
}
