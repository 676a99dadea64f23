//! What the particles carry, on the vertices of a surface: velocity for motion blur, colour, temperature, texture coordinates.

use glam::Vec3;
use ooze_geometry::TriangleMesh;
use rayon::prelude::*;

use crate::error::SurfaceError;
use crate::particles::{CellOrder, RecentBoxes};

/// Distance, in particle spacings, up to which particles count: as far as a vertex is from the particles below it and
/// their next neighbours.
const REACH: f32 = 1.5;
/// Distance, in particle spacings, up to which the nearest particle is looked for where none is within reach.
const LARGEST_REACH: f32 = 4.0;

/// What particles carry. An array is empty or has one entry a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Attributes<'a> {
    /// Velocities in metres per second.
    pub velocities: &'a [Vec3],
    /// Linear RGB colours.
    pub colours: &'a [Vec3],
    /// Temperatures in kelvin.
    pub temperatures: &'a [f32],
    /// Layers of texture coordinates in metres.
    pub rest_positions: [&'a [Vec3]; 2],
}

impl Attributes<'_> {
    fn is_empty(&self) -> bool {
        self.velocities.is_empty()
            && self.colours.is_empty()
            && self.temperatures.is_empty()
            && self.rest_positions.iter().all(|layer| layer.is_empty())
    }

    /// Checks that arrays have one entry for each of `particles` particles, and that all are finite.
    pub(crate) fn validate(&self, particles: usize) -> Result<(), SurfaceError> {
        let odd_vector = |values: &[Vec3]| values.par_iter().position_first(|v| !v.is_finite());
        let odd_number = |values: &[f32]| values.par_iter().position_first(|v| !v.is_finite());
        let rests = self.rest_positions;
        let arrays = [
            (
                "velocities",
                self.velocities.len(),
                odd_vector(self.velocities),
            ),
            ("colours", self.colours.len(), odd_vector(self.colours)),
            (
                "temperatures",
                self.temperatures.len(),
                odd_number(self.temperatures),
            ),
            ("rest positions", rests[0].len(), odd_vector(rests[0])),
            ("rest positions", rests[1].len(), odd_vector(rests[1])),
        ];
        for (name, found, odd) in arrays {
            if found != 0 && found != particles {
                return Err(SurfaceError::AttributeLength {
                    name,
                    found,
                    expected: particles,
                });
            }
            if let Some(index) = odd {
                return Err(SurfaceError::AttributeNotFinite { name, index });
            }
        }
        Ok(())
    }
}

/// Gives a mesh the attributes of the particles around its vertices, nearer ones weighing more.
///
/// `spacing` is the distance of particles in metres. A vertex far from all particles takes the attributes of the nearest
/// one that is within four spacings, or zeros.
pub fn set_attributes(
    mesh: &mut TriangleMesh,
    positions: &[Vec3],
    spacing: f32,
    attributes: &Attributes,
) -> Result<(), SurfaceError> {
    attributes.validate(positions.len())?;
    crate::particles::validate_positions(positions, spacing)?;
    let order = CellOrder::new(positions, 2.0 * spacing, false);
    transfer(mesh, &order, spacing, attributes);
    Ok(())
}

/// [`set_attributes`] with particles that are sorted already.
pub(crate) fn transfer(
    mesh: &mut TriangleMesh,
    order: &CellOrder,
    spacing: f32,
    attributes: &Attributes,
) {
    if attributes.is_empty() {
        return;
    }
    // Both lids of a slab have the same.
    let lids = if order.flat() { 2 } else { 1 };
    let blended: Vec<Carried> = mesh.positions[..mesh.positions.len() / lids]
        .par_iter()
        .with_min_len(512)
        .map_init(RecentBoxes::default, |recent, &vertex| {
            blend(vertex, order, recent, spacing, attributes)
        })
        .collect();
    if !attributes.velocities.is_empty() {
        mesh.velocities = repeated(&blended, lids, |carried| carried.velocity);
    }
    if !attributes.colours.is_empty() {
        mesh.colours = repeated(&blended, lids, |carried| carried.colour);
    }
    if !attributes.temperatures.is_empty() {
        mesh.temperatures = repeated(&blended, lids, |carried| carried.temperature);
    }
    for layer in 0..2 {
        if !attributes.rest_positions[layer].is_empty() {
            let rest = |carried: &Carried| carried.rest_positions[layer];
            mesh.rest_positions[layer] = repeated(&blended, lids, rest);
        }
    }
}

/// One attribute of vertices, as many times as there are copies of them.
fn repeated<T: Copy>(blended: &[Carried], times: usize, value: impl Fn(&Carried) -> T) -> Vec<T> {
    let values: Vec<T> = blended.iter().map(value).collect();
    values.repeat(times)
}

/// What one particle or vertex carries; zero where there is no such array.
#[derive(Clone, Copy, Debug, Default)]
struct Carried {
    velocity: Vec3,
    colour: Vec3,
    temperature: f32,
    rest_positions: [Vec3; 2],
}

impl Carried {
    fn of(attributes: &Attributes, particle: usize) -> Self {
        Self {
            velocity: attributes
                .velocities
                .get(particle)
                .copied()
                .unwrap_or_default(),
            colour: attributes
                .colours
                .get(particle)
                .copied()
                .unwrap_or_default(),
            temperature: attributes
                .temperatures
                .get(particle)
                .copied()
                .unwrap_or_default(),
            rest_positions: attributes
                .rest_positions
                .map(|layer| layer.get(particle).copied().unwrap_or_default()),
        }
    }

    fn add(&mut self, other: Self, weight: f32) {
        self.velocity += weight * other.velocity;
        self.colour += weight * other.colour;
        self.temperature += weight * other.temperature;
        for (rest, other) in self.rest_positions.iter_mut().zip(other.rest_positions) {
            *rest += weight * other;
        }
    }
}

/// The weighted mean of what the particles near a vertex carry.
fn blend(
    vertex: Vec3,
    order: &CellOrder,
    recent: &mut RecentBoxes,
    spacing: f32,
    attributes: &Attributes,
) -> Carried {
    let vertex = if order.flat() {
        vertex.with_z(0.0)
    } else {
        vertex
    };
    let carried_by = |particle: usize| Carried::of(attributes, order.origin()[particle] as usize);
    let reach = REACH * spacing;
    let (mut sum, mut total) = (Carried::default(), 0.0);
    order.for_each_near(vertex, reach, recent, |particle, square| {
        let share = 1.0 - square / (reach * reach);
        if share > 0.0 {
            let weight = share * share * share;
            sum.add(carried_by(particle), weight);
            total += weight;
        }
    });
    let mut mean = Carried::default();
    if total > 0.0 {
        mean.add(sum, 1.0 / total);
        return mean;
    }
    let mut nearest = (f32::INFINITY, None);
    let farther = LARGEST_REACH * spacing;
    order.for_each_near(vertex, farther, recent, |particle, square| {
        if square < nearest.0 {
            nearest = (square, Some(particle));
        }
    });
    nearest.1.map(carried_by).unwrap_or_default()
}
