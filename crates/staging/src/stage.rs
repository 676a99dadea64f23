//! What the subject stands on and in front of: an endless ground that dissolves into a backdrop, like a studio's
//! seamless paper sweep, from whichever side the camera looks.

use glam::{Vec3, vec3};

use crate::bounds::or_unit;
use crate::camera_path::direction_from_angles;
use crate::error::{StagingError, require};
use crate::look::Look;
use ooze_geometry::Aabb;

/// What is drawn on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// Nothing.
    Plain,
    /// A checkerboard, which shows off refraction.
    Checker {
        /// Side of a square in metres.
        size: f32,
        /// Colour of every other square, linear RGB.
        colour: Vec3,
    },
}

/// An endless horizontal plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its height in metres.
    pub height: f32,
    /// Its look; only opaque and metal bodies make a ground.
    pub look: Look,
    /// What is drawn on it.
    pub pattern: Pattern,
    /// The point around which it is visible, in metres.
    pub centre: Vec3,
    /// Horizontal distance from `centre` at which it starts to dissolve into the backdrop, in metres.
    pub fade_start: f32,
    /// Distance at which it is gone.
    pub fade_end: f32,
}

impl Ground {
    /// The point whose light stands for that at `point`: the same one near the centre; beyond `fade_start`, the last one
    /// on the way there. So the lamps' falloff does not draw a dark band before the horizon.
    #[inline]
    pub fn lit_point(&self, point: Vec3) -> Vec3 {
        let offset = vec3(point.x - self.centre.x, 0.0, point.z - self.centre.z);
        let distance = offset.length();
        if distance <= self.fade_start {
            return point;
        }
        let nearer = offset * (self.fade_start / distance);
        vec3(self.centre.x + nearer.x, point.y, self.centre.z + nearer.z)
    }

    /// How far the ground has dissolved at `point`: 0 near, 1 far.
    #[inline]
    pub fn fade(&self, point: Vec3) -> f32 {
        let offset = vec3(point.x - self.centre.x, 0.0, point.z - self.centre.z);
        smoothstep(self.fade_start, self.fade_end, offset.length())
    }
}

/// The wall behind everything: radiance by height, seen by the camera directly and through clear bodies. It gives no
/// light; the sky does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backdrop {
    /// Radiance low down, where the ground dissolves, linear RGB.
    pub horizon: Vec3,
    /// Radiance above.
    pub top: Vec3,
    /// Radiance that a spot of light adds in its middle, behind the subject.
    pub spot: Vec3,
    /// The direction of the spot's middle as the camera sees it.
    pub spot_direction: Vec3,
}

/// Where a camera at the usual angle finds its subject.
fn straight_ahead() -> Vec3 {
    -direction_from_angles(32.0_f32.to_radians(), 0.0)
}

/// Angle from the spot's middle at which it has faded to 1/e, in radians: about half of what a camera sees.
const SPOT: f32 = 0.32;
/// The same for the wall itself, which is dark at the sides: what bends light shows its edges dark before it.
const WALL: f32 = 0.8;
/// Share of the wall's radiance that is left there.
const SIDE: f32 = 0.12;

impl Backdrop {
    /// A wall whose radiance goes from `horizon` low down to `top`, without a spot of light.
    pub fn gradient(horizon: Vec3, top: Vec3) -> Self {
        Self {
            horizon,
            top,
            spot: Vec3::ZERO,
            spot_direction: straight_ahead(),
        }
    }

    /// Radiance seen in `direction`.
    #[inline]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let wall = self
            .horizon
            .lerp(self.top, smoothstep(-0.32, 0.12, direction.y));
        // The squared chord is the squared angle where it matters.
        let off = direction.distance_squared(self.spot_direction);
        let side = SIDE + (1.0 - SIDE) * (-off / (WALL * WALL)).exp();
        wall * side + self.spot * (-off / (SPOT * SPOT)).exp()
    }
}

