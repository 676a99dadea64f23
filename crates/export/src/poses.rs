//! A table of where solids are and how they move, a row for each of them in each frame.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::ExportFrame;

const HEADER: &str = "frame,time,name,x,y,z,turn_x,turn_y,turn_z,turn_w,scale,velocity_x,velocity_y,velocity_z,spin_x,spin_y,spin_z,\
                      force_x,force_y,force_z,torque_x,torque_y,torque_z\n";

/// The table as text, as far as frames have come.
#[derive(Default)]
pub(crate) struct Poses {
    rows: String,
}

impl Poses {
    /// Adds the solids of a frame. Numbers have as many digits as it takes to read them back exactly; what is not known stays empty.
    pub(crate) fn push(&mut self, frame: &ExportFrame) {
        for solid in frame.solids {
            let (pose, twist) = solid.state();
            let name = quoted(&solid.body.name);
            let moving = [
                &pose.translation.to_array()[..],
                &pose.rotation.to_array(),
                &[pose.scale],
                &twist.linear.to_array(),
                &twist.angular.to_array(),
            ];
            let load = solid.load.map(|load| [load.force, load.torque].concat());
            let row = &mut self.rows;
            // Writing to a text cannot fail.
            let _ = write!(row, "{},{},{name}", frame.number, frame.time);
            for number in moving.concat() {
                let _ = write!(row, ",{number}");
            }
            match load {
                Some(numbers) => numbers.iter().for_each(|number| {
                    let _ = write!(row, ",{number}");
                }),
                None => row.push_str(",,,,,,"),
            }
            row.push('\n');
        }
    }

    /// The whole table; none if there was no solid.
    pub(crate) fn text(&self) -> Option<String> {
        (!self.rows.is_empty()).then(|| format!("{HEADER}{}", self.rows))
    }
}

/// A name as a cell of a table.
fn quoted(name: &str) -> Cow<'_, str> {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\"")).into()
    } else {
        name.into()
    }
}
