//! Pressure problems for tests and benchmarks: seven-point matrices with cut cells and ghost-fluid surfaces.
//!
//! Each is made from two signed distances, of the liquid and of the walls, on a box of unit cells. Weights are the
//! open fractions of faces (Batty, Bertails & Bridson 2007); a face towards air grounds its cell with weight/θ,
//! θ in [0.01, 1] the distance to the surface (Enright et al. 2003). Unknowns are numbered tile by tile (8³ cells).
#![allow(
    dead_code,
    reason = "each test file and the benchmark use some of the problems"
)]

pub(crate) mod viscosity;

use ooze_linalg::SymmetricMatrix;

/// A matrix with the lattice coordinates of its unknowns and a right-hand side.
pub(crate) struct Problem {
    pub(crate) name: &'static str,
    pub(crate) matrix: SymmetricMatrix,
    pub(crate) coordinates: Vec<[i32; 3]>,
    pub(crate) rhs: Vec<f64>,
}

/// A point in cell units.
type Point = [f64; 3];

/// Geometry of a problem.
struct Geometry<'a> {
    name: &'static str,
    extent: [i32; 3],
    /// Negative in liquid; sampled at cell centres.
    liquid: &'a dyn Fn(Point) -> f64,
    /// Negative in walls; sampled at cell corners. The box itself is closed.
    wall: &'a dyn Fn(Point) -> f64,
    /// Factor on the open fraction of the face between a cell and its upper neighbour along an axis.
    shutter: &'a dyn Fn([i32; 3], usize) -> f64,
}

impl Geometry<'_> {
    fn build(&self) -> Problem {
        Lattice::new(self).build(self)
    }
}

/// Samples of a geometry.
struct Lattice {
    extent: [i32; 3],
    /// Distance to the walls at cell corners.
    wall: Vec<f64>,
    /// Distance to the liquid's surface at cell centres.
    liquid: Vec<f64>,
    /// Open fraction of the face below each cell, by axis.
    face: [Vec<f32>; 3],
    /// Unknown of each cell, or `u32::MAX`.
    unknown: Vec<u32>,
}

impl Lattice {
    fn new(geometry: &Geometry) -> Self {
        let extent = geometry.extent;
        let samples = |extra: i32, offset: f64, distance: &dyn Fn(Point) -> f64| -> Vec<f64> {
            let [nx, ny, nz] = extent.map(|n| n + extra);
            (0..nx * ny * nz)
                .map(|i| {
                    distance([i % nx, i / nx % ny, i / (nx * ny)].map(|c| f64::from(c) + offset))
                })
                .collect()
        };
        let mut lattice = Self {
            extent,
            wall: samples(1, 0.0, geometry.wall),
            liquid: samples(0, 0.5, geometry.liquid),
            face: Default::default(),
            unknown: Vec::new(),
        };
        lattice.unknown = vec![u32::MAX; lattice.liquid.len()];
        for axis in 0..3 {
            lattice.face[axis] = (0..lattice.liquid.len())
                .map(|index| lattice.open_fraction(geometry, lattice.cell(index), axis))
                .collect();
        }
        lattice
    }

    fn index(&self, [x, y, z]: [i32; 3]) -> usize {
        let [nx, ny, _] = self.extent;
        (x + nx * (y + ny * z)) as usize
    }

