//! What holds of every set of particles, whatever it carries.

use glam::{IVec3, Vec3};

use super::*;
use crate::channel_rules::{expect_each, expect_not_negative};
use crate::{
    ChannelData, ChannelError, Contact, Domain, LiquidSetup, Material, MaterialPreset, Side,
    SymmetricTensor,
};

fn material() -> Material {
    MaterialPreset::find("water").expect("a preset").material()
}

fn setup(carried: Carried) -> LiquidSetup {
    LiquidSetup {
        domain: Domain {
            lower: Vec3::ZERO,
            cell_size: 1.0,
            cells: IVec3::splat(10),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        },
        materials: vec![material(); 2],
        initial: Vec::new(),
        emitters: Vec::new(),
        drains: Vec::new(),
        forces: Vec::new(),
        heat: crate::HeatSetup::default(),
        carried,
        texture: None,
        tracers: Vec::new(),
        seed: 0,
    }
}

/// One channel of each type; what they hold follows from where a particle is born.
fn one_of_each() -> Carried {
    let mut carried = Carried::default();
    let warmth = ChannelRule::new("warmth", |birth| birth.position.x).in_frames();
    carried.register(warmth.checked(expect_not_negative));
    carried.register(ChannelRule::new("colour", |birth| 2.0 * birth.position).in_frames());
    let strain = ChannelRule::new("strain", |birth| SymmetricTensor {
        diagonal: birth.position,
        shear: -birth.position,
    });
    carried.register(strain.in_frames());
    let gradient = |birth: &Birth<'_>| std::array::from_fn(|row| birth.position * row as f32);
    carried.register(ChannelRule::<Gradient>::new("gradient", gradient));
    let flag = ChannelRule::new("flag", |birth| u8::from(birth.position.x > 4.0));
    carried.register(
        flag.checked(|name, flags| expect_each(name, flags, || "0 or 1".into(), |flag| flag <= 1)),
    );
    carried.register(ChannelRule::new("parent", |birth| {
        birth.position.x as u32 + 100
    }));
    carried
}

/// Particles 7, 3 and 5, each at a place that its identity tells.
fn three() -> ParticleSet {
    let mut particles = ParticleSet::carrying(&one_of_each());
    for identity in [7, 3, 5] {
        let position = Vec3::splat(identity as f32);
        let material = material();
        let birth = Birth::new(position, &material);
        particles.push(&birth, -position, identity, 1);
    }
    particles
}

fn load(saved: &mut crate::Channels) -> Result<ParticleSet, ChannelError> {
    let template = ParticleSet::carrying(&one_of_each());
    template.load(saved, &setup(Carried::default()), 8)
}

#[test]
fn handles_lead_to_values_of_their_type() {
    let mut particles = three();
    let warmth = particles.carried.find::<f32>("warmth").expect("a scalar");
    let strain = particles.carried.find("strain").expect("a tensor");
    assert_eq!(particles.carried[warmth], [7.0, 3.0, 5.0]);
    assert!(particles.carried.find::<Vec3>("warmth").is_none());
    assert!(particles.carried.named::<f32>("coldness").is_empty());
    let (warmths, strains) = particles.carried.pair_mut(warmth, strain);
    warmths[1] = 1.0;
    strains[1] = SymmetricTensor::ZERO;
    assert_eq!(particles.carried[warmth][1], 1.0);
    assert_eq!(particles.carried[strain][1], SymmetricTensor::ZERO);
}

#[test]
fn all_of_a_particle_moves_with_it() {
    let particles = three();
    let mut target = ParticleSet::default();
    particles.gather_into(&[2, 0, 1], &mut target);
    for (index, former) in [2, 0, 1].into_iter().enumerate() {
        let mut one = particles.clone();
        one.gather(&[former]);
        let mut other = target.clone();
        other.gather(&[index as u32]);
        assert_eq!(one, other);
    }
    // Memory that held something else.
    let mut other = ParticleSet::default();
    other.carried.register(ChannelRule::new("parent", |_| 0u32));
    particles.gather_into(&[2, 0, 1], &mut other);
    assert_eq!(other, target);
    // Some are left behind.
    let mut fewer = particles;
    fewer.gather(&[1]);
    assert_eq!(fewer.carried.named::<u32>("parent"), [103]);
    assert_eq!(fewer.identity, [3]);
}

