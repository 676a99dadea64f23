//! Space, time and memory.

use glam::{DVec3, IVec3, Vec3};
use ooze_core::{Domain, Side};

use super::Checker;
use crate::file::{ContactWord, DomainKeys, SceneKeys, SideKeys, TimeKeys};
use crate::place::{Place, Placed};
use crate::prediction::{self, Prediction};
use crate::{Problem, TimeSettings};

/// Cells along the longest side when the scene does not say.
const DEFAULT_CELLS: u64 = 64;
/// A solver needs some cells along every axis.
const FEWEST_CELLS: f64 = 4.0;
/// Seconds of animation when the scene does not say.
const DEFAULT_DURATION: f64 = 3.0;
/// Tiles are numbered by 32 bits, with room to spare.
const MOST_TILES: f64 = (1u64 << 30) as f64;
/// Coordinates further than this many cells from the origin lose their fractions in single precision.
const FURTHEST_CELLS: f64 = (1u64 << 20) as f64;

impl Checker {
    pub(super) fn domain(&mut self, keys: Option<&Placed<DomainKeys>>) -> Option<Domain> {
        let keys = keys?;
        let flat = keys.flat.value;
        if flat {
            self.flat = Some(keys.flat.place.clone());
        }
        let sides = self.sides(keys);
        let axes = if flat {
            &["x", "y"][..]
        } else {
            &["x", "y", "z"]
        };
        let size = keys.size.value.as_dvec3();
        let empty: Vec<&str> = (0..axes.len())
            .filter(|&axis| size[axis] <= 0.0)
            .map(|axis| axes[axis])
            .collect();
        if !empty.is_empty() {
            self.error(
                Problem::error(
                    &keys.size.place,
                    format!(
                        "`domain.size` is {}, which is nothing along {}",
                        keys.size.place.text(),
                        empty.join(" and ")
                    ),
                )
                .label("must be above 0 along every axis")
                .help("a scene in two dimensions says `flat = true`"),
            );
            return None;
        }
        let longest = axes
            .iter()
            .enumerate()
            .map(|(axis, _)| size[axis])
            .fold(0.0, f64::max);
        let cell_size = match (&keys.cells, &keys.cell_size) {
            (Some(cells), Some(cell_size)) => {
                self.clash(&cells.place, &cell_size.place, "give one of them");
                return None;
            }
            (_, Some(cell_size)) => cell_size.value,
            (cells, None) => {
                longest / cells.as_ref().map_or(DEFAULT_CELLS, |cells| cells.value) as f64
            }
        };
        self.needs.cell_size = cell_size as f32;
        let mut cells = (size / cell_size).round().max(DVec3::ONE);
        let mut lower = keys.lower.value;
        if flat {
            cells.z = 1.0;
            lower.z = -0.5 * cell_size as f32;
        }
        self.enough_cells(keys, cells, cell_size, axes)?;
        self.near_origin(keys, lower, cell_size)?;
        Some(Domain {
            lower,
            cell_size: cell_size as f32,
            cells: cells.as_ivec3().max(IVec3::ONE),
            flat,
            sides,
        })
    }

    /// Refuses domains that are too thin to compute in, or so large that not even the table of their tiles would fit.
    fn enough_cells(
        &mut self,
        keys: &DomainKeys,
        cells: DVec3,
        cell_size: f64,
        axes: &[&str],
    ) -> Option<()> {
        for (axis, name) in axes.iter().enumerate() {
            if cells[axis] < FEWEST_CELLS {
                self.error(
                    Problem::error(
                        &keys.size.place,
                        format!(
                            "`domain.size` is {} m along {name}, {} cells of {} m, but at least {FEWEST_CELLS} are needed",
                            keys.size.value[axis], cells[axis], cell_size as f32
                        ),
                    )
                    .help("use smaller cells, or `flat = true` for a scene in two dimensions"),
                );
                return None;
            }
        }
        let flat = keys.flat.value;
        let (tiles, table) = (
            prediction::tiles(cells, flat),
            prediction::table_bytes(cells, flat),
        );
        let limit = prediction::memory_limit() as f64;
        if tiles <= MOST_TILES && table <= limit {
            return Some(());
        }
        let help = if tiles > MOST_TILES {
            "more than a billion tiles of 8 cells a side cannot be numbered".into()
        } else {
            format!("this machine has {}", prediction::bytes(limit))
        };
        self.error(
            Problem::error(
                resolution_place(keys),
                format!(
                    "the domain would have {:.1e} cells: {} of memory for the table of its tiles alone, without any liquid",
                    cells.element_product(),
                    prediction::bytes(table)
                ),
            )
            .help(format!("{help}; use larger cells or a smaller `domain.size`")),
        );
        None
    }

