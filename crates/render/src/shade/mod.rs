//! How surfaces, bodies and lamps treat light.

mod coat;
mod embers;
mod finish;
mod fresnel;
mod lamp;
mod lamp_set;
mod media;
mod microfacet;
mod texture;

pub(crate) use embers::{Ember, Embers};
pub(crate) use finish::{Finish, Shadow, Substance, Wander};
pub(crate) use fresnel::{dielectric_reflectance, reflect, refract, schlick};
pub(crate) use lamp::Lamp;
pub(crate) use lamp_set::LampSet;
pub(crate) use media::{Media, Medium};
pub(crate) use microfacet::Facets;
pub(crate) use texture::{Mapped, MappedLayer, textured};
