//! Keys of pictures: camera, light, ground, surface and quality.

use glam::Vec3;

use super::TABLES;
use ooze_staging::{QualityPreset, ToneMap};
use ooze_surface::Extraction;

use crate::keys::{
    FULL, List, Number, Text, choice, count, degrees, metres, number, seconds, table, variants,
    vector,
};
use crate::pictures::{ColourChannel, Lighting, Show, StageKind};
use crate::place::Placed;

/// Linear red, green and blue of something that reflects.
const COLOUR: Number = number("").between(0.0, 1.0);

/// Linear red, green and blue of something that shines.
const RADIANCE: Number = number("").between(0.0, 1e6);

/// The opening angle of a camera.
const OPENING: Number = number("degrees").between(1.0, 150.0);

/// An angle above the horizontal.
const ELEVATION: Number = number("degrees").between(-89.0, 89.0);

// No twin of `SurfaceMethod`: a splatted surface is not made by it.
choice! {
    /// Which function of the particles has the liquid's surface as its level.
    enum SurfaceWord {
        /// Ellipsoids that follow the liquid's shape (Yu & Turk 2013): smooth pools, whole sheets and strands.
        Anisotropic "anisotropic";
        /// Distance to an average of the particles' positions (Zhu & Bridson 2005): smooth, but fills narrow gaps.
        Averaged "averaged";
        /// Root of a sum of squares (Kasi, after Clavet et al. 2005): quick and bumpy.
        Summed "summed";
        /// Blobs on a grid of half the cell size (Carlson 2004, sec. 6.1): what markers without a volume of their own show. Does
        /// not match volumes; `cell_size` and `smallest_bubble` mean nothing to it.
        Splatted "splatted";
    }
}

table! {
    /// How pictures of the scene are made, by `ooze run` at its end and by `ooze render` again with other settings.
    struct PictureKeys "pictures" {
        /// Width in pixels; even.
        width: u64 [count().between(16, 8192)] default(640u64);
        /// Height in pixels; even.
        height: u64 [count().between(16, 8192)] default(360u64);
        /// Frames that a video shows in a second; left out, as many as are simulated. Fewer is slow motion.
        frame_rate: f64 [number("1/s").between(1.0, 240.0)] optional;
        /// How much work goes into each.
        quality: QualityPreset [()] default(QualityPreset::Draft);
        /// What is shown of the liquid.
        show: Show [()] default(Show::Surface);
        /// Colours the liquid by what it carries, with a legend, in place of its looks.
        colour_by: ColouringKeys [()] optional;
        /// Brightness in stops: 1 doubles it.
        exposure: f64 [number("stops").between(-10.0, 10.0)] default(0.0);
        /// How light becomes colour.
        tone: ToneMap [()] default(ToneMap::Agx);
        /// Share of the time from frame to frame during which the shutter is open: 0 for no motion blur, 0.5 as on film.
        motion_blur: f64 [number("").between(0.0, 1.0)] default(0.0);
        /// The camera.
        camera: CameraKeys [()] section;
        /// Ground and backdrop.
        stage: StageKind [()] default(StageKind::Studio);
        /// Changes to the ground of the stage.
        ground: GroundKeys [()] section;
        /// A backdrop of your own instead of that of the stage.
        backdrop: BackdropKeys [()] optional;
        /// Lamps and sky.
        lighting: Lighting [()] default(Lighting::Studio);
        /// Surroundings whose light replaces that of `lighting`.
        environment: EnvironmentKeys [()] optional;
        /// Lamps of your own instead of those of `lighting` or `environment`.
        lamp: Vec<Placed<LampKeys>> [TABLES] section;
        /// A sky of your own instead of that of `lighting` or `environment`.
        sky: SkyKeys [()] optional;
        /// How particles become a surface.
        surface: SurfaceKeys [()] section;
    }
}

table! {
    /// Colours by a number, from dark violet over red to bright yellow in even steps. `colour_by = "temperature"` is short for
    /// `colour_by.channel = "temperature"`.
    struct ColouringKeys "colouring" shorthand channel {
        /// The number.
        channel: ColourChannel [()] default(ColourChannel::Temperature);
        /// The least and the greatest value that colours tell apart, as `[290, 350]`. Left out, those that occur during the run:
        /// pictures are then made at its end.
        range: Vec<Placed<f64>> [List { items: number(""), least: 2 }] optional;
    }
}

