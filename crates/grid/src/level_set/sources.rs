//! Where liquid comes from and where it goes: the level set at the start, emitters, drains and open sides.

use std::sync::Arc;

use glam::{IVec3, Vec3};
use ooze_core::random::{hash, uniform};
use ooze_core::seeding::{shape_bounds, shape_distance};
use ooze_core::{Domain, Emitter, LiquidSetup, Side};
use ooze_field::level_set::retiled;
use ooze_field::{Field, FieldByAxis, Place, Topology, TopologyBuilder, face_fields, level_set};
use ooze_geometry::{Aabb, Shape};
use rayon::prelude::*;

use super::lattices::with_region;

/// Cells around sources in which particles are seeded in every step that one is open.
const SEEDED_CELLS: f32 = 4.0;
/// Samples along each axis of a cell from which the flow of an emitter is found.
const SAMPLES_PER_CELL: f32 = 12.0;

/// The level set of the initial liquids, as far as the domain's open sides let it reach.
pub(super) fn initial_level_set(setup: &LiquidSetup, band: f32, reach: i32) -> Field<f32> {
    let domain = &setup.domain;
    let lattice = domain.lattice().refined();
    let tiles = Arc::new(TopologyBuilder::new(lattice).build());
    let mut phi = Field::new(&tiles, Place::Node, band);
    for liquid in &setup.initial {
        phi = united(&phi, domain, &liquid.shape, reach);
    }
    close_open_sides(&mut phi, domain);
    level_set::reinitialise(&mut phi, band);
    retiled(&phi, reach)
}

/// A level set together with a shape.
pub(super) fn united(phi: &Field<f32>, domain: &Domain, shape: &Shape, reach: i32) -> Field<f32> {
    let bounds = shape_bounds(domain, shape);
    let mut wider = with_region(phi, bounds, reach);
    let band = phi.outside();
    let near = bounds.dilated(band);
    change(&mut wider, |point, value| {
        if in_box(domain, near, point) {
            value.min(shape_distance(domain, shape, point).max(-band))
        } else {
            value
        }
    });
    wider
}

/// Takes a shape out of a level set.
pub(super) fn cut_out(phi: &mut Field<f32>, domain: &Domain, shape: &Shape) {
    let bounds = shape_bounds(domain, shape);
    let band = phi.outside();
    let near = bounds.dilated(2.0 * phi.topology().lattice().cell_size);
    change(phi, |point, value| {
        if in_box(domain, near, point) {
            value.max((-shape_distance(domain, shape, point)).min(band))
        } else {
            value
        }
    });
}

/// Takes what has left through open sides out of a level set.
pub(super) fn close_open_sides(phi: &mut Field<f32>, domain: &Domain) {
    let (lower, upper) = (domain.lower, domain.upper());
    let open: Vec<(usize, bool)> = (0..2 * domain.dimensions())
        .map(|side| (side / 2, side % 2 == 1))
        .filter(|&(axis, above)| domain.sides[axis][usize::from(above)] == Side::Open)
        .collect();
    if open.is_empty() {
        return;
    }
    let band = phi.outside();
    change(phi, |point, value| {
        let beyond = open.iter().map(|&(axis, above)| {
            if above {
                point[axis] - upper[axis]
            } else {
                lower[axis] - point[axis]
            }
        });
        beyond.fold(value, f32::max).min(band)
    });
}

/// The emitters and drains that are open at some time in a step, with their boxes.
pub(super) struct OpenSources<'a> {
    domain: &'a Domain,
    shapes: Vec<(&'a Shape, Aabb)>,
}

