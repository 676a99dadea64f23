//! Pockets of air between the samples of a flat liquid. In space a pocket is a piece of the mesh of its own; in a slab it
//! is a hole in the lids, and has to be filled before the mesh is made.

use glam::IVec3;

use crate::samples::Samples;

/// What filling pockets comes to.
pub(super) struct Filled {
    /// Values in which they are filled; nothing if there are none.
    values: Option<Vec<f32>>,
    /// Number of pockets.
    pub(super) pockets: usize,
}

impl Filled {
    /// Samples with their pockets filled.
    pub(super) fn of<'a>(&'a self, samples: Samples<'a>) -> Samples<'a> {
        Samples {
            values: self.values.as_deref().unwrap_or(samples.values),
            ..samples
        }
    }
}

/// Fills pockets of fewer than `largest` samples outside the liquid.
pub(super) fn fill_pockets(samples: &Samples, largest: f32) -> Filled {
    let tiles = samples.tiles;
    let count = tiles.tile_samples();
    let is_air: Vec<bool> = samples
        .values
        .iter()
        .map(|&value| !samples.inside(value))
        .collect();
    // Air holds together across faces only, as it does in marching squares.
    let mut seen = vec![false; is_air.len()];
    let mut filled = Vec::new();
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
            filled.extend_from_slice(&pocket);
        }
    }
    let values = (pockets > 0).then(|| {
        let mut values = samples.values.to_vec();
        for sample in filled {
            values[sample] = f32::NEG_INFINITY;
        }
        values
    });
    Filled { values, pockets }
}
