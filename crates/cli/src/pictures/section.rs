//! Flat scenes as a section through something deep: their slab, a cell thick in the simulation, is drawn as deep as a narrow
//! tank, so that its faces and edges catch light and it throws a shadow.

use glam::Vec3;
use ooze_core::Domain;
use ooze_geometry::{Aabb, TriangleMesh};

/// Depth of the drawn slab, as a share of the scene's longest side.
const DEPTH: f32 = 0.12;

/// How a flat scene is deepened: about the middle of its slab, by a factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    middle: f32,
    factor: f32,
    /// Where the slab is cut open towards whoever looks at it.
    front: f32,
}

impl Section {
    /// That of a scene whose pictures show `bounds`; none where it is not flat, or deep enough already.
    pub(super) fn of(domain: &Domain, bounds: &Aabb) -> Option<Self> {
        let (lower, upper) = (domain.lower.z, domain.upper().z);
        let factor = DEPTH * bounds.extent().max_element() / (upper - lower);
        (domain.flat && factor > 1.0).then_some(Self {
            middle: 0.5 * (lower + upper),
            factor,
            front: upper,
        })
    }

    fn depth(&self, z: f32) -> f32 {
        self.middle + (z - self.middle) * self.factor
    }

    /// Moves a mesh's vertices away from the middle of the slab, and tilts its normals as that demands.
    pub(super) fn deepen(&self, mesh: &mut TriangleMesh) {
        for position in &mut mesh.positions {
            position.z = self.depth(position.z);
        }
        for normal in &mut mesh.normals {
            normal.z /= self.factor;
            *normal = normal.normalize_or_zero();
        }
    }

    /// Puts points on the face of the drawn slab, where they are seen whatever the slab is made of.
    pub(super) fn bring_forward(&self, points: &mut [Vec3]) {
        for point in points {
            point.z = self.depth(self.front);
        }
    }

    /// A box that is deeper by as much.
    pub(super) fn deepened(&self, mut bounds: Aabb) -> Aabb {
        bounds.lower.z = self.depth(bounds.lower.z);
        bounds.upper.z = self.depth(bounds.upper.z);
        bounds
    }
}

#[cfg(test)]
mod tests {
    use ooze_geometry::generate::cuboid;
    use ooze_scene::{Scene, builtin};

    use super::*;

    #[test]
    fn flat_scenes_are_drawn_deep_and_others_as_they_are() {
        let section = |name: &str| {
            let text = builtin::find(name).expect("a built-in scene").text;
            let domain = Scene::parse(text, name, "").expect("sound").setup.domain;
            let bounds = Aabb::new(domain.lower, domain.upper());
            (Section::of(&domain, &bounds), bounds)
        };
        assert!(section("honey").0.is_none());
        let (flat, bounds) = section("cream-in-coffee");
        let flat = flat.expect("flat");
        let mut slab = cuboid(bounds.centre(), 0.5 * bounds.extent());
        slab.normals = slab.positions.iter().map(|_| Vec3::Z).collect();
        flat.deepen(&mut slab);
        let mut points = [bounds.centre()];
        flat.bring_forward(&mut points);
        assert_eq!(points[0].z, slab.bounds().upper.z);
        let depth = slab.bounds().extent().z;
        assert!((depth / bounds.extent().max_element() - DEPTH).abs() < 1e-4);
        assert_eq!(slab.bounds(), flat.deepened(bounds));
        assert!(
            slab.normals
                .iter()
                .all(|normal| (normal.z - 1.0).abs() < 1e-6)
        );
    }
}
