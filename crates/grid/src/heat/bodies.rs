//! Bodies that cool by what they give (lumped: one temperature throughout).
//!
//! What a body gives in a step follows from where its own temperature ends: C (Tᵇ − Tᵇ₀) = −dt Σ g (Tᵇ − T), with its heat capacity C
//! and the conductance g to each cell that it touches. Solved for Tᵇ, a body adds a matrix of rank one to the system of the cells,
//! which stays symmetric and positive definite, and no step is too long for a body, however little heat it holds.

use ooze_core::{BodyHeat, BodyId};

use super::outside::Exchange;

/// Bodies whose temperature changes by what passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarmBodies {
    bodies: Vec<WarmBody>,
    /// Conductance in W/K from each cell to all of them.
    conductance: Vec<f64>,
}

/// One of them, and the cells that touch it.
#[derive(Clone, Debug)]
struct WarmBody {
    body: BodyId,
    /// At the start of the step, in kelvin.
    temperature: f64,
    /// In J/K.
    capacity: f64,
    /// Rows of cells, and conductances to them in W/K.
    touching: Vec<(usize, f64)>,
}

impl WarmBody {
    /// A sum over the cells that touch it, of conductances times values.
    fn felt(&self, value: impl Fn(usize) -> f64) -> f64 {
        let touching = self.touching.iter();
        touching.map(|&(row, each)| each * value(row)).sum()
    }

    fn conductance(&self) -> f64 {
        self.felt(|_| 1.0)
    }

    /// Its temperature after a step at whose end cells have theirs.
    fn after(&self, cells: &[f64], dt: f64) -> f64 {
        let arrived = self.capacity * self.temperature + dt * self.felt(|row| cells[row]);
        arrived / (self.capacity + dt * self.conductance())
    }
}

impl WarmBodies {
    /// Bodies by their numbers, with temperatures in kelvin and capacities in J/K, and how each of so many cells touches them:
    /// rows in their order, with conductances in W/K, once along each axis.
    pub(crate) fn new(
        bodies: impl Iterator<Item = (BodyId, f32, f64)>,
        cells: usize,
        touching: &[(usize, BodyId, f64)],
    ) -> Self {
        let bodies = bodies.map(|(body, temperature, capacity)| {
            let mut own: Vec<(usize, f64)> = Vec::new();
            for &(row, _, each) in touching.iter().filter(|(_, other, _)| *other == body) {
                match own.last_mut().filter(|last| last.0 == row) {
                    Some((_, sum)) => *sum += each,
                    None => own.push((row, each)),
                }
            }
            WarmBody {
                body,
                temperature: f64::from(temperature),
                capacity,
                touching: own,
            }
        });
        let bodies: Vec<WarmBody> = bodies.filter(|body| !body.touching.is_empty()).collect();
        let mut conductance = vec![0.0; if bodies.is_empty() { 0 } else { cells }];
        for &(row, each) in bodies.iter().flat_map(|body| &body.touching) {
            conductance[row] += each;
        }
        Self {
            bodies,
            conductance,
        }
    }

    /// The largest part of its heat capacity that a body passes on in a step.
    pub(crate) fn largest_share(&self, dt: f64) -> f64 {
        let bodies = self.bodies.iter();
        let shares = bodies.map(|body| dt * body.conductance() / body.capacity);
        shares.fold(0.0, f64::max)
    }

    /// Their temperatures after a step at whose end cells have theirs.
    pub(crate) fn after(&self, cells: &[f64], dt: f64) -> Vec<f64> {
        let bodies = self.bodies.iter();
        bodies.map(|body| body.after(cells, dt)).collect()
    }

    /// What passes between cells and bodies of such temperatures; none where no cell touches any.
    pub(crate) fn exchange(&self, temperatures: &[f64]) -> Option<Exchange> {
        if self.bodies.is_empty() {
            return None;
        }
        let mut power = vec![0.0; self.conductance.len()];
        for (body, temperature) in self.bodies.iter().zip(temperatures) {
            for &(row, each) in &body.touching {
                power[row] += each * temperature;
            }
        }
        Some(Exchange {
            conductance: self.conductance.clone(),
            power,
        })
    }

    /// What each of them got in a step, with its temperature and those of the cells.
    pub(crate) fn gains(&self, temperatures: &[f64], cells: &[f64], dt: f64) -> Vec<BodyHeat> {
        let bodies = self.bodies.iter().zip(temperatures);
        let gains = bodies.map(|(body, temperature)| BodyHeat {
            body: body.body,
            gained: dt * body.felt(|row| cells[row] - temperature),
        });
        gains.collect()
    }

    /// What a body's own change takes from the diagonal that cells have with it: dt² g²/(C + dt Σ g).
    pub(crate) fn relieve(&self, diagonal: &mut [f64], dt: f64) {
        for body in &self.bodies {
            let whole = body.capacity + dt * body.conductance();
            for &(row, each) in &body.touching {
                diagonal[row] -= (dt * each).powi(2) / whole;
            }
        }
    }

    /// Takes from a product with the matrix of the cells what couples different cells by way of bodies.
    pub(crate) fn couple(&self, x: &[f64], y: &mut [f64], dt: f64) {
        for body in &self.bodies {
            let share = dt * dt / (body.capacity + dt * body.conductance());
            let all = body.felt(|row| x[row]);
            for &(row, each) in &body.touching {
                y[row] -= share * each * (all - each * x[row]);
            }
        }
    }
}
