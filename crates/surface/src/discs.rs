//! Point splatting for quick looks (Kasi, sec. 6.3 and 6.4.1): particles at a liquid's surface as discs across its normal,
//! without a mesh that connects them.
//!
//! The normal is −∇c of the colour field c = Σ (1 − r²/R²)², and a particle is at the surface if |∇c| exceeds a threshold.
//! Particles with hardly any neighbours have no normal and become octahedra. Flat liquids show all of their particles, as
//! discs in front of their slab.

use glam::Vec3;
use ooze_geometry::TriangleMesh;

use crate::error::SurfaceError;
use crate::particles::{CellOrder, ParticleSurface, surroundings, validate_positions};

/// Reach R of the colour field in particle spacings.
const REACH: f32 = 2.0;
/// Gradients below this share of a plane surface's are disorder (l in Kasi, sec. 6.3).
const THRESHOLD: f32 = 0.25;
/// Σ w x over the neighbours of a particle on a plane surface, in units of R times the same sum of w in full liquid:
/// ∫ w z dV = π R⁴/12 over half a ball, of 8 π R³/15.
const PLANE: f32 = 15.0 / 96.0;
/// Below this share of full surroundings a particle flies on its own.
const LONELY: f32 = 0.3;
/// Radius of discs in spacings: they overlap their neighbours'.
const DISC: f32 = 1.0;
/// Distance of discs from their particles along the normal, in spacings.
const LIFT: f32 = 0.5;
/// Radius of octahedra in spacings.
const OCTAHEDRON: f32 = 0.7;
/// Corners of a disc.
const CORNERS: u32 = 6;

/// Discs and octahedra for the particles at a surface, with normals and the particles' attributes. The settings of the
/// surface do not matter.
pub fn splats(particles: &ParticleSurface<'_>) -> Result<TriangleMesh, SurfaceError> {
    let spacing = particles.spacing();
    validate_positions(particles.positions, spacing)?;
    particles.attributes.validate(particles.positions.len())?;
    let reach = REACH * spacing;
    let order = CellOrder::new(particles.positions, reach, particles.slab.is_some());
    let mut splats = Splats::default();
    let around = surroundings(&order, spacing);
    for ((around, &position), &origin) in around.iter().zip(order.positions()).zip(order.origin()) {
        if let Some(slab) = particles.slab {
            let front = position.with_z(slab.upper);
            splats.add_disc(front, Vec3::Z, DISC * spacing, origin);
            continue;
        }
        let gradient = around.shift * around.fill;
        if around.fill < LONELY {
            splats.add_octahedron(position, OCTAHEDRON * spacing, origin);
        } else if gradient.length() > THRESHOLD * PLANE * reach {
            let normal = -gradient.normalize();
            let place = position + normal * (LIFT * spacing);
            splats.add_disc(place, normal, DISC * spacing, origin);
        }
    }
    Ok(splats.finish(particles))
}

/// A mesh in the making.
#[derive(Default)]
struct Splats {
    mesh: TriangleMesh,
    /// The particle that each vertex belongs to.
    origin: Vec<u32>,
}

impl Splats {
    fn add_vertex(&mut self, position: Vec3, normal: Vec3, origin: u32) -> u32 {
        self.mesh.positions.push(position);
        self.mesh.normals.push(normal);
        self.origin.push(origin);
        self.mesh.positions.len() as u32 - 1
    }

    fn add_disc(&mut self, centre: Vec3, normal: Vec3, radius: f32, origin: u32) {
        let (across, along) = normal.any_orthonormal_pair();
        let first = self.mesh.positions.len() as u32;
        for corner in 0..CORNERS {
            let angle = corner as f32 * std::f32::consts::TAU / CORNERS as f32;
            let out = across * angle.cos() + along * angle.sin();
            self.add_vertex(centre + out * radius, normal, origin);
        }
        let fan = (1..CORNERS - 1).map(|corner| [first, first + corner, first + corner + 1]);
        self.mesh.triangles.extend(fan);
    }

