//! Probes: what is measured, and under which column.

use std::sync::Arc;

use super::Checker;
use crate::file::{ColliderKeys, DirectionWord, MeasureKeys, NamedColliderKeys, ProbeKeys};
use crate::keys::suggestion;
use crate::place::Placed;
use crate::{Probe, ProbeQuantity, Problem};

/// Columns that `probes.csv` has anyway.
const TAKEN: [&str; 2] = ["frame", "time"];

impl Checker {
    pub(super) fn probes(
        &mut self,
        list: &[Placed<ProbeKeys>],
        colliders: &[Placed<ColliderKeys>],
    ) -> Vec<Probe> {
        let mut probes: Vec<Probe> = Vec::new();
        let mut columns: Vec<String> = TAKEN.map(String::from).into();
        for keys in list {
            let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
            if !keys.name.chars().all(allowed) {
                let message = format!(
                    "`{}` is {}, but must consist of letters, digits, `-` and `_`",
                    keys.name.place.key,
                    keys.name.place.text()
                );
                self.error(Problem::error(&keys.name.place, message));
            }
            let Some(measure) = self.measure(&keys.measure, colliders) else {
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

    fn measure(
        &mut self,
        keys: &MeasureKeys,
        colliders: &[Placed<ColliderKeys>],
    ) -> Option<ProbeQuantity> {
        Some(match keys {
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
                ProbeQuantity::Body(self.named_collider(body, colliders, false)?)
            }
            MeasureKeys::Force(body) => {
                ProbeQuantity::Force(self.named_collider(body, colliders, true)?)
            }
        })
    }

    /// The index of the collider that a probe names: first those that never melt, then, where they count, those that do.
    fn named_collider(
        &mut self,
        keys: &NamedColliderKeys,
        colliders: &[Placed<ColliderKeys>],
        melting: bool,
    ) -> Option<usize> {
        let name = |(index, keys): (usize, &Placed<ColliderKeys>)| {
            let own = keys.name.as_ref().map(|name| name.value.clone());
            own.unwrap_or_else(|| format!("collider-{}", index + 1))
        };
        let of_kind = |melts: bool| {
            let named = colliders.iter().enumerate();
            named.filter(move |(_, keys)| keys.material.is_some() == melts)
        };
        let melting = of_kind(true).filter(|_| melting);
        let names: Vec<String> = of_kind(false).chain(melting).map(name).collect();
        let wanted = &keys.collider;
        let found = names.iter().position(|name| *name == wanted.value);
        if found.is_none() {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = if known.is_empty() {
                "the scene has no colliders".into()
            } else {
                suggestion(wanted, &known)
            };
            let message = format!(
                "`{}` is \"{}\", but there is no such collider",
                wanted.place.key, wanted.value
            );
            self.error(Problem::error(&wanted.place, message).help(help));
        }
        found
    }
}
