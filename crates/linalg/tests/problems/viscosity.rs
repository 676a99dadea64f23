//! Viscosity problems for tests and benchmarks, after Batty & Bridson 2008 on a staggered grid of unit cells.
//!
//! Volume fractions of cells, faces and edges are all pooled from one grid of octants (half cells), so that they are
//! consistent with one another; octants filled by less than a fiftieth are empty. A strain sample that touches a face
//! without mass is left out: free surfaces carry no traction. Walls are whole cells: faces into them are held at zero,
//! and tangential motion half a cell away from them is strained by 2u (no slip) in half of the edge's volume.

use ooze_linalg::{SymmetricMatrix, UnknownPlace, WeightedRows, normal_matrix};

use super::{Point, Random, sphere, waves};

/// Octants filled by less than this count as empty.
const EMPTY_OCTANT: f64 = 0.02;

/// A viscosity system with its right-hand side.
pub(crate) struct ViscousProblem {
    pub(crate) name: &'static str,
    pub(crate) mass: Vec<f64>,
    pub(crate) rows: WeightedRows,
    pub(crate) places: Vec<UnknownPlace>,
    pub(crate) matrix: SymmetricMatrix,
    pub(crate) rhs: Vec<f64>,
}

/// Geometry of a problem; lengths in cells.
pub(crate) struct ViscousGeometry<'a> {
    pub(crate) name: &'static str,
    /// Cells along each axis; one cell along z makes a slab without motion along z.
    pub(crate) extent: [i32; 3],
    /// Negative in liquid.
    pub(crate) liquid: &'a dyn Fn(Point) -> f64,
    /// Whether a cell is a wall.
    pub(crate) wall: &'a dyn Fn([i32; 3]) -> bool,
    /// ν dt / dx² at a point.
    pub(crate) stiffness: &'a dyn Fn(Point) -> f64,
}

#[derive(Clone, Copy, PartialEq)]
enum FaceKind {
    /// Between two open cells.
    Open,
    /// Between an open cell and a wall: at rest.
    Wall,
    /// Inside a wall: at rest, half a cell behind the wall's surface.
    Buried,
}

struct Lattice<'a> {
    geometry: &'a ViscousGeometry<'a>,
    flat: bool,
    /// Extent with a margin of one cell on every side.
    padded: [i32; 3],
    octant: Vec<f32>,
    /// By axis: unknown of each face, or `u32::MAX`.
    unknown: [Vec<u32>; 3],
}

impl ViscousGeometry<'_> {
    pub(crate) fn build(&self) -> ViscousProblem {
        let flat = self.extent[2] == 1;
        let padded = self.extent.map(|n| n + 2);
        let mut lattice = Lattice {
            geometry: self,
            flat,
            padded,
            octant: Vec::new(),
            unknown: Default::default(),
        };
        lattice.sample();
        let (places, mass) = lattice.number();
        let rows = lattice.strains();
        let matrix = normal_matrix(&mass, &rows).unwrap();
        // Momentum of a fall, a swirl and some noise.
        let size = f64::from(self.extent[0]);
        let mut random = Random::new(7);
        let rhs = places.iter().zip(&mass).map(|(place, mass)| {
            let point = place.cell.map(f64::from);
            let fall = if place.axis == 1 { -1.0 } else { 0.0 };
            let wave = waves(
                [point[1], point[2], point[0]],
                size * (0.4 + 0.1 * f64::from(place.axis)),
            );
            mass * (fall + 0.5 * wave + 0.2 * random.symmetric())
        });
        ViscousProblem {
            name: self.name,
            rhs: rhs.collect(),
            mass,
            rows,
            places,
            matrix,
        }
    }
}

