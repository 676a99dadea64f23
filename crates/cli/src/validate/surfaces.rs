//! Surfaces of the built-in scenes: closed, manifold, of the particles' volume, and cheap beside the simulation.

use std::time::{Duration, Instant};

use ooze_core::{Frame, Liquid, Solids};
use ooze_scene::{Override, Scene, builtin};

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};
use crate::pictures::{PictureError, particle_volume, surfaces};

/// Most that a surface's volume may differ from its particles', and most of the simulation's time that it may take.
const VOLUME_TOLERANCE: f64 = 0.02;
const TIME_SHARE: f64 = 1.0 / 3.0;

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "surfaces-small",
            summary: "every built-in scene, coarsely: surfaces are closed, manifold and of the right volume",
            quick: true,
            run: coarse,
        },
        Case {
            name: "surfaces",
            summary: "every frame of every built-in scene: surfaces are closed, manifold, of the right volume and cheap",
            quick: false,
            run: whole,
        },
    ]
}

/// What surfaces of a run came to.
#[derive(Default)]
struct Outcome {
    frames: usize,
    open_or_crossed: usize,
    volume_error: f64,
    surface_time: Duration,
    whole_time: Duration,
}

impl Outcome {
    fn look_at(
        &mut self,
        scene: &Scene,
        liquid: &dyn Liquid,
        solids: &dyn Solids,
    ) -> Result<(), PictureError> {
        let frame = Frame::of(liquid, solids);
        let count = frame.particles.vectors("position")?.len();
        let start = Instant::now();
        let surfaces = surfaces(scene, &frame)?;
        self.surface_time += start.elapsed();
        self.frames += 1;
        let sound = surfaces
            .iter()
            .all(|liquid| liquid.surface.mesh.edge_report().is_closed_manifold());
        self.open_or_crossed += usize::from(!sound);
        if count > 0 {
            let wanted = count as f64 * f64::from(particle_volume(scene));
            let volumes = surfaces.iter().map(|liquid| liquid.surface.mesh.volume());
            let error = volumes.sum::<f64>() / wanted - 1.0;
            self.volume_error = self.volume_error.max(error.abs());
        }
        Ok(())
    }
}

fn watch(scene: &Scene) -> Result<Outcome, CaseError> {
    let mut outcome = Outcome::default();
    let mut failure = None;
    let start = Instant::now();
    follow(scene, |_, liquid, solids| {
        if failure.is_none() {
            failure = outcome.look_at(scene, liquid, solids).err();
        }
    })?;
    outcome.whole_time = start.elapsed();
    failure.map_or(Ok(outcome), |error| Err(error.into()))
}

fn judge(case: &Case, name: &str, scene: &Scene, outcome: &Outcome) -> Vec<Verdict> {
    let faulty = outcome.open_or_crossed as f64;
    vec![
        case.verdict(
            scene,
            &format!("{name}, faulty of {}", outcome.frames),
            Numbers::at_most(faulty, 0.0),
        ),
        case.verdict(
            scene,
            &format!("{name}, volume error"),
            Numbers::at_most(outcome.volume_error, VOLUME_TOLERANCE),
        ),
    ]
}

/// Cells along the longest side of a coarse run: 32, or what leaves a thin domain six across.
fn coarse_cells(scene: &Scene) -> i32 {
    let domain = &scene.setup.domain;
    let across = if domain.flat {
        domain.cells.x.min(domain.cells.y)
    } else {
        domain.cells.min_element()
    };
    let longest = domain.cells.max_element();
    (6 * longest / across).max(32)
}

fn coarse(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for built_in in builtin::list() {
        let cells = coarse_cells(&built_in.scene()?).to_string();
        let overrides = [Override::resolution(&cells), Override::frames("15")];
        let scene = read(built_in.text, built_in.name, &overrides)?;
        verdicts.extend(judge(case, built_in.name, &scene, &watch(&scene)?));
    }
    Ok(verdicts)
}

fn whole(case: &Case) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for built_in in builtin::list() {
        let scene = built_in.scene()?;
        let outcome = watch(&scene)?;
        verdicts.extend(judge(case, built_in.name, &scene, &outcome));
        let simulation = outcome.whole_time - outcome.surface_time;
        let share = outcome.surface_time.as_secs_f64() / simulation.as_secs_f64();
        verdicts.push(case.verdict(
            &scene,
            &format!("{}, time beside simulation's", built_in.name),
            Numbers::at_most(share, TIME_SHARE),
        ));
    }
    Ok(verdicts)
}
