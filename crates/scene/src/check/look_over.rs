//! The pre-flight: what looks wrong once everything is put together.

use glam::Vec3;
use ooze_core::{Collider, Domain, InitialLiquid, LiquidSetup};
use ooze_geometry::{Aabb, Pose, Shape};

use super::sample::{Samples, thickness};
use super::{Checker, domain_box};
use crate::file::{MeasureKeys, SceneKeys};
use crate::keys::plain;
use crate::place::Place;
use crate::{Method, Probe, ProbeQuantity, Problem, TimeSettings};

/// A scene before it is one.
pub(crate) struct Parts<'a> {
    pub setup: &'a LiquidSetup,
    pub colliders: &'a [Collider],
    pub method: &'a Method,
    pub time: &'a TimeSettings,
    pub probes: &'a [Probe],
}

/// Samples along the longest side of what is looked at.
const SAMPLES: u32 = 24;
/// Share of a surface that may be thinner than a cell: sharp edges always are.
const THIN_SHARE: f64 = 0.02;
/// Cells below which something is thinner than one: a wall of one cell is not found thinner by rounding.
const WHOLE: f32 = 0.95;

impl Checker {
    pub(super) fn look_over(&mut self, keys: &SceneKeys, parts: &Parts<'_>) {
        let domain = &parts.setup.domain;
        let free = |liquid: &&InitialLiquid| liquid.hold.is_none();
        let liquids = parts.setup.initial.iter().filter(free);
        for (liquid, keys) in liquids.zip(&keys.liquid.value) {
            let what = format!("liquid `{}`", liquid.name);
            self.look_at_region(&what, &liquid.shape, &keys.shape.place, domain);
            self.look_for_overlap(&what, &liquid.shape, &keys.shape.place, parts, 0.0, 0.99);
        }
        for (emitter, keys) in parts.setup.emitters.iter().zip(&keys.emitter.value) {
            let what = format!("emitter `{}`", emitter.name);
            self.look_at_region(&what, &emitter.shape, &keys.shape.place, domain);
            self.look_for_overlap(
                &what,
                &emitter.shape,
                &keys.shape.place,
                parts,
                emitter.start,
                0.1,
            );
            self.look_at_thinness(&what, &emitter.shape, &keys.shape.place, domain, 2.0);
            if emitter.start >= parts.time.duration() {
                let message = format!(
                    "{what} opens at {} s, after the end of the scene at {} s",
                    emitter.start,
                    parts.time.duration()
                );
                self.warnings
                    .push(Problem::warning(&keys.start.place, message));
            }
        }
        for (tracers, keys) in parts.setup.tracers.iter().zip(&keys.tracers.value) {
            let place = &keys.shape.place;
            let time = (&keys.start.place, tracers.start);
            self.look_at_tracers(&tracers.name, &tracers.shape, place, time, parts);
        }
        for (drain, keys) in parts.setup.drains.iter().zip(&keys.drain.value) {
            self.look_at_region(
                &format!("drain `{}`", drain.name),
                &drain.shape,
                &keys.shape.place,
                domain,
            );
        }
        let lasting = keys.collider.iter();
        let lasting = lasting.filter(|keys| keys.material.is_none());
        for (collider, keys) in parts.colliders.iter().zip(lasting) {
            let what = format!("collider `{}`", collider.name);
            let scale = collider.motion.pose(0.0).scale;
            self.look_at_walls(&what, collider, &keys.shape.place, domain, scale);
        }
        let fixed = keys.collider.iter().filter(|keys| keys.material.is_none());
        let bodies = parts.colliders.iter().skip(fixed.count());
        // What melts is made of particles, however thin it is.
        let bodies = bodies.zip(keys.body.iter());
        for (body, keys) in bodies.filter(|(_, keys)| keys.material.is_none()) {
            self.look_at_body(body, &keys.shape.place, domain);
        }
        for (probe, keys) in parts.probes.iter().zip(&keys.probe.value) {
            self.look_at_probe(probe, &keys.measure, domain);
        }
    }

