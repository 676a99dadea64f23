//! A tensor that no method here has heard of: it is carried, shown and kept because a rule says so.

use glam::Vec3;
use ooze_core::{
    Birth, ChannelRule, Emitter, KeyframedSolids, Liquid, LiquidSetup, MaterialId, SymmetricTensor,
};
use ooze_geometry::Shape;
use ooze_particles::cases::{self, World};
use ooze_particles::{ClavetLiquid, ClavetSettings, MuellerLiquid, MuellerSettings};

use crate::support::{digest, water};

/// Where a particle was born, and whether from a nozzle.
fn birthplace(birth: &Birth<'_>) -> SymmetricTensor {
    SymmetricTensor {
        diagonal: birth.position,
        shear: Vec3::splat(if birth.liquid.is_some() { 0.0 } else { 1.0 }),
    }
}

fn setup() -> LiquidSetup {
    let mut setup = cases::tank_setup(water(), Vec3::new(0.4, 0.4, 0.0), 0.1, 20, true);
    let nozzle = Shape::cuboid(Vec3::new(0.2, 0.3, 0.0), Vec3::new(0.05, 0.05, 1.0));
    setup.emitters.push(Emitter {
        name: "nozzle".into(),
        shape: nozzle.expect("a fair box").into(),
        material: MaterialId(0),
        velocity: Vec3::new(0.0, -1.0, 0.0),
        start: 0.0,
        stop: f64::INFINITY,
        rate: None,
        temperature: None,
    });
    let rule = ChannelRule::new("birthplace", birthplace).in_frames();
    setup.carried.register(rule);
    setup
}

fn survives<L: Liquid>(make: impl Fn(LiquidSetup) -> L) {
    let mut world = World::new(make(setup()));
    let parts = |liquid: &L| {
        let frame = liquid.channels();
        let part = |name: &str| frame.vectors(name).map(<[Vec3]>::to_vec);
        let places = part("birthplace_diagonal").expect("a part");
        (places, part("birthplace_shear").expect("a part"))
    };
    let order = |liquid: &L| liquid.save().take_words("id").expect("identities");
    let ((before, _), first) = (parts(&world.liquid), order(&world.liquid));
    assert_eq!(before, world.positions(), "each begins where it was born");
    world.run(0.15).expect("steps succeed");
    let (places, nozzles) = parts(&world.liquid);
    assert_ne!(order(&world.liquid)[..first.len()], first, "sorted anew");
    assert_eq!(places[..before.len()], before);
    let emitted = &nozzles[before.len()..];
    assert!(emitted.len() > 20, "{}", emitted.len());
    assert!(emitted.iter().all(|&nozzle| nozzle == Vec3::ONE));

    let mut resumed = make(setup());
    resumed
        .load(world.liquid.save())
        .expect("a good checkpoint");
    assert_eq!(digest(&resumed), digest(&world.liquid));
    assert_eq!(parts(&resumed), (places, nozzles));
}

#[test]
fn a_stranger_s_tensor_survives_sorting_emission_frames_and_checkpoints() {
    let none = || KeyframedSolids::new(Vec::new());
    survives(|setup| MuellerLiquid::new(setup, MuellerSettings::default(), &none()));
    survives(|setup| {
        let liquid = ClavetLiquid::new(setup, ClavetSettings::default(), &none());
        liquid.expect("constants in range")
    });
}
