//! Points for tests, reproducible and without a dependency.

use glam::Vec3;
use ooze_geometry::Aabb;

/// A small generator of reproducible numbers (Steele, Lea & Flood 2014, SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// A point of a box.
    pub(crate) fn point(&mut self, bounds: Aabb) -> Vec3 {
        bounds.lower + bounds.extent() * Vec3::new(self.unit(), self.unit(), self.unit())
    }

    /// A unit vector.
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let candidate = self.point(Aabb::new(-Vec3::ONE, Vec3::ONE));
            if (0.01..1.0).contains(&candidate.length()) {
                return candidate.normalize();
            }
        }
    }
}
