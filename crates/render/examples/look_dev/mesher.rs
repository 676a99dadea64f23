//! Surfaces for looks to be tried on: a smooth union of balls and anything with a signed distance, meshed by naive surface
//! nets (Gibson 1998), and profiles turned on a lathe.

use glam::{IVec3, Vec3};
use ooze_geometry::{Aabb, TriangleMesh};
use std::f32::consts::TAU;

/// A signed distance sampled on a grid.
pub struct Field {
    lower: Vec3,
    spacing: f32,
    size: IVec3,
    values: Vec<f32>,
}

impl Field {
    /// The smooth union of `balls` (centre and radius), blending over about `blend`, with `other`, a signed distance.
    pub fn sample(
        bounds: Aabb,
        spacing: f32,
        balls: &[(Vec3, f32)],
        blend: f32,
        other: impl Fn(Vec3) -> f32,
    ) -> Self {
        let size = (bounds.extent() / spacing).ceil().as_ivec3() + IVec3::ONE;
        let mut field = Self {
            lower: bounds.lower,
            spacing,
            size,
            values: Vec::new(),
        };
        let count = size.as_i64vec3().element_product() as usize;
        let mut sums = vec![0.0_f32; count];
        for &(centre, radius) in balls {
            let reach = radius + 6.0 * blend;
            let first = ((centre - reach - field.lower) / spacing)
                .ceil()
                .as_ivec3()
                .max(IVec3::ZERO);
            let last = ((centre + reach - field.lower) / spacing)
                .floor()
                .as_ivec3()
                .min(size - IVec3::ONE);
            for z in first.z..=last.z {
                for y in first.y..=last.y {
                    for x in first.x..=last.x {
                        let cell = IVec3::new(x, y, z);
                        let distance = field.position(cell).distance(centre) - radius;
                        sums[field.index(cell)] += (-distance / blend).exp();
                    }
                }
            }
        }
        field.values = (0..count)
            .map(|index| {
                let here = (-other(field.position(field.cell(index))) / blend)
                    .clamp(-40.0, 40.0)
                    .exp();
                -blend * (sums[index] + here).max(1e-30).ln()
            })
            .collect();
        field
    }

    fn index(&self, cell: IVec3) -> usize {
        ((cell.z * self.size.y + cell.y) * self.size.x + cell.x) as usize
    }

    fn cell(&self, index: usize) -> IVec3 {
        let index = index as i32;
        IVec3::new(
            index % self.size.x,
            index / self.size.x % self.size.y,
            index / (self.size.x * self.size.y),
        )
    }

    fn position(&self, cell: IVec3) -> Vec3 {
        self.lower + cell.as_vec3() * self.spacing
    }

    fn value(&self, cell: IVec3) -> f32 {
        self.values[self.index(cell.clamp(IVec3::ZERO, self.size - IVec3::ONE))]
    }

    /// Trilinear interpolation.
    fn at(&self, point: Vec3) -> f32 {
        let place = (point - self.lower) / self.spacing;
        let cell = place.floor().as_ivec3();
        let fraction = place - cell.as_vec3();
        (0..8)
            .map(|corner| {
                let offset = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
                let weight: f32 = (0..3)
                    .map(|axis| {
                        if offset[axis] == 1 {
                            fraction[axis]
                        } else {
                            1.0 - fraction[axis]
                        }
                    })
                    .product();
                weight * self.value(cell + offset)
            })
            .sum()
    }

