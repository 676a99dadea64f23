//! Solids of the same shape and look, as one prim that places a mesh many times.

use std::collections::BTreeMap;
use std::io::{self, Seek, Write};

use glam::{Quat, Vec3};
use ooze_geometry::{Pose, Twist};

use super::crate_file::CrateFile;
use super::geometry;
use super::stage::StageCollider;
use super::track::{Attribute, Tracks};
use super::tree::{Prim, Property};

/// From so many solids on, one prim is better than one each.
const LEAST: usize = 8;

/// Solids that are copies of one of them.
pub(super) struct Alike {
    /// Their places among the colliders, the one that they are copies of first.
    pub(super) members: Vec<usize>,
}

/// The solids of which there are enough alike.
pub(super) fn find(colliders: &[StageCollider]) -> Vec<Alike> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, collider) in colliders.iter().enumerate() {
        let first = collider.copy_of.map_or(index, |(first, _)| first);
        groups.entry(first).or_default().push(index);
    }
    let groups = groups.into_values().map(|members| Alike { members });
    groups
        .filter(|alike| alike.members.len() >= LEAST)
        .collect()
}

/// Where a solid is at a time, and how it moves.
pub(super) type State = (Pose, Twist);

impl Alike {
    /// The prim that shows them: the mesh below it once, and where its copies are at each time.
    pub(super) fn prim<W: Write + Seek>(
        &self,
        file: &mut CrateFile<W>,
        (place, name): (&str, &str),
        colliders: &[StageCollider],
        (times, states): (&[f64], &[&[State]]),
        material: &str,
    ) -> io::Result<Prim> {
        const PROTOTYPE: &str = "prototype";
        let first = &colliders[self.members[0]];
        let mut tracks = Tracks::default();
        for (&time, states) in times.iter().zip(states) {
            self.sample(file, &mut tracks, time, colliders, states)?;
        }
        let mut prim = Prim::new(file, "PointInstancer", name);
        let target = file.target(&format!("{place}/{name}/{PROTOTYPE}"))?;
        prim.push(Property::relationship("prototypes", target));
        let names = self.members.iter().map(|&member| &*colliders[member].name);
        let names: Vec<&str> = names.collect();
        let names = file.token_array(&names)?;
        let property = Property::attribute(file, "token[]", "ooze:names");
        prim.push(property.uniform().value(names));
        for (attribute, value) in [
            (
                Attribute::new("int[]", "protoIndices"),
                file.integers(self.members.iter().map(|_| 0))?,
            ),
            (
                Attribute::new("int64[]", "ids"),
                file.identities(&self.numbers(colliders))?,
            ),
        ] {
            let property = Property::attribute(file, attribute.type_name, attribute.name);
            prim.push(property.value(value));
        }
        tracks.give(file, &mut prim)?;
        let mesh = geometry::still_mesh(file, &first.mesh)?;
        let colour = first.look.colour;
        prim.adopt(geometry::mesh_prim(
            file, PROTOTYPE, mesh, colour, material,
        )?);
        Ok(prim)
    }

    /// The places of the members among all solids of the scene.
    fn numbers(&self, colliders: &[StageCollider]) -> Vec<i64> {
        let members = self.members.iter();
        members
            .map(|&member| colliders[member].index as i64)
            .collect()
    }

    fn sample<W: Write + Seek>(
        &self,
        file: &mut CrateFile<W>,
        tracks: &mut Tracks,
        time: f64,
        colliders: &[StageCollider],
        states: &[State],
    ) -> io::Result<()> {
        let placed: Vec<(Pose, Twist)> = self
            .members
            .iter()
            .map(|&member| placed(&colliders[member], states))
            .collect();
        let vectors =
            |of: &dyn Fn(&State) -> Vec3| -> Vec<Vec3> { placed.iter().map(of).collect() };
        for (attribute, vectors) in [
            (
                Attribute::new("point3f[]", "positions"),
                vectors(&|(pose, _)| pose.translation),
            ),
            (
                Attribute::new("float3[]", "scales"),
                vectors(&|(pose, _)| Vec3::splat(pose.scale)),
            ),
            (
                Attribute::new("vector3f[]", "velocities"),
                vectors(&|(pose, twist)| twist.velocity(pose.translation)),
            ),
            (
                Attribute::new("vector3f[]", "angularVelocities"),
                vectors(&|(_, twist)| twist.angular * 1f32.to_degrees()),
            ),
        ] {
            tracks.push_vectors(file, attribute, time, &vectors)?;
        }
        let turns: Vec<Quat> = placed.iter().map(|(pose, _)| pose.rotation).collect();
        let [half, whole] = file.orientations(&turns)?;
        // Every reader knows the first; the second, which is exact, takes its place for those that know it.
        for (attribute, value) in [
            (Attribute::new("quath[]", "orientations"), half),
            (Attribute::new("quatf[]", "orientationsf"), whole),
        ] {
            tracks.push(attribute, time, turns.len(), value);
        }
        let bounds = colliders[self.members[0]].mesh.bounds();
        let corners: Vec<Vec3> = placed
            .iter()
            .flat_map(|(pose, _)| bounds.corners().map(|corner| pose.to_world(corner)))
            .collect();
        tracks.push_extent(file, time, &corners, 0.0)
    }
}

/// Where the prototype is as a collider, whose own frame may be another.
fn placed(collider: &StageCollider, states: &[State]) -> State {
    let (pose, twist) = states[collider.index];
    let shift = collider.copy_of.map_or(Vec3::ZERO, |(_, shift)| shift);
    let translation = pose.to_world(shift);
    (
        Pose {
            translation,
            ..pose
        },
        twist,
    )
}
