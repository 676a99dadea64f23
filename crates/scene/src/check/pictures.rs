//! Camera, light, ground, surface and quality of pictures.

use std::ops::Range;
use std::sync::Arc;

use ooze_core::Heater;
use ooze_geometry::Aabb;
use ooze_grid::Sampling;
use ooze_staging::{
    AreaLight, Backdrop, CameraKey, CameraPath, EnvironmentPicture, Framing, ImageSettings, Lens,
    LightShape, Pattern, Sky, Surroundings,
};
use ooze_surface::{LevelSetSettings, SurfaceMethod, SurfaceSettings};

use super::Checker;
use crate::Method;
use crate::Problem;
use crate::file::{
    CameraKeyKeys, CameraKeys, ColouringKeys, EnvironmentKeys, FramingKeys, GroundKeys, LampKeys,
    PathKeys, PictureKeys, SurfaceKeys, SurfaceWord,
};
use crate::keys::suggestion;
use crate::pictures::{
    ColourChannel, Colouring, Environment, GroundSettings, Lamp, PictureSettings, SurfaceRecipe,
    View,
};
use crate::place::{Place, Placed};

/// More smoothing than this is to be asked for.
const MOST_SMOOTHING_STEPS: f32 = 30.0;

impl Checker {
    pub(super) fn pictures(
        &mut self,
        keys: &PictureKeys,
        method: &Method,
        heaters: &[Heater],
    ) -> PictureSettings {
        for side in [&keys.width, &keys.height] {
            if side.value % 2 != 0 {
                let message = format!(
                    "`{}` is {}, but must be even: videos store colours for pairs of pixels",
                    side.place.key, side.value
                );
                self.error(Problem::error(&side.place, message));
            }
        }
        PictureSettings {
            image: image_settings(keys),
            frame_rate: keys.frame_rate.as_ref().map(|rate| rate.value),
            show: keys.show.value,
            colouring: keys.colour_by.as_ref().map(|keys| self.colouring(keys)),
            motion_blur: keys.motion_blur.value as f32,
            view: self.view(&keys.camera),
            field_of_view: keys.camera.field_of_view.value as f32,
            lens: keys.camera.lens.as_ref().map(|lens| Lens {
                aperture_radius: lens.aperture_radius.value as f32,
                focus_distance: lens
                    .focus_distance
                    .as_ref()
                    .map(|metres| metres.value as f32),
            }),
            stage: keys.stage.value,
            ground: ground(&keys.ground),
            backdrop: keys.backdrop.as_ref().map(|backdrop| Backdrop {
                spot: backdrop.spot.value,
                ..Backdrop::gradient(backdrop.horizon.value, backdrop.top.value)
            }),
            lighting: keys.lighting.value,
            environment: self.environment(keys),
            lamps: keys
                .lamp
                .iter()
                .map(|keys| self.lamp(keys, heaters))
                .collect(),
            sky: keys.sky.as_ref().map(|sky| Sky {
                zenith: sky.zenith.value,
                horizon: sky.horizon.value,
                nadir: sky.nadir.value,
            }),
            surface: surface_recipe(&keys.surface, method),
        }
    }

    fn colouring(&mut self, keys: &ColouringKeys) -> Colouring {
        let channel = keys.channel.value;
        let range = keys.range.as_ref().and_then(|range| {
            // Factors between viscosities are what is shown.
            let lowest = if channel == ColourChannel::Viscosity {
                f64::MIN_POSITIVE
            } else {
                f64::MIN
            };
            if let [low, high] = &range.value[..]
                && low.value >= lowest
                && low.value < high.value
            {
                return Some([low.value as f32, high.value as f32]);
            }
            let above = if channel == ColourChannel::Viscosity {
                ", both above 0"
            } else {
                ""
            };
            let message = format!(
                "`{}` is {}, but must be two numbers, the least and the greatest{above}: [low, high]",
                range.place.key,
                range.place.text()
            );
            self.error(Problem::error(&range.place, message));
            None
        });
        Colouring { channel, range }
    }

