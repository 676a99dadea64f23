//! The particles that carry a FLIP liquid, as a structure of arrays.

use glam::Vec3;
use ooze_core::channel_rules::expect_each;
use ooze_core::{ChannelData, ChannelError, Channels, expect_length};
use rayon::prelude::*;

use crate::SymmetricTensor;

/// Particles that are handled together by one task.
pub(crate) const CHUNK: usize = 4096;

/// Rows of a particle's velocity gradient, in 1/s (Jiang et al. 2015).
pub type Affine = [Vec3; 3];

/// What only some liquids' particles carry; the same for all particles of a liquid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deformation {
    /// The velocity gradient where the transfer is affine; of elastic liquids the part that turns.
    pub affine: Option<Affine>,
    /// The strain, where the liquid is elastic.
    pub strain: Option<SymmetricTensor>,
    /// The pressure of the viscous solve over bulk viscosity, where it is carried.
    pub pressure: Option<f32>,
}

/// Everything that is known of each particle. All vectors have the same length, except `affine`, which is empty
/// unless the transfer is affine or the liquid elastic, `strain`, which is empty unless the liquid is elastic, and
/// `pressure`, which is empty unless the viscous solve leaves one behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Particles {
    /// Positions in metres.
    pub position: Vec<Vec3>,
    /// Velocities in m/s.
    pub velocity: Vec<Vec3>,
    /// Velocity gradients; of elastic liquids the part that turns.
    pub affine: Vec<Affine>,
    /// Elastic strains.
    pub strain: Vec<SymmetricTensor>,
    /// Pressures of the viscous solve over bulk viscosity, in 1/s: what the projections do not know of.
    pub pressure: Vec<f32>,
    /// Identities, unique over the whole run.
    pub identity: Vec<u32>,
    /// Indices of materials.
    pub material: Vec<u8>,
    /// Seconds since seeding or emission.
    pub age: Vec<f32>,
    /// Dynamic viscosities in Pa s.
    pub viscosity: Vec<f32>,
    /// Whether they touched a wall in the last step: 1 where they did.
    pub touching: Vec<u8>,
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Adds a particle.
    pub fn push(
        &mut self,
        position: Vec3,
        velocity: Vec3,
        deformation: Deformation,
        identity: u32,
        material: u8,
        viscosity: f32,
    ) {
        self.position.push(position);
        self.velocity.push(velocity);
        self.affine.extend(deformation.affine);
        self.strain.extend(deformation.strain);
        self.pressure.extend(deformation.pressure);
        self.identity.push(identity);
        self.material.push(material);
        self.age.push(0.0);
        self.viscosity.push(viscosity);
        self.touching.push(0);
    }

    /// The particles in another order: entry `i` is this set's entry `order[i]`. `target` provides the memory.
    pub fn gather_into(&self, order: &[u32], target: &mut Self) {
        gather(&self.position, order, &mut target.position);
        gather(&self.velocity, order, &mut target.velocity);
        gather(&self.identity, order, &mut target.identity);
        gather(&self.material, order, &mut target.material);
        gather(&self.age, order, &mut target.age);
        gather(&self.viscosity, order, &mut target.viscosity);
        gather(&self.touching, order, &mut target.touching);
        gather_any(&self.affine, order, &mut target.affine);
        gather_any(&self.strain, order, &mut target.strain);
        gather_any(&self.pressure, order, &mut target.pressure);
    }

    /// The order of rising identities.
    pub fn identity_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.par_sort_unstable_by_key(|&index| self.identity[index as usize]);
        order
    }

    /// The channels of a frame.
    pub fn channels(&self) -> Channels {
        let mut sorted = Self::default();
        self.gather_into(&self.identity_order(), &mut sorted);
        sorted.into_channels()
    }

    fn into_channels(self) -> Channels {
        let mut channels = Channels::default();
        channels.insert("position", ChannelData::Vector(self.position));
        channels.insert("velocity", ChannelData::Vector(self.velocity));
        channels.insert("id", ChannelData::Word(self.identity));
        channels.insert("material", ChannelData::Byte(self.material));
        channels.insert("age", ChannelData::Scalar(self.age));
        channels.insert("viscosity", ChannelData::Scalar(self.viscosity));
        if !self.strain.is_empty() {
            let diagonal = self.strain.iter().map(|strain| strain.diagonal).collect();
            let shear = self.strain.iter().map(|strain| strain.shear).collect();
            channels.insert(STRAIN_NAMES[0], ChannelData::Vector(diagonal));
            channels.insert(STRAIN_NAMES[1], ChannelData::Vector(shear));
        }
        channels
    }

    /// Everything, in the order in which it is stored: what a checkpoint needs.
    pub fn save(&self) -> Channels {
        let mut channels = self.clone().into_channels();
        for axis in 0..3 {
            let row = self.affine.iter().map(|affine| affine[axis]).collect();
            channels.insert(AFFINE_NAMES[axis], ChannelData::Vector(row));
        }
        channels.insert(PRESSURE_NAME, ChannelData::Scalar(self.pressure.clone()));
        channels.insert(TOUCHING_NAME, ChannelData::Byte(self.touching.clone()));
        channels
    }

    /// Takes back what [`Particles::save`] gave, from particles that carry what `like` has.
    pub fn load(saved: &mut Channels, like: &Deformation) -> Result<Self, ChannelError> {
        let position = saved.take_vectors("position")?;
        let count = position.len();
        let velocity = saved.take_vectors("velocity")?;
        let identity = saved.take_words("id")?;
        let material = saved.take_bytes("material")?;
        let age = saved.take_scalars("age")?;
        let viscosity = saved.take_scalars("viscosity")?;
        expect_length("velocity", &velocity, count)?;
        expect_length("id", &identity, count)?;
        expect_length("material", &material, count)?;
        expect_length("age", &age, count)?;
        expect_length("viscosity", &viscosity, count)?;
        let rows = [
            saved.take_vectors(AFFINE_NAMES[0])?,
            saved.take_vectors(AFFINE_NAMES[1])?,
            saved.take_vectors(AFFINE_NAMES[2])?,
        ];
        let carried = |is_carried: bool| if is_carried { count } else { 0 };
        for (name, row) in AFFINE_NAMES.iter().zip(&rows) {
            expect_length(name, row, carried(like.affine.is_some()))?;
        }
        let affine = (0..rows[0].len())
            .map(|index| [rows[0][index], rows[1][index], rows[2][index]])
            .collect();
        let strain = match like.strain {
            Some(_) => load_strain(saved, count)?,
            None => Vec::new(),
        };
        let pressure = saved.take_scalars(PRESSURE_NAME)?;
        expect_length(PRESSURE_NAME, &pressure, carried(like.pressure.is_some()))?;
        let touching = saved.take_bytes(TOUCHING_NAME)?;
        expect_length(TOUCHING_NAME, &touching, count)?;
        expect_each(
            TOUCHING_NAME,
            &touching,
            || "0 or 1".into(),
            |flag| flag <= 1,
        )?;
        Ok(Self {
            position,
            velocity,
            affine,
            strain,
            pressure,
            identity,
            material,
            age,
            viscosity,
            touching,
        })
    }
}

