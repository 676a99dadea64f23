//! Free bodies with contacts and joints, for liquids to move and to be moved by.
//!
//! [`RigidSolids`] are the solids of a scene of which some are free: gravity, contacts with other solids and with the closed sides
//! of the domain, joints, motors and the liquid move them. Contacts and joints are solved by [rapier](https://rapier.rs), in double
//! precision and the same on every machine.

mod algebra;
mod body;
mod bonds;
mod bounce;
mod checkpoint;
mod checks;
mod error;
mod joint;
mod melting;
mod outline;
mod pieces;
mod places;
mod sleep;
mod solids;
mod stage;

pub use checks::faults;
pub use error::RigidError;
pub use solids::RigidSolids;
