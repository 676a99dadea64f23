//! Pictures to files.

mod font;
mod legend;
mod palette;
mod png_file;
mod preview;
mod sheet;
#[cfg(feature = "video")]
mod video;

pub use legend::{Legend, draw_legend};
pub use png_file::{read_png, write_png};
pub use preview::{PreviewSettings, write_preview};
pub use sheet::{SheetSettings, contact_sheet};
#[cfg(feature = "video")]
pub use video::{VideoWriter, write_video};