impl ViscousProblem {
    /// Adds bulk viscosity in the cells whose six faces are unknowns.
    pub(crate) fn with_bulk(mut self, stiffness: f64) -> Self {
        let index: std::collections::BTreeMap<UnknownPlace, u32> =
            self.places.iter().copied().zip(0..).collect();
        for place in self.places.iter().filter(|place| place.axis == 0) {
            let faces = (0..3u8).flat_map(|axis| {
                let upper = above(place.cell, usize::from(axis));
                [(place.cell, axis, -1.0), (upper, axis, 1.0)]
            });
            let entries: Option<Vec<(u32, f32)>> = faces
                .map(|(cell, axis, sign)| Some((*index.get(&UnknownPlace { cell, axis })?, sign)))
                .collect();
            if let Some(entries) = entries {
                let masses = entries.iter().map(|&(face, _)| self.mass[face as usize]);
                let weight = stiffness * masses.fold(1.0, f64::min);
                self.rows.push(weight as f32, entries);
            }
        }
        self.matrix = normal_matrix(&self.mass, &self.rows).unwrap();
        self
    }
}

impl Lattice<'_> {
    fn axes(&self) -> usize {
        if self.flat { 2 } else { 3 }
    }

    /// Fills the octants of the padded box.
    fn sample(&mut self) {
        let [nx, ny, nz] = self.padded.map(|n| 2 * n);
        let fraction = |index: i32| {
            let octant = [index % nx, index / nx % ny, index / (nx * ny)];
            let mut point = octant.map(|c| 0.5 * f64::from(c) - 0.75);
            if self.flat {
                point[2] = 0.5;
            }
            let filled = (0.5 - 2.0 * (self.geometry.liquid)(point)).clamp(0.0, 1.0);
            if filled < EMPTY_OCTANT {
                0.0
            } else {
                filled as f32
            }
        };
        self.octant = (0..nx * ny * nz).map(fraction).collect();
    }

    fn index(&self, cell: [i32; 3]) -> usize {
        let [x, y, z] = cell.map(|c| c + 1);
        (x + self.padded[0] * (y + self.padded[1] * z)) as usize
    }

    /// Mean of the eight octants around a point given in half cells.
    fn volume(&self, centre: [i32; 3]) -> f64 {
        let [nx, ny, nz] = self.padded.map(|n| 2 * n);
        let mut sum = 0.0;
        for corner in 0..8 {
            let at =
                |axis: usize, n: i32| (centre[axis] + 2 - (corner >> axis & 1)).clamp(0, n - 1);
            let [x, y, z] = [at(0, nx), at(1, ny), at(2, nz)];
            sum += f64::from(self.octant[(x + nx * (y + ny * z)) as usize]);
        }
        sum / 8.0
    }

    fn is_wall(&self, cell: [i32; 3]) -> bool {
        (self.geometry.wall)(cell)
    }

    fn kind(&self, cell: [i32; 3], axis: usize) -> FaceKind {
        match (self.is_wall(cell), self.is_wall(below(cell, axis))) {
            (false, false) => FaceKind::Open,
            (true, true) => FaceKind::Buried,
            _ => FaceKind::Wall,
        }
    }

    fn face_volume(&self, cell: [i32; 3], axis: usize) -> f64 {
        let mut centre = cell.map(|c| 2 * c + 1);
        centre[axis] -= 1;
        self.volume(centre)
    }

    /// Numbers the faces with mass, tile by tile (8³ cells).
    fn number(&mut self) -> (Vec<UnknownPlace>, Vec<f64>) {
        let cells = self.padded.iter().product::<i32>() as usize;
        self.unknown = [0, 1, 2].map(|_| vec![u32::MAX; cells]);
        let (mut places, mut mass) = (Vec::new(), Vec::new());
        let extent = self.geometry.extent;
        let tiles = extent.map(|n| n / 8 + 1);
        for tile in 0..tiles.iter().product::<i32>() {
            let tile = [
                tile % tiles[0],
                tile / tiles[0] % tiles[1],
                tile / (tiles[0] * tiles[1]),
            ];
            for axis in 0..self.axes() {
                for local in 0..512 {
                    let cell = [local % 8, local / 8 % 8, local / 64];
                    let cell = [0, 1, 2].map(|axis| cell[axis] + 8 * tile[axis]);
                    let inside =
                        (0..3).all(|other| cell[other] < extent[other] + i32::from(other == axis));
                    if !inside || self.kind(cell, axis) != FaceKind::Open {
                        continue;
                    }
                    let volume = self.face_volume(cell, axis);
                    if volume > 0.0 {
                        let index = self.index(cell);
                        self.unknown[axis][index] = places.len() as u32;
                        places.push(UnknownPlace {
                            cell,
                            axis: axis as u8,
                        });
                        mass.push(volume);
                    }
                }
            }
        }
        (places, mass)
    }

    fn strains(&self) -> WeightedRows {
        let mut rows = WeightedRows::default();
        let [nx, ny, nz] = self.geometry.extent;
        let stiffness =
            |centre: [i32; 3]| (self.geometry.stiffness)(centre.map(|half| 0.5 * f64::from(half)));
        for index in 0..(nx + 1) * (ny + 1) * (nz + 1) {
            let cell = [
                index % (nx + 1),
                index / (nx + 1) % (ny + 1),
                index / ((nx + 1) * (ny + 1)),
            ];
            if self.flat && cell[2] > 0 {
                continue;
            }
            for axis in 0..self.axes() {
                let centre = cell.map(|c| 2 * c + 1);
                let weight = 2.0 * self.volume(centre) * stiffness(centre);
                let faces = [(cell, axis, -1.0), (above(cell, axis), axis, 1.0)];
                if !self.is_wall(cell) {
                    self.push(&mut rows, weight, &faces);
                }
            }
            for (first, second) in [(0, 1), (1, 2), (2, 0)] {
                if self.flat && (first, second) != (0, 1) {
                    continue;
                }
                let mut centre = cell.map(|c| 2 * c + 1);
                centre[first] -= 1;
                centre[second] -= 1;
                let weight = self.volume(centre) * stiffness(centre);
                let faces = [
                    (cell, first, 1.0),
                    (below(cell, second), first, -1.0),
                    (cell, second, 1.0),
                    (below(cell, first), second, -1.0),
                ];
                self.push(&mut rows, weight, &faces);
            }
        }
        rows
    }

    /// Adds a strain sample, unless it touches a face without mass.
    fn push(&self, rows: &mut WeightedRows, weight: f64, faces: &[([i32; 3], usize, f32)]) {
        let kinds: Vec<FaceKind> = faces
            .iter()
            .map(|&(cell, axis, _)| self.kind(cell, axis))
            .collect();
        let buried = kinds.contains(&FaceKind::Buried);
        let (factor, weight) = if buried {
            (2.0, 0.5 * weight)
        } else {
            (1.0, weight)
        };
        let mut entries = Vec::new();
        for (&(cell, axis, sign), &kind) in faces.iter().zip(&kinds) {
            if kind != FaceKind::Open {
                continue;
            }
            let outside = (0..3).any(|a| cell[a] < -1 || cell[a] + 1 >= self.padded[a]);
            let unknown = if outside {
                u32::MAX
            } else {
                self.unknown[axis][self.index(cell)]
            };
            if unknown == u32::MAX {
                return;
            }
            entries.push((unknown, factor * sign));
        }
        if weight > 0.0 && !entries.is_empty() {
            rows.push(weight as f32, entries);
        }
    }
}

