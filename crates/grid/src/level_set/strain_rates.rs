//! The rates at which the strain of a level-set liquid grows: those of the very rows that its force is made of
//! (`viscosity::adjoint`), so that the force does just the work that strain stores, at walls and surfaces too.

use glam::IVec3;
use ooze_commons::reduce;
use ooze_field::{Field, FieldByAxis, Place};
use rayon::prelude::*;

use crate::elasticity::Strain;

/// Share of a cell below which a row is as good as none.
const LEAST_SHARE: f32 = 1e-4;
/// Components of strain, the diagonal first.
pub(super) const COMPONENTS: usize = 6;

/// The rates at which strain grows in 1/s where stress has rows, and the rows' shares of a cell.
pub(super) struct RowRates {
    rates: Strain,
    shares: Strain,
}

/// Some of the cells and edges.
pub(super) struct Marks {
    pub(super) cells: Field<u8>,
    pub(super) edges: FieldByAxis<u8>,
}

impl Marks {
    /// The cells whose shares on the diagonal, and the edges whose share, a test likes.
    fn where_shares(shares: &Strain, likes: impl Fn(usize, IVec3) -> bool + Sync) -> Self {
        let topology = shares.diagonal[0].topology();
        let cells = Field::from_cells(topology, Place::Cell, 0, |cell| {
            u8::from((0..3).any(|number| likes(number, cell)))
        });
        let edges = std::array::from_fn(|edge| {
            Field::from_cells(topology, Place::Edge(edge), 0, |cell| {
                u8::from(likes(3 + edge, cell))
            })
        });
        Self { cells, edges }
    }

    /// Where a component of strain is marked.
    fn component(&self, number: usize) -> &Field<u8> {
        if number < 3 {
            &self.cells
        } else {
            &self.edges[number - 3]
        }
    }
}

impl RowRates {
    /// Rates with the shares W of their rows. Strain has no trace, but rates at walls and surfaces have. On the diagonal of a cell the
    /// force does work at the rate Σ W_i ε_i r_i, and Σ W_i ε_i²/2 is stored: what is taken off the rates is as 1/W_i, so that
    /// it does no work on any strain without trace. Where a row is missing, its component follows from the others.
    pub(super) fn new(mut rates: Strain, shares: Strain) -> Self {
        let axes = rates.diagonal[0].topology().lattice().axes();
        let [x, y, z] = &mut rates.diagonal;
        x.par_tiles_mut()
            .zip(y.par_tiles_mut())
            .zip(z.par_tiles_mut())
            .for_each(|(((slot, x), (_, y)), (_, z))| {
                let mut rates = [x, y, z];
                let shares = shares.diagonal.each_ref().map(|field| field.tile(slot));
                for local in 0..rates[0].len() {
                    let yields = |axis: usize| 1.0 / (shares[axis][local] + LEAST_SHARE);
                    let trace: f32 = (0..axes).map(|axis| rates[axis][local]).sum();
                    let sum: f32 = (0..axes).map(yields).sum();
                    for (axis, rates) in rates.iter_mut().enumerate().take(axes) {
                        rates[local] -= trace * yields(axis) / sum;
                    }
                }
            });
        Self { rates, shares }
    }

    /// The rates, without trace.
    pub(super) fn rates(&self) -> &Strain {
        &self.rates
    }

    /// Where stress has rows: elsewhere strain is nobody's, and is continued from there.
    pub(super) fn known(&self) -> Marks {
        Marks::where_shares(&self.shares, |number, cell| {
            self.shares.component(number).get(cell) > 0.0
        })
    }

    /// Strain that the flow has carried to where stress has the shares `new`, from `strained`, which had these. What moves stores as
    /// much as before; but where liquid meets a wall or fills a pocket of air there is more of it than came, with the strain of
    /// what is beside it. Where shares have grown, strain is lessened until all of it stores no more than it did.
    pub(super) fn restrained(
        &self,
        strained: &Strain,
        mut carried: Strain,
        new: &Strain,
    ) -> Strain {
        let excess = stored(&carried, new, None) - stored(strained, &self.shares, None);
        if excess <= 0.0 {
            return carried;
        }
        let grown = Marks::where_shares(new, |number, cell| {
            new.component(number).get(cell) > self.shares.component(number).get(cell)
        });
        let there = stored(&carried, new, Some(&grown)).max(f64::MIN_POSITIVE);
        let factor = (1.0 - excess / there).max(0.0).sqrt() as f32;
        for number in 0..COMPONENTS {
            let field = carried.component_mut(number);
            field.par_tiles_mut().for_each(|(slot, tile)| {
                let grown = grown.component(number).tile(slot);
                for (value, &grown) in tile.iter_mut().zip(grown) {
                    if grown != 0 {
                        *value *= factor;
                    }
                }
            });
        }
        carried
    }
}

/// Σ W ε:ε of all rows with these shares, or of those that are marked.
fn stored(strain: &Strain, shares: &Strain, marked: Option<&Marks>) -> f64 {
    let component = |number: usize| {
        let (values, shares) = (strain.component(number), shares.component(number));
        let marked = marked.map(|marks| marks.component(number).values());
        // Shear stands for both of the entries off the diagonal.
        let times = if number < 3 { 1.0 } else { 2.0 };
        times
            * reduce::sum_indices(values.values().len(), |index| {
                if marked.is_some_and(|marked| marked[index] == 0) {
                    return 0.0;
                }
                f64::from(shares.values()[index]) * f64::from(values.values()[index]).powi(2)
            })
    };
    (0..COMPONENTS).map(component).sum()
}
