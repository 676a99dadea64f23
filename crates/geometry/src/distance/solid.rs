//! From a triangle mesh as people make them to a closed surface with an inside, or to the reason why there is none.
//!
//! Steps: check the vertices, join equal ones, drop what is degenerate or repeated, make neighbours agree, close holes,
//! turn pieces that are inside out, and find the triangles that really separate inside from outside. What could be put
//! right is recorded as a warning; what could not is a fault.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{
    MeshWarning,
    bvh::Bvh,
    holes::{Hole, Holes},
    orient::{Piece, align_neighbours, pieces},
    separation::{PROBE, separation},
    triangle::{double_area_vector, longest_side, side_length},
    weld::{clear_up, weld, weld_tolerance},
    winding::WindingTree,
};
use crate::{Aabb, MeshFault, TriangleMesh};

/// Beyond this distance from the origin the precision of f32 falls below a tenth of a metre.
const LARGEST_COORDINATE: f32 = 1e6;
/// A surface of area A encloses at most A^1.5 / 10.6 (a sphere); this share of A^1.5 is no volume at all.
const FLATTEST: f64 = 1e-6;
/// The largest hole that is closed, relative to the diagonal of the mesh.
const LARGEST_HOLE: f32 = 0.3;
/// The largest part of the surface that is made up, in percent.
const LARGEST_SHARE: f64 = 10.0;
/// The largest part of the triangles that is turned to agree with the rest, in percent.
const LARGEST_TURNED: f64 = 5.0;
/// A closed surface with an inside.
#[derive(Debug)]
pub(super) struct Solid {
    /// All triangles, which make a closed surface.
    pub(super) closed: Bvh,
    /// The winding number of `closed`.
    pub(super) winding: WindingTree,
    /// The triangles of `closed` that separate inside from outside, where these are not all.
    pub(super) separating: Option<Bvh>,
    pub(super) warnings: Vec<MeshWarning>,
    /// The mesh as it was given, where all of it faces outwards and no hole was closed, or else as it was put right.
    pub(super) mesh: TriangleMesh,
}

impl Solid {
    pub(super) fn new(mesh: &TriangleMesh) -> Result<Self, MeshFault> {
        check_vertices(mesh)?;
        let mut warnings = Vec::new();
        let used = mesh
            .triangles
            .iter()
            .flatten()
            .map(|&vertex| mesh.positions[vertex as usize]);
        let bounds = Aabb::from_points(used);
        let tolerance = weld_tolerance(&bounds);

        let (mut positions, numbers) = weld(&mesh.positions, tolerance);
        let joined: Vec<[u32; 3]> = mesh
            .triangles
            .iter()
            .map(|corners| corners.map(|vertex| numbers[vertex as usize]))
            .collect();
        let cleared = clear_up(&joined);
        let mut triangles = cleared.triangles;
        let corners = corners_of(&positions, &joined);
        if corners
            .par_iter()
            .all(|corners| is_degenerate(corners, tolerance))
        {
            return Err(MeshFault::AllDegenerate {
                triangles: joined.len(),
            });
        }
        push_counted(&mut warnings, cleared.degenerate, |count| {
            MeshWarning::Degenerate { count }
        });
        push_counted(&mut warnings, cleared.repeated, |count| {
            MeshWarning::Repeated { count }
        });
        push_counted(&mut warnings, cleared.two_sided, |count| {
            MeshWarning::TwoSided { count }
        });
        if triangles.is_empty() {
            // Two-sided sheets were counted twice.
            return Err(MeshFault::FlatSheet {
                area: mesh.area() / 2.0,
            });
        }

        let turned = align_neighbours(&mut triangles);
        let share = 100.0 * turned as f64 / triangles.len() as f64;
        if share > LARGEST_TURNED {
            return Err(MeshFault::Inconsistent {
                turned,
                triangles: triangles.len(),
                share,
            });
        }
        push_counted(&mut warnings, turned, |count| MeshWarning::Turned { count });

        close_holes(
            &mut positions,
            &mut triangles,
            &bounds,
            tolerance,
            &mut warnings,
        )?;
        let mut solid = Self::from_closed(positions, triangles, bounds.extent().length(), warnings);
        if !solid.warnings.iter().any(MeshWarning::tells_of_change) {
            solid.mesh = TriangleMesh {
                positions: mesh.positions.clone(),
                triangles: mesh.triangles.clone(),
                normals: mesh.normals.clone(),
                ..TriangleMesh::default()
            };
        }
        Ok(solid)
    }

