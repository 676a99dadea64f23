//! Shapes as rapier collides them.
//!
//! Balls, boxes, capsules, cylinders and half spaces as they are; stumps of cones, and meshes and combinations that are convex, as
//! convex hulls; unions part by part. Of what is concave, colliders are triangle meshes, so that cups hold what is in them; bodies,
//! which meshes would let through one another, are split into convex pieces (V-HACD: Mamou & Ghorbel 2009).

use std::f64::consts::TAU;
use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use ooze_geometry::{Aabb, Form, Pose, Shape, TriangleMesh};
use rapier3d_f64::geometry::{SharedShape, TriMeshFlags};
use rapier3d_f64::math::{Pose as RapierPose, Vector};
use rapier3d_f64::parry::transformation::vhacd::{VHACD, VHACDParameters};

use crate::algebra::{from_rapier, placed, single_to_rapier, to_rapier};
use crate::outline::outline;

/// Most corners of a convex hull: finding the furthest one takes time.
const CORNERS: usize = 400;
/// Corners around the ends of cones.
const ROUND: usize = 48;
/// Share of a hull that may be empty in what counts as convex: outlines have their edges rounded.
const CONVEX: f64 = 0.015;
/// How far the surface of what counts as convex may lie within its hull, in sizes of the hull: a narrow hole takes next to nothing of
/// the volume of a block, but is deep.
const DEEPEST: f64 = 0.02;

/// A shape of rapier's and its place in the solid's own frame, at scale one.
#[derive(Clone)]
pub(crate) struct Piece {
    shape: SharedShape,
    offset: RapierPose,
}

/// What will become of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Never moved by what hits it.
    Collider,
    /// Moves freely.
    Body,
}

impl Piece {
    fn new(shape: SharedShape, centre: DVec3, rotation: DQuat) -> Self {
        Self {
            shape,
            offset: placed(centre, rotation),
        }
    }

    /// The convex hull of some points, if it has a volume.
    pub(crate) fn hull(points: &[Vec3]) -> Option<Self> {
        let bounds = Aabb::from_points(points.iter().copied());
        let (centre, size) = (bounds.centre(), bounds.extent().max_element());
        if points.len() < 4 || size <= 0.0 {
            return None;
        }
        // Lengths are compared with fixed tolerances when hulls are built: at the size of one, these are fair.
        let places = points.iter().map(|&point| (point - centre) / size);
        let places: Vec<Vector> = places.map(single_to_rapier).collect();
        let back = Pose {
            translation: centre,
            scale: size,
            ..Pose::IDENTITY
        };
        Self::plain(SharedShape::convex_hull(&places)?).moved(&back)
    }

    fn plain(shape: SharedShape) -> Self {
        Self::new(shape, DVec3::ZERO, DQuat::IDENTITY)
    }

    /// The shape at another scale, and its place; none if it has none there.
    pub(crate) fn at_scale(&self, scale: f64) -> Option<(SharedShape, RapierPose)> {
        if scale == 1.0 {
            return Some((self.shape.clone(), self.offset));
        }
        let mut offset = self.offset;
        offset.translation *= scale;
        if let Some(round) = self.shape.as_round_cuboid() {
            let half = from_rapier(round.inner_shape.half_extents) * scale;
            let radius = round.border_radius * scale;
            let round = SharedShape::round_cuboid(half.x, half.y, half.z, radius);
            return Some((round, offset));
        }
        let scaled = self.shape.scale_dyn(Vector::splat(scale), 10)?;
        Some((SharedShape(Arc::from(scaled)), offset))
    }

    /// The same piece where a pose puts it.
    fn moved(self, pose: &Pose) -> Option<Self> {
        let (shape, offset) = self.at_scale(f64::from(pose.scale))?;
        let outer = crate::algebra::pose_to_rapier(pose);
        Some(Self {
            shape,
            offset: outer * offset,
        })
    }