const AFFINE_NAMES: [&str; 3] = ["affine_x", "affine_y", "affine_z"];
const PRESSURE_NAME: &str = "viscous_pressure";
const TOUCHING_NAME: &str = "touching";
/// Diagonal components xx, yy, zz, and the others yz, zx, xy.
const STRAIN_NAMES: [&str; 2] = ["strain_diagonal", "strain_shear"];

/// The strains of `count` particles. None at all are saved where there is no particle.
fn load_strain(saved: &mut Channels, count: usize) -> Result<Vec<SymmetricTensor>, ChannelError> {
    if count == 0 && saved.get(STRAIN_NAMES[0]).is_none() {
        return Ok(Vec::new());
    }
    let [diagonal, shear] = [
        saved.take_vectors(STRAIN_NAMES[0])?,
        saved.take_vectors(STRAIN_NAMES[1])?,
    ];
    expect_length(STRAIN_NAMES[0], &diagonal, count)?;
    expect_length(STRAIN_NAMES[1], &shear, count)?;
    let pairs = diagonal.into_iter().zip(shear);
    Ok(pairs
        .map(|(diagonal, shear)| SymmetricTensor { diagonal, shear })
        .collect())
}

/// [`gather`] of what may not be there at all.
fn gather_any<T: Copy + Send + Sync + Default>(source: &[T], order: &[u32], target: &mut Vec<T>) {
    if source.is_empty() {
        target.clear();
    } else {
        gather(source, order, target);
    }
}

fn gather<T: Copy + Send + Sync + Default>(source: &[T], order: &[u32], target: &mut Vec<T>) {
    target.resize(order.len(), T::default());
    target
        .par_chunks_mut(CHUNK)
        .zip(order.par_chunks(CHUNK))
        .for_each(|(values, order)| {
            for (value, &index) in values.iter_mut().zip(order) {
                *value = source[index as usize];
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried() -> Deformation {
        Deformation {
            affine: Some([Vec3::ZERO; 3]),
            strain: Some(SymmetricTensor::ZERO),
            pressure: Some(0.0),
        }
    }

    fn three() -> Particles {
        let mut particles = Particles::default();
        for identity in [7, 3, 5] {
            let place = Vec3::splat(identity as f32);
            let deformation = Deformation {
                affine: Some([place; 3]),
                strain: Some(SymmetricTensor {
                    diagonal: place,
                    shear: 2.0 * place,
                }),
                pressure: Some(-place.x),
            };
            particles.push(place, -place, deformation, identity, 1, place.x);
        }
        particles
    }

    #[test]
    fn a_saved_set_comes_back_whole() {
        let particles = three();
        let mut saved = particles.save();
        assert_eq!(Particles::load(&mut saved, &carried()), Ok(particles));
    }

    #[test]
    fn frames_are_ordered_by_identity() {
        let channels = three().channels();
        assert_eq!(channels.words("id"), Ok(&[3, 5, 7][..]));
        assert_eq!(
            channels.vectors("position").map(|points| points[0].x),
            Ok(3.0)
        );
    }

    #[test]
    fn a_short_channel_is_named() {
        let mut saved = three().save();
        saved.insert("age", ChannelData::Scalar(vec![0.0]));
        assert!(matches!(
            Particles::load(&mut saved, &carried()),
            Err(ChannelError::WrongLength { name, found: 1, expected: 3 }) if name == "age"
        ));
        // A liquid whose particles carry no gradient cannot go on with one that does, nor the other way round.
        assert!(matches!(
            Particles::load(&mut three().save(), &Deformation::default()),
            Err(ChannelError::WrongLength { name, expected: 0, .. }) if name == "affine_x"
        ));
    }
}