    /// Warns of tracers of which there will be none.
    fn look_at_tracers(
        &mut self,
        name: &str,
        shape: &Shape,
        place: &Place,
        (start_place, start): (&Place, f64),
        parts: &Parts<'_>,
    ) {
        let LiquidSetup {
            domain, initial, ..
        } = parts.setup;
        let duration = parts.time.duration();
        if start > duration {
            let message = format!(
                "tracers `{name}` are set at {start} s, after the end of the scene at {duration} s"
            );
            self.warnings.push(Problem::warning(start_place, message));
        }
        let region = shape.bounds().intersection(domain_box(domain));
        let samples = Samples::new(region, SAMPLES, 0.5 * domain.cell_size, domain.flat);
        let wet = |point: Vec3| initial.iter().any(|liquid| liquid.shape.contains(point));
        let marks = |point: Vec3| shape.contains(point) && wet(point);
        if start == 0.0 && !samples.points().any(marks) {
            let message =
                format!("tracers `{name}` are set at the start, where there is no liquid");
            let help = "set them later, with `start`, or where liquid is";
            self.warnings
                .push(Problem::warning(place, message).help(help));
        }
    }

    /// Warns of a region that lies outside the domain, wholly or in part.
    fn look_at_region(&mut self, what: &str, shape: &Shape, place: &Place, domain: &Domain) {
        let inside = domain_box(domain);
        let bounds = if domain.flat {
            in_slab(shape.bounds(), &inside)
        } else {
            shape.bounds()
        };
        if bounds.intersection(inside).is_empty() {
            let message = format!("{what} lies outside of the domain");
            self.warnings
                .push(Problem::warning(place, message).help(extents(domain)));
            return;
        }
        // Of a half space only the part near the domain counts, and there it is allowed to go on.
        if !bounds.is_finite() {
            return;
        }
        let samples = Samples::new(bounds, SAMPLES, 0.5 * domain.cell_size, domain.flat);
        let filled: Vec<Vec3> = samples
            .points()
            .filter(|&point| shape.contains(point))
            .collect();
        // What the sampling cannot resolve is not worth a warning.
        let margin = inside.dilated(0.5 * samples.spacing().max(domain.cell_size));
        let outside = filled
            .iter()
            .filter(|point| !margin.contains(**point))
            .count();
        if filled.is_empty() {
            let message = format!(
                "{what} is empty, or far thinner than a cell ({} m)",
                domain.cell_size
            );
            let mut warning = Problem::warning(place, message);
            if domain.flat {
                warning = warning.help(
                    "a flat scene is the plane z = 0: let shapes reach through it, from -1 to 1",
                );
            }
            self.warnings.push(warning);
        } else if outside * 100 > filled.len() {
            let percent = (100 * outside).div_ceil(filled.len());
            let message = format!("{percent} % of {what} lie outside of the domain");
            self.warnings
                .push(Problem::warning(place, message).help(extents(domain)));
        }
    }

    /// Warns of a region of which more than `share` is inside a collider.
    fn look_for_overlap(
        &mut self,
        what: &str,
        shape: &Shape,
        place: &Place,
        parts: &Parts<'_>,
        time: f64,
        share: f64,
    ) {
        let domain = &parts.setup.domain;
        let region = shape.bounds().intersection(domain_box(domain));
        let samples = Samples::new(region, SAMPLES, 0.5 * domain.cell_size, domain.flat);
        let filled: Vec<Vec3> = samples
            .points()
            .filter(|&point| shape.contains(point))
            .collect();
        for collider in parts.colliders {
            let pose = collider.motion.pose(time);
            let blocked = filled
                .iter()
                .filter(|&&point| solid_at(collider, &pose, point))
                .count();
            if blocked > 0 && blocked as f64 >= share * filled.len() as f64 {
                let percent = 100 * blocked / filled.len();
                let message = format!(
                    "{percent} % of {what} lie inside collider `{}`",
                    collider.name
                );
                self.warnings.push(
                    Problem::warning(place, message).help("where a solid is there is no liquid"),
                );
            }
        }
    }

    /// Warns of an emitter that the grid hardly sees.
    fn look_at_thinness(
        &mut self,
        what: &str,
        shape: &Shape,
        place: &Place,
        domain: &Domain,
        cells: f32,
    ) {
        let mut extent = shape.bounds().extent();
        if domain.flat {
            extent.z = f32::INFINITY;
        }
        let thinnest = extent.min_element();
        if thinnest < cells * domain.cell_size {
            let message = format!(
                "{what} is {} m thin, less than {cells} cells of {} m",
                plain_length(thinnest),
                domain.cell_size
            );
            self.warnings.push(
                Problem::warning(place, message).help("make it thicker, or the cells smaller"),
            );
        }
    }