    /// The distance of its furthest point from a place.
    pub(crate) fn reach(&self, from: DVec3) -> f64 {
        let bounds = self.shape.compute_aabb(&self.offset);
        let middle = from_rapier(bounds.center());
        (middle - from).length() + bounds.half_extents().length()
    }
}

/// The pieces of a shape, or why there are none.
pub(crate) fn pieces(shape: &Shape, purpose: Use) -> Result<Vec<Piece>, String> {
    let size = shape.bounds().extent().max_element();
    let centre = shape.bounds().centre();
    match shape.form() {
        Form::Sphere { centre, radius } => {
            let ball = SharedShape::ball(f64::from(radius));
            Ok(vec![Piece::new(ball, centre.as_dvec3(), DQuat::IDENTITY)])
        }
        Form::Cuboid {
            centre,
            half_extents,
            rounding,
        } => {
            let cuboid = cuboid(half_extents.as_dvec3(), f64::from(rounding));
            Ok(vec![Piece::new(cuboid, centre.as_dvec3(), DQuat::IDENTITY)])
        }
        Form::Capsule { ends, radius } => {
            let [a, b] = ends.map(single_to_rapier);
            let capsule = SharedShape::capsule(a, b, f64::from(radius));
            Ok(vec![Piece::plain(capsule)])
        }
        Form::Cone { ends, radii } => cone(ends.map(|end| end.as_dvec3()), radii.map(f64::from)),
        Form::HalfSpace { point, normal } => {
            let plane = SharedShape::halfspace(single_to_rapier(normal));
            Ok(vec![Piece::new(plane, point.as_dvec3(), DQuat::IDENTITY)])
        }
        Form::Union(shapes) => {
            let parts = shapes.iter().map(|part| pieces(part, purpose));
            Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Form::Placed(shape, pose) => {
            let moved = pieces(shape, purpose)?.into_iter().map(|piece| {
                let moved = piece.moved(&pose);
                moved.ok_or_else(|| format!("it cannot be scaled by {}", pose.scale))
            });
            moved.collect()
        }
        Form::Mesh(mesh) => of_mesh(mesh.mesh(), purpose),
        _ if !shape.bounds().is_finite() => {
            Err("it is cut out of something without bounds; cut it out of a box".into())
        }
        _ => {
            // Lengths are compared with fixed tolerances when hulls are built: at the size of one, these are fair.
            let pose = Pose {
                translation: -centre / size,
                scale: 1.0 / size,
                ..Pose::IDENTITY
            };
            let mut mesh = outline(shape);
            if mesh.triangles.is_empty() {
                return Err("it encloses nothing".into());
            }
            mesh.place(&pose);
            let back = Pose {
                translation: centre,
                scale: size,
                ..Pose::IDENTITY
            };
            let moved = of_mesh(&mesh, purpose)?.into_iter();
            let moved = moved.map(|piece| piece.moved(&back));
            moved
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| format!("it cannot be scaled by {size}"))
        }
    }
}

fn cuboid(half: DVec3, rounding: f64) -> SharedShape {
    if rounding == 0.0 {
        return SharedShape::cuboid(half.x, half.y, half.z);
    }
    // Of a rounded box, nothing may be left but the rounding: a core without extent has no faces.
    let core = (half - rounding).max(half * 1e-3);
    SharedShape::round_cuboid(core.x, core.y, core.z, rounding)
}

