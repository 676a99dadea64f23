//! Refusing input that no picture can be made of.

use glam::Vec3;

use super::{Object, Particles, World};
use ooze_staging::require;

use crate::error::RenderError;

impl World {
    pub(crate) fn check(&self) -> Result<(), RenderError> {
        self.stage.check()?;
        self.lights.check()?;
        require(
            self.contact_gap >= 0.0 && self.contact_gap.is_finite(),
            "contact_gap",
            self.contact_gap,
            "zero or positive (metres)",
        )?;
        self.objects.iter().try_for_each(Object::check)?;
        self.particles.iter().try_for_each(Particles::check)
    }
}

impl Object {
    fn check(&self) -> Result<(), RenderError> {
        let mesh = &*self.mesh;
        let vertices = mesh.positions.len();
        self.look.check(&format!("{}.look", self.name))?;
        check_values(&self.name, "position", &mesh.positions, |value| {
            value.is_finite()
        })?;
        check_attribute(&self.name, "normal", &mesh.normals, vertices, |value| {
            value.is_finite()
        })?;
        check_attribute(
            &self.name,
            "velocity",
            &mesh.velocities,
            vertices,
            |value| value.is_finite(),
        )?;
        check_attribute(&self.name, "colour", &mesh.colours, vertices, |value| {
            value.is_finite()
        })?;
        check_attribute(
            &self.name,
            "temperature",
            &mesh.temperatures,
            vertices,
            |value| value.is_finite(),
        )?;
        for layer in &mesh.rest_positions {
            check_attribute(
                &self.name,
                "texture coordinates",
                layer,
                vertices,
                |value| value.is_finite(),
            )?;
        }
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|vertex| **vertex as usize >= vertices) {
                return Err(RenderError::VertexIndex {
                    object: self.name.clone(),
                    triangle,
                    vertex,
                    vertices,
                });
            }
        }
        Ok(())
    }
}

impl Particles {
    fn check(&self) -> Result<(), RenderError> {
        self.look.check(&format!("{}.look", self.name))?;
        require(
            self.radius > 0.0 && self.radius.is_finite(),
            &format!("{}.radius", self.name),
            self.radius,
            "positive (metres)",
        )?;
        check_values(&self.name, "position", &self.positions, |value: &Vec3| {
            value.is_finite()
        })?;
        check_attribute(
            &self.name,
            "colour",
            &self.colours,
            self.positions.len(),
            |value| value.is_finite(),
        )?;
        check_attribute(
            &self.name,
            "temperature",
            &self.temperatures,
            self.positions.len(),
            |value| value.is_finite(),
        )
    }
}

/// Refuses an attribute that is neither empty nor complete, or not finite.
fn check_attribute<T: std::fmt::Debug>(
    object: &str,
    attribute: &'static str,
    values: &[T],
    expected: usize,
    finite: impl Fn(&T) -> bool,
) -> Result<(), RenderError> {
    if !values.is_empty() && values.len() != expected {
        return Err(RenderError::AttributeLength {
            object: object.to_owned(),
            attribute,
            expected,
            found: values.len(),
        });
    }
    check_values(object, attribute, values, finite)
}

fn check_values<T: std::fmt::Debug>(
    object: &str,
    attribute: &'static str,
    values: &[T],
    finite: impl Fn(&T) -> bool,
) -> Result<(), RenderError> {
    match values.iter().position(|value| !finite(value)) {
        None => Ok(()),
        Some(index) => Err(RenderError::NotFinite {
            object: object.to_owned(),
            attribute,
            index,
            value: format!("{:?}", values[index]),
        }),
    }
}
