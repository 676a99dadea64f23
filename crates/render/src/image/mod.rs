//! From samples to a picture: film, denoising and tone mapping.

mod denoise;
mod film;
mod picture;
mod tone;

pub use film::Film;
pub use picture::Picture;
pub(crate) use tone::encoded_colour;
