//! What values in channels must keep to, whoever reads them back. A file whose checksums are right may still hold what no run
//! would write: it is refused here, by channel and row, before a solver relies on it.

use std::fmt::Debug;

use glam::Vec3;

use crate::{ChannelData, ChannelError, Channels, Domain};

/// Identities and counters stay below this in every run that fits into memory; arithmetic on them cannot overflow.
const LARGEST_COUNT: u32 = 1 << 31;

/// Cells a second that no liquid crosses: its steps would be shorter than a run allows.
const FASTEST: f32 = 1e9;

/// Checks that a channel taken from a checkpoint is as long as its fellows.
pub fn expect_length<T>(name: &str, values: &[T], expected: usize) -> Result<(), ChannelError> {
    if values.len() == expected {
        return Ok(());
    }
    Err(ChannelError::WrongLength {
        name: name.into(),
        found: values.len(),
        expected,
    })
}

/// Checks that every value of a channel is what it should be; `wanted` says in words what that is.
pub fn expect_each<T: Copy + Debug>(
    name: &str,
    values: &[T],
    wanted: impl FnOnce() -> String,
    allowed: impl Fn(T) -> bool,
) -> Result<(), ChannelError> {
    let Some(row) = values.iter().position(|&value| !allowed(value)) else {
        return Ok(());
    };
    Err(ChannelError::Value {
        name: name.into(),
        row,
        value: format!("{:?}", values[row]).into(),
        wanted: wanted().into(),
    })
}

/// Checks that numbers are finite and not below zero.
pub fn expect_not_negative<T>(name: &str, values: &[T]) -> Result<(), ChannelError>
where
    T: Copy + Debug + Into<f64>,
{
    let wanted = || "a finite number that is not negative".into();
    expect_each(name, values, wanted, |value| {
        let value: f64 = value.into();
        value.is_finite() && value >= 0.0
    })
}

/// Checks that every index is that of one of a scene's `count` materials.
pub fn expect_materials(name: &str, values: &[u8], count: usize) -> Result<(), ChannelError> {
    let wanted = || match count {
        1 => "0, the scene's only material".into(),
        _ => format!("the index of one of the scene's {count} materials"),
    };
    expect_each(name, values, wanted, |index| usize::from(index) < count)
}

/// Checks that points are in the domain, or within `margin` cells of it.
pub fn expect_near(
    name: &str,
    points: &[Vec3],
    domain: &Domain,
    margin: f32,
) -> Result<(), ChannelError> {
    let reach = Vec3::splat(margin * domain.cell_size);
    let (lower, upper) = (domain.lower - reach, domain.upper() + reach);
    let wanted = || {
        let (lower, upper) = (domain.lower, domain.upper());
        format!("a point of the domain, which reaches from {lower} to {upper}")
    };
    expect_each(name, points, wanted, |point| {
        point.cmpge(lower).all() && point.cmple(upper).all()
    })
}

/// Checks that speeds in m/s, or components of them, are such that a run would go on with them.
pub fn expect_speeds(
    name: &str,
    values: impl Iterator<Item = f32>,
    domain: &Domain,
) -> Result<(), ChannelError> {
    let largest = FASTEST * domain.cell_size;
    let values: Vec<f32> = values.collect();
    let wanted = || format!("a speed below {largest:e} m/s");
    expect_each(name, &values, wanted, |speed| speed.abs() < largest)
}

/// Checks that identities are all different and below the next one to be given.
pub fn expect_identities(name: &str, values: &[u32], next: u32) -> Result<(), ChannelError> {
    expect_counter("next_identity", next)?;
    let wanted = || format!("an identity below the next one, {next}");
    expect_each(name, values, wanted, |identity| identity < next)?;
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_unstable_by_key(|&row| (values[row as usize], row));
    let twice = order
        .windows(2)
        .find(|pair| values[pair[0] as usize] == values[pair[1] as usize]);
    match twice {
        None => Ok(()),
        Some(pair) => Err(ChannelError::Value {
            name: name.into(),
            row: pair[1] as usize,
            value: values[pair[1] as usize].to_string().into(),
            wanted: format!("an identity of its own: row {} has it too", pair[0]).into(),
        }),
    }
}

/// Checks that something that is counted is within reason.
pub fn expect_counter(name: &str, value: u32) -> Result<(), ChannelError> {
    let wanted = || format!("a count below {LARGEST_COUNT}");
    expect_each(name, &[value], wanted, |value| value < LARGEST_COUNT)
}

