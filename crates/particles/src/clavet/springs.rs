//! Springs between particles, with rest lengths that flow (Clavet, Beaudoin & Poulin 2005, algorithms 3 and 4).
//!
//! With tolerance d = γ L a spring stretches by Δt α (r − L − d) when r > L + d, shrinks by Δt α (L − d − r) when
//! r < L − d, and is gone when L exceeds h. Neighbours without a spring get one of length h if their material flows.
//!
//! Each spring is held by both of its particles, with the same numbers: all sums are then over a particle's own springs,
//! without conflicts between threads. Springs of neighbours lie in arrays parallel to the lists of neighbours; those
//! that are stretched beyond the lists are kept beside.

use glam::Vec3;
use ooze_commons::widest;
use ooze_core::channel_rules::{expect_each, expect_length, expect_not_negative};
use ooze_core::{ChannelData, ChannelError, Channels};
use rayon::prelude::*;

use super::ClavetConstants;
use super::relaxation::Displacement;
use crate::CHUNK;
use crate::neighbours::{LANES, List, Neighbours, Point, away, sum_lanes};

/// Springs of all particles by their two ends: what a checkpoint holds, and what survives a new order of particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringTable {
    /// First spring of each particle, and the total.
    pub start: Vec<u32>,
    /// The other end, rising for each particle.
    pub other: Vec<u32>,
    /// Rest lengths in metres.
    pub rest: Vec<f32>,
}

impl SpringTable {
    /// No springs between `count` particles.
    pub fn empty(count: usize) -> Self {
        Self {
            start: vec![0; count + 1],
            ..Self::default()
        }
    }

    pub(super) fn of(&self, index: usize) -> impl Iterator<Item = (u32, f32)> {
        let range = self.start[index] as usize..self.start[index + 1] as usize;
        let pairs = self.other[range.clone()].iter().zip(&self.rest[range]);
        pairs.map(|(&other, &rest)| (other, rest))
    }

    /// The table of `count` particles, whose springs `springs` adds to a list in any order.
    fn build(count: usize, springs: impl Fn(usize, &mut Vec<(u32, f32)>) + Sync) -> Self {
        let chunks: Vec<_> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let mut list = Vec::new();
                let mut ends = Vec::with_capacity(CHUNK);
                for index in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
                    let first = list.len();
                    springs(index, &mut list);
                    list[first..].sort_unstable_by_key(|spring| spring.0);
                    ends.push(list.len() as u32);
                }
                (ends, list)
            })
            .collect();
        let total = chunks.iter().map(|(_, list)| list.len()).sum();
        let mut table = Self {
            start: Vec::with_capacity(count + 1),
            other: Vec::with_capacity(total),
            rest: Vec::with_capacity(total),
        };
        table.start.push(0);
        for (ends, list) in chunks {
            let before = table.other.len() as u32;
            table.start.extend(ends.iter().map(|end| before + end));
            table.other.extend(list.iter().map(|spring| spring.0));
            table.rest.extend(list.iter().map(|spring| spring.1));
        }
        table
    }

    pub(super) fn from_lists(lists: Vec<Vec<(u32, f32)>>) -> Self {
        let mut table = Self::empty(0);
        for list in lists {
            for (other, rest) in list {
                table.other.push(other);
                table.rest.push(rest);
            }
            table.start.push(table.other.len() as u32);
        }
        table
    }

    /// The springs after particles were put into another order, or dropped, or added at the end up to `count`.
    pub fn gather(&self, order: &[u32], count: usize) -> Self {
        let former = self.start.len() - 1;
        let mut place = vec![u32::MAX; former];
        for (now, &then) in order.iter().enumerate() {
            place[then as usize] = now as u32;
        }
        Self::build(count, |now, list| {
            let Some(&then) = order.get(now) else { return };
            let moved = self
                .of(then as usize)
                .map(|(other, rest)| (place[other as usize], rest));
            list.extend(moved.filter(|spring| spring.0 != u32::MAX));
        })
    }

    /// Puts the springs into a checkpoint.
    pub fn save(&self, saved: &mut Channels) {
        saved.insert("spring_start", ChannelData::Word(self.start.clone()));
        saved.insert("spring_other", ChannelData::Word(self.other.clone()));
        saved.insert("spring_rest", ChannelData::Scalar(self.rest.clone()));
    }

    /// Takes the springs of `count` particles out of a checkpoint.
    pub fn load(saved: &mut Channels, count: usize) -> Result<Self, ChannelError> {
        let table = Self {
            start: saved.take_words("spring_start")?,
            other: saved.take_words("spring_other")?,
            rest: saved.take_scalars("spring_rest")?,
        };
        expect_length("spring_start", &table.start, count + 1)?;
        let total = table.start[count] as usize;
        expect_length("spring_other", &table.other, total)?;
        expect_length("spring_rest", &table.rest, total)?;
        let fallen = table.start.windows(2).position(|pair| pair[0] > pair[1]);
        if table.start[0] != 0 || fallen.is_some() {
            let row = fallen.map_or(0, |before| before + 1);
            return Err(ChannelError::Value {
                name: "spring_start".into(),
                row,
                value: table.start[row].to_string().into(),
                wanted: "a place in a list that begins at 0 and rises".into(),
            });
        }
        let wanted = || format!("one of {count} particles");
        expect_each("spring_other", &table.other, wanted, |other| {
            (other as usize) < count
        })?;
        expect_not_negative("spring_rest", &table.rest)?;
        Ok(table)
    }
}