table! {
    /// The camera. Without a `path` it frames what the liquid does during the run, from the front right and slightly above.
    struct CameraKeys "camera" {
        /// Where it stands and looks.
        path: PathKeys [()] optional;
        /// Vertical opening angle.
        field_of_view: f64 [OPENING] default(28.0);
        /// Depth of field; left out, everything is sharp.
        lens: LensKeys [()] optional;
    }
}

variants! {
    /// Where the camera stands and looks as time passes.
    enum PathKeys "camera path" {
        /// Far enough away to see the whole subject.
        Framing(FramingKeys) "framing" [()];
        /// Stands still.
        LookAt(LookAtKeys) "look_at" [()];
        /// Circles around a point.
        Orbit(OrbitKeys) "orbit" [()];
        /// Passes through keyframes on a smooth curve.
        Track(TrackKeys) "track" [()];
    }
}

table! {
    /// Far enough away to see the whole subject.
    struct FramingKeys "framing" {
        /// Angle around the vertical axis, from +z towards +x.
        azimuth: f64 [degrees()] default(32.0);
        /// Angle above the horizontal.
        elevation: f64 [ELEVATION] default(17.0);
        /// Share of the picture that the subject takes up; above 1 it is cut off.
        fill: f64 [number("").between(0.05, 10.0)] default(0.8);
        /// Lower corner of the subject's box; left out, that of everything the liquid and the visible colliders reach.
        lower: Vec3 [vector(metres())] optional;
        /// Upper corner of the subject's box.
        upper: Vec3 [vector(metres())] optional;
    }
}

table! {
    /// A camera that stands still.
    struct LookAtKeys "look at" {
        /// Where the camera is.
        eye: Vec3 [vector(metres())] required;
        /// The point in the middle of the picture.
        target: Vec3 [vector(metres())] required;
    }
}

table! {
    /// A camera that circles around a point at constant height.
    struct OrbitKeys "orbit" {
        /// The point in the middle of the picture.
        target: Vec3 [vector(metres())] required;
        /// Distance from it.
        distance: f64 [metres().size()] required;
        /// Angle above the horizontal.
        elevation: f64 [ELEVATION] default(17.0);
        /// Angle around the vertical axis at the start, from +z towards +x.
        azimuth: f64 [degrees()] default(0.0);
        /// Turning rate.
        degrees_per_second: f64 [number("degrees/s").between(-36_000.0, 36_000.0)] default(20.0);
    }
}

table! {
    /// A camera that passes through keyframes on a smooth curve, resting at the first and the last.
    struct TrackKeys "camera track" {
        /// The keyframes, in the order of time.
        keyframes: Vec<Placed<CameraKeyKeys>> [List { items: (), least: 1 }] required;
    }
}

table! {
    /// One moment of a moving camera.
    struct CameraKeyKeys "camera keyframe" {
        /// When.
        time: f64 [seconds()] required;
        /// Where the camera is.
        eye: Vec3 [vector(metres())] required;
        /// The point in the middle of the picture.
        target: Vec3 [vector(metres())] required;
        /// Vertical opening angle; left out, the camera's own.
        field_of_view: f64 [OPENING] optional;
    }
}

table! {
    /// A lens with depth of field.
    struct LensKeys "lens" {
        /// Radius of the aperture; larger blurs more.
        aperture_radius: f64 [metres().between(0.0, 1e3)] required;
        /// Distance of the plane in focus; left out, that of the point in the middle of the picture.
        focus_distance: f64 [metres().size()] optional;
    }
}

table! {
    /// Changes to the ground of the stage.
    struct GroundKeys "ground" {
        /// Whether there is one.
        visible: bool [()] default(true);
        /// Linear red, green and blue; left out, the stage's own.
        colour: Vec3 [vector(COLOUR)] optional;
        /// Its height; left out, the lowest point that liquid or visible colliders reach.
        height: f64 [metres()] optional;
        /// Squares of another colour, which show off refraction.
        checker: CheckerKeys [()] optional;
    }
}

table! {
    /// The wall behind everything, darker at the sides, with a spot of light behind the subject. It gives no light.
    struct BackdropKeys "backdrop" {
        /// Radiance low down, where the ground dissolves, linear red, green and blue.
        horizon: Vec3 [vector(RADIANCE)] required;
        /// Radiance above.
        top: Vec3 [vector(RADIANCE)] required;
        /// Radiance that the spot adds in its middle.
        spot: Vec3 [vector(RADIANCE)] default(Vec3::ZERO);
    }
}