/// Cylinders as they are, stumps of cones as hulls.
fn cone([a, b]: [DVec3; 2], radii: [f64; 2]) -> Result<Vec<Piece>, String> {
    let axis = (b - a).normalize();
    let turn = DQuat::from_rotation_arc(DVec3::Y, axis);
    if radii[0] == radii[1] {
        let cylinder = SharedShape::cylinder(0.5 * (b - a).length(), radii[0]);
        return Ok(vec![Piece::new(cylinder, 0.5 * (a + b), turn)]);
    }
    let mut points = Vec::new();
    for (end, radius) in [(a, radii[0]), (b, radii[1])] {
        let count = if radius > 0.0 { ROUND } else { 1 };
        for corner in 0..count {
            let angle = TAU * corner as f64 / count as f64;
            let way = DVec3::new(angle.cos(), 0.0, angle.sin()) * radius;
            points.push(to_rapier(end + turn * way));
        }
    }
    let hull = SharedShape::convex_hull(&points).ok_or("its hull is flat")?;
    Ok(vec![Piece::plain(hull)])
}

fn of_mesh(mesh: &TriangleMesh, purpose: Use) -> Result<Vec<Piece>, String> {
    let corners: Vec<Vector> = mesh
        .positions
        .iter()
        .copied()
        .map(single_to_rapier)
        .collect();
    let hull = SharedShape::convex_hull(&furthest(&mesh.positions));
    let volume = mesh.volume();
    if let Some(hull) = hull {
        let whole = hull.mass_properties(1.0).mass();
        if volume > (1.0 - CONVEX) * whole && !is_hollowed(mesh, &hull) {
            return Ok(vec![Piece::plain(hull)]);
        }
    }
    let pieces = match purpose {
        Use::Collider => {
            let flags =
                TriMeshFlags::FIX_INTERNAL_EDGES | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES;
            let mesh = SharedShape::trimesh_with_flags(corners, mesh.triangles.clone(), flags);
            vec![Piece::plain(mesh.map_err(|error| error.to_string())?)]
        }
        Use::Body => {
            let parameters = VHACDParameters {
                concavity: 0.005,
                ..VHACDParameters::default()
            };
            let parts = VHACD::decompose(&parameters, &corners, &mesh.triangles, true);
            let hulls = parts.compute_exact_convex_hulls(&corners, &mesh.triangles);
            let hulls = hulls.into_iter();
            let shapes =
                hulls.filter_map(|(points, faces)| SharedShape::convex_mesh(points, &faces));
            shapes.map(Piece::plain).collect()
        }
    };
    match pieces.is_empty() {
        true => Err("no convex pieces were found in it".into()),
        false => Ok(pieces),
    }
}

/// Whether a mesh has holes, grooves or dents: corners or middles of triangles deep within its hull.
fn is_hollowed(mesh: &TriangleMesh, hull: &SharedShape) -> bool {
    let Some(hull) = hull.as_convex_polyhedron() else {
        return false;
    };
    let corners = hull.points();
    let planes: Vec<(DVec3, f64)> = hull
        .faces()
        .iter()
        .map(|face| {
            let first = hull.vertices_adj_to_face()[face.first_vertex_or_edge as usize];
            let normal = from_rapier(face.normal);
            (normal, normal.dot(from_rapier(corners[first as usize])))
        })
        .collect();
    let deep = DEEPEST * hull.local_aabb().extents().max_element();
    let is_deep = |point: DVec3| {
        let mut planes = planes.iter();
        planes.all(|(normal, place)| place - normal.dot(point) > deep)
    };
    let corner = |index: u32| mesh.positions[index as usize].as_dvec3();
    let middle = |triangle: &[u32; 3]| triangle.map(corner).iter().sum::<DVec3>() / 3.0;
    (0..mesh.positions.len() as u32).any(|index| is_deep(corner(index)))
        || mesh.triangles.iter().map(middle).any(is_deep)
}