/// Springs beside the lists of neighbours. A rest length of zero is no spring.
#[derive(Clone, Debug, Default)]
pub struct Springs {
    chunks: Vec<SpringChunk>,
}

#[derive(Clone, Debug, Default)]
struct SpringChunk {
    /// One entry for each entry of the chunk's lists.
    listed: Vec<f32>,
    /// Springs beyond the lists, by particle.
    stretched_start: Vec<u32>,
    stretched: Vec<(u32, f32)>,
}

impl SpringChunk {
    fn stretched_of(&self, local: usize) -> std::ops::Range<usize> {
        self.stretched_start[local] as usize..self.stretched_start[local + 1] as usize
    }
}

impl Springs {
    /// Puts the springs of a table beside lists of neighbours.
    pub fn align(table: &SpringTable, neighbours: &Neighbours) -> Self {
        let count = table.start.len() - 1;
        let chunks = neighbours
            .chunks()
            .par_iter()
            .enumerate()
            .map(|(chunk, list)| {
                let mut springs = SpringChunk {
                    listed: vec![0.0; list.entries()],
                    stretched_start: vec![0],
                    stretched: Vec::new(),
                };
                for local in 0..CHUNK.min(count - chunk * CHUNK) {
                    let (members, first) = (list.of(local), list.first_entry(local));
                    // Both rise: one walk along the two finds all pairs.
                    let mut entry = 0;
                    for (other, rest) in table.of(chunk * CHUNK + local) {
                        while members.get(entry).is_some_and(|&member| member < other) {
                            entry += 1;
                        }
                        if members.get(entry) == Some(&other) {
                            springs.listed[first + entry] = rest;
                        } else {
                            springs.stretched.push((other, rest));
                        }
                    }
                    springs.stretched_start.push(springs.stretched.len() as u32);
                }
                springs
            });
        Self {
            chunks: chunks.collect(),
        }
    }

    /// The springs by their ends.
    pub fn table(&self, neighbours: &Neighbours, count: usize) -> SpringTable {
        SpringTable::build(count, |index, all| {
            let (chunk, local) = (index / CHUNK, index % CHUNK);
            let (springs, list) = (&self.chunks[chunk], &neighbours.chunks()[chunk]);
            let first = list.first_entry(local);
            let members = list.of(local).iter().zip(&springs.listed[first..]);
            let listed = members.map(|(&other, &rest)| (other, rest));
            let stretched = &springs.stretched[springs.stretched_of(local)];
            let both = listed.chain(stretched.iter().copied());
            all.extend(both.filter(|spring| spring.1 > 0.0));
        })
    }

    /// Springs between all neighbours of the same elastic material, as long as they are now.
    pub fn relaxed(
        neighbours: &Neighbours,
        points: &[Point],
        material: &[u8],
        rule: &SpringRule,
    ) -> SpringTable {
        SpringTable::build(material.len(), |index, list| {
            let own = usize::from(material[index]);
            if rule.stiffness[own] <= 0.0 {
                return;
            }
            for &other in neighbours.of(index) {
                let length = distance(points[index], points[other as usize]);
                // Padding is beyond every radius.
                if length < rule.radius && material[other as usize] == material[index] {
                    list.push((other, length));
                }
            }
        })
    }
}

fn distance(a: Point, b: Point) -> f32 {
    let [x, y, z] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    (x * x + y * y + z * z).sqrt()
}

