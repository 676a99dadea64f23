//! Lists of neighbours over the course of a step, and points for inner loops.

use glam::Vec3;
use rayon::prelude::*;

use crate::CHUNK;
use crate::neighbours::{FAR_AWAY, Neighbours, Point, Rows};
use crate::resolution::Resolution;
use crate::state::ParticleState;

/// Positions for inner loops, with a fourth number, and the point that pads lists.
pub fn points_of(positions: &[Vec3], fourth: impl Fn(usize) -> f32 + Sync) -> Vec<Point> {
    let mut points = Vec::with_capacity(positions.len() + 1);
    positions
        .par_iter()
        .with_min_len(CHUNK)
        .enumerate()
        .map(|(index, position)| [position.x, position.y, position.z, fourth(index)])
        .collect_into_vec(&mut points);
    points.push(FAR_AWAY);
    points
}

/// Lists of neighbours from where particles were sorted.
pub fn find_neighbours(state: &ParticleState, resolution: &Resolution) -> Neighbours {
    let radius = resolution.radius + state.list_margin;
    let rows = Rows::of_sorted(&state.sorted_at, radius, resolution.flat(), 0);
    Neighbours::find(&state.sorted_at, &[&rows], state.sorted_at.len() as u32)
}

/// The lists of a step in the making. Those from before hold until new ones are made, and come back if the step fails.
#[derive(Default)]
pub struct Lists {
    former: Option<Neighbours>,
    rebuilt: Option<Neighbours>,
}

/// What making new lists did.
pub enum Renewal {
    /// The lists from before hold.
    None,
    /// There are new lists for the same particles in the same order.
    Lists,
    /// Particles were sorted: entry `i` was entry `order[i]` before.
    Order(Vec<u32>),
}

impl Lists {
    /// Begins a step with the lists of the last one.
    pub fn from_last_step(former: Option<Neighbours>) -> Self {
        Self {
            former,
            rebuilt: None,
        }
    }

    /// The lists from before the step.
    pub fn former(&self) -> Option<&Neighbours> {
        self.former.as_ref()
    }

    /// The lists that hold.
    pub fn current(&self) -> &Neighbours {
        let lists = self.rebuilt.as_ref().or(self.former.as_ref());
        lists.expect("neighbours are found before they are used")
    }

    /// Makes new lists if those from before do not hold for a step to `ahead`.
    pub fn renew(
        &mut self,
        state: &mut ParticleState,
        ahead: &[Vec3],
        resolution: &Resolution,
    ) -> Renewal {
        let margin = state.new_margin(ahead, resolution.radius);
        if margin.is_none() && self.former.is_some() {
            return Renewal::None;
        }
        let order = margin.map(|margin| state.sort(resolution.radius, margin, resolution.flat()));
        self.rebuilt = Some(find_neighbours(state, resolution));
        order.map_or(Renewal::Lists, Renewal::Order)
    }

    /// The lists for the next step.
    pub fn keep(self) -> Option<Neighbours> {
        self.rebuilt.or(self.former)
    }

    /// The lists from before, for a step that failed.
    pub fn give_back(self) -> Option<Neighbours> {
        self.former
    }
}