/// Ground and backdrop.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The ground; bodies hang in the air when absent.
    pub ground: Option<Ground>,
    /// The backdrop; the sky is seen when absent.
    pub backdrop: Option<Backdrop>,
}

/// Satin paper: it mirrors what stands on it faintly, and blurred.
const GROUND_ROUGHNESS: f32 = 0.37;

impl Stage {
    /// Nothing but sky.
    pub fn bare() -> Self {
        Self {
            ground: None,
            backdrop: None,
        }
    }

    /// A pale studio sweep under `bounds`.
    pub fn studio(bounds: &Aabb) -> Self {
        Self::sweep(
            bounds,
            vec3(0.40, 0.385, 0.37),
            vec3(0.46, 0.455, 0.45),
            vec3(0.10, 0.13, 0.17),
            vec3(0.34, 0.32, 0.29),
        )
    }

    /// A dark sweep, for glowing and for pale subjects.
    pub fn dark(bounds: &Aabb) -> Self {
        Self::sweep(
            bounds,
            vec3(0.050, 0.052, 0.056),
            vec3(0.030, 0.032, 0.036),
            vec3(0.008, 0.009, 0.011),
            vec3(0.035, 0.040, 0.050),
        )
    }

    /// A sweep of the given ground colour, backdrop and spot of light, standing on the bottom of `bounds`.
    pub fn sweep(bounds: &Aabb, ground: Vec3, horizon: Vec3, top: Vec3, spot: Vec3) -> Self {
        let bounds = or_unit(bounds);
        let size = bounds.extent().length();
        Self {
            ground: Some(Ground {
                height: bounds.lower.y,
                look: Look::opaque(ground, GROUND_ROUGHNESS),
                pattern: Pattern::Plain,
                centre: bounds.centre(),
                fade_start: 0.85 * size,
                fade_end: 4.0 * size,
            }),
            backdrop: Some(Backdrop {
                spot,
                ..Backdrop::gradient(horizon, top)
            }),
        }
    }

    /// The same with the backdrop's spot of light where a camera looks that sees along `direction`.
    pub fn facing(mut self, direction: Vec3) -> Self {
        let level = vec3(direction.x, 0.0, direction.z).try_normalize();
        if let (Some(backdrop), Some(level)) = (&mut self.backdrop, level) {
            backdrop.spot_direction = level;
        }
        self
    }

    /// Refuses values that no picture can be made with.
    pub fn check(&self) -> Result<(), StagingError> {
        use crate::look::Body;
        if let Some(ground) = &self.ground {
            ground.look.check("stage.ground.look")?;
            require(
                matches!(ground.look.body, Body::Opaque { .. } | Body::Metal { .. }),
                "stage.ground.look.body",
                ground.look.body,
                "opaque or metal",
            )?;
            require(
                ground.height.is_finite() && ground.centre.is_finite(),
                "stage.ground.height",
                ground.height,
                "finite (metres)",
            )?;
            require(
                ground.fade_start >= 0.0
                    && ground.fade_end > ground.fade_start
                    && ground.fade_end.is_finite(),
                "stage.ground.fade_end",
                ground.fade_end,
                "larger than fade_start, which must not be negative (metres)",
            )?;
            if let Pattern::Checker { size, .. } = ground.pattern {
                require(
                    size > 0.0 && size.is_finite(),
                    "stage.ground.pattern.checker.size",
                    size,
                    "positive (metres)",
                )?;
            }
        }
        if let Some(backdrop) = &self.backdrop {
            let sound = [backdrop.horizon, backdrop.top, backdrop.spot]
                .iter()
                .all(|value| value.is_finite() && value.min_element() >= 0.0);
            require(sound, "stage.backdrop", backdrop, "finite and not negative")?;
        }
        Ok(())
    }
}

/// Smooth Hermite step from 0 at `from` to 1 at `to`.
#[inline]
fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