    /// Refuses domains where coordinates in single precision cannot tell cells apart.
    fn near_origin(&mut self, keys: &DomainKeys, lower: Vec3, cell_size: f64) -> Option<()> {
        let upper = lower + keys.size.value;
        let furthest = f64::from(lower.abs().max(upper.abs()).max_element());
        if furthest / cell_size <= FURTHEST_CELLS {
            return Some(());
        }
        self.error(
            Problem::error(
                &keys.lower.place,
                format!(
                    "`domain.lower` puts the domain {furthest} m from the origin, too far for cells of {} m: at most {} m",
                    cell_size as f32,
                    FURTHEST_CELLS * cell_size
                ),
            )
            .help("move the scene near the origin"),
        );
        None
    }

    fn sides(&mut self, keys: &DomainKeys) -> [[Side; 2]; 3] {
        let sides = &keys.sides;
        [
            [&sides.left, &sides.right],
            [&sides.bottom, &sides.top],
            [&sides.back, &sides.front],
        ]
        .map(|pair| pair.map(|side| self.side(side.as_ref(), &keys.contact)))
    }

    fn side(&mut self, side: Option<&Placed<SideKeys>>, usual: &Placed<ContactWord>) -> Side {
        match side.map(|side| &side.value) {
            None => Side::Closed(self.contact(usual, None, None)),
            Some(SideKeys::Open(_)) => Side::Open,
            Some(SideKeys::Closed(wall)) => {
                let contact = wall.contact.as_ref().unwrap_or(usual);
                let heat = self.wall_heat(wall.temperature.as_ref(), wall.heat_transfer.as_ref());
                Side::Closed(self.contact(contact, Some(&wall.friction), heat))
            }
        }
    }

    pub(super) fn time(&mut self, keys: &TimeKeys) -> TimeSettings {
        let frame_rate = keys.frame_rate.value;
        if let (Some(duration), Some(frames)) = (&keys.duration, &keys.frames) {
            self.clash(&duration.place, &frames.place, "give one of them");
        }
        let duration = keys.duration.as_ref();
        let seconds = duration.map_or(DEFAULT_DURATION, |duration| duration.value);
        let from_duration = (seconds * frame_rate).round().max(1.0);
        if let Some(duration) = duration
            && from_duration > 1e6
        {
            self.error(Problem::error(
                &duration.place,
                format!("`time.duration` is {seconds} s, {from_duration} frames at {frame_rate} a second, but must be at most 1000000 frames"),
            ));
        }
        TimeSettings {
            frame_rate,
            frames: keys
                .frames
                .as_ref()
                .map_or(from_duration as u32, |frames| frames.value as u32),
            max_substeps: keys.max_substeps.value as u32,
        }
    }

    /// Refuses scenes that would not fit the machine by any means.
    pub(super) fn within_memory(
        &mut self,
        keys: &SceneKeys,
        prediction: &Prediction,
    ) -> Option<()> {
        let limit = prediction::memory_limit();
        if prediction.memory_bytes / Prediction::DOUBT <= limit {
            return Some(());
        }
        let domain = keys.domain.as_ref()?;
        self.error(
            Problem::error(
                resolution_place(domain),
                format!(
                    "the scene would need {} of memory for {} particles in {} cells",
                    prediction::bytes(prediction.memory_bytes as f64),
                    prediction.most_particles,
                    prediction.cells
                ),
            )
            .help(format!(
                "this machine has {}; use larger cells or less liquid",
                prediction::bytes(limit as f64)
            )),
        );
        None
    }
}

/// Where the number of cells is decided.
fn resolution_place(keys: &DomainKeys) -> &Place {
    match (&keys.cells, &keys.cell_size) {
        (Some(cells), _) => &cells.place,
        (_, Some(cell_size)) => &cell_size.place,
        _ => &keys.size.place,
    }
}
