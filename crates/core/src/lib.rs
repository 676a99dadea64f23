//! The words every ooze solver shares: materials, liquids, solids, reports and errors.