    fn gradient(&self, point: Vec3) -> Vec3 {
        Vec3::from_array([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
            let step = axis * self.spacing;
            self.at(point + step) - self.at(point - step)
        }))
    }

    /// The surface where the field is zero, with normals.
    pub fn surface(&self) -> TriangleMesh {
        let mut mesh = TriangleMesh::default();
        let mut vertices = vec![u32::MAX; self.values.len()];
        for (index, place) in vertices.iter_mut().enumerate() {
            let cell = self.cell(index);
            if cell.cmpge(self.size - IVec3::ONE).any() {
                continue;
            }
            if let Some(vertex) = self.vertex_in(cell) {
                *place = mesh.positions.len() as u32;
                mesh.positions.push(vertex);
            }
        }
        for index in 0..self.values.len() {
            let cell = self.cell(index);
            for axis in 0..3 {
                let (mut along, mut first, mut second) = (IVec3::ZERO, IVec3::ZERO, IVec3::ZERO);
                along[axis] = 1;
                first[(axis + 1) % 3] = 1;
                second[(axis + 2) % 3] = 1;
                let inner =
                    cell.cmpge(first + second).all() && (cell + along).cmplt(self.size).all();
                if !inner || (self.value(cell) < 0.0) == (self.value(cell + along) < 0.0) {
                    continue;
                }
                let ring = [cell, cell - first, cell - first - second, cell - second]
                    .map(|cell| vertices[self.index(cell)]);
                if ring.contains(&u32::MAX) {
                    continue;
                }
                let [a, b, c, d] = if self.value(cell) < 0.0 {
                    ring
                } else {
                    [ring[3], ring[2], ring[1], ring[0]]
                };
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        // A few steps onto the true zero, which surface nets only approach.
        for position in &mut mesh.positions {
            for _ in 0..3 {
                let gradient = self.gradient(*position) / (2.0 * self.spacing);
                *position -= gradient * (self.at(*position) / gradient.length_squared().max(0.25));
            }
        }
        mesh.normals = mesh
            .positions
            .iter()
            .map(|&position| self.gradient(position).normalize_or(Vec3::Y))
            .collect();
        mesh
    }

    /// The mean of the zeros on the cell's edges.
    fn vertex_in(&self, cell: IVec3) -> Option<Vec3> {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for axis in 0..3 {
            for corner in 0..4 {
                let mut start = cell;
                start[(axis + 1) % 3] += corner & 1;
                start[(axis + 2) % 3] += corner >> 1;
                let mut end = start;
                end[axis] += 1;
                let (from, to) = (self.value(start), self.value(end));
                if (from < 0.0) != (to < 0.0) {
                    sum += self
                        .position(start)
                        .lerp(self.position(end), from / (from - to));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

/// A closed surface from a profile of radii and heights turned around the vertical axis, the outside on its right when
/// radius points right and height up.
pub fn turned(profile: &[(f32, f32)], around: u32) -> TriangleMesh {
    let positions = profile
        .iter()
        .flat_map(|&(radius, height)| {
            (0..around).map(move |step| {
                let angle = TAU * step as f32 / around as f32;
                Vec3::new(radius * angle.sin(), height, radius * angle.cos())
            })
        })
        .collect();
    let triangles = (0..profile.len() as u32 - 1)
        .flat_map(|row| (0..around).map(move |step| (row, step)))
        .flat_map(|(row, step)| {
            let next = (step + 1) % around;
            let [a, b] = [row * around + step, row * around + next];
            [[a, b, b + around], [a, b + around, a + around]]
        })
        .collect();
    TriangleMesh {
        positions,
        triangles,
        ..TriangleMesh::default()
    }
}

/// A profile with its corners rounded by arcs of the given radius.
pub fn rounded(corners: &[(f32, f32)], radius: f32) -> Vec<(f32, f32)> {
    let points: Vec<Vec3> = corners.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect();
    let mut profile = vec![corners[0]];
    for window in points.windows(3) {
        let (before, here, after) = (window[0], window[1], window[2]);
        let reach = radius
            .min(0.45 * here.distance(before))
            .min(0.45 * here.distance(after));
        let (start, end) = (
            here + (before - here).normalize() * reach,
            here + (after - here).normalize() * reach,
        );
        for step in 0..=8 {
            let t = step as f32 / 8.0;
            let point = start.lerp(here, t).lerp(here.lerp(end, t), t);
            profile.push((point.x, point.y));
        }
    }
    profile.push(corners[corners.len() - 1]);
    profile
}
