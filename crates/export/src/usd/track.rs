//! Attributes that change from frame to frame.

use std::collections::BTreeMap;
use std::io::{self, Seek, Write};

use glam::Vec3;
use ooze_geometry::Aabb;

use super::crate_file::CrateFile;
use super::tree::{Prim, Property};
use super::value::Value;

/// The samples of an attribute.
struct Track {
    type_name: &'static str,
    /// How values belong to points, where they do not simply have to.
    interpolation: Option<&'static str>,
    times: Vec<f64>,
    values: Vec<Value>,
    any_items: bool,
}

/// The attributes of a prim, by name.
#[derive(Default)]
pub(super) struct Tracks {
    tracks: BTreeMap<String, Track>,
    /// Whether the first values are those for all times.
    still: bool,
}

/// What an attribute is called and holds.
#[derive(Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub(super) name: &'a str,
    pub(super) type_name: &'static str,
    pub(super) interpolation: Option<&'static str>,
}

impl<'a> Attribute<'a> {
    pub(super) fn new(type_name: &'static str, name: &'a str) -> Self {
        Self {
            name,
            type_name,
            interpolation: None,
        }
    }

    /// With a value a vertex or particle.
    pub(super) fn on_vertices(mut self) -> Self {
        self.interpolation = Some("vertex");
        self
    }
}

impl Tracks {
    /// Attributes that never change, of which one sample is added.
    pub(super) fn still() -> Self {
        Self {
            still: true,
            ..Self::default()
        }
    }

    /// Adds a sample of `items` items. An attribute that never has any is left out in the end.
    pub(super) fn push(&mut self, attribute: Attribute, time: f64, items: usize, value: Value) {
        let track = self
            .tracks
            .entry(attribute.name.into())
            .or_insert_with(|| Track {
                type_name: attribute.type_name,
                interpolation: attribute.interpolation,
                times: Vec::new(),
                values: Vec::new(),
                any_items: false,
            });
        track.times.push(time);
        track.values.push(value);
        track.any_items |= items > 0;
    }

    /// Adds a sample of vectors.
    pub(super) fn push_vectors<W: Write + Seek>(
        &mut self,
        file: &mut CrateFile<W>,
        attribute: Attribute,
        time: f64,
        vectors: &[Vec3],
    ) -> io::Result<()> {
        let value = file.vectors(vectors)?;
        self.push(attribute, time, vectors.len(), value);
        Ok(())
    }

    /// Adds the box around some points, grown by a margin.
    pub(super) fn push_extent<W: Write + Seek>(
        &mut self,
        file: &mut CrateFile<W>,
        time: f64,
        points: &[Vec3],
        margin: f32,
    ) -> io::Result<()> {
        let bounds = Aabb::from_points(points.iter().copied()).dilated(margin);
        // Nothing has the box that OpenUSD computes for it: inside out, but finite.
        let corners = [bounds.lower, bounds.upper]
            .map(|corner| corner.clamp(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX)));
        self.push_vectors(file, Attribute::new("float3[]", "extent"), time, &corners)
    }

    /// Whether there is a sample of that attribute with items.
    pub(super) fn has(&self, name: &str) -> bool {
        self.tracks.get(name).is_some_and(|track| track.any_items)
    }

    /// Hands all attributes to their prim. Points are always there, if only to say that there are none.
    pub(super) fn give<W: Write + Seek>(
        self,
        file: &mut CrateFile<W>,
        prim: &mut Prim,
    ) -> io::Result<()> {
        const ALWAYS: [&str; 3] = ["points", "faceVertexCounts", "faceVertexIndices"];
        for (name, track) in self.tracks {
            if !track.any_items && !ALWAYS.contains(&name.as_str()) {
                continue;
            }
            let mut property = Property::attribute(file, track.type_name, &name);
            property = match track.values.as_slice() {
                [only] if self.still => property.value(*only),
                values => {
                    let times = file.doubles(&track.times)?;
                    property.samples(file.time_samples(times, values)?)
                }
            };
            if let Some(interpolation) = track.interpolation {
                property = property.field("interpolation", file.token(interpolation));
            }
            prim.push(property);
        }
        Ok(())
    }
}