table! {
    /// A checkerboard.
    struct CheckerKeys "checker" {
        /// Side of a square.
        size: f64 [metres().size()] required;
        /// Linear red, green and blue of every other square.
        colour: Vec3 [vector(COLOUR)] default(Vec3::splat(0.15));
    }
}

variants! {
    /// Surroundings that light the subject and are mirrored in it.
    enum EnvironmentKeys "environment" {
        /// A clear sky with a sun.
        Daylight(DaylightKeys) "daylight" [()];
        /// A picture of a place, once around: a panorama with high dynamic range.
        Picture(PanoramaKeys) "picture" [()];
    }
}

table! {
    /// A clear sky with a sun, which is redder the lower it stands.
    struct DaylightKeys "daylight" {
        /// Angle of the sun around the vertical axis, from +z towards +x.
        azimuth: f64 [degrees()] default(-50.0);
        /// Angle of the sun above the horizontal.
        elevation: f64 [number("degrees").between(1.0, 89.0)] default(40.0);
        /// Factor on all of its light.
        brightness: f64 [number("").between(0.0, 1e3)] default(1.0);
    }
}

table! {
    /// A picture of surroundings: columns run once around, rows from straight above to straight below.
    struct PanoramaKeys "environment picture" {
        /// The file, `.hdr` (Radiance) or `.exr` (OpenEXR); relative to the scene's folder.
        file: String [Text::Some] required;
        /// By how much it is turned about the vertical axis; at 0 its middle lies towards -z.
        turn: f64 [degrees()] default(0.0);
        /// Factor on its light.
        brightness: f64 [number("").between(0.0, 1e6)] default(1.0);
        /// Whether the camera sees it in place of the backdrop.
        visible: bool [()] default(false);
    }
}

table! {
    /// A flat rectangular lamp that shines from one side.
    struct LampKeys "lamp" {
        /// Its middle.
        centre: Vec3 [vector(metres())] required;
        /// The point that it faces.
        target: Vec3 [vector(metres())] required;
        /// Its horizontal side.
        width: f64 [metres().size()] required;
        /// Its other side.
        height: f64 [metres().size()] required;
        /// Radiance, linear red, green and blue: a white surface whose whole sky were the lamp would be as bright.
        radiance: Vec3 [vector(RADIANCE)] default(Vec3::splat(20.0));
        /// How far from its edges towards its middle it gets darker: 0 for hard edges in reflections, 1 for all the way.
        softness: f64 [number("").between(0.0, 1.0)] default(0.0);
        /// Whether the camera sees it; reflections always do.
        visible: bool [()] default(false);
        /// The heater whose light this is, by its name: the lamp is out while the heater is off. Left out, it always shines.
        heater: String [Text::Some] optional;
    }
}

table! {
    /// A dome of light around everything.
    struct SkyKeys "sky" {
        /// Radiance from straight above, linear red, green and blue.
        zenith: Vec3 [vector(RADIANCE)] required;
        /// Radiance from the horizon.
        horizon: Vec3 [vector(RADIANCE)] required;
        /// Radiance from below, where there is no ground.
        nadir: Vec3 [vector(RADIANCE)] default(Vec3::splat(0.05));
    }
}

table! {
    /// How particles become a surface.
    struct SurfaceKeys "surface" {
        /// The function of the particles whose level is the surface.
        method: SurfaceWord [()] default(SurfaceWord::Anisotropic) for FULL;
        /// Distance of the function's samples, in particle spacings; smaller is smoother on close view and slower. Left
        /// out, 0.75 for liquids with eight particles in a cell, 0.5 for others, where a strand may be one particle thick.
        cell_size: f64 [number("spacings").between(0.1, 1.0)] optional for FULL;
        /// Steps of smoothing, which keep volume and thin parts. Left out, as many as even out two spacings: 8 with
        /// cells of 0.75 spacings, 20 with 0.5.
        smoothing_steps: u64 [count().between(0, 200)] optional;
        /// Air inside the liquid that takes less room than so many particles is filled.
        smallest_bubble: f64 [number("particles").between(0.0, 1e6)] default(16.0) for FULL;
        /// Whether the surface encloses exactly the volume of the particles.
        match_volume: bool [()] default(true) for FULL;
        /// How triangles are found in liquids that are level sets, and in splatted ones.
        extraction: Extraction [()] default(Extraction::Cubes);
    }
}
