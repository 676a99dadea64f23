//! Shapes: from keys to signed distances.

use std::path::Path;
use std::sync::Arc;

use glam::{Quat, Vec3};
use ooze_geometry::{MeshDistance, Pose, Shape, ShapeError, read_mesh};

use super::Checker;
use crate::Problem;
use crate::file::{BoxKeys, MeshKeys, RotationKeys, ShapeKeys};
use crate::place::{Place, Placed};

/// Cells between the samples of a mesh's distance: features that the grid can see are kept.
const SAMPLE_CELLS: f32 = 0.5;
/// Cells from a mesh's surface up to which its distance is resolved; walls matter to liquid that is near.
const BAND_CELLS: f32 = 4.0;

/// What a shape must resolve, in its own scale.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// Edge length of a cell.
    pub cell_size: f32,
    /// How deep below its surface it is hollowed out.
    pub depth: f32,
}

impl Needs {
    /// The same for a shape that will be scaled.
    pub(super) fn inside_scale(self, scale: f32) -> Self {
        Self {
            cell_size: self.cell_size / scale,
            depth: self.depth / scale,
        }
    }
}

impl Checker {
    /// The shape that keys describe; what is wrong with it is noted.
    pub(super) fn shape(&mut self, keys: &ShapeKeys, place: &Place) -> Option<Shape> {
        let made = match keys {
            ShapeKeys::Box(keys) => {
                let (centre, half_extents) = self.box_extents(keys, place)?;
                Shape::cuboid(centre, half_extents)
            }
            ShapeKeys::RoundedBox(keys) => {
                let most = 0.5 * keys.size.min_element();
                if keys.radius.value as f32 > most {
                    return self.refuse(
                        &keys.radius.place,
                        &format!("at most half of the shortest side, {most} m"),
                    );
                }
                Shape::rounded_cuboid(
                    keys.centre.value,
                    0.5 * keys.size.value,
                    keys.radius.value as f32,
                )
            }
            ShapeKeys::Sphere(keys) => Shape::sphere(keys.centre.value, keys.radius.value as f32),
            ShapeKeys::Ellipsoid(keys) => Shape::ellipsoid(keys.centre.value, keys.radii.value),
            ShapeKeys::Capsule(keys) => {
                self.two_ends(&keys.from, &keys.to)?;
                Shape::capsule(keys.from.value, keys.to.value, keys.radius.value as f32)
            }
            ShapeKeys::Cylinder(keys) => {
                self.two_ends(&keys.from, &keys.to)?;
                Shape::cylinder(keys.from.value, keys.to.value, keys.radius.value as f32)
            }
            ShapeKeys::Cone(keys) => {
                self.two_ends(&keys.from, &keys.to)?;
                let [from, to] = [&keys.from_radius, &keys.to_radius];
                if from.value == 0.0 && to.value == 0.0 {
                    self.clash(&from.place, &to.place, "one of them must be above 0");
                    return None;
                }
                Shape::cone(
                    keys.from.value,
                    keys.to.value,
                    from.value as f32,
                    to.value as f32,
                )
            }
            ShapeKeys::Torus(keys) => {
                let [major, minor] = [&keys.major_radius, &keys.minor_radius];
                if minor.value as f32 >= major.value as f32 {
                    return self.refuse(
                        &minor.place,
                        &format!("below `major_radius`, {} m", major.value),
                    );
                }
                Shape::torus(
                    keys.centre.value,
                    keys.axis.value,
                    major.value as f32,
                    minor.value as f32,
                )
            }
            ShapeKeys::HalfSpace(keys) => Shape::half_space(keys.point.value, keys.normal.value),
            ShapeKeys::Mesh(keys) => return self.mesh(keys, place),
            ShapeKeys::Union(shapes) => Shape::union(self.shapes(shapes)?),
            ShapeKeys::Intersection(shapes) => Shape::intersection(self.shapes(shapes)?),
            ShapeKeys::Difference(keys) => {
                let from = self.shape(&keys.from, &keys.from.place);
                let subtracted = self.shapes(&keys.subtract);
                Shape::difference(from?, subtracted?)
            }
            ShapeKeys::SmoothUnion(keys) => {
                Shape::smooth_union(self.shapes(&keys.shapes)?, keys.radius.value as f32)
            }
            ShapeKeys::Shell(keys) => {
                let side = keys.side.value;
                let outside = self.needs;
                self.needs.depth += keys.thickness.value as f32;
                let solid = self.shape(&keys.of, &keys.of.place);
                self.needs = outside;
                let solid = solid?;
                let thickness = &keys.thickness;
                // The thickness is the only thing that can be wrong with a shell.
                return match solid.shell(thickness.value as f32, side) {
                    Ok(shell) => Some(shell),
                    Err(error) => self.refuse(&thickness.place, &error.allowed),
                };
            }
            ShapeKeys::Transform(keys) => {
                let pose = Pose {
                    translation: keys.position.value,
                    rotation: self.rotation(keys.rotation.as_ref()),
                    scale: keys.scale.value as f32,
                };
                let outside = (self.needs, self.whereabouts.clone());
                self.needs = outside.0.inside_scale(pose.scale);
                self.whereabouts = outside.1.as_ref().map(|outside| outside.within(&pose));
                let inner = self.shape(&keys.of, &keys.of.place);
                (self.needs, self.whereabouts) = outside;
                inner?.transformed(pose.translation, pose.rotation, pose.scale)
            }
        };
        self.made(made, place)
    }