    fn cell(&self, index: usize) -> [i32; 3] {
        let [nx, ny, _] = self.extent;
        let index = index as i32;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    /// Open fraction of the face below a cell: the share of positive distance at its corners.
    fn open_fraction(&self, geometry: &Geometry, cell: [i32; 3], axis: usize) -> f32 {
        if cell[axis] == 0 {
            return 0.0;
        }
        let [nx, ny, _] = self.extent.map(|n| n + 1);
        let mut open = 0.0;
        let mut total = 0.0;
        for corner in 0..4 {
            let mut point = cell;
            point[(axis + 1) % 3] += corner & 1;
            point[(axis + 2) % 3] += corner >> 1;
            let distance = self.wall[(point[0] + nx * (point[1] + ny * point[2])) as usize];
            open += distance.max(0.0);
            total += distance.abs();
        }
        let mut low = cell;
        low[axis] -= 1;
        (open / total * (geometry.shutter)(low, axis)) as f32
    }

    /// The open fraction of one of a cell's six faces and the cell behind it.
    fn neighbour(&self, cell: [i32; 3], face: usize) -> (f32, [i32; 3]) {
        let (axis, upper) = (face / 2, face % 2 == 1);
        let mut other = cell;
        other[axis] += if upper { 1 } else { -1 };
        if !(0..self.extent[axis]).contains(&other[axis]) {
            return (0.0, other);
        }
        (
            self.face[axis][self.index(if upper { other } else { cell })],
            other,
        )
    }

    /// Numbers the liquid cells with an open face, tile by tile.
    fn number(&mut self) -> Vec<[i32; 3]> {
        let mut coordinates = Vec::new();
        let [tiles_x, tiles_y, tiles_z] = self.extent.map(|n| (n + 7) / 8);
        for tile in 0..tiles_x * tiles_y * tiles_z {
            let origin = [
                tile % tiles_x * 8,
                tile / tiles_x % tiles_y * 8,
                tile / (tiles_x * tiles_y) * 8,
            ];
            for local in 0..512 {
                let cell = [
                    origin[0] + local % 8,
                    origin[1] + local / 8 % 8,
                    origin[2] + local / 64,
                ];
                let inside = (0..3).all(|axis| cell[axis] < self.extent[axis]);
                if inside
                    && self.liquid[self.index(cell)] < 0.0
                    && (0..6).any(|face| self.neighbour(cell, face).0 > 0.0)
                {
                    let index = self.index(cell);
                    self.unknown[index] = coordinates.len() as u32;
                    coordinates.push(cell);
                }
            }
        }
        coordinates
    }

    fn build(mut self, geometry: &Geometry) -> Problem {
        let coordinates = self.number();
        let matrix = SymmetricMatrix::from_rows(coordinates.len(), |row, sink| {
            let cell = coordinates[row];
            for face in 0..6 {
                let (weight, other) = self.neighbour(cell, face);
                if weight == 0.0 {
                    continue;
                }
                let other = self.index(other);
                if self.unknown[other] != u32::MAX {
                    sink.couple(self.unknown[other] as usize, weight);
                } else {
                    let here = self.liquid[self.index(cell)];
                    let theta = (here / (here - self.liquid[other].max(1e-9))).clamp(0.01, 1.0);
                    sink.ground((f64::from(weight) / theta) as f32);
                }
            }
        })
        .unwrap();
        // Divergence of a uniform fall (its support is the floor and the walls) plus noise.
        let mut random = Random::new(7);
        let rhs = coordinates
            .iter()
            .map(|&cell| {
                let flux = |face| f64::from(self.neighbour(cell, face).0);
                flux(3) - flux(2) + 0.1 * random.symmetric()
            })
            .collect();
        Problem {
            name: geometry.name,
            matrix,
            coordinates,
            rhs,
        }
    }
}

/// Smooth noise of unit amplitude: a few waves in fixed directions.
fn waves(point: Point, wavelength: f64) -> f64 {
    let directions: [Point; 5] = [
        [1.0, 0.3, 0.2],
        [-0.4, 1.0, 0.5],
        [0.3, -0.6, 1.0],
        [0.9, 0.8, -0.7],
        [-1.1, 0.2, 0.9],
    ];
    let mut sum = 0.0;
    for (i, direction) in directions.iter().enumerate() {
        let phase: f64 = direction.iter().zip(point).map(|(a, b)| a * b).sum();
        sum +=
            (std::f64::consts::TAU * phase / wavelength * (1.0 + 0.37 * i as f64) + i as f64).sin();
    }
    sum / 2.5
}

fn sphere(point: Point, centre: Point, radius: f64) -> f64 {
    let square: f64 = point
        .iter()
        .zip(centre)
        .map(|(a, b)| (a - b) * (a - b))
        .sum();
    square.sqrt() - radius
}

fn open(_: Point) -> f64 {
    1.0
}

fn no_shutter(_: [i32; 3], _: usize) -> f64 {
    1.0
}

/// A box full of liquid under a flat surface that cuts its top cells at a fraction of their height.
pub(crate) fn full_box(n: i32) -> Problem {
    let top = f64::from(n) - 1.7;
    Geometry {
        name: "box",
        extent: [n; 3],
        liquid: &|p| p[1] - top,
        wall: &open,
        shutter: &no_shutter,
    }
    .build()
}

/// Free blobs with a rough surface, in air.
pub(crate) fn blob(n: i32) -> Problem {
    let size = f64::from(n);
    Geometry {
        name: "blob",
        extent: [n; 3],
        liquid: &|p| {
            sphere(p, [0.5 * size; 3], 0.42 * size)
                + 0.06 * size * waves(p, 0.3 * size)
                + waves(p, 7.0)
        },
        wall: &open,
        shutter: &no_shutter,
    }
    .build()
}

/// A splash in a round bowl with a ball in it: cut cells, sheets, droplets and a rough surface.
pub(crate) fn splash(n: i32) -> Problem {
    let size = f64::from(n);
    Geometry {
        name: "splash",
        extent: [n; 3],
        liquid: &|p| {
            let pool =
                p[1] - size * (0.45 + 0.12 * waves([p[0], 0.0, p[2]], 0.6 * size)) + waves(p, 6.0);
            let crown_radius =
                (p[0] - 0.5 * size).hypot(p[2] - 0.5 * size) - size * (0.2 + 0.15 * p[1] / size);
            let crown = crown_radius.abs().max(p[1] - 0.75 * size) - 0.9 + 0.5 * waves(p, 9.0);
            let drops = 2.6 - 2.4 * waves(p, 11.0);
            pool.min(crown).min(drops)
        },
        wall: &|p| bowl_with_ball(p, size),
        shutter: &no_shutter,
    }
    .build()
}

/// A bowl as wide as its box, with a ball in it.
fn bowl_with_ball(p: [f64; 3], size: f64) -> f64 {
    let bowl = -sphere(p, [0.5 * size; 3], 0.48 * size);
    let ball = sphere(p, [0.4 * size, 0.25 * size, 0.55 * size], 0.13 * size);
    bowl.min(ball)
}

/// The bowl of the splash, full to the brim: no free surface at all.
pub(crate) fn closed_bowl(n: i32) -> Problem {
    let size = f64::from(n);
    Geometry {
        name: "closed bowl",
        extent: [n; 3],
        liquid: &|_| -1.0,
        wall: &|p| bowl_with_ball(p, size),
        shutter: &no_shutter,
    }
    .build()
}

/// A closed box full of liquid.
pub(crate) fn closed_box(n: i32) -> Problem {
    Geometry {
        name: "closed box",
        extent: [n; 3],
        liquid: &|_| -1.0,
        wall: &open,
        shutter: &no_shutter,
    }
    .build()
}

/// A labyrinth: walls thinner than a cell every five cells, each with a hole or a leak of 1e-5.
pub(crate) fn thin_walls(n: i32) -> Problem {
    let top = f64::from(n) - 2.4;
    Geometry {
        name: "thin walls",
        extent: [n; 3],
        liquid: &|p| p[1] - top,
        wall: &open,
        shutter: &|low, axis| {
            if low[axis] % 5 != 2 || axis == 1 {
                return 1.0;
            }
            let along = low[2 - axis];
            if along % 9 < 2 && low[1] < 4 {
                1.0
            } else if along % 7 == 0 {
                1e-5
            } else {
                0.0
            }
        },
    }
    .build()
}

/// Three full chambers joined by slits of 1e-3, the last of them open to the air through one small face.
pub(crate) fn bottle(n: i32) -> Problem {
    let top = f64::from(n) - 1.3;
    let half = n / 2;
    Geometry {
        name: "bottle",
        extent: [n; 3],
        liquid: &|p| p[1] - top,
        wall: &open,
        shutter: &|low, axis| match axis {
            1 if low[1] == n - 2 => {
                if low[0] == 1 && low[2] == 2 {
                    1e-2
                } else {
                    0.0
                }
            }
            0 if low[0] == half => {
                if low[1] == 5 && low[2] == half {
                    1e-3
                } else {
                    0.0
                }
            }
            2 if low[0] > half && low[2] == half + 1 => {
                if low[1] == 7 && low[0] == half + 3 {
                    1e-3
                } else {
                    0.0
                }
            }
            _ => 1.0,
        },
    }
    .build()
}

/// Hundreds of pieces of one to some cells.
pub(crate) fn droplets(n: i32) -> Problem {
    Geometry {
        name: "droplets",
        extent: [n; 3],
        liquid: &|p| 2.2 - 2.7 * waves(p, 9.0),
        wall: &open,
        shutter: &no_shutter,
    }
    .build()
}

/// Wavy sheets and filaments one to two cells thick between walls at both ends.
pub(crate) fn sheets(n: i32) -> Problem {
    let size = f64::from(n);
    Geometry {
        name: "sheets",
        extent: [n; 3],
        liquid: &|p| {
            let bend = 3.0 * waves([p[0], 0.0, p[2]], 0.5 * size);
            let sheet = ((p[1] + bend).rem_euclid(12.0) - 6.0).abs() - 0.8;
            let filament = (p[0].rem_euclid(16.0) - 8.0).hypot(p[2].rem_euclid(16.0) - 8.0) - 1.1;
            sheet.min(filament)
        },
        wall: &open,
        shutter: &no_shutter,
    }
    .build()
}

/// A slab one cell thick: rough liquid in a round bowl.
pub(crate) fn flat(n: i32) -> Problem {
    let size = f64::from(n);
    Geometry {
        name: "flat",
        extent: [n, n, 1],
        liquid: &|p| {
            p[1] - size * (0.55 + 0.1 * waves([p[0], 0.0, 0.0], 0.5 * size)) + waves(p, 6.0)
        },
        wall: &|p| {
            -sphere(
                [p[0], p[1], 0.0],
                [0.5 * size, 0.5 * size, 0.0],
                0.48 * size,
            )
        },
        shutter: &no_shutter,
    }
    .build()
}

/// Every problem at one size.
pub(crate) fn all(n: i32) -> Vec<Problem> {
    vec![
        full_box(n),
        blob(n),
        splash(n),
        closed_bowl(n),
        closed_box(n),
        thin_walls(n),
        bottle(n),
        droplets(n),
        sheets(n),
        flat(n),
    ]
}

/// A small reproducible random number generator (SplitMix64, Steele, Lea & Flood 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [-1, 1).
    pub(crate) fn symmetric(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A vector of such numbers.
    pub(crate) fn vector(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.symmetric()).collect()
    }
}