fn below(mut cell: [i32; 3], axis: usize) -> [i32; 3] {
    cell[axis] -= 1;
    cell
}

fn above(mut cell: [i32; 3], axis: usize) -> [i32; 3] {
    cell[axis] += 1;
    cell
}

fn no_wall(_: [i32; 3]) -> bool {
    false
}

/// Distance to a segment.
fn segment(point: Point, from: Point, to: Point, radius: f64) -> f64 {
    let along: f64 = (0..3)
        .map(|a| (to[a] - from[a]) * (point[a] - from[a]))
        .sum();
    let length: f64 = (0..3).map(|a| (to[a] - from[a]).powi(2)).sum();
    let t = (along / length).clamp(0.0, 1.0);
    sphere(
        point,
        [0, 1, 2].map(|a| from[a] + t * (to[a] - from[a])),
        radius,
    )
}

/// A ball in free flight, a quarter of the box in radius: the start of the scene `viscous-ball`.
pub(crate) fn ball(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "ball",
        extent: [n; 3],
        liquid: &|p| sphere(p, [0.5 * size; 3], 0.25 * size),
        wall: &no_wall,
        stiffness: &|_| stiffness,
    }
    .build()
}

fn box_wall(extent: [i32; 3]) -> impl Fn([i32; 3]) -> bool {
    move |cell| {
        let sides = [0, 2].iter().any(|&a| cell[a] < 0 || cell[a] >= extent[a]);
        sides || cell[1] < 0
    }
}