#[test]
fn frames_are_ordered_by_identity_and_hold_what_is_to_be_shown() {
    let frame = three().frame();
    assert_eq!(frame.words("id"), Ok(&[3, 5, 7][..]));
    assert_eq!(frame.scalars("warmth"), Ok(&[3.0, 5.0, 7.0][..]));
    let names: Vec<&str> = frame.iter().map(|(name, _)| name).collect();
    let expected = [
        "age",
        "colour",
        "id",
        "material",
        "position",
        "strain_diagonal",
        "strain_shear",
        "velocity",
        "warmth",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_saved_set_comes_back_whole() {
    let particles = three();
    let mut saved = particles.save();
    assert_eq!(load(&mut saved), Ok(particles));
    assert_eq!(saved, crate::Channels::default(), "all was taken");
}

#[test]
fn a_channel_that_is_short_missing_or_out_of_range_is_named() {
    let fault = |name: &str, data| {
        let mut saved = three().save();
        saved.insert(name, data);
        load(&mut saved).expect_err("a fault").to_string()
    };
    let short = fault("warmth", ChannelData::Scalar(vec![0.0]));
    assert_eq!(short, "channel `warmth` has 1 items where 3 were expected");
    let short = fault("gradient_y", ChannelData::Vector(vec![Vec3::ZERO; 2]));
    assert_eq!(
        short,
        "channel `gradient_y` has 2 items where 3 were expected"
    );
    let strange = fault("flag", ChannelData::Byte(vec![0, 9, 1]));
    assert_eq!(strange, "channel `flag`, row 1: 9 is not 0 or 1");
    let cold = fault("warmth", ChannelData::Scalar(vec![0.0, 0.0, -1.0]));
    assert!(
        cold.starts_with("channel `warmth`, row 2: -1.0 is not"),
        "{cold}"
    );
    let twice = fault("id", ChannelData::Word(vec![3, 5, 3]));
    assert!(
        twice.starts_with("channel `id`, row 2: 3 is not"),
        "{twice}"
    );
    let mut saved = ParticleSet::default().save();
    let missing = load(&mut saved);
    assert_eq!(
        missing,
        Err(ChannelError::Missing {
            name: "warmth".into()
        })
    );
}

#[test]
fn what_is_not_a_number_is_named() {
    let mut particles = three();
    assert!(particles.check_finite("carry").is_ok());
    let strain = particles.carried.find::<SymmetricTensor>("strain");
    particles.carried.optional_mut(strain)[1].shear.y = f32::NAN;
    let error = particles.check_finite("carry").expect_err("a fault");
    let message = error.to_string();
    assert!(
        message.starts_with("strain of particle 3 became"),
        "{message}"
    );
    particles.velocity[2].x = f32::INFINITY;
    let error = particles.check_finite("carry").expect_err("a fault");
    let message = error.to_string();
    assert!(
        message.starts_with("velocity of particle 5 became"),
        "{message}"
    );
}

#[test]
fn channels_of_real_numbers_are_rows_of_components() {
    let carried = one_of_each();
    let material = material();
    let birth = Birth::new(Vec3::new(1.0, 2.0, 3.0), &material);
    let rows: Vec<_> = carried
        .real_channels()
        .map(|channel| (channel.name(), channel.components(), channel.start(&birth)))
        .collect();
    let expected = [
        ("warmth", vec![1.0]),
        ("colour", vec![2.0, 4.0, 6.0]),
        ("strain", vec![1.0, 2.0, 3.0, -1.0, -2.0, -3.0]),
        (
            "gradient",
            vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 2.0, 4.0, 6.0],
        ),
    ];
    assert_eq!(rows.len(), expected.len());
    for ((name, components, row), (expected_name, expected)) in rows.into_iter().zip(expected) {
        assert_eq!((name, components), (expected_name, expected.len()));
        assert_eq!(row, expected);
    }
    let warmth = carried.real_channels().next().expect("a channel");
    assert!(warmth.check(&[0.0, 1.0]).is_ok() && warmth.check(&[0.0, -1.0]).is_err());
    let mut frame = crate::Channels::default();
    warmth.insert(&[3.0, 4.0], &mut frame);
    assert_eq!(frame.scalars("warmth"), Ok(&[3.0, 4.0][..]));
}

#[test]
#[should_panic(expected = "two channels `warmth`")]
fn a_name_is_given_once() {
    let mut carried = one_of_each();
    carried.register(ChannelRule::new("warmth", |_| 0.0f32));
}
