//! Particles to make surfaces of, the same in every run: spacing one metre, each moved at random by up to a quarter of it.

use glam::{IVec3, Vec3};

/// A reproducible number from 0 to 1.
fn random(stream: u32, key: u32) -> f32 {
    let mut state = key.wrapping_mul(0x9e37_79b9) ^ stream.wrapping_mul(0x85eb_ca6b);
    for _ in 0..2 {
        state = (state ^ (state >> 15)).wrapping_mul(0x2c1b_3c6d);
    }
    (state ^ (state >> 13)) as f32 / u32::MAX as f32
}

/// The first `count` particles of a cube of 47³, layer by layer: a pool, most of it inside.
pub fn cube(count: i32) -> Vec<Vec3> {
    const SIDE: i32 = 47;
    (0..count)
        .map(|key| {
            let place = IVec3::new(key % SIDE, key / SIDE % SIDE, key / (SIDE * SIDE));
            let jitter = [0, 1, 2].map(|axis| 0.5 * random(axis, key as u32) - 0.25);
            place.as_vec3() + Vec3::from(jitter)
        })
        .collect()
}

/// The same particles torn into sheets, strands and droplets: nearly all of them on the surface.
pub fn splash(count: i32) -> Vec<Vec3> {
    cube(count)
        .into_iter()
        .map(|point| {
            let layer = (point.z / 3.0).floor();
            let row = (point.y / 8.0).floor();
            point + Vec3::new(0.0, 5.0 * row, 6.0 * layer)
        })
        .collect()
}
