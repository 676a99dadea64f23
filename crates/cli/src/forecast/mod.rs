//! What a run will take, told before it begins: steps, time, memory and disk.
//!
//! A coarse twin of the scene, the [`Pilot`], is run for a few seconds on this machine and with the scene's own method. It
//! shows how fast the liquid becomes, how long stable steps are, and what a step, a frame and a picture cost; all of that
//! grows with the resolution in known ways. What was measured is kept in the user's cache folder, so that the same scene is
//! asked only once.

mod picture_costs;
mod pilot;
mod scout;
mod store;

use std::time::Duration;

use ooze_scene::Scene;

pub use pilot::{Pilot, PilotError};

/// Memory of the program before it does anything, and of a thread, in bytes.
const BASE_BYTES: f64 = 12.0 * 1024.0 * 1024.0;
const BYTES_PER_THREAD: f64 = 1024.0 * 1024.0;
/// Memory for a pixel of a picture that is drawn and put into the video, as measured from 320 × 180 to 1280 × 720 pixels.
const BYTES_PER_DRAWN_PIXEL: f64 = 155.0;
/// Bytes of a pixel of a picture on disk, and of a pixel of video.
const BYTES_PER_PICTURE_PIXEL: f64 = 0.4;
const BYTES_PER_VIDEO_PIXEL: f64 = 0.05;

/// What a run will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Sub-steps of the whole run.
    pub steps: f64,
    /// Most particles at any time.
    pub particles: f64,
    /// Time to simulate, with writing the frames.
    pub simulation: Duration,
    /// Time to find the liquid's surfaces for pictures.
    pub surfaces: Duration,
    /// Time to draw the pictures.
    pub pictures: Duration,
    /// Most memory at any time in bytes.
    pub memory_bytes: f64,
    /// Frames, pictures and video on disk in bytes.
    pub disk_bytes: f64,
}

impl Forecast {
    /// Asks the cache of pilots, or runs one.
    pub fn of(scene: &Scene) -> Result<Self, PilotError> {
        let pilot = match store::find(scene) {
            Some(pilot) => pilot,
            None => {
                let pilot = Pilot::run(scene)?;
                store::keep(scene, &pilot);
                pilot
            }
        };
        Ok(Self::from_pilot(scene, &pilot))
    }

    /// Whether it has been made before, so that asking for it again takes no time.
    pub fn is_known(scene: &Scene) -> bool {
        store::find(scene).is_some()
    }

    /// The whole time from start to video.
    pub fn total(&self) -> Duration {
        self.simulation + self.surfaces + self.pictures
    }

    /// What follows for a scene from the run of its coarse twin.
    pub fn from_pilot(scene: &Scene, pilot: &Pilot) -> Self {
        let domain = &scene.setup.domain;
        let dimensions = domain.dimensions() as i32;
        let finer = f64::from(pilot.cell_size) / f64::from(domain.cell_size);
        let (bulk, surface) = (finer.powi(dimensions), finer.powi(dimensions - 1));

        let (mut steps, mut seconds, mut filled, mut most) = (0.0, 0.0, 0.0, 0.0f64);
        for frame in 0..=scene.time.frames {
            let (seen, grown) = (pilot.frame(frame), self::grown(scene, pilot, frame));
            let amount = grown * seen.particles;
            filled += amount / f64::from(scene.time.frames + 1);
            most = most.max(amount);
            if frame == 0 {
                continue;
            }
            let stable = seen.stable_seconds * finer.powf(-seen.step_growth);
            let own = (scene.time.frame_time() / stable).ceil();
            let own = own.clamp(1.0, f64::from(scene.time.max_substeps));
            steps += own;
            seconds += grown * bulk * (own * seen.seconds_per_step + seen.seconds_per_frame);
        }
        let written = match scene.output.particles {
            true => f64::from(1 + scene.time.frames / scene.output.every),
            false => 0.0,
        };
        let drawn = scene.output.video && cfg!(feature = "pictures");
        let shown = if drawn { written } else { 0.0 };
        let image = &scene.pictures.image;
        let pixels = f64::from(image.width) * f64::from(image.height);
        let costs = &pilot.pictures;
        // What was packed and drawn was the pilot's last frame.
        let growth = filled / pilot.last_particles.max(1.0);
        let carried = if pilot.is_surface_only { surface } else { bulk };
        let drawing = surface * costs.preparing_seconds + pixels * costs.seconds_per_pixel;
        let surfacing = carried * costs.surface_seconds;
        // Meshes of liquids and colliders grow as surfaces do, pictures with their pixels.
        let of_meshes = pilot.picture_bytes - costs.pixels * BYTES_PER_DRAWN_PIXEL;
        let of_pictures = surface * of_meshes.max(0.0) + pixels * BYTES_PER_DRAWN_PIXEL;
        Self {
            steps,
            particles: carried * most,
            simulation: duration(seconds + written * growth * carried * pilot.writing_seconds),
            surfaces: duration(shown * growth * surfacing),
            pictures: duration(shown * drawing),
            memory_bytes: BASE_BYTES
                + rayon::current_num_threads() as f64 * BYTES_PER_THREAD
                + most / pilot.most_particles.max(1.0) * bulk * pilot.simulation_bytes
                + if shown > 0.0 { of_pictures } else { 0.0 },
            disk_bytes: (written * pilot.frame_bytes + pilot.checkpoint_bytes) * growth * carried
                + shown * pixels * (BYTES_PER_PICTURE_PIXEL + BYTES_PER_VIDEO_PIXEL),
        }
    }
}

/// How many times more liquid a scene has at a frame than when its pilot was stopped, by what its emitters add.
fn grown(scene: &Scene, pilot: &Pilot, frame: u32) -> f64 {
    let cost = scene.prediction();
    let (start, most) = (cost.particles as f64, cost.most_particles as f64);
    let frames = f64::from(scene.time.frames.max(1));
    let amount = |frame: u32| start + (most - start) * f64::from(frame) / frames;
    let reached = pilot.frames_done();
    if frame <= reached {
        1.0
    } else {
        amount(frame) / amount(reached).max(1.0)
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