    /// Turns pieces that are inside out and builds the trees.
    fn from_closed(
        positions: Vec<Vec3>,
        mut triangles: Vec<[u32; 3]>,
        size: f32,
        mut warnings: Vec<MeshWarning>,
    ) -> Self {
        let probe = PROBE * f64::from(size);
        let pieces = pieces(&positions, &triangles);
        let all_inside_out = pieces.iter().map(|piece| piece.volume).sum::<f64>() < 0.0;
        if all_inside_out {
            triangles
                .iter_mut()
                .for_each(|triangle| triangle.swap(1, 2));
        }
        let mut closed = Bvh::new(&corners_of(&positions, &triangles));
        let mut winding = WindingTree::new(&closed);

        // A piece that faces inwards is a cavity where there is solid around it, else a mistake.
        let mistaken: Vec<bool> = pieces
            .iter()
            .map(|piece| {
                let faces_inwards = (piece.volume < 0.0) != all_inside_out && piece.volume != 0.0;
                faces_inwards && {
                    let beside = rightmost_corner(&positions, &triangles, piece) + probe * DVec3::X;
                    winding.winding_number(&closed, beside) < 0.5
                }
            })
            .collect();
        if mistaken.contains(&true) {
            for (piece, _) in pieces
                .iter()
                .zip(&mistaken)
                .filter(|(_, mistaken)| **mistaken)
            {
                piece
                    .triangles
                    .iter()
                    .for_each(|&index| triangles[index].swap(1, 2));
            }
            closed = Bvh::new(&corners_of(&positions, &triangles));
            winding = WindingTree::new(&closed);
        }
        // Turning everything and then one piece back leaves that piece as it was.
        let turned = mistaken
            .iter()
            .filter(|&&mistaken| mistaken != all_inside_out)
            .count();
        push_counted(&mut warnings, turned, |count| MeshWarning::InsideOut {
            pieces: count,
            of: pieces.len(),
        });

        let separation = separation(&closed, &winding, size, pieces.len());
        push_counted(&mut warnings, separation.dropped, |count| {
            MeshWarning::Inner { count }
        });
        // A surface that separates nothing is left whole: its distance is at least defined.
        let separating = (separation.dropped > 0 && !separation.kept.is_empty())
            .then(|| Bvh::new(&separation.kept));
        Self {
            closed,
            winding,
            separating,
            warnings,
            mesh: TriangleMesh {
                positions,
                triangles,
                ..TriangleMesh::default()
            },
        }
    }
}

fn push_counted(
    warnings: &mut Vec<MeshWarning>,
    count: usize,
    warning: impl FnOnce(usize) -> MeshWarning,
) {
    if count > 0 {
        warnings.push(warning(count));
    }
}

fn check_vertices(mesh: &TriangleMesh) -> Result<(), MeshFault> {
    if mesh.triangles.is_empty() {
        return Err(MeshFault::NoTriangles);
    }
    let vertices = mesh.positions.len();
    for (face, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(MeshFault::IndexOutOfRange {
                face,
                vertex: i64::from(vertex),
                vertices,
            });
        }
    }
    for (vertex, &position) in mesh.positions.iter().enumerate() {
        if !position.is_finite() {
            return Err(MeshFault::NotFinite { vertex, position });
        }
        if position.abs().max_element() > LARGEST_COORDINATE {
            return Err(MeshFault::TooLarge {
                vertex,
                position,
                limit: LARGEST_COORDINATE,
            });
        }
    }
    Ok(())
}

/// Whether a triangle is no higher than the tolerance over its longest side.
fn is_degenerate(corners: &[Vec3; 3], tolerance: f32) -> bool {
    let longest = side_length(corners, longest_side(corners));
    double_area_vector(corners).length() <= f64::from(tolerance * longest)
}

/// The corners of some triangles.
fn corners_of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<[Vec3; 3]> {
    triangles
        .iter()
        .map(|corners| corners.map(|index| positions[index as usize]))
        .collect()
}

/// Closes all holes, or says why the mesh encloses nothing.
fn close_holes(
    positions: &mut Vec<Vec3>,
    triangles: &mut Vec<[u32; 3]>,
    bounds: &Aabb,
    tolerance: f32,
    warnings: &mut Vec<MeshWarning>,
) -> Result<(), MeshFault> {
    let holes = Holes::find(positions, triangles);
    let open_area: f64 = corners_of(positions, triangles)
        .iter()
        .map(|corners| double_area_vector(corners).length() / 2.0)
        .sum();
    holes.close(positions, triangles);
    let closed_area = open_area + holes.area();

    let volume: f64 = pieces(positions, triangles)
        .iter()
        .map(|piece| piece.volume.abs())
        .sum();
    if volume < FLATTEST * closed_area.powf(1.5) {
        return Err(MeshFault::FlatSheet { area: open_area });
    }
    // Seams are no wider than the tolerance on average.
    let is_seam = |hole: &&Hole| {
        hole.area <= f64::from(tolerance) * f64::from(hole.diameter) * hole.rim.len() as f64
    };
    let seams = holes.holes.iter().filter(is_seam).count();
    push_counted(warnings, seams, |count| MeshWarning::Seams { count });
    let open = || holes.holes.iter().filter(|hole| !is_seam(hole));
    let Some(largest) = open().max_by(|one, other| one.diameter.total_cmp(&other.diameter)) else {
        return Ok(());
    };
    let share = 100.0 * holes.area() / closed_area;
    let limit = LARGEST_HOLE * bounds.extent().length();
    let count = open().count();
    if largest.diameter > limit || share > LARGEST_SHARE {
        return Err(MeshFault::Open {
            boundary_edges: holes.boundary_edges,
            edges: holes.edges,
            holes: count,
            largest: largest.diameter,
            near: largest.centre,
            limit,
            share,
            share_limit: LARGEST_SHARE,
        });
    }
    warnings.push(MeshWarning::Holes {
        count,
        largest: largest.diameter,
        near: largest.centre,
        share,
    });
    Ok(())
}

/// The corner of a piece with the largest x: beyond it the piece ends.
fn rightmost_corner(positions: &[Vec3], triangles: &[[u32; 3]], piece: &Piece) -> DVec3 {
    piece
        .triangles
        .iter()
        .flat_map(|&index| triangles[index])
        .map(|vertex| positions[vertex as usize])
        .fold(Vec3::NEG_INFINITY, |best, place| {
            if place.x > best.x { place } else { best }
        })
        .as_dvec3()
}
