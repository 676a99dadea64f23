//! The same bytes on any number of threads, and after a save.

use glam::Vec3;
use ooze_core::Liquid;
use ooze_particles::cases::{self, World};
use ooze_particles::{MuellerSettings, WallForm};

use super::liquid;
use crate::support::{digest, on_threads, water};

const FORMS: [WallForm; 3] = [WallForm::Distance, WallForm::Ghosts, WallForm::Particles];

fn walls(walls: WallForm) -> MuellerSettings {
    MuellerSettings {
        walls,
        ..MuellerSettings::default()
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let size = Vec3::new(0.3, 0.3, 0.2);
    let setup = cases::tank_setup(water(), size, 0.15, 8, false);
    for form in FORMS {
        let run = |threads| {
            on_threads(threads, || {
                let mut world = World::new(liquid(&setup, walls(form)));
                world.run(0.01).expect("steps succeed");
                digest(&world.liquid)
            })
        };
        let single = run(1);
        assert_eq!(single, run(2), "{form:?}");
        assert_eq!(single, run(5), "{form:?}");
    }
}

#[test]
fn a_saved_liquid_goes_on_to_the_last_bit() {
    for form in FORMS {
        let setup = cases::dam_break_setup(water(), 0.2, 20);
        let mut through = World::new(liquid(&setup, walls(form)));
        let step = through.liquid.stable_step(&through.solids).seconds;
        for _ in 0..40 {
            through.step(step).expect("the step succeeds");
        }
        let mut resumed = World::new(liquid(&setup, walls(form)));
        let saved = through.liquid.save();
        resumed.liquid.load(saved).expect("the state fits");
        resumed.time = through.time;
        for _ in 0..60 {
            through.step(step).expect("the step succeeds");
            resumed.step(step).expect("the step succeeds");
        }
        assert!(
            digest(&through.liquid) == digest(&resumed.liquid),
            "{form:?}"
        );
    }
}
