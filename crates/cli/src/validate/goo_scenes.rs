//! The scenes of goo on the other transport: a level set keeps their volume too, and its surfaces are sound.

use ooze_core::{Frame, Liquid, Solids};
use ooze_scene::{Override, Scene, builtin};

use super::trial::follow;
use super::{Case, CaseError, Numbers, Verdict, read};
use crate::pictures::{PictureError, surfaces};

/// Built-in scenes whose names begin so are made of goo, and these.
const GOO: &str = "goo-";
const OTHERS: [&str; 4] = [
    "cube-palette",
    "squeeze-turn-release",
    "sticky-spheres",
    "slimed-robot",
];

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "goo-level-sets-small",
            summary: "every scene of goo on a level set, coarsely: volume is kept, surfaces are closed, manifold and of its volume",
            quick: false,
            run: |case| on_level_sets(case, &[Override::resolution("32"), Override::frames("15")]),
        },
        Case {
            name: "goo-level-sets",
            summary: "every scene of goo on a level set, whole: volume is kept, surfaces are closed, manifold and of its volume",
            quick: false,
            run: |case| on_level_sets(case, &[]),
        },
    ]
}

/// What a run came to: largest drift of the volume, largest difference of the surfaces' volume from the liquid's, and frames
/// whose surfaces have faults.
#[derive(Default)]
struct Outcome {
    drift: f64,
    volume_error: f64,
    faulty: usize,
    frames: usize,
}

impl Outcome {
    fn look_at(
        &mut self,
        scene: &Scene,
        liquid: &dyn Liquid,
        solids: &dyn Solids,
    ) -> Result<(), PictureError> {
        let measure = liquid.measure(solids);
        self.frames += 1;
        self.drift = self.drift.max(measure.volume_drift().abs());
        let surfaces = surfaces(scene, &Frame::of(liquid, solids))?;
        let sound = |mesh: &ooze_geometry::TriangleMesh| mesh.edge_report().is_closed_manifold();
        let all_sound = surfaces.iter().all(|liquid| sound(&liquid.surface.mesh));
        self.faulty += usize::from(!all_sound);
        if measure.volume > 0.0 {
            let volumes = surfaces.iter().map(|liquid| liquid.surface.mesh.volume());
            let error = volumes.sum::<f64>() / measure.volume - 1.0;
            self.volume_error = self.volume_error.max(error.abs());
        }
        Ok(())
    }
}

fn on_level_sets(case: &Case, overrides: &[Override]) -> Result<Vec<Verdict>, CaseError> {
    let mut verdicts = Vec::new();
    for built_in in builtin::list() {
        let name = built_in.name;
        if !name.starts_with(GOO) && !OTHERS.contains(&name) {
            continue;
        }
        let mut overrides = overrides.to_vec();
        overrides.push(Override::set("method.preset=level-set"));
        let scene = read(built_in.text, name, &overrides)?;
        let mut outcome = Outcome::default();
        let mut failure = None;
        follow(&scene, |_, liquid, solids| {
            if failure.is_none() {
                failure = outcome.look_at(&scene, liquid, solids).err();
            }
        })?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        let mut add = |quantity: &str, value: f64, most: f64| {
            let quantity = format!("{name}, {quantity}");
            verdicts.push(case.verdict(&scene, &quantity, Numbers::at_most(value, most)));
        };
        add("volume drift", outcome.drift, 0.01);
        add("volume error of surfaces", outcome.volume_error, 0.02);
        let faulty = format!("faulty surfaces of {}", outcome.frames);
        add(&faulty, outcome.faulty as f64, 0.0);
    }
    Ok(verdicts)
}