/// A body with two ears on a floor, which it sticks to; the ears are thinner than the body by so many powers of ten.
pub(crate) fn melting_ears(n: i32, stiffness: f64, powers: f64) -> ViscousProblem {
    let size = f64::from(n);
    let ears = |p: Point| {
        let ear = |side: f64| {
            let from = [0.5 * size, 0.4 * size, (0.5 + 0.12 * side) * size];
            let to = [0.4 * size, 0.75 * size, (0.5 + 0.17 * side) * size];
            segment(p, from, to, 0.09 * size)
        };
        ear(-1.0).min(ear(1.0))
    };
    let body = |p: Point| sphere(p, [0.5 * size, 0.22 * size, 0.5 * size], 0.3 * size);
    ViscousGeometry {
        name: "melting ears",
        extent: [n; 3],
        liquid: &|p| body(p).min(ears(p)),
        wall: &box_wall([n; 3]),
        stiffness: &|p| {
            stiffness * 10f64.powf(-powers * (p[1] / size - 0.45).clamp(0.0, 0.2) / 0.2)
        },
    }
    .build()
}

/// A pool as thin as water with crumbs and a skin of this stiffness in it.
pub(crate) fn crumbs(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "crumbs",
        extent: [n; 3],
        liquid: &|p| p[1] - 0.7 * size,
        wall: &box_wall([n; 3]),
        stiffness: &|p| {
            let skin = (sphere(p, [0.5 * size, 0.5 * size, 0.5 * size], 0.15 * size)).abs() < 0.6;
            let crumb = |at: f64| sphere(p, [at * size, 0.3 * size, 0.4 * size], 1.4) < 0.0;
            if skin || crumb(0.2) || crumb(0.6) {
                stiffness
            } else {
                0.01
            }
        },
    }
    .build()
}

/// A rope that coils onto a pool between walls without slip.
pub(crate) fn rope_on_pool(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    let thickness = 1.7 + 0.02 * size;
    let rope = |p: Point| {
        let mut distance = f64::INFINITY;
        let point = |t: f64| {
            let angle = 9.0 * t;
            let radius = 0.22 * size * (1.0 - t).sqrt();
            [
                0.5 * size + radius * angle.cos(),
                size * (0.24 + 0.7 * t * t + 0.05 * t),
                0.5 * size + radius * angle.sin(),
            ]
        };
        for piece in 0..24 {
            let (from, to) = (f64::from(piece) / 24.0, f64::from(piece + 1) / 24.0);
            distance = distance.min(segment(p, point(from), point(to), thickness));
        }
        distance
    };
    ViscousGeometry {
        name: "rope on a pool",
        extent: [n; 3],
        liquid: &|p| {
            let pool = p[1] - 0.18 * size - 0.6 * waves([p[0], 0.0, p[2]], 0.5 * size);
            if p[1] > 0.15 * size {
                pool.min(rope(p))
            } else {
                pool
            }
        },
        wall: &box_wall([n; 3]),
        stiffness: &|_| stiffness,
    }
    .build()
}

