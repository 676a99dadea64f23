//! Surface tension, and tension between liquids that do not mix, from the gradient of the colour field (Müller, Charypar &
//! Gross 2003, sec. 3.3; Müller, Solenthaler, Keiser & Gross 2005, sec. 3): the force per volume is σ κ g with the gradient
//! g = Σ V_j ∇W and the curvature κ.
//!
//! Published, κ is the Laplacian of the colour over the size of its gradient: a second derivative of a field that ends within
//! two particles, whose noise heats small drops until they fly apart. Here it is the divergence of unit normals (Morris 2000)
//! along the surface,
//!
//! ```text
//! κ = (d − 1) Σ w_j n_j · (x_j − x̄) / Σ w_j |t_j − t̄|²
//! ```
//!
//! with x̄ the neighbours' weighted mean and t the part of x along the surface: the slope of a straight line through the
//! normals, exact for spheres whatever the neighbours are. (Differences from the particle's own normal are biased: it leans
//! away from where the neighbours are.) Weights leave out normals of small gradients, and the curvature is averaged over
//! neighbours and moved from where those are to the surface. At interfaces g counts neighbours of other materials only, and
//! both sides take half of the force. Walls count as liquid, which makes a contact angle of 90°. The forces of all particles
//! add up to almost nothing; what remains is taken back evenly.

use glam::{DVec3, Vec3};
use ooze_commons::reduce;

use super::forces::{Acceleration, Fluid};
use crate::liquid::kernels::Kernels;
use crate::liquid::surface::flat_gradient;
use crate::liquid::surroundings::Surroundings;
use crate::resolution::Resolution;

/// Gradients below this share of that in the outermost layer of a flat surface say nothing of its direction.
const SMALLEST_GRADIENT: f32 = 0.2;

/// What surfaces and interfaces cost.
#[derive(Clone, Debug)]
pub struct Tension {
    /// Gradient in the outermost layer of a flat surface, in 1/m.
    outermost: f32,
    /// Mean depth in metres of those particles below a surface whose normals count.
    depth: f32,
    dimensions: f32,
    /// Tension of each material's surface in N/m.
    surface: Vec<f32>,
    /// Tension between materials in N/m.
    interface: Vec<Vec<f32>>,
}

/// The colour field at a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Sheet {
    gradient: Vec3,
    normal: Vec3,
    weight: f32,
    curvature: f32,
    tension: f32,
}

/// Which surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// That of all liquid.
    Surface,
    /// That between materials.
    Interface,
}

impl Tension {
    /// The tensions of materials with these surface tensions in N/m. `interface` gives the tension between two.
    pub fn new(
        surface: &[f32],
        interface: impl Fn(usize, usize) -> f32,
        kernels: &Kernels,
        resolution: &Resolution,
    ) -> Self {
        let between = |a: usize, b: usize| if a == b { 0.0 } else { interface(a, b) };
        let count = surface.len();
        Self {
            outermost: flat_gradient(kernels, resolution, 0),
            depth: depth_of_normals(kernels, resolution),
            dimensions: resolution.space.dimensions() as f32,
            surface: surface.to_vec(),
            interface: (0..count)
                .map(|a| (0..count).map(|b| between(a, b)).collect())
                .collect(),
        }
    }

    /// Adds the accelerations of all surfaces and interfaces.
    pub fn accelerate(
        &self,
        kernels: &Kernels,
        around: Surroundings<'_>,
        fluid: &[Fluid],
        target: &mut [Acceleration],
    ) {
        let mut tensions = self.interface.iter().flatten();
        if tensions.any(|&tension| tension > 0.0) {
            self.add(Kind::Interface, kernels, around, fluid, target);
        }
        if self.surface.iter().any(|&tension| tension > 0.0) {
            self.add(Kind::Surface, kernels, around, fluid, target);
        }
    }

    fn add(
        &self,
        kind: Kind,
        kernels: &Kernels,
        around: Surroundings<'_>,
        fluid: &[Fluid],
        target: &mut [Acceleration],
    ) {
        let mut sheets = vec![Sheet::default(); around.points.len()];
        self.find(kind, kernels, around, fluid, &mut sheets[..target.len()]);
        let curvatures = self.curvatures(kernels, around, &sheets, target.len());
        for (sheet, curvature) in sheets.iter_mut().zip(curvatures) {
            sheet.curvature = curvature;
        }
        // The colour falls from 1 to ½ where a surface cuts the kernel, and to 0 beyond an interface.
        let (share, depth) = match kind {
            Kind::Surface => (2.0, self.depth / (self.dimensions - 1.0)),
            Kind::Interface => (1.0, 0.0),
        };
        let mut forces = vec![Vec3::ZERO; target.len()];
        around.neighbours.for_each(
            &mut forces,
            #[inline(always)]
            |index, list, force| {
                let own = sheets[index];
                // Away from interfaces there is nothing to pull at.
                if own.gradient == Vec3::ZERO || own.tension == 0.0 {
                    return;
                }
                let mut weight = own.weight * kernels.density.value(0.0);
                let mut curvature = weight * own.curvature;
                around.visit(
                    index,
                    list,
                    kernels.radius,
                    #[inline(always)]
                    |pair| {
                        let their = sheets[pair.other];
                        let part = their.weight * kernels.density.value(pair.distance);
                        let sign = if own.gradient.dot(their.gradient) < 0.0 {
                            -1.0
                        } else {
                            1.0
                        };
                        weight += part;
                        curvature += part * their.curvature * sign;
                    },
                );
                if weight > 0.0 {
                    let curvature = curvature / weight;
                    // Below the surface of a ball the normals belong to a smaller one.
                    let curvature = curvature / (1.0 + curvature * depth).max(0.5);
                    let pressure = own.tension * curvature;
                    *force = own.gradient * (pressure * share * fluid[index].volume);
                }
            },
        );
        balance(&mut forces, fluid);
        for ((acceleration, force), fluid) in target.iter_mut().zip(forces).zip(fluid) {
            acceleration.all += force / fluid.mass;
        }
    }