/// What springs do in one step, by material.
#[derive(Clone, Debug)]
pub struct SpringRule {
    /// h.
    pub radius: f32,
    /// Δt² k_spring.
    pub stiffness: Vec<f32>,
    /// γ.
    pub yield_ratio: Vec<f32>,
    /// Δt α.
    pub plasticity: Vec<f32>,
}

impl SpringRule {
    /// The rule for a step of `dt`; `softness` is the factor on stiffnesses that makes a long step stable.
    pub fn new(constants: &[ClavetConstants], radius: f32, dt: f32, softness: f32) -> Self {
        let each = |value: &dyn Fn(&ClavetConstants) -> f32| constants.iter().map(value).collect();
        Self {
            radius,
            stiffness: each(&|constants| softness * dt * dt * constants.spring_stiffness),
            yield_ratio: each(&|constants| constants.yield_ratio),
            plasticity: each(&|constants| (dt * constants.plasticity).min(1.0)),
        }
    }

    /// Whether any material has springs.
    pub fn is_active(&self) -> bool {
        self.stiffness.iter().any(|&stiffness| stiffness > 0.0)
    }

    /// The rule of one material.
    #[inline(always)]
    pub fn of(&self, material: usize) -> MaterialRule {
        MaterialRule {
            radius: self.radius,
            stiffness: self.stiffness[material],
            yield_ratio: self.yield_ratio[material],
            plasticity: self.plasticity[material],
        }
    }
}

/// What the springs of one material do in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialRule {
    /// h.
    radius: f32,
    /// Δt² k_spring.
    stiffness: f32,
    /// γ.
    yield_ratio: f32,
    /// Δt α.
    plasticity: f32,
}

impl MaterialRule {
    /// The new rest length of a pair: algorithm 4.
    #[inline(always)]
    pub fn adjusted(&self, rest: f32, length: f32) -> f32 {
        let flow = self.plasticity;
        let tolerance = self.yield_ratio * rest;
        let stretch = (length - rest - tolerance).max(0.0);
        let shrink = (rest - tolerance - length).max(0.0);
        let flowed = rest + flow * (stretch - shrink);
        let newborn = if flow > 0.0 { self.radius } else { 0.0 };
        let created = if length < self.radius { newborn } else { 0.0 };
        let kept = if flowed <= self.radius { flowed } else { 0.0 };
        if rest > 0.0 { kept } else { created }
    }

    /// The displacement of a pair along its axis, positive apart: algorithm 3.
    #[inline(always)]
    pub fn push(&self, rest: f32, length: f32) -> f32 {
        let weight = if rest > 0.0 {
            1.0 - rest / self.radius
        } else {
            0.0
        };
        self.stiffness * weight * (rest - length)
    }
}

/// Adjusts rest lengths, from `springs` to `adjusted`, and adds the springs' displacements. The fourth number of `points`
/// is a particle's material. Pairs have the same mass, being of the same material.
pub fn apply(
    rule: &SpringRule,
    neighbours: &Neighbours,
    springs: &Springs,
    adjusted: &mut Springs,
    points: &[Point],
    displacements: &mut [Displacement],
) {
    adjusted
        .chunks
        .resize_with(springs.chunks.len(), SpringChunk::default);
    displacements
        .par_chunks_mut(CHUNK)
        .zip(neighbours.chunks().par_iter().zip(&springs.chunks))
        .zip(&mut adjusted.chunks)
        .enumerate()
        .for_each(|(chunk, ((displacements, (list, before)), after))| {
            // Particles without springs leave no trace of an older use of the memory.
            after.listed.clear();
            after.listed.resize(before.listed.len(), 0.0);
            after.stretched_start.clone_from(&before.stretched_start);
            after.stretched.clone_from(&before.stretched);
            widest(
                #[inline(always)]
                |width| {
                    for (local, displacement) in displacements.iter_mut().enumerate() {
                        let own = points[chunk * CHUNK + local];
                        let rule = rule.of(own[3] as usize);
                        if rule.stiffness > 0.0 {
                            let members = List::new(list.of(local), width);
                            let entries = list.first_entry(local)..;
                            let rests = &before.listed[entries.clone()];
                            let changed = &mut after.listed[entries];
                            let mut sum = listed(rule, members, own, points, rests, changed);
                            for spring in &mut after.stretched[before.stretched_of(local)] {
                                sum += single(rule, own, points[spring.0 as usize], &mut spring.1);
                            }
                            displacement.moved -= sum;
                        }
                    }
                },
            );
        });
}