    fn add_octahedron(&mut self, centre: Vec3, radius: f32, origin: u32) {
        let tips = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
            [axis, -axis].map(|way| self.add_vertex(centre + way * radius, way, origin))
        });
        for octant in 0..8_usize {
            let sides = [octant & 1, octant >> 1 & 1, octant >> 2];
            let [x, y, z] = std::array::from_fn(|axis| tips[axis][sides[axis]]);
            // An odd number of reflections turns a triangle over.
            let turned = sides.iter().sum::<usize>() % 2 == 1;
            self.mesh
                .triangles
                .push(if turned { [x, z, y] } else { [x, y, z] });
        }
    }

    fn finish(self, particles: &ParticleSurface<'_>) -> TriangleMesh {
        let Self { mut mesh, origin } = self;
        let attributes = &particles.attributes;
        mesh.velocities = chosen(attributes.velocities, &origin);
        mesh.colours = chosen(attributes.colours, &origin);
        mesh.temperatures = chosen(attributes.temperatures, &origin);
        let layers = attributes.rest_positions;
        mesh.rest_positions = layers.map(|layer| chosen(layer, &origin));
        mesh
    }
}

/// The values of the vertices' particles; none of an empty list.
fn chosen<T: Copy>(values: &[T], origin: &[u32]) -> Vec<T> {
    if values.is_empty() {
        return Vec::new();
    }
    origin.iter().map(|&index| values[index as usize]).collect()
}

#[cfg(test)]
mod tests {
    use glam::IVec3;

    use super::*;
    use crate::{Attributes, Slab};

    /// A lattice of spacing 0.1 inside a ball of radius 1.
    fn ball() -> Vec<Vec3> {
        let mut points = Vec::new();
        for z in -10..=10 {
            for y in -10..=10 {
                for x in -10..=10 {
                    let point = IVec3::new(x, y, z).as_vec3() * 0.1;
                    if point.length() < 1.0 {
                        points.push(point);
                    }
                }
            }
        }
        points
    }

    #[test]
    fn discs_of_a_ball_cover_its_surface_and_face_outwards() {
        let points = ball();
        let mesh = splats(&ParticleSurface::new(&points, 1e-3)).expect("fair particles");
        let discs = mesh.positions.len() / CORNERS as usize;
        assert!(discs < points.len() * 7 / 10, "{discs} of {}", points.len());
        for triangle in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(triangle);
            let middle = (a + b + c) / 3.0;
            let facing = (b - a).cross(c - a).normalize();
            assert!(facing.dot(middle.normalize()) > 0.8, "{middle} {facing}");
        }
        // From every direction the outermost splat is near the surface.
        for &direction in &[Vec3::X, Vec3::NEG_Y, Vec3::ONE, Vec3::new(1.0, -2.0, 0.5)] {
            let direction = direction.normalize();
            let near = mesh.positions.iter().any(|&point| {
                (point - direction * point.dot(direction)).length() < 0.1
                    && (point.dot(direction) - 1.0).abs() < 0.1
            });
            assert!(near, "{direction}");
        }
    }

    #[test]
    fn a_lone_particle_is_a_closed_octahedron_with_its_attributes() {
        let colours = [Vec3::new(0.2, 0.4, 0.6)];
        let mut lone = ParticleSurface::new(&[Vec3::ONE], 1e-3);
        lone.attributes = Attributes {
            colours: &colours,
            ..Attributes::default()
        };
        let mesh = splats(&lone).expect("a fair particle");
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (6, 8));
        assert_eq!(mesh.colours, vec![colours[0]; 6]);
        // ∮ x · dA/3 is the volume, 4/3 r³, if all triangles face outwards.
        let volume: f32 = (0..8)
            .map(|index| mesh.corners(index).map(|corner| corner - Vec3::ONE))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        let expected = 4.0 / 3.0 * (OCTAHEDRON * 0.1_f32).powi(3);
        assert!((volume / expected - 1.0).abs() < 1e-3, "{volume}");
    }

    #[test]
    fn flat_liquids_show_all_particles_in_front_of_their_slab() {
        let points = [
            Vec3::ZERO,
            Vec3::new(0.1, 0.0, 0.0),
            Vec3::new(0.2, 0.0, 0.0),
        ];
        let mut flat = ParticleSurface::new(&points, 1e-3);
        flat.slab = Some(Slab {
            lower: 0.0,
            upper: 0.1,
        });
        let mesh = splats(&flat).expect("fair particles");
        assert_eq!(mesh.positions.len(), 3 * CORNERS as usize);
        assert!(mesh.positions.iter().all(|point| point.z == 0.1));
        assert!(mesh.normals.iter().all(|&normal| normal == Vec3::Z));
    }
}
