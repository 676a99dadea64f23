//! The stages as published: one pair after the other, each seeing what those before have done (Gauss-Seidel). Slower than
//! the parallel stages, and dependent on the order of particles; for small scenes and as a reference.

use glam::Vec3;

use super::ClavetConstants;
use super::relaxation::{Densities, Displacement};
use super::springs::{SpringRule, SpringTable};
use super::viscosity::ViscosityRule;
use super::wall::WallParts;
use crate::neighbours::Neighbours;

/// Viscosity impulses (algorithm 5).
pub fn viscosity(
    rule: ViscosityRule,
    neighbours: &Neighbours,
    positions: &[Vec3],
    constants: &[ClavetConstants],
    material: &[u8],
    velocities: &mut [Vec3],
) {
    let rule = ViscosityRule {
        // Each pair sees the velocities that the pairs before have left: alone it cannot overshoot.
        largest_loss: 1.0,
        ..rule
    };
    for i in 0..positions.len() {
        for j in listed(neighbours, i, positions.len()).filter(|&j| i < j) {
            let (direction, distance) = towards(positions[i], positions[j]);
            let approach = (velocities[i] - velocities[j]).dot(direction);
            let (own, other) = (of(constants, material, i), of(constants, material, j));
            if approach > 0.0 {
                let linear = 0.5 * (own.linear_viscosity + other.linear_viscosity);
                let loss = rule.loss(distance * rule.inverse_radius, approach, linear);
                let impulse = direction * (loss * approach);
                let share = other.mass / (own.mass + other.mass);
                velocities[i] -= impulse * share;
                velocities[j] += impulse * (1.0 - share);
            }
        }
    }
}

/// Rest lengths and displacements of springs (algorithms 3 and 4).
pub fn springs(
    rule: &SpringRule,
    neighbours: &Neighbours,
    table: &SpringTable,
    material: &[u8],
    positions: &mut [Vec3],
) -> SpringTable {
    let count = positions.len();
    let mut lists: Vec<Vec<(u32, f32)>> = vec![Vec::new(); count];
    // All rest lengths first, then all displacements.
    for i in 0..count {
        let kind = usize::from(material[i]);
        if rule.stiffness[kind] == 0.0 {
            continue;
        }
        let adjust = |j: usize, rest: f32| {
            rule.of(kind)
                .adjusted(rest, positions[i].distance(positions[j]))
        };
        let held = table.of(i);
        let mut list: Vec<(u32, f32)> = held
            .map(|(j, rest)| (j, adjust(j as usize, rest)))
            .collect();
        for j in listed(neighbours, i, count).filter(|&j| material[j] == material[i]) {
            let present = list.binary_search_by_key(&(j as u32), |spring| spring.0);
            if let Err(place) = present {
                list.insert(place, (j as u32, adjust(j, 0.0)));
            }
        }
        list.retain(|spring| spring.1 > 0.0);
        lists[i] = list;
    }
    for i in 0..count {
        let kind = usize::from(material[i]);
        for &(j, rest) in lists[i].iter().filter(|spring| i < spring.0 as usize) {
            let (direction, length) = towards(positions[i], positions[j as usize]);
            let displacement = direction * (0.5 * rule.of(kind).push(rest, length));
            positions[i] -= displacement;
            positions[j as usize] += displacement;
        }
    }
    SpringTable::from_lists(lists)
}

/// What the relaxation of one step works with.
pub struct Relaxation<'a> {
    /// 1/h.
    pub inverse_radius: f32,
    /// Δt², softened.
    pub scale: f32,
    /// Bound on Δt² P.
    pub highest: f32,
    /// Neighbours.
    pub neighbours: &'a Neighbours,
    /// Constants by material.
    pub constants: &'a [ClavetConstants],
    /// Materials.
    pub material: &'a [u8],
    /// What walls add.
    pub walls: WallParts<'a>,
}

/// Double density relaxation (algorithm 2). Displacements grow with the positions; `densities` receives what each
/// particle found when its turn came.
pub fn relax(
    relaxation: &Relaxation<'_>,
    positions: &mut [Vec3],
    densities: &mut [Densities],
    displacements: &mut [Displacement],
) {
    let Relaxation {
        inverse_radius,
        neighbours,
        constants,
        material,
        walls,
        ..
    } = *relaxation;
    let count = positions.len();
    let mut near: Vec<(usize, Vec3, f32)> = Vec::new();
    for i in 0..count {
        near.clear();
        near.extend(listed(neighbours, i, count).filter_map(|j| {
            let (direction, distance) = towards(positions[i], positions[j]);
            let weight = 1.0 - distance * inverse_radius;
            (weight > 0.0).then_some((j, direction, weight))
        }));
        let sum = |power: i32| near.iter().map(|(_, _, weight)| weight.powi(power)).sum();
        let mut sums: Densities = [sum(1), sum(2), sum(3)];
        walls.add_densities(i, positions[i], &mut sums);
        let [_, density, near_density] = sums;
        densities[i] = sums;
        let own = of(constants, material, i);
        let excess = (density - own.rest_density).max(own.lowest_excess);
        let pressure = (relaxation.scale * own.stiffness * excess).min(relaxation.highest);
        let near_pressure =
            (relaxation.scale * own.near_stiffness * near_density).min(relaxation.highest);
        let mut moved = Vec3::ZERO;
        for &(j, direction, weight) in &near {
            let displacement = direction * (weight * (pressure + near_pressure * weight));
            let other = of(constants, material, j);
            let share = other.mass / (own.mass + other.mass);
            positions[j] += displacement * (1.0 - share);
            displacements[j].moved += displacement * (1.0 - share);
            moved -= displacement * share;
        }
        let pushed = walls.push(i, positions[i], pressure, near_pressure);
        displacements[i].pressed += pushed.pressed;
        displacements[i].walls += pushed.walls;
        moved += pushed.moved;
        positions[i] += moved;
        displacements[i].moved += moved;
    }
}

fn of<'a>(constants: &'a [ClavetConstants], material: &[u8], index: usize) -> &'a ClavetConstants {
    &constants[usize::from(material[index])]
}

fn listed(neighbours: &Neighbours, index: usize, count: usize) -> impl Iterator<Item = usize> {
    let list = neighbours.of(index).iter().map(|&j| j as usize);
    list.filter(move |&j| j < count)
}

/// Direction and distance from one point to another.
fn towards(from: Vec3, to: Vec3) -> (Vec3, f32) {
    let away = to - from;
    let distance = away.length();
    (away / distance.max(f32::MIN_POSITIVE), distance)
}