/// One spring: adjusts its rest length and returns its displacement of the other end.
#[inline(always)]
fn single(rule: MaterialRule, own: Point, other: Point, rest: &mut f32) -> Vec3 {
    let away = Vec3::new(other[0] - own[0], other[1] - own[1], other[2] - own[2]);
    let [x, y, z] = away.to_array();
    let length = (x * x + y * y + z * z).sqrt();
    // Springs end where materials differ, and padding is nobody's.
    *rest = if own[3] == other[3] {
        rule.adjusted(*rest, length)
    } else {
        0.0
    };
    away * (0.5 * rule.push(*rest, length) / length.max(f32::MIN_POSITIVE))
}

/// The springs of one particle's neighbours. Where there is none nothing is added, which leaves no trace in the rounding.
#[inline(always)]
fn listed(
    rule: MaterialRule,
    members: List<'_>,
    own: Point,
    points: &[Point],
    before: &[f32],
    after: &mut [f32],
) -> Vec3 {
    let rests = before.as_chunks::<LANES>().0;
    let changed = after.as_chunks_mut::<LANES>().0;
    let mut sum = [[0.0f32; LANES]; 3];
    for ((block, rests), changed) in members.blocks().zip(rests).zip(changed) {
        let other = block.of(points);
        // Copies, or nobody knows that writing the new rest lengths leaves the old ones alone, and lanes go one by one.
        let before = *rests;
        let mut rest = [0.0f32; LANES];
        for lane in 0..LANES {
            let [x, y, z] = away(own, &other, lane);
            let length = (x * x + y * y + z * z).sqrt();
            // Springs end where materials differ, and padding is nobody's.
            let same = if own[3] == other[3][lane] { 1.0 } else { 0.0 };
            rest[lane] = same * rule.adjusted(before[lane], length);
            let size = 0.5 * rule.push(rest[lane], length) / length.max(f32::MIN_POSITIVE);
            sum[0][lane] += size * x;
            sum[1][lane] += size * y;
            sum[2][lane] += size * z;
        }
        *changed = rest;
    }
    Vec3::from_array(sum.map(sum_lanes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(yield_ratio: f32, plasticity: f32) -> SpringRule {
        SpringRule {
            radius: 1.0,
            stiffness: vec![0.1],
            yield_ratio: vec![yield_ratio],
            plasticity: vec![plasticity],
        }
    }

    #[test]
    fn a_spring_flows_only_beyond_its_tolerance_and_breaks_beyond_the_radius() {
        let rule = rule(0.1, 0.5);
        assert_eq!(rule.of(0).adjusted(0.5, 0.54), 0.5);
        assert_eq!(rule.of(0).adjusted(0.5, 0.46), 0.5);
        assert!((rule.of(0).adjusted(0.5, 0.75) - 0.6).abs() < 1e-6);
        assert!((rule.of(0).adjusted(0.5, 0.25) - 0.4).abs() < 1e-6);
        assert_eq!(rule.of(0).adjusted(0.95, 1.5), 0.0);
        // Neighbours get a spring, others do not.
        assert_eq!(rule.of(0).adjusted(0.0, 0.7), 1.0);
        assert_eq!(rule.of(0).adjusted(0.0, 1.2), 0.0);
    }

    #[test]
    fn an_elastic_material_makes_no_new_springs() {
        let rule = rule(0.1, 0.0);
        assert_eq!(rule.of(0).adjusted(0.0, 0.7), 0.0);
        assert_eq!(rule.of(0).adjusted(0.5, 5.0), 0.5);
    }

    #[test]
    fn tables_survive_a_new_order() {
        // A chain of three; the middle one is dropped in the second order.
        let table = SpringTable::from_lists(vec![
            vec![(1, 0.5), (2, 0.9)],
            vec![(0, 0.5), (2, 0.4)],
            vec![(0, 0.9), (1, 0.4)],
        ]);
        let turned = table.gather(&[2, 0, 1], 3);
        assert_eq!(turned.gather(&[1, 2, 0], 3), table);
        let fewer = table.gather(&[0, 2], 3);
        assert_eq!(fewer.start, [0, 1, 2, 2]);
        assert_eq!((fewer.other, fewer.rest), (vec![1, 0], vec![0.9, 0.9]));
    }
}
