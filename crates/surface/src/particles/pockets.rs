//! Pockets of air between the samples of a flat liquid. In space a pocket is a piece of the mesh of its own; in a slab it
//! is a hole in the lids, and has to be filled before the mesh is made.

use glam::IVec3;

use crate::samples::Samples;

/// Values in which pockets of fewer than `largest` samples outside the liquid are filled, and the number of pockets. Nothing
/// if there are none.
pub(super) fn fill_pockets(samples: &Samples, largest: f32) -> Option<(Vec<f32>, usize)> {
    let tiles = samples.tiles;
    let count = tiles.tile_samples();
    let is_air: Vec<bool> = samples
        .values
        .iter()
        .map(|&value| !samples.inside(value))
        .collect();
    // Air holds together across faces only, as it does in marching squares.
    let mut seen = vec![false; is_air.len()];
    let mut filled = samples.values.to_vec();
    let mut pockets = 0;
    let mut pocket = Vec::new();
    for first in 0..is_air.len() {
        if !is_air[first] || seen[first] {
            continue;
        }
        pocket.clear();
        pocket.push(first);
        seen[first] = true;
        let mut open = false;
        let mut next = 0;
        while let Some(&sample) = pocket.get(next) {
            next += 1;
            let (slot, local) = (sample / count, (sample % count) as i32);
            let place = IVec3::new(local & 7, local >> 3, 0);
            for step in [IVec3::X, IVec3::NEG_X, IVec3::Y, IVec3::NEG_Y] {
                match tiles.find(slot, place + step) {
                    Some((slot, local)) => {
                        let neighbour = slot * count + local;
                        if is_air[neighbour] && !seen[neighbour] {
                            seen[neighbour] = true;
                            pocket.push(neighbour);
                        }
                    }
                    // The room outside the tiles is air.
                    None => open = true,
                }
            }
        }
        if !open && (pocket.len() as f32) < largest {
            pockets += 1;
            for &sample in &pocket {
                filled[sample] = f32::NEG_INFINITY;
            }
        }
    }
    (pockets > 0).then_some((filled, pockets))
}
