//! What a user may choose: plain values with documented units, ranges and defaults.

mod camera;
mod camera_path;
mod lights;
mod look;
mod look_presets;
mod quality;
mod stage;

pub(crate) use camera::ViewFrame;
pub use camera::{Camera, Framing, Lens};
pub use camera_path::{CameraKey, CameraPath, CameraPose};
pub use lights::{AreaLight, LightShape, Lights, Sky};
pub use look::{Body, Glow, Look, linear_colour};
pub use quality::{ImageSettings, Quality, Subsurface, ToneMap};
pub use stage::{Backdrop, Ground, Pattern, Stage};

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use ooze_geometry::Aabb;

    fn round_trip<
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
    >(
        value: &T,
    ) {
        let text = serde_json::to_string(value).expect("settings are plain values");
        assert_eq!(&serde_json::from_str::<T>(&text).expect(&text), value);
    }

    #[test]
    fn settings_survive_a_file() {
        let bounds = Aabb::from_centre(Vec3::ZERO, Vec3::ONE);
        Look::names().for_each(|name| round_trip(&Look::named(name).expect("listed")));
        round_trip(&Camera::framing(&bounds, 1.5));
        round_trip(&Lights::studio(&bounds));
        round_trip(&Stage::studio(&bounds));
        round_trip(&ImageSettings {
            quality: Quality::finished(),
            ..ImageSettings::default()
        });
    }

    #[test]
    fn keys_are_as_a_person_would_write_them() {
        let camera: Camera = serde_json::from_str(
            r#"{"path": {"orbit": {"target": [0, 1, 0], "distance": 3, "elevation": 20, "azimuth": 0, "degrees_per_second": 10}}}"#,
        )
        .expect("defaults fill the rest");
        assert_eq!(camera.up, Vec3::Y);
        let error = serde_json::from_str::<Lens>(r#"{"apperture_radius": 1}"#)
            .expect_err("misspelt")
            .to_string();
        assert!(
            error.contains("apperture_radius") && error.contains("aperture_radius"),
            "{error}"
        );
    }
}
