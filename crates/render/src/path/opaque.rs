//! Surfaces that light does not pass straight through: paint and milky bodies under a glossy coat, and metals.
//!
//! The coat reflects what its table says for the viewing angle and the base receives the rest, so a white body in white
//! surroundings reflects exactly all (the furnace test). Rough metals regain the light that single reflections lose
//! (Turquin 2019, "Practical multiple scattering compensation for microfacet models").

use glam::Vec3;

use super::direct::{Receiver, Response, diffuse_response, line_origin};
use super::interface::upwards;
use super::{LampRule, Path, Recorder, Step, Tracer};
use crate::math::{Basis, cosine_direction, luminance, offset_origin};
use crate::random::Sampler;
use crate::shade::{Finish, Substance, dielectric_reflectance, reflect, schlick};
use crate::world::Surface;

/// Coats smoother than this (microfacet slope) show a recognisable reflection, which is worth a path of its own.
const SHARP: f32 = 0.12;
/// Share of the sky's light that is assumed to reach the end of a path that may not bounce again.
const OPEN_SKY: f32 = 0.5;
/// The same where no path bounces: all of it, in place of what surfaces light on one another.
const SEEN_SKY: f32 = 1.0;

/// The glossy lobe of a surface seen from one direction.
struct Gloss<'a> {
    finish: &'a Finish,
    basis: Basis,
    outgoing: Vec3,
    colour: Vec3,
    /// Reflected share in total.
    share: f32,
    /// Whether there is any: a coat under a liquid is nearly of its index and vanishes.
    coated: bool,
}

impl<'a> Gloss<'a> {
    fn new(finish: &'a Finish, facing: &Surface, direction: Vec3, coated: bool) -> Self {
        let basis = Basis::around(facing.shading);
        let outgoing = basis.to_local(-direction);
        let metal = finish.substance == Substance::Metal;
        let share = if metal || coated {
            finish.coat.share(outgoing.z)
        } else {
            0.0
        };
        Self {
            finish,
            basis,
            outgoing,
            colour: (facing.tint * finish.colour_with(facing.colour)).min(Vec3::ONE),
            share,
            coated: share > 1e-4,
        }
    }

    fn is_metal(&self) -> bool {
        self.finish.substance == Substance::Metal
    }

    /// The Fresnel factor of a facet met at an angle of the given cosine.
    #[inline]
    fn reflectance(&self, cosine: f32) -> Vec3 {
        if self.is_metal() {
            schlick(self.colour, cosine)
                * (Vec3::ONE + self.colour * (1.0 / self.share.max(1e-3) - 1.0))
        } else {
            Vec3::splat(dielectric_reflectance(cosine, 1.0 / self.finish.index))
        }
    }

    /// Response to light from a direction.
    #[inline]
    fn respond(&self, direction: Vec3) -> Response {
        let incoming = self.basis.to_local(direction);
        let (share, density) = if self.coated {
            self.finish.facets.evaluate(self.outgoing, incoming)
        } else {
            (0.0, 0.0)
        };
        if share <= 0.0 {
            return Response {
                share: Vec3::ZERO,
                density: 0.0,
            };
        }
        let cosine = self.outgoing.dot((self.outgoing + incoming).normalize());
        Response {
            share: share * self.reflectance(cosine),
            density,
        }
    }

    /// A reflected direction, its weight and its density; density 0 for a mirror.
    #[inline]
    fn sample(&self, square: [f32; 2]) -> Option<(Vec3, Vec3, f32)> {
        let facet = self.finish.facets.sample(self.outgoing, square);
        let incoming = reflect(-self.outgoing, facet);
        if incoming.z <= 0.0 {
            return None;
        }
        let weight = self.finish.facets.sampled_weight(self.outgoing, incoming)
            * self.reflectance(self.outgoing.dot(facet));
        let density = self.finish.facets.evaluate(self.outgoing, incoming).1;
        Some((self.basis.to_world(incoming), weight, density))
    }
}