/// The liquid of [`thin`]: a blob with a sheet through it, strands and droplets one to three cells thin.
fn thin_liquid(p: Point, size: f64) -> f64 {
    let blob =
        sphere(p, [0.45 * size, 0.5 * size, 0.5 * size], 0.2 * size) + 0.8 * waves(p, 0.3 * size);
    let bend = 0.06 * size * waves([p[0], 0.0, p[2]], 0.9 * size);
    let round = (p[0] - 0.5 * size).hypot(p[2] - 0.5 * size) - 0.44 * size;
    let sheet = ((p[1] - 0.55 * size + bend).abs() - 0.75 - 0.5 * waves(p, 11.0)).max(round);
    let mut distance = blob.min(sheet);
    for strand in 0..4 {
        let angle = 1.3 + 1.7 * f64::from(strand);
        let foot = [
            size * (0.5 + 0.35 * angle.cos()),
            0.06 * size,
            size * (0.5 + 0.35 * angle.sin()),
        ];
        let radius = 0.7 + 0.35 * f64::from(strand);
        distance = distance.min(segment(
            p,
            foot,
            [0.5 * size, 0.5 * size, 0.5 * size],
            radius,
        ));
    }
    let drops = 2.4 - 2.6 * waves(p, 10.0);
    if p[1] > 0.7 * size {
        distance.min(drops)
    } else {
        distance
    }
}

/// A free blob with sheets, strands and droplets one to three cells thin.
pub(crate) fn thin(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "thin",
        extent: [n; 3],
        liquid: &|p| thin_liquid(p, size),
        wall: &no_wall,
        stiffness: &|_| stiffness,
    }
    .build()
}

/// The same with a viscosity that jumps by 1e4 across slanted planes.
pub(crate) fn jump(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "jump",
        extent: [n; 3],
        liquid: &|p| thin_liquid(p, size),
        wall: &no_wall,
        stiffness: &|p| {
            let thick = (p[0] + 0.4 * p[1] - 0.3 * p[2]).rem_euclid(0.5 * size) < 0.25 * size;
            if thick { stiffness } else { 1e-4 * stiffness }
        },
    }
    .build()
}

/// Droplets of one to some cells.
pub(crate) fn viscous_droplets(n: i32, stiffness: f64) -> ViscousProblem {
    ViscousGeometry {
        name: "droplets",
        extent: [n; 3],
        liquid: &|p| 2.0 - 2.7 * waves(p, 9.0),
        wall: &no_wall,
        stiffness: &|_| stiffness,
    }
    .build()
}

/// Sheets and strands from wall to wall.
pub(crate) fn viscous_sheets(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "sheets",
        extent: [n; 3],
        liquid: &|p| {
            let bend = 3.0 * waves([p[0], 0.0, p[2]], 0.5 * size);
            let sheet = ((p[1] + bend).rem_euclid(12.0) - 6.0).abs() - 1.1;
            let strand = (p[0].rem_euclid(16.0) - 8.0).hypot(p[2].rem_euclid(16.0) - 8.0) - 1.3;
            sheet.min(strand)
        },
        wall: &box_wall([n; 3]),
        stiffness: &|_| stiffness,
    }
    .build()
}

/// A slab: a blob and a strand above a pool with walls.
pub(crate) fn slab(n: i32, stiffness: f64) -> ViscousProblem {
    let size = f64::from(n);
    ViscousGeometry {
        name: "slab",
        extent: [n, n, 1],
        liquid: &|p| {
            let pool = p[1] - 0.3 * size - waves([p[0], 0.0, 0.0], 0.5 * size);
            let blob = sphere(p, [0.3 * size, 0.7 * size, 0.5], 0.17 * size);
            let strand = segment(
                p,
                [0.75 * size, 0.9 * size, 0.5],
                [0.6 * size, 0.2 * size, 0.5],
                1.3,
            );
            pool.min(blob).min(strand)
        },
        wall: &box_wall([n, n, 1]),
        stiffness: &|_| stiffness,
    }
    .build()
}

/// Every problem at one size and stiffness.
pub(crate) fn all_viscous(n: i32, stiffness: f64) -> Vec<ViscousProblem> {
    vec![
        ball(n, stiffness),
        rope_on_pool(n, stiffness),
        thin(n, stiffness),
        jump(n, stiffness),
        viscous_droplets(n, stiffness),
        viscous_sheets(n, stiffness),
        slab(n, stiffness),
    ]
}