    fn view(&mut self, keys: &CameraKeys) -> View {
        let framing = Framing {
            field_of_view: keys.field_of_view.value as f32,
            ..Framing::default()
        };
        let Some(path) = &keys.path else {
            return View::Framing(framing, None);
        };
        match &path.value {
            PathKeys::Framing(keys) => {
                let framing = Framing {
                    azimuth: keys.azimuth.value as f32,
                    elevation: keys.elevation.value as f32,
                    fill: keys.fill.value as f32,
                    ..framing
                };
                View::Framing(framing, self.subject(keys, &path.place))
            }
            PathKeys::LookAt(keys) => {
                self.can_be_looked_along(&keys.target.place, keys.target.value - keys.eye.value);
                View::Path(CameraPath::LookAt {
                    eye: keys.eye.value,
                    target: keys.target.value,
                })
            }
            PathKeys::Orbit(keys) => View::Path(CameraPath::Orbit {
                target: keys.target.value,
                distance: keys.distance.value as f32,
                elevation: keys.elevation.value as f32,
                azimuth: keys.azimuth.value as f32,
                degrees_per_second: keys.degrees_per_second.value as f32,
            }),
            PathKeys::Track(keys) => View::Path(self.camera_keyframes(&keys.keyframes)),
        }
    }

    /// The box that a framing camera looks at, if the scene gives one.
    fn subject(&mut self, keys: &FramingKeys, place: &Place) -> Option<Aabb> {
        match (&keys.lower, &keys.upper) {
            (Some(lower), Some(upper)) => {
                if !lower.value.cmplt(upper.value).all() {
                    let message = format!(
                        "`{}` is {}, but must lie beyond `{}` along every axis",
                        upper.place.key,
                        upper.place.text(),
                        lower.place.key
                    );
                    self.error(Problem::error(&upper.place, message).and(&lower.place));
                }
                Some(Aabb::new(lower.value, upper.value))
            }
            (None, None) => None,
            _ => {
                let message = format!(
                    "`{}` needs both `lower` and `upper` of the subject's box, or neither",
                    place.key
                );
                self.error(Problem::error(place, message));
                None
            }
        }
    }

    fn camera_keyframes(&mut self, list: &[Placed<CameraKeyKeys>]) -> CameraPath {
        for pair in list.windows(2) {
            if pair[1].time.value <= pair[0].time.value {
                let message = format!(
                    "`{}` is {} s, but must be later than the keyframe before, at {} s",
                    pair[1].time.place.key, pair[1].time.value, pair[0].time.value
                );
                self.error(Problem::error(&pair[1].time.place, message).and(&pair[0].time.place));
            }
        }
        let keys = list.iter().map(|key| {
            self.can_be_looked_along(&key.target.place, key.target.value - key.eye.value);
            CameraKey {
                time: key.time.value as f32,
                eye: key.eye.value,
                target: key.target.value,
                field_of_view: key.field_of_view.as_ref().map(|angle| angle.value as f32),
            }
        });
        CameraPath::Keyframes(keys.collect())
    }

    /// A camera that looks straight up or down does not know which way up to hold the picture.
    fn can_be_looked_along(&mut self, target: &Place, view: glam::Vec3) {
        let sideways = view.x.hypot(view.z);
        if sideways <= 1e-3 * view.length() {
            let message = format!(
                "`{}` is {}, but must not be the eye itself, nor straight above or below it",
                target.key,
                target.text()
            );
            self.error(Problem::error(target, message));
        }
    }

    /// Surroundings, with their picture read; a picture that cannot be used is an error that names it.
    fn environment(&mut self, keys: &PictureKeys) -> Option<Environment> {
        match &keys.environment.as_ref()?.value {
            EnvironmentKeys::Daylight(keys) => Some(Environment::Daylight {
                azimuth: keys.azimuth.value as f32,
                elevation: keys.elevation.value as f32,
                brightness: keys.brightness.value as f32,
            }),
            EnvironmentKeys::Picture(keys) => {
                let path = self.base_folder.join(&keys.file.value);
                match EnvironmentPicture::read(&path) {
                    Ok(picture) => Some(Environment::Picture(Surroundings {
                        picture: Arc::new(picture),
                        turn: keys.turn.value as f32,
                        brightness: keys.brightness.value as f32,
                        visible: keys.visible.value,
                    })),
                    Err(error) => {
                        let place = &keys.file.place;
                        let message =
                            format!("`{}`: the picture cannot be used: {error}", place.key);
                        self.error(Problem::error(place, message));
                        None
                    }
                }
            }
        }
    }