/// The vertices that are furthest in some direction, all of them where there are few.
fn furthest(positions: &[Vec3]) -> Vec<Vector> {
    if positions.len() <= CORNERS {
        return positions.iter().copied().map(single_to_rapier).collect();
    }
    let golden = TAU * 0.618_033_988_749_895;
    let mut chosen: Vec<usize> = (0..CORNERS)
        .filter_map(|number| {
            let height = 1.0 - (2 * number + 1) as f64 / CORNERS as f64;
            let angle = golden * number as f64;
            let across = (1.0 - height * height).sqrt();
            let way = DVec3::new(across * angle.cos(), across * angle.sin(), height).as_vec3();
            let along = |&index: &usize| positions[index].dot(way);
            (0..positions.len()).max_by(|a, b| along(a).total_cmp(&along(b)))
        })
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    let chosen = chosen.into_iter();
    chosen
        .map(|index| single_to_rapier(positions[index]))
        .collect()
}

#[cfg(test)]
mod tests {
    use ooze_geometry::{MeshDistance, generate};

    use super::*;

    fn volume(pieces: &[Piece]) -> f64 {
        let parts = pieces.iter();
        parts
            .map(|piece| piece.shape.mass_properties(1.0).mass())
            .sum()
    }

    #[test]
    fn a_convex_mesh_is_one_hull_and_a_hollow_one_is_many_or_a_mesh() {
        let ball = generate::icosphere(Vec3::X, 0.3, 4);
        let expected = ball.volume();
        let ball = Shape::mesh(Arc::new(MeshDistance::new(&ball).expect("a closed mesh")));
        for purpose in [Use::Body, Use::Collider] {
            let found = pieces(&ball, purpose).expect("it collides");
            assert_eq!(found.len(), 1);
            assert!((volume(&found) / expected - 1.0).abs() < 0.02);
        }
        let ring = generate::torus(Vec3::ZERO, 0.3, 0.1, 32, 16);
        let ring = Shape::mesh(Arc::new(MeshDistance::new(&ring).expect("a closed mesh")));
        let found = pieces(&ring, Use::Body).expect("it collides");
        assert!(found.len() > 5, "{}", found.len());
        let expected = ring.mass_properties().expect("a volume").volume;
        let share = volume(&found) / expected;
        assert!((0.9..1.3).contains(&share), "{share}");
        let found = pieces(&ring, Use::Collider).expect("it collides");
        assert!(found[0].shape.as_trimesh().is_some());
    }

    #[test]
    fn a_narrow_hole_through_a_block_is_no_part_of_it() {
        let block = Shape::cuboid(Vec3::ZERO, Vec3::splat(0.1)).expect("fair");
        // It takes 0.8 % of the block's volume.
        let ends = [Vec3::new(0.0, -0.2, 0.0), Vec3::new(0.0, 0.2, 0.0)];
        let hole = Shape::cylinder(ends[0], ends[1], 0.01).expect("fair");
        let drilled = Shape::difference(block, vec![hole]).expect("fair");
        let found = pieces(&drilled, Use::Collider).expect("it collides");
        let ball = SharedShape::ball(0.006);
        let origin = RapierPose::IDENTITY;
        let (offset, shape) = (&found[0].offset, &*found[0].shape);
        let apart = rapier3d_f64::parry::query::distance(&origin, &*ball, offset, shape);
        assert!(apart.expect("they can be compared").distance > 0.0);
    }

    #[test]
    fn shapes_that_are_cut_keep_their_place_and_size() {
        let whole = Shape::cuboid(Vec3::new(3.0, 0.0, 0.0), Vec3::splat(0.05)).expect("fair");
        let ball = Shape::sphere(Vec3::new(3.0, 0.0, 0.0), 0.06).expect("fair");
        let cut = Shape::intersection(vec![whole, ball]).expect("fair");
        let found = pieces(&cut, Use::Body).expect("it collides");
        assert_eq!(found.len(), 1);
        let expected = cut.mass_properties().expect("a volume").volume;
        let share = volume(&found) / expected;
        assert!((share - 1.0).abs() < 0.03, "{share}");
        let reach = found[0].reach(DVec3::new(3.0, 0.0, 0.0));
        assert!((reach - 0.05 * 3f64.sqrt()).abs() < 2e-3, "{reach}");
    }
}