impl Tracer<'_> {
    /// The path meets paint, metal or a milky body.
    pub(super) fn reflect_from(
        &self,
        surface: &Surface,
        distance: f32,
        path: &mut Path,
        sampler: &mut Sampler,
        recorder: &mut Recorder<'_>,
        gathered: &mut Vec3,
    ) -> Step {
        let finish = &self.world.finishes[surface.finish as usize];
        let direction = path.ray.direction;
        let facing = surface.facing(direction);
        let gloss = Gloss::new(finish, &facing, direction, path.media.current().is_none());
        recorder.albedo(path.weight.min(Vec3::ONE) * gloss.colour);
        *gathered += path.weight * self.glow_light(surface, path, distance);
        let wander = if surface.geometric.dot(direction) < 0.0 {
            finish.walk(surface.colour, surface.tint)
        } else {
            None
        };
        let base_weight = if gloss.is_metal() {
            0.0
        } else {
            1.0 - gloss.share
        };
        // A walk gathers light where it leaves, not here.
        let albedo = if wander.is_some() {
            Vec3::ZERO
        } else {
            gloss.colour * base_weight
        };
        let respond = |towards: Vec3| {
            let diffuse = diffuse_response(facing.shading, albedo, finish.wrap, towards);
            if facing.geometric.dot(towards) <= 0.0 {
                let through = if finish.wrap == Vec3::ZERO {
                    Vec3::ZERO
                } else {
                    diffuse.share
                };
                return [
                    Response {
                        share: through,
                        density: 0.0,
                    },
                    Response {
                        share: Vec3::ZERO,
                        density: 0.0,
                    },
                ];
            }
            [diffuse, gloss.respond(towards)]
        };
        let origin =
            |towards: Vec3| line_origin(facing.point, facing.lifted, facing.geometric, towards);
        *gathered += path.weight
            * self.lamp_direct(
                Receiver::on(&facing, path.ray.time),
                sampler,
                origin,
                respond,
            );
        if path.bounces == 0 {
            *gathered += path.weight * albedo * OPEN_SKY * self.world.sky.radiance(facing.shading);
            return Step::End;
        }
        if self.take_gloss(&gloss, &facing, base_weight, path, sampler, gathered) == Step::Continue
        {
            return Step::Continue;
        }
        if base_weight <= 0.0 {
            return Step::End;
        }
        match wander {
            Some(wander) => {
                path.weight *= base_weight;
                let Some((exit, share)) =
                    self.walk(surface, wander, path.ray.time, &mut sampler.chain())
                else {
                    return Step::End;
                };
                path.weight *= share;
                self.leave_diffusely(&exit, path, sampler, gathered, true)
            }
            None => {
                path.weight *= albedo;
                self.leave_diffusely(&facing, path, sampler, gathered, false)
            }
        }
    }

    /// Follows the glossy reflection: on the side when splitting, or instead of the base by chance. `Continue` when the
    /// path itself became the reflection.
    fn take_gloss(
        &self,
        gloss: &Gloss<'_>,
        facing: &Surface,
        base_weight: f32,
        path: &mut Path,
        sampler: &mut Sampler,
        gathered: &mut Vec3,
    ) -> Step {
        if !gloss.coated {
            return Step::End;
        }
        let reflection = |path: &Path, sampler: &mut Sampler| -> Option<Path> {
            let (towards, weight, density) = gloss.sample(sampler.pair())?;
            let towards = upwards(towards, facing.geometric);
            let lamps = if density > 0.0 {
                LampRule::Weighted {
                    density,
                    from: facing.point,
                    normal: Some(facing.shading),
                }
            } else {
                path.lamps.past_clear_body()
            };
            let mut next = path.continued(offset_origin(facing.point, facing.geometric), towards);
            next.weight *= weight;
            next.lamps = lamps;
            next.sees_backdrop = false;
            Some(next)
        };
        if base_weight > 0.0 && path.splits > 0 && gloss.finish.facets.alpha < SHARP {
            if let Some(mut next) = reflection(path, sampler) {
                next.splits = 0;
                next.diffuse = next.diffuse.saturating_sub(1);
                if next.weight.max_element() > 2e-3 {
                    *gathered += self.follow(next, sampler, Recorder::none());
                }
            }
            path.splits -= 1;
            return Step::End;
        }
        let chance = if base_weight > 0.0 {
            let base = base_weight * luminance(gloss.colour);
            (gloss.share / (gloss.share + base).max(1e-6)).clamp(0.05, 0.95)
        } else {
            1.0
        };
        if sampler.single() >= chance {
            path.weight /= 1.0 - chance;
            return Step::End;
        }
        match reflection(path, sampler) {
            Some(next) => {
                *path = Path {
                    weight: next.weight / chance,
                    ..next
                };
                Step::Continue
            }
            None => {
                path.weight = Vec3::ZERO;
                Step::End
            }
        }
    }

    /// The path leaves a diffuse surface; `fresh` when lamps have not been sampled there yet.
    fn leave_diffusely(
        &self,
        surface: &Surface,
        path: &mut Path,
        sampler: &mut Sampler,
        gathered: &mut Vec3,
        fresh: bool,
    ) -> Step {
        if path.weight == Vec3::ZERO {
            return Step::End;
        }
        if fresh {
            let respond = |towards: Vec3| {
                let share = if surface.geometric.dot(towards) > 0.0 {
                    Vec3::ONE
                } else {
                    Vec3::ZERO
                };
                [diffuse_response(
                    surface.shading,
                    share,
                    Vec3::ZERO,
                    towards,
                )]
            };
            let origin = |towards: Vec3| {
                line_origin(surface.point, surface.lifted, surface.geometric, towards)
            };
            *gathered += path.weight
                * self.lamp_direct(
                    Receiver::on(surface, path.ray.time),
                    sampler,
                    origin,
                    respond,
                );
        }
        if path.diffuse == 0 {
            let open = if self.quality.diffuse_bounces == 0 {
                SEEN_SKY
            } else {
                OPEN_SKY
            };
            *gathered += path.weight * open * self.world.sky.radiance(surface.shading);
            return Step::End;
        }
        let local = cosine_direction(sampler.pair());
        let towards = upwards(
            Basis::around(surface.shading).to_world(local),
            surface.geometric,
        );
        *path = Path {
            lamps: LampRule::Weighted {
                density: local.z * std::f32::consts::FRAC_1_PI,
                from: surface.point,
                normal: Some(surface.shading),
            },
            sees_backdrop: false,
            diffuse: path.diffuse - 1,
            splits: 0,
            ..path.continued(offset_origin(surface.point, surface.geometric), towards)
        };
        Step::Continue
    }
}