    fn lamp(&mut self, keys: &LampKeys, heaters: &[Heater]) -> Lamp {
        if keys.centre.value == keys.target.value {
            let place = &keys.target.place;
            let message = format!("`{}` must differ from the lamp's centre", place.key);
            self.error(Problem::error(place, message).and(&keys.centre.place));
        }
        let light = AreaLight {
            shape: LightShape::Rectangle {
                width: keys.width.value as f32,
                height: keys.height.value as f32,
            },
            centre: keys.centre.value,
            target: keys.target.value,
            radiance: keys.radiance.value,
            softness: keys.softness.value as f32,
            visible: keys.visible.value,
        };
        let always = f64::NEG_INFINITY..f64::INFINITY;
        let name = keys.heater.as_ref();
        let lit = name.map_or(always, |name| self.on_time(name, heaters));
        Lamp { light, lit }
    }

    /// The seconds during which the heater of a name is on.
    fn on_time(&mut self, name: &Placed<String>, heaters: &[Heater]) -> Range<f64> {
        if let Some(heater) = heaters.iter().find(|heater| heater.name == name.value) {
            return heater.start..heater.stop;
        }
        let known: Vec<&str> = heaters.iter().map(|heater| heater.name.as_str()).collect();
        let help = match known.as_slice() {
            [] => "the scene has no heaters".into(),
            known => suggestion(name, known),
        };
        let message = format!(
            "`{}` is \"{}\", but there is no such heater",
            name.place.key, name.value
        );
        self.error(Problem::error(&name.place, message).help(help));
        0.0..0.0
    }
}

fn image_settings(keys: &PictureKeys) -> ImageSettings {
    ImageSettings {
        width: keys.width.value as u32,
        height: keys.height.value as u32,
        exposure: keys.exposure.value as f32,
        tone: keys.tone.value,
        quality: keys.quality.value.into(),
    }
}

fn ground(keys: &GroundKeys) -> GroundSettings {
    GroundSettings {
        visible: keys.visible.value,
        colour: keys.colour.as_ref().map(|colour| colour.value),
        height: keys.height.as_ref().map(|height| height.value as f32),
        pattern: keys
            .checker
            .as_ref()
            .map_or(Pattern::Plain, |checker| Pattern::Checker {
                size: checker.size.value as f32,
                colour: checker.colour.value,
            }),
    }
}

/// The surface's settings. What the simulation resolves decides how fine its cells are unless the scene says so.
fn surface_recipe(keys: &SurfaceKeys, method: &Method) -> SurfaceRecipe {
    // Half the cell of such a simulation: a strand of single particles is thinner than it resolves.
    let fine = matches!(method, Method::Flip(settings) if settings.sampling == Sampling::Fine);
    let own = if fine { 0.75 } else { 0.5 };
    let cell_size = keys
        .cell_size
        .as_ref()
        .map_or(own, |size| size.value as f32);
    // Smoothing reaches as many cells as the root of its steps.
    let steps = (5.0 / (cell_size * cell_size)).min(MOST_SMOOTHING_STEPS) as u32;
    let smoothing_steps = keys
        .smoothing_steps
        .as_ref()
        .map_or(steps, |given| given.value as u32);
    SurfaceRecipe {
        particles: SurfaceSettings {
            method: match keys.method.value {
                SurfaceWord::Anisotropic | SurfaceWord::Splatted => SurfaceMethod::Anisotropic,
                SurfaceWord::Averaged => SurfaceMethod::Averaged,
                SurfaceWord::Summed => SurfaceMethod::Summed,
            },
            cell_size,
            smoothing_steps,
            smallest_bubble: keys.smallest_bubble.value as f32,
            match_volume: keys.match_volume.value,
            ..SurfaceSettings::default()
        },
        splatted: keys.method.value == SurfaceWord::Splatted,
        level_set: LevelSetSettings {
            extraction: keys.extraction.value,
            smoothing_steps,
        },
    }
}
