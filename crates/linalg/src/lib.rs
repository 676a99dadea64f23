//! Sparse symmetric solvers: conjugate gradients and multigrid preconditioners.
