//! Surface tension, and tension between liquids that do not mix, from attraction between particles.
//!
//! Müller et al. (2003; 2005) push particles along the gradient of a colour field by its curvature. That force derives
//! from no energy: the curvature of a surface that is two particles thick is noise, which heats small drops until they fly
//! apart. Here each pair attracts with F = A q (1 − q), the way tension comes about in nature (Nugent & Posch 2000;
//! Tartakovsky & Meakin 2005): momentum is kept, and the tension is the energy of the bonds that a cut through the lattice
//! breaks, half of it for each of the two new surfaces. Between two liquids the attraction is such that
//! σ_ab = σ_a + σ_b − 2 σ(A_ab) is their interface's. The pull of neighbours on one another inside the liquid is taken up
//! by the state equation.

use crate::resolution::Resolution;

/// Attractions between materials.
#[derive(Clone, Debug, PartialEq)]
pub struct Cohesion {
    /// A by the materials of a pair, in newtons.
    pub attraction: Vec<Vec<f32>>,
    /// Pressure that the attraction inside each material exerts, in Pa.
    pub pressure: Vec<f32>,
}

impl Cohesion {
    /// The attractions of materials with these surface tensions in N/m. `interface` gives the tension between two.
    pub fn new(
        surface: &[f32],
        interface: impl Fn(usize, usize) -> f32,
        resolution: &Resolution,
    ) -> Self {
        let per_tension = 1.0 / tension_of_unit(resolution);
        let count = surface.len();
        let tension = |a: usize, b: usize| {
            if a == b {
                surface[a]
            } else {
                0.5 * (surface[a] + surface[b] - interface(a, b))
            }
        };
        let row = |a: usize| (0..count).map(|b| per_tension * tension(a, b)).collect();
        let attraction: Vec<Vec<f32>> = (0..count).map(row).collect();
        let unit = pressure_of_unit(resolution);
        Self {
            pressure: (0..count).map(|a| unit * attraction[a][a]).collect(),
            attraction,
        }
    }

    /// Whether anything attracts.
    pub fn is_active(&self) -> bool {
        self.attraction
            .iter()
            .flatten()
            .any(|&attraction| attraction != 0.0)
    }
}

/// The share of a pair's attraction at q = r/h.
#[inline(always)]
pub fn shape(q: f32) -> f32 {
    q * (1.0 - q)
}

/// Energy of a bond over h A: the integral of the shape from q to 1.
fn bond(q: f32) -> f32 {
    1.0 / 6.0 - q * q / 2.0 + q.powi(3) / 3.0
}

/// Share of the tension of a cut through a lattice that remains when its surface has relaxed, measured on drops that
/// oscillate.
const RELAXED: f32 = 1.0;

/// Surface tension in N/m for A = 1 N.
fn tension_of_unit(resolution: &Resolution) -> f32 {
    let Resolution {
        spacing, radius, ..
    } = *resolution;
    // A bond that reaches n layers up is cut n times, once for each layer that it may start from.
    let cut = resolution.sum_over_lattice(|site| {
        let layers = f64::from(site.y.max(0));
        layers * f64::from(bond(spacing * site.as_vec3().length() / radius))
    });
    let area = resolution.particle_volume() as f32 / spacing;
    0.5 * RELAXED * radius * cut / area
}

/// Pressure in Pa for A = 1 N.
fn pressure_of_unit(resolution: &Resolution) -> f32 {
    let dimensions = resolution.space.dimensions() as f32;
    let virial = resolution.lattice_sum(|r| r * shape(r / resolution.radius));
    virial / (2.0 * dimensions * resolution.particle_volume() as f32)
}
