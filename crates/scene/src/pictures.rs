//! What a scene says about its pictures, in the words of the renderer.

use std::ops::Range;

use glam::Vec3;
use ooze_commons::choice;
use ooze_geometry::Aabb;
use ooze_staging::{
    AreaLight, Backdrop, Camera, CameraPath, Framing, ImageSettings, Lens, Lights, Look, Pattern,
    Sky, Stage, Surroundings,
};
use ooze_surface::{LevelSetSettings, SurfaceSettings};

/// How pictures of a scene are made.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureSettings {
    /// Size, quality, exposure and tone.
    pub image: ImageSettings,
    /// Frames that a video shows in a second, if not as many as are simulated.
    pub frame_rate: Option<f64>,
    /// What is shown of the liquid.
    pub show: Show,
    /// By what it is coloured, if not by its looks.
    pub colouring: Option<Colouring>,
    /// Share of the time from frame to frame during which the shutter is open.
    pub motion_blur: f32,
    /// Where the camera stands and looks.
    pub view: View,
    /// Vertical opening angle of the camera in degrees.
    pub field_of_view: f32,
    /// Depth of field.
    pub lens: Option<Lens>,
    /// Ground and backdrop to start from.
    pub stage: StageKind,
    /// Changes to the ground.
    pub ground: GroundSettings,
    /// A backdrop instead of that of `stage`.
    pub backdrop: Option<Backdrop>,
    /// Lamps and sky to start from.
    pub lighting: Lighting,
    /// Surroundings instead of `lighting`.
    pub environment: Option<Environment>,
    /// Lamps instead of those of `lighting`, unless there are none.
    pub lamps: Vec<Lamp>,
    /// A sky instead of that of `lighting`.
    pub sky: Option<Sky>,
    /// How liquids become surfaces.
    pub surface: SurfaceRecipe,
}

/// A lamp, and when it shines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lamp {
    /// What it gives while it shines.
    pub light: AreaLight,
    /// Seconds during which it shines.
    pub lit: Range<f64>,
}

/// How liquids become surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRecipe {
    /// Those of particles.
    pub particles: SurfaceSettings,
    /// Whether particles are splatted on a level set instead.
    pub splatted: bool,
    /// Those that are level sets.
    pub level_set: LevelSetSettings,
}

choice! {
    /// What is shown of the liquid.
    pub enum Show {
        /// Its surface.
        Surface "surface";
        /// Its particles as small balls: a quick look.
        Particles "particles";
        /// Discs along its surface, one a particle: a quick look that is shaded as the surface is.
        Splats "splats";
    }
}

choice! {
    /// A number by which liquids are coloured.
    pub enum ColourChannel {
        /// Temperature, in kelvin.
        Temperature "temperature";
        /// Share that has melted.
        Melted "melted";
        /// Viscosity in Pa s, by equal factors.
        Viscosity "viscosity";
        /// Speed in m/s.
        Speed "speed";
    }
}

/// Colours by a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// The number.
    pub channel: ColourChannel,
    /// The least and the greatest value that colours tell apart; none for those that occur.
    pub range: Option<[f32; 2]>,
}

/// Where a camera stands and looks.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// Far enough away to see the box, or the whole subject where there is none.
    Framing(Framing, Option<Aabb>),
    /// As the path says.
    Path(CameraPath),
}

choice! {
    /// What the subject stands on and in front of.
    pub enum StageKind {
        /// A pale sweep of paper with a spot of light behind the subject.
        Studio "studio";
        /// A dark sweep, for glowing and for pale subjects.
        Dark "dark";
        /// Nothing but sky.
        Bare "bare";
    }
}

choice! {
    /// An arrangement of lamps.
    pub enum Lighting {
        /// A large soft box, a strip from behind and low strips on both sides, under a soft dome.
        Studio "studio";
        /// Low light in which glowing liquids carry the picture.
        Dusk "dusk";
    }
}

/// Surroundings that light the subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Environment {
    /// A clear sky with a sun at angles in degrees.
    Daylight {
        /// Angle around the vertical axis, from +z towards +x.
        azimuth: f32,
        /// Angle above the horizontal.
        elevation: f32,
        /// Factor on all light.
        brightness: f32,
    },
    /// A panorama.
    Picture(Surroundings),
}

/// Changes to the ground of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundSettings {
    /// Whether there is one.
    pub visible: bool,
    /// Its colour.
    pub colour: Option<Vec3>,
    /// Its height in metres.
    pub height: Option<f32>,
    /// What is drawn on it.
    pub pattern: Pattern,
}

impl PictureSettings {
    /// The camera for a subject within `bounds`, with `frame_time` seconds from frame to frame.
    pub fn camera(&self, bounds: &Aabb, frame_time: f64) -> Camera {
        let aspect = self.image.width as f32 / self.image.height as f32;
        let mut camera = match &self.view {
            View::Framing(framing, subject) => {
                Camera::framing_with(subject.as_ref().unwrap_or(bounds), aspect, framing)
            }
            View::Path(path) => Camera {
                path: path.clone(),
                ..Camera::framing(bounds, aspect)
            },
        };
        camera.field_of_view = self.field_of_view;
        camera.lens = self.lens;
        camera.shutter = self.motion_blur * frame_time as f32;
        camera
    }

    /// Ground and backdrop around a subject within `bounds`.
    pub fn stage(&self, bounds: &Aabb) -> Stage {
        let mut stage = match self.stage {
            StageKind::Studio => Stage::studio(bounds),
            StageKind::Dark => Stage::dark(bounds),
            StageKind::Bare => Stage::bare(),
        };
        stage.backdrop = self.backdrop.or(stage.backdrop);
        if matches!(&self.environment, Some(Environment::Picture(picture)) if picture.visible) {
            stage.backdrop = None;
        }
        if !self.ground.visible {
            stage.ground = None;
        }
        if let Some(ground) = &mut stage.ground {
            if let Some(colour) = self.ground.colour {
                ground.look = Look::opaque(colour, ground.look.roughness);
            }
            ground.height = self.ground.height.unwrap_or(ground.height);
            ground.pattern = self.ground.pattern;
        }
        stage
    }

    /// Lamps and sky around a subject within `bounds`, at a time in seconds.
    pub fn lights(&self, bounds: &Aabb, time: f64) -> Lights {
        let mut lights = match (&self.environment, self.lighting) {
            (Some(Environment::Picture(picture)), _) => Lights::of_picture(picture.clone()),
            (
                &Some(Environment::Daylight {
                    azimuth,
                    elevation,
                    brightness,
                }),
                _,
            ) => Lights::daylight(bounds, azimuth, elevation, brightness),
            (None, Lighting::Studio) => Lights::studio(bounds),
            (None, Lighting::Dusk) => Lights::dusk(bounds),
        };
        if !self.lamps.is_empty() {
            let lit = self.lamps.iter().filter(|lamp| lamp.lit.contains(&time));
            lights.area = lit.map(|lamp| lamp.light).collect();
        }
        if let Some(sky) = self.sky {
            lights.sky = sky;
            lights.surroundings = None;
        }
        lights
    }
}
