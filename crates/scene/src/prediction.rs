//! What a scene will cost, before anything is computed.

use glam::{DVec3, Vec3};
use ooze_geometry::{Aabb, Pose};

use crate::check::{Parts, Samples, solid_at};

/// What a scene will cost, roughly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Cells of the whole domain. Those without liquid cost next to nothing.
    pub cells: u64,
    /// Tiles of cells that hold liquid at the start, or are near to it.
    pub tiles: u64,
    /// Particles at the start.
    pub particles: u64,
    /// Most particles at any time, with what emitters add.
    pub most_particles: u64,
    /// Memory at the most, in bytes; right within a factor of [`Prediction::DOUBT`].
    pub memory_bytes: u64,
}

impl Prediction {
    /// How many times more or less memory a scene may need than was predicted, which knows nothing of how its liquid will
    /// spread: what is far below a limit fits, what is far beyond does not, and what is near must be tried.
    pub const DOUBT: u64 = 4;
}

/// Cells along an edge of a tile.
const TILE_EDGE: f64 = 8.0;
/// Bytes of a program that does nothing yet.
const BASE_BYTES: f64 = 12.0 * 1024.0 * 1024.0;
/// Values that a liquid keeps for a cell of its tiles, in all fields and solvers together, as measured on the built-in
/// scenes.
const VALUES_PER_CELL: f64 = 128.0;
/// Bytes of a particle's state and of what is sorted and sent around with it.
const BYTES_PER_PARTICLE: f64 = 160.0;
/// Bytes of an entry of the table of tiles, with what is built beside it.
const BYTES_PER_TABLE_ENTRY: f64 = 6.0;
/// Cells around the liquid that tiles must cover.
const MARGIN_CELLS: f32 = 4.0;
/// Samples along each side of a region.
const SAMPLES: u32 = 40;
/// Memory that a machine is taken to have if it does not say.
const USUAL_MEMORY: u64 = 16 << 30;

/// Tiles of a whole domain, with one beyond on every side.
pub(crate) fn tiles(cells: DVec3, flat: bool) -> f64 {
    let mut tiles = (cells / TILE_EDGE).ceil() + 2.0;
    if flat {
        tiles.z = 1.0;
    }
    tiles.element_product()
}

/// Bytes of the table that finds the tiles.
pub(crate) fn table_bytes(cells: DVec3, flat: bool) -> f64 {
    tiles(cells, flat) * BYTES_PER_TABLE_ENTRY
}

/// The memory that a scene may need: what the machine has.
pub(crate) fn memory_limit() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes =
        total.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.map_or(USUAL_MEMORY, |kibibytes| kibibytes << 10)
}

/// A number of bytes for people.
pub(crate) fn bytes(count: f64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = count;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if value < 10.0 && unit > 0 {
        format!("{value:.1} {}", units[unit])
    } else {
        format!("{value:.0} {}", units[unit])
    }
}

/// Predicts the cost of a scene.
pub(crate) fn predict(parts: &Parts<'_>) -> Prediction {
    let domain = &parts.setup.domain;
    let flat = domain.flat;
    let dimensions = domain.dimensions() as i32;
    let per_cell = domain.lattice().cell_volume() / parts.method.particle_volume(domain);
    let cell_volume = f64::from(domain.cell_size).powi(dimensions);
    let inside = Aabb::new(domain.lower, domain.upper());
    let poses: Vec<Pose> = parts
        .colliders
        .iter()
        .map(|collider| collider.motion.pose(0.0))
        .collect();

    let mut volume = 0.0;
    let mut tiles_with_liquid = 0.0;
    for (index, liquid) in parts.setup.initial.iter().enumerate() {
        let region = liquid.shape.bounds().intersection(inside);
        let samples = Samples::new(region, SAMPLES, domain.cell_size, flat);
        let earlier = &parts.setup.initial[..index];
        let free = |point: &Vec3| {
            let mut solids = parts.colliders.iter().zip(&poses);
            liquid.shape.contains(*point)
                && !earlier.iter().any(|other| other.shape.contains(*point))
                && !solids.any(|(collider, pose)| solid_at(collider, pose, *point))
        };
        volume += samples.points().filter(free).count() as f64 * samples.cell_volume(flat);

        // Tiles by blocks of at least a tile's size, as far as the liquid and its margin reach into them.
        let tile = TILE_EDGE as f32 * domain.cell_size;
        let blocks = Samples::new(region.dilated(0.5 * tile), SAMPLES, tile, flat);
        let reach = 0.5 * blocks.spacing() + MARGIN_CELLS * domain.cell_size;
        let near = blocks
            .points()
            .filter(|&point| liquid.shape.distance(point) < reach)
            .count();
        tiles_with_liquid +=
            near as f64 * blocks.cell_volume(flat) / f64::from(tile).powi(dimensions);
    }
    let cells = domain.cells.as_dvec3().element_product();
    let most_volume = cells * cell_volume;
    let emitted = emitted_volume(parts);
    let all_tiles = tiles(domain.cells.as_dvec3(), flat);
    let tiles_at_start = tiles_with_liquid.min(all_tiles);
    // What is poured spreads: it takes more tiles than it fills.
    let poured_tiles = 2.0 * emitted / (cell_volume * TILE_EDGE.powi(dimensions));
    let most_tiles = (2.0 * tiles_at_start + poured_tiles).min(all_tiles);
    let particles = volume.min(most_volume) / cell_volume * per_cell;
    let most_particles = (volume + emitted).min(most_volume) / cell_volume * per_cell;
    let tile_bytes = TILE_EDGE.powi(dimensions) * VALUES_PER_CELL * 4.0;
    let memory = BASE_BYTES
        + most_particles * BYTES_PER_PARTICLE
        + most_tiles * tile_bytes
        + table_bytes(domain.cells.as_dvec3(), flat);
    Prediction {
        cells: cells as u64,
        tiles: tiles_at_start as u64,
        particles: particles as u64,
        most_particles: most_particles as u64,
        memory_bytes: memory as u64,
    }
}

/// What all emitters add: cross-section times speed times opening time.
fn emitted_volume(parts: &Parts<'_>) -> f64 {
    let domain = &parts.setup.domain;
    let inside = Aabb::new(domain.lower, domain.upper());
    let volumes = parts.setup.emitters.iter().map(|emitter| {
        let bounds = emitter.shape.bounds().intersection(inside);
        let samples = Samples::new(bounds, SAMPLES, 0.25 * domain.cell_size, domain.flat);
        let filled = samples
            .points()
            .filter(|&point| emitter.shape.contains(point))
            .count();
        let own = filled as f64 * samples.cell_volume(domain.flat);
        let speed = f64::from(emitter.velocity.length());
        let along = emitter
            .velocity
            .normalize_or_zero()
            .abs()
            .dot(bounds.extent());
        let flow = own / f64::from(along).max(1e-9) * speed;
        let open = (emitter.stop.min(parts.time.duration()) - emitter.start).max(0.0);
        own + flow.min(emitter.rate.unwrap_or(f64::INFINITY)) * open
    });
    volumes.sum()
}
