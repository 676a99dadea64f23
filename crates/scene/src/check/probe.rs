//! Probes: what is measured, and under which column.

use std::sync::Arc;

use super::Checker;
use super::body::own_name;
use crate::file::{DirectionWord, MeasureKeys, NamedSolidKeys, SceneKeys};
use crate::keys::suggestion;
use crate::place::{Place, Placed};
use crate::{Probe, ProbeQuantity, Problem};

/// Columns that `probes.csv` has anyway.
const TAKEN: [&str; 2] = ["frame", "time"];

impl Checker {
    pub(super) fn probes(&mut self, scene: &SceneKeys) -> Vec<Probe> {
        let mut probes: Vec<Probe> = Vec::new();
        let mut columns: Vec<String> = TAKEN.map(String::from).into();
        for keys in &scene.probe.value {
            let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            if !keys.name.chars().all(allowed) {
                let message = format!(
                    "`{}` is {}, but must consist of letters, digits, `-` and `_`",
                    keys.name.place.key,
                    keys.name.place.text()
                );
                self.error(Problem::error(&keys.name.place, message));
            }
            let Some(measure) = self.measure(&keys.measure, scene) else {
                continue;
            };
            let probe = Probe {
                name: keys.name.value.clone(),
                measure,
            };
            for column in probe.columns() {
                if columns.contains(&column) {
                    let message = format!(
                        "`{}` is {}, but there is a column `{column}` already",
                        keys.name.place.key,
                        keys.name.place.text()
                    );
                    self.error(Problem::error(&keys.name.place, message));
                }
                columns.push(column);
            }
            probes.push(probe);
        }
        probes
    }

    fn measure(&mut self, keys: &Placed<MeasureKeys>, scene: &SceneKeys) -> Option<ProbeQuantity> {
        Some(match &keys.value {
            MeasureKeys::Volume(volume) => {
                ProbeQuantity::Volume(Arc::new(self.shape(&volume.shape, &volume.shape.place)?))
            }
            MeasureKeys::Velocity(at) => ProbeQuantity::Velocity(at.point.value),
            MeasureKeys::Pressure(at) => ProbeQuantity::Pressure(at.point.value),
            MeasureKeys::Front(front) => {
                let (axis, upward) = match front.direction.value {
                    DirectionWord::PlusX => (0, true),
                    DirectionWord::MinusX => (0, false),
                    DirectionWord::PlusY => (1, true),
                    DirectionWord::MinusY => (1, false),
                    DirectionWord::PlusZ => (2, true),
                    DirectionWord::MinusZ => (2, false),
                };
                ProbeQuantity::Front { axis, upward }
            }
            MeasureKeys::Coil(coil) => ProbeQuantity::Coil {
                nozzle: coil.nozzle.value,
                layer: self.needs.cell_size,
            },
            MeasureKeys::Body(body) => {
                let solid = self.named_solid(body, &keys.place, scene, false);
                ProbeQuantity::Body(solid?)
            }
            MeasureKeys::Pose(body) => {
                let solid = self.named_solid(body, &keys.place, scene, false);
                ProbeQuantity::Pose(solid?)
            }
            MeasureKeys::Force(body) => {
                let solid = self.named_solid(body, &keys.place, scene, true);
                ProbeQuantity::Force(solid?)
            }
        })
    }

    /// The index of the solid that a probe names: first come colliders that never melt, then bodies, then, where they count,
    /// colliders that melt.
    fn named_solid(
        &mut self,
        keys: &NamedSolidKeys,
        place: &Place,
        scene: &SceneKeys,
        melting: bool,
    ) -> Option<usize> {
        let of_kind = |melts: bool| {
            let named = scene.collider.iter().enumerate();
            let named = named.filter(move |(_, keys)| keys.material.is_some() == melts);
            named.map(|(index, keys)| own_name("collider", index, &keys.name))
        };
        let bodies = scene.body.iter().enumerate();
        let bodies: Vec<String> = bodies
            .map(|(index, keys)| own_name("body", index, &keys.name))
            .collect();
        let lasting: Vec<String> = of_kind(false).collect();
        let melting: Vec<String> = of_kind(true).filter(|_| melting).collect();
        // Each with what comes before it.
        let after_bodies = lasting.len() + bodies.len();
        let (wanted, kind, known) = match (&keys.collider, &keys.body) {
            (Some(collider), None) => {
                let known = lasting.iter().enumerate();
                let melting = melting.iter().enumerate();
                let melting = melting.map(|(index, name)| (after_bodies + index, name));
                (collider, "collider", known.chain(melting).collect())
            }
            (None, Some(body)) => {
                let known = bodies.iter().enumerate();
                let known: Vec<(usize, &String)> = known
                    .map(|(index, name)| (lasting.len() + index, name))
                    .collect();
                (body, "body", known)
            }
            (Some(collider), Some(body)) => {
                let why = "a probe looks at one solid";
                self.clash(&collider.place, &body.place, why);
                return None;
            }
            (None, None) => {
                let message = format!("`{}` needs a `collider` or a `body`", place.key);
                self.error(Problem::error(place, message));
                return None;
            }
        };
        let found = known.iter().find(|(_, name)| **name == wanted.value);
        if found.is_none() {
            let known: Vec<&str> = known.iter().map(|(_, name)| name.as_str()).collect();
            let help = match (known.is_empty(), kind) {
                (false, _) => suggestion(wanted, &known),
                (true, "body") => "the scene has no bodies".into(),
                (true, _) => "the scene has no colliders".into(),
            };
            let message = format!(
                "`{}` is \"{}\", but there is no such {kind}",
                wanted.place.key, wanted.value
            );
            self.error(Problem::error(&wanted.place, message).help(help));
        }
        found.map(|&(index, _)| index)
    }
}