/// Checks what holds of the particles of every frame whatever its scene: known channels have their types, and all describe the
/// same particles.
pub fn expect_particles(particles: &Channels) -> Result<(), ChannelError> {
    let count = particles.vectors("position")?.len();
    for (name, data) in particles.iter() {
        let fits = match name {
            "position" | "velocity" | "colour" | "normal" => matches!(data, ChannelData::Vector(_)),
            "strain_diagonal" | "strain_shear" | "rest_position" | "rest_position_2" => {
                matches!(data, ChannelData::Vector(_))
            }
            "age" | "viscosity" | "temperature" | "enthalpy" | "melted" => {
                matches!(data, ChannelData::Scalar(_))
            }
            "id" => matches!(data, ChannelData::Word(_)),
            "material" => matches!(data, ChannelData::Byte(_)),
            _ => true,
        };
        if !fits {
            return Err(ChannelError::WrongType { name: name.into() });
        }
        if data.len() != count {
            return Err(ChannelError::WrongLength {
                name: name.into(),
                found: data.len(),
                expected: count,
            });
        }
    }
    Ok(())
}

/// Checks what holds of the particles of a scene with that domain and so many materials too: a surface that was made from
/// particles far outside of the domain would fill the memory.
pub fn expect_particles_of(
    particles: &Channels,
    domain: &Domain,
    materials: usize,
) -> Result<(), ChannelError> {
    expect_particles(particles)?;
    expect_near("position", particles.vectors("position")?, domain, 1.0)?;
    if particles.get("material").is_some() {
        expect_materials("material", particles.bytes("material")?, materials)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::IVec3;

    use super::*;
    use crate::{Contact, Side};

    fn domain() -> Domain {
        Domain {
            lower: Vec3::ZERO,
            cell_size: 0.1,
            cells: IVec3::splat(10),
            flat: false,
            sides: [[Side::Closed(Contact::default()); 2]; 3],
        }
    }

    fn frame() -> Channels {
        let mut frame = Channels::default();
        frame.insert("position", ChannelData::Vector(vec![Vec3::splat(0.5); 3]));
        frame.insert("material", ChannelData::Byte(vec![0, 1, 0]));
        frame.insert("age", ChannelData::Scalar(vec![0.0; 3]));
        frame
    }

    fn message(change: impl FnOnce(&mut Channels)) -> String {
        let mut frame = frame();
        change(&mut frame);
        let error = expect_particles_of(&frame, &domain(), 2).expect_err("a fault");
        error.to_string()
    }

    #[test]
    fn a_frame_is_refused_by_channel_and_row() {
        assert_eq!(expect_particles_of(&frame(), &domain(), 2), Ok(()));
        let strange = message(|frame| {
            frame.insert("material", ChannelData::Byte(vec![0, 0, 200]));
        });
        assert_eq!(
            strange,
            "channel `material`, row 2: 200 is not the index of one of the scene's 2 materials"
        );
        let outside = message(|frame| {
            let points = vec![Vec3::ZERO, Vec3::new(0.5, -3.0, 0.5), Vec3::ONE];
            frame.insert("position", ChannelData::Vector(points));
        });
        assert!(
            outside.starts_with("channel `position`, row 1: Vec3(0.5, -3.0, 0.5) is not a point"),
            "{outside}"
        );
        let short = message(|frame| frame.insert("age", ChannelData::Scalar(vec![0.0; 2])));
        assert_eq!(short, "channel `age` has 2 items where 3 were expected");
        let other = message(|frame| frame.insert("age", ChannelData::Word(vec![0; 3])));
        assert_eq!(
            other,
            "channel `age` holds another type of value than expected"
        );
    }

    #[test]
    fn identities_are_different_and_below_the_next() {
        assert_eq!(expect_identities("id", &[4, 2, 9], 10), Ok(()));
        let row = |values: &[u32], next| match expect_identities("id", values, next) {
            Err(ChannelError::Value { row, .. }) => Some(row),
            _ => None,
        };
        assert_eq!(row(&[4, 2, 9], 9), Some(2));
        assert_eq!(row(&[4, 2, 9, 2], 10), Some(3));
        assert_eq!(row(&[0], u32::MAX), Some(0));
    }
}