    /// The shapes of a list, if all of them are good.
    fn shapes(&mut self, list: &[Placed<ShapeKeys>]) -> Option<Vec<Shape>> {
        let shapes: Vec<Option<Shape>> = list
            .iter()
            .map(|keys| self.shape(keys, &keys.place))
            .collect();
        shapes.into_iter().collect()
    }

    /// Notes what a constructor of a shape refused.
    fn made(&mut self, made: Result<Shape, ShapeError>, place: &Place) -> Option<Shape> {
        made.map_err(|error| {
            let message = format!(
                "`{}` is no {}: {} is {}, but must be {}",
                place.key, error.shape, error.parameter, error.value, error.allowed
            );
            self.error(Problem::error(place, message));
        })
        .ok()
    }

    fn refuse<T>(&mut self, place: &Place, allowed: &str) -> Option<T> {
        let message = format!("`{}` is {}, but must be {allowed}", place.key, place.text());
        self.error(Problem::error(place, message).label(format!("must be {allowed}")));
        None
    }

    fn two_ends(&mut self, from: &Placed<Vec3>, to: &Placed<Vec3>) -> Option<()> {
        if from.value.distance(to.value) > 1e-6 {
            return Some(());
        }
        self.clash(&from.place, &to.place, "they are the same point");
        None
    }

    /// Centre and half extents from either pair of keys.
    fn box_extents(&mut self, keys: &BoxKeys, place: &Place) -> Option<(Vec3, Vec3)> {
        match (&keys.centre, &keys.size, &keys.lower, &keys.upper) {
            (Some(centre), Some(size), None, None) => Some((centre.value, 0.5 * size.value)),
            (None, None, Some(lower), Some(upper)) => {
                let size = upper.value - lower.value;
                if size.min_element() <= 0.0 {
                    let message = format!(
                        "`{}` is {}, but must be larger than `lower`, {}, along every axis",
                        upper.place.key,
                        upper.place.text(),
                        lower.place.text()
                    );
                    self.error(Problem::error(&upper.place, message).and(&lower.place));
                    return None;
                }
                Some((lower.value + 0.5 * size, 0.5 * size))
            }
            _ => {
                let message = format!(
                    "`{}` is a box, which must have either `centre` and `size` or `lower` and `upper`",
                    place.key
                );
                self.error(Problem::error(place, message));
                None
            }
        }
    }

    /// A turn; in flat scenes only about z.
    pub(super) fn rotation(&mut self, keys: Option<&Placed<RotationKeys>>) -> Quat {
        let Some(keys) = keys else {
            return Quat::IDENTITY;
        };
        self.axis_across_plane(&keys.axis);
        Quat::from_axis_angle(
            keys.axis.normalize(),
            (keys.angle.value as f32).to_radians(),
        )
    }

    fn mesh(&mut self, keys: &MeshKeys, place: &Place) -> Option<Shape> {
        let path = self.base_folder.join(Path::new(&keys.file.value));
        let exact = match self.meshes.get(&path) {
            Some(known) => known.clone()?,
            None => {
                let read = read_mesh(&path).and_then(|mesh| MeshDistance::new(&mesh));
                let read = match read {
                    Ok(mesh) => Some(Arc::new(mesh)),
                    Err(error) => {
                        let file = path.display();
                        self.error(Problem::error(
                            &keys.file.place,
                            format!(
                                "`{}`: the mesh {file} cannot be used: {}",
                                keys.file.place.key, error.fault
                            ),
                        ));
                        None
                    }
                };
                self.meshes.insert(path, read.clone());
                let read = read?;
                for warning in read.warnings() {
                    let message = format!("the mesh {}: {warning}", keys.file.value);
                    self.warnings
                        .push(Problem::warning(&keys.file.place, message));
                }
                read
            }
        };
        let pose = Pose {
            translation: keys.position.value,
            rotation: self.rotation(keys.rotation.as_ref()),
            scale: keys.scale.value as f32,
        };
        self.look_at_mesh(keys, exact.bounds(), pose)?;
        let Needs { cell_size, depth } = self.needs.inside_scale(pose.scale);
        let band = (BAND_CELLS * cell_size).max(1.1 * depth);
        let sampled = match exact.baked(SAMPLE_CELLS * cell_size, band) {
            Ok(baked) => Arc::new(baked),
            Err(error) => {
                let message = format!(
                    "`{}`: the mesh {} cannot be sampled: {}",
                    keys.file.place.key, keys.file.value, error.fault
                );
                self.error(Problem::error(&keys.file.place, message));
                return None;
            }
        };
        let shape = Shape::mesh(sampled).transformed(pose.translation, pose.rotation, pose.scale);
        self.made(shape, place)
    }
}