    /// Gradients of the colour.
    fn find(
        &self,
        kind: Kind,
        kernels: &Kernels,
        around: Surroundings<'_>,
        fluid: &[Fluid],
        target: &mut [Sheet],
    ) {
        around.neighbours.for_each(
            target,
            #[inline(always)]
            |index, list, sheet| {
                let material = around.points[index][3];
                let row = &self.interface[material as usize];
                let mut gradient = Vec3::ZERO;
                let mut tension = 0.0;
                let mut weight = 0.0;
                around.visit(
                    index,
                    list,
                    kernels.radius,
                    #[inline(always)]
                    |pair| {
                        let their = around.points[pair.other][3];
                        if kind == Kind::Interface && (pair.wall || their == material) {
                            return;
                        }
                        let steepness = kernels.steepness(pair.distance) / pair.distance;
                        gradient += pair.away * (steepness * fluid[pair.other].volume);
                        if kind == Kind::Interface {
                            tension += steepness * row[their as usize];
                            weight += steepness;
                        }
                    },
                );
                if kind == Kind::Surface {
                    for touch in around.touches(index) {
                        gradient -= touch.normal * kernels.wall_push.at(touch.distance);
                    }
                    (tension, weight) = (self.surface[material as usize], 1.0);
                }
                let size = gradient.length();
                *sheet = Sheet {
                    gradient,
                    // Outwards.
                    normal: -gradient.normalize_or_zero(),
                    weight: weight_of(size, self.outermost),
                    curvature: 0.0,
                    tension: if weight > 0.0 { tension / weight } else { 0.0 },
                };
            },
        );
    }

    /// Curvatures in 1/m, positive where the liquid bulges.
    fn curvatures(
        &self,
        kernels: &Kernels,
        around: Surroundings<'_>,
        sheets: &[Sheet],
        count: usize,
    ) -> Vec<f32> {
        let mut found = vec![0.0; count];
        around.neighbours.for_each(
            &mut found,
            #[inline(always)]
            |index, list, result| {
                let own = sheets[index];
                if own.weight == 0.0 {
                    return;
                }
                let (mut total, mut turn, mut square, mut across) = (0.0, 0.0, 0.0, 0.0);
                let (mut place, mut normals) = (Vec3::ZERO, Vec3::ZERO);
                around.visit(
                    index,
                    list,
                    kernels.radius,
                    #[inline(always)]
                    |pair| {
                        let their = sheets[pair.other];
                        let part = their.weight * kernels.steepness(pair.distance) / pair.distance;
                        // On the other side of an interface normals point the other way.
                        let normal = if their.normal.dot(own.normal) < 0.0 {
                            -their.normal
                        } else {
                            their.normal
                        };
                        total += part;
                        place += pair.away * part;
                        normals += normal * part;
                        turn += part * normal.dot(pair.away);
                        square += part * pair.distance * pair.distance;
                        across += part * pair.away.dot(own.normal).powi(2);
                    },
                );
                if total == 0.0 {
                    return;
                }
                let off = place.dot(own.normal);
                let along = square - across - (place.length_squared() - off * off) / total;
                // A single neighbour has no spread but for rounding.
                if along > 1e-3 * square {
                    let turn = turn - normals.dot(place) / total;
                    *result = (self.dimensions - 1.0) * turn / along;
                }
            },
        );
        found
    }
}

/// The mean depth in metres below a flat surface of a lattice of those particles whose normals count.
fn depth_of_normals(kernels: &Kernels, resolution: &Resolution) -> f32 {
    let outermost = flat_gradient(kernels, resolution, 0);
    let layers = (resolution.radius / resolution.spacing).ceil() as i32;
    let (mut sum, mut total) = (0.0, 0.0);
    for layer in 0..layers {
        let weight = weight_of(flat_gradient(kernels, resolution, layer), outermost);
        sum += weight * (layer as f32 + 0.5) * resolution.spacing;
        total += weight;
    }
    sum / total
}

/// How much a normal counts, by the size of its gradient and that in the outermost layer of a flat surface.
fn weight_of(gradient: f32, outermost: f32) -> f32 {
    (gradient / outermost - SMALLEST_GRADIENT).max(0.0)
}

/// Takes back what forces add up to, from each particle by its share of the mass.
fn balance(forces: &mut [Vec3], fluid: &[Fluid]) {
    let sum = |axis: usize| reduce::sum(forces, |force| f64::from(force[axis]));
    let total = DVec3::from_array(std::array::from_fn(sum));
    let mass = reduce::sum(&fluid[..forces.len()], |fluid| f64::from(fluid.mass));
    if mass > 0.0 {
        for (force, fluid) in forces.iter_mut().zip(fluid) {
            *force -= (total * (f64::from(fluid.mass) / mass)).as_vec3();
        }
    }
}