    /// Warns of walls thinner than a cell.
    fn look_at_walls(
        &mut self,
        what: &str,
        collider: &Collider,
        place: &Place,
        domain: &Domain,
        scale: f32,
    ) {
        if let Some(wall) = thin_wall(&collider.shape, domain, scale) {
            let message = format!(
                "{what} has walls about {} m thin, less than a cell of {} m: liquid will seep through",
                plain_length(wall),
                domain.cell_size
            );
            let help = "make the walls thicker, or the cells smaller";
            self.warnings
                .push(Problem::warning(place, message).help(help));
        }
    }

    /// Warns of bodies that are smaller than a cell, or thinner.
    fn look_at_body(&mut self, body: &Collider, place: &Place, domain: &Domain) {
        let mut extent = body.shape.bounds().extent();
        if domain.flat {
            extent.z = f32::INFINITY;
        }
        let thickness = extent.min_element();
        let (what, thinnest) = if thickness < WHOLE * domain.cell_size {
            ("is", thickness)
        } else if let Some(wall) = thin_wall(&body.shape, domain, 1.0) {
            ("has parts", wall)
        } else {
            return;
        };
        let message = format!(
            "body `{}` {what} about {} m thin, less than a cell of {} m: liquid passes, and hardly moves it",
            body.name,
            plain_length(thinnest),
            domain.cell_size
        );
        let help = "make it thicker, or the cells smaller";
        self.warnings
            .push(Problem::warning(place, message).help(help));
    }

    fn look_at_probe(&mut self, probe: &Probe, keys: &MeasureKeys, domain: &Domain) {
        let (
            ProbeQuantity::Velocity(_) | ProbeQuantity::Pressure(_),
            MeasureKeys::Velocity(at) | MeasureKeys::Pressure(at),
        ) = (&probe.measure, keys)
        else {
            return;
        };
        let mut point = at.point.value;
        if domain.flat {
            point.z = 0.0;
        }
        if !domain_box(domain).contains(point) {
            let message = format!("probe `{}` lies outside of the domain", probe.name);
            self.warnings
                .push(Problem::warning(&at.point.place, message).help(extents(domain)));
        }
    }
}

/// How thin the walls of a shape are, if more than a few of them are thinner than a cell.
fn thin_wall(shape: &Shape, domain: &Domain, scale: f32) -> Option<f32> {
    let mut region = shape.bounds();
    if !region.is_finite() {
        // The body's own frame is not the world's, but its far parts matter as little.
        region = region.intersection(domain_box(domain).dilated(domain.cell_size));
    }
    let cell_size = domain.cell_size / scale;
    let region = region.dilated(0.25 * cell_size);
    let samples = Samples::new(region, SAMPLES, 0.5 * cell_size, domain.flat);
    let reach = samples.spacing();
    let mut looked_at = 0usize;
    let mut thin: Vec<f32> = Vec::new();
    for point in samples
        .points()
        .filter(|&point| shape.distance(point).abs() <= reach)
    {
        looked_at += 1;
        // A hair less than a cell, so that a wall of one cell is none that is found thinner by rounding.
        thin.extend(
            thickness(shape, point, reach, cell_size).filter(|&wall| wall < WHOLE * cell_size),
        );
    }
    if thin.is_empty() || (thin.len() as f64) < THIN_SHARE * looked_at as f64 {
        return None;
    }
    thin.sort_by(f32::total_cmp);
    Some(scale * thin[thin.len() / 2])
}

/// Whether a collider is at a point of the world.
pub(crate) fn solid_at(collider: &Collider, pose: &Pose, point: Vec3) -> bool {
    collider.shape.contains(pose.to_local(point))
}

/// A box as deep as the slab of a flat scene.
fn in_slab(bounds: Aabb, slab: &Aabb) -> Aabb {
    if bounds.lower.z > 0.0 || bounds.upper.z < 0.0 {
        return Aabb::EMPTY;
    }
    let lower = bounds.lower.with_z(slab.lower.z);
    let upper = bounds.upper.with_z(slab.upper.z);
    Aabb::new(lower, upper)
}

/// Where the domain is, in words.
pub(super) fn extents(domain: &Domain) -> String {
    let (lower, upper) = (domain.lower, domain.upper());
    format!("the domain reaches from {lower} to {upper} m")
}

/// A measured length with the two digits that it has.
pub(super) fn plain_length(length: f32) -> String {
    let digits = 10f64.powf(f64::from(length).log10().floor() - 1.0);
    let rounded = (f64::from(length) / digits).round() * digits;
    plain((rounded * 1e9).round() / 1e9)
}