impl<'a> OpenSources<'a> {
    /// Those that are open between two moments.
    pub(super) fn between(setup: &'a LiquidSetup, from: f64, to: f64) -> Self {
        let open = |start: f64, stop: f64| start <= to && from < stop;
        let emitters = setup.emitters.iter();
        let emitters = emitters
            .filter(|emitter| open(emitter.start, emitter.stop))
            .map(|emitter| emitter.shape.as_ref());
        let drains = setup.drains.iter();
        let drains = drains
            .filter(|drain| open(drain.start, drain.stop))
            .map(|drain| drain.shape.as_ref());
        let domain = &setup.domain;
        let shapes = emitters
            .chain(drains)
            .map(|shape| (shape, shape_bounds(domain, shape)));
        Self {
            domain,
            shapes: shapes.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Whether a point is in one of them or next to it.
    pub(super) fn touch(&self, point: Vec3) -> bool {
        let reach = self.domain.cell_size;
        self.shapes.iter().any(|&(shape, bounds)| {
            in_box(self.domain, bounds.dilated(reach), point)
                && shape_distance(self.domain, shape, point) < reach
        })
    }

    /// Whether a point is where new liquid comes within a few steps.
    pub(super) fn surround(&self, point: Vec3) -> bool {
        let reach = SEEDED_CELLS * self.domain.cell_size;
        let mut boxes = self.shapes.iter();
        boxes.any(|&(_, bounds)| in_box(self.domain, bounds.dilated(reach), point))
    }
}

/// Whether a point is in an emitter or next to it, where it drives what is there.
pub(super) fn in_or_next_to(domain: &Domain, emitter: &Emitter) -> impl Fn(Vec3) -> bool + Sync {
    let bounds = emitter.shape.bounds().dilated(2.0 * domain.cell_size);
    move |point| {
        let near = domain.flat || bounds.contains(point);
        near && shape_distance(domain, &emitter.shape, point) < domain.cell_size
    }
}

/// Volume that the liquid of an emitter sweeps in a second, in cubic metres: that of the part of its shape which liquid moving
/// by one cell enters anew, from samples a few of which lie in each cell.
pub(super) fn flow_of(domain: &Domain, emitter: &Emitter) -> f64 {
    let speed = emitter.velocity.length();
    if speed == 0.0 {
        return 0.0;
    }
    let spacing = domain.cell_size / SAMPLES_PER_CELL;
    let way = emitter.velocity / speed * domain.cell_size;
    let bounds = shape_bounds(domain, &emitter.shape);
    let bounds = bounds.intersection(Aabb::new(domain.lower, domain.upper()));
    let counts = (bounds.extent() / spacing).ceil().max(Vec3::ONE);
    let steps = bounds.extent() / counts;
    let layers = if domain.flat { 1 } else { counts.z as i32 };
    let inside = |point: Vec3| shape_distance(domain, &emitter.shape, point) < 0.0;
    let entered: usize = (0..layers)
        .into_par_iter()
        .map(|z| {
            let rows = (0..counts.y as i32).flat_map(|y| (0..counts.x as i32).map(move |x| (x, y)));
            rows.filter(|&(x, y)| {
                // Each sample is anywhere in its own part of the box, or walls along the lattice would be rounded to it.
                let key = hash(x as u64, hash(y as u64, z as u64));
                let within = Vec3::new(uniform(key, 0), uniform(key, 1), uniform(key, 2));
                let point = bounds.lower + (IVec3::new(x, y, z).as_vec3() + within) * steps;
                inside(point) && !inside(point - way)
            })
            .count()
        })
        .sum();
    let depth = if domain.flat {
        domain.cell_size
    } else {
        steps.z
    };
    let sample = f64::from(steps.x) * f64::from(steps.y) * f64::from(depth);
    entered as f64 * sample * f64::from(speed / domain.cell_size)
}

fn change(phi: &mut Field<f32>, value_at: impl Fn(Vec3, f32) -> f32 + Sync) {
    let topology = Arc::clone(phi.topology());
    let lattice = *topology.lattice();
    phi.par_tiles_mut().for_each(|(slot, tile)| {
        for (local, value) in tile.iter_mut().enumerate() {
            let node = topology.cell(slot, local).as_vec3();
            *value = value_at(lattice.to_world(node), *value);
        }
    });
}

/// Whether a point is in a box; the depth of flat scenes does not count.
fn in_box(domain: &Domain, bounds: Aabb, point: Vec3) -> bool {
    let mut point = point;
    if domain.flat {
        point.z = 0.5 * (bounds.lower.z + bounds.upper.z);
    }
    bounds.contains(point)
}

/// The velocities of the initial liquids on the faces inside them, and where they are known. Where two overlap, the first in
/// the scene wins.
pub(super) fn initial_velocity(
    setup: &LiquidSetup,
    topology: &Arc<Topology>,
) -> (FieldByAxis<f32>, FieldByAxis<u8>) {
    let domain = &setup.domain;
    let cell_size = domain.cell_size;
    let mut velocity = face_fields(topology, 0.0f32);
    let mut known = face_fields(topology, 0u8);
    for liquid in &setup.initial {
        let bounds = liquid.shape.bounds();
        let inside = Aabb::new(domain.lower, domain.upper()).intersection(bounds);
        let centre = centre_of(domain, &liquid.shape, inside);
        for axis in 0..domain.dimensions() {
            let (velocity, known) = (&mut velocity[axis], &mut known[axis]);
            let positions = velocity.clone();
            velocity
                .par_tiles_mut()
                .zip(known.par_tiles_mut())
                .for_each(|((slot, values), (_, known))| {
                    for local in 0..values.len() {
                        let point = positions.position(topology.cell(slot, local));
                        if known[local] == 0
                            && shape_distance(domain, &liquid.shape, point) < 0.5 * cell_size
                        {
                            let turning = liquid.spin.cross(point - centre);
                            values[local] = (liquid.velocity + turning)[axis];
                            known[local] = 1;
                        }
                    }
                });
        }
    }
    (velocity, known)
}

/// Centre of the part of a shape inside a box, from samples a cell apart.
fn centre_of(domain: &Domain, shape: &Shape, region: Aabb) -> Vec3 {
    let steps = (region.extent() / domain.cell_size)
        .ceil()
        .max(Vec3::ONE)
        .as_ivec3();
    let spacing = region.extent() / steps.as_vec3();
    let mut sum = glam::DVec3::ZERO;
    let mut count = 0.0;
    for z in 0..if domain.flat { 1 } else { steps.z } {
        for y in 0..steps.y {
            for x in 0..steps.x {
                let place = IVec3::new(x, y, z).as_vec3() + 0.5;
                let point = region.lower + place * spacing;
                if shape_distance(domain, shape, point) < 0.0 {
                    sum += point.as_dvec3();
                    count += 1.0;
                }
            }
        }
    }
    if count > 0.0 {
        (sum / count).as_vec3()
    } else {
        region.centre()
    }
}
