//! Liquids, emitters and drains.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use ooze_core::{Drain, Emitter, InitialLiquid, MaterialId};
use ooze_geometry::Shape;

use super::Checker;
use super::material::Materials;
use crate::Problem;
use crate::file::{DrainKeys, DropsKeys, EmitterKeys, LiquidKeys, ShapeKeys};
use crate::place::Placed;

/// Seconds in which nothing flows anywhere.
const MOMENT: f64 = 1e-9;

impl Checker {
    pub(super) fn liquids(
        &mut self,
        list: &[Placed<LiquidKeys>],
        materials: &Materials,
    ) -> Vec<InitialLiquid> {
        let names = self.names(
            "liquid",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let mut liquids = Vec::new();
        for (keys, name) in list.iter().zip(names) {
            self.in_plane(&keys.velocity);
            self.axis_across_plane(&keys.spin);
            let gradient = keys.viscosity_gradient.as_ref();
            let viscosity_gradient = gradient.and_then(|keys| self.viscosity_gradient(keys));
            let Some(shape) = self.filled_shape(&keys.shape) else {
                continue;
            };
            liquids.push(InitialLiquid {
                name,
                shape,
                material: materials.find(&keys.material).unwrap_or(MaterialId(0)),
                velocity: keys.velocity.value,
                spin: TAU * keys.spin.value,
                viscosity_gradient,
                temperature: keys.temperature.as_ref().map(|given| given.value as f32),
                hold: None,
            });
        }
        liquids
    }

    pub(super) fn emitters(
        &mut self,
        list: &[Placed<EmitterKeys>],
        materials: &Materials,
    ) -> Vec<Emitter> {
        let names = self.names(
            "emitter",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let mut emitters = Vec::new();
        for (keys, name) in list.iter().zip(names) {
            let velocity = self.emitter_velocity(keys);
            self.start_before_stop(&keys.start, keys.stop.as_ref());
            let shape = self.filled_shape(&keys.shape);
            let (Some(shape), Some(velocity)) = (shape, velocity) else {
                continue;
            };
            emitters.push(Emitter {
                name,
                shape,
                material: materials.find(&keys.material).unwrap_or(MaterialId(0)),
                velocity,
                start: keys.start.value,
                stop: keys.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value),
                rate: keys.rate.as_ref().map(|rate| rate.value),
                temperature: keys.temperature.as_ref().map(|given| given.value as f32),
            });
        }
        emitters
    }

    /// Drops, as emitters that fill a ball in one moment.
    pub(super) fn drops(
        &mut self,
        list: &[Placed<DropsKeys>],
        materials: &Materials,
    ) -> Vec<Emitter> {
        let names = self.names(
            "drops",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let mut emitters = Vec::new();
        for (keys, name) in list.iter().zip(names) {
            self.in_plane(&keys.velocity);
            for (number, drop) in keys.at.iter().enumerate() {
                let Some(radius) = drop.radius.as_ref().or(keys.radius.as_ref()) else {
                    let message = format!(
                        "`{}` has no `radius`, nor have its fellows one in common",
                        drop.place.key
                    );
                    self.error(Problem::error(&drop.place, message));
                    continue;
                };
                if let Some(velocity) = &drop.velocity {
                    self.in_plane(velocity);
                }
                let velocity = drop.velocity.as_ref().unwrap_or(&keys.velocity);
                let temperature = drop.temperature.as_ref().or(keys.temperature.as_ref());
                let Ok(shape) = Shape::sphere(drop.position.value, radius.value as f32) else {
                    continue;
                };
                emitters.push(Emitter {
                    name: format!("{name} {}", number + 1),
                    shape: Arc::new(shape),
                    material: materials.find(&keys.material).unwrap_or(MaterialId(0)),
                    velocity: velocity.value,
                    start: drop.time.value,
                    // Shut before anything could flow.
                    stop: drop.time.value + MOMENT,
                    rate: None,
                    temperature: temperature.map(|given| given.value as f32),
                });
            }
        }
        emitters
    }

    pub(super) fn drains(&mut self, list: &[Placed<DrainKeys>]) -> Vec<Drain> {
        let names = self.names(
            "drain",
            list.iter().map(|keys| (keys.name.as_ref(), &keys.place)),
        );
        let mut drains = Vec::new();
        for (keys, name) in list.iter().zip(names) {
            self.start_before_stop(&keys.start, keys.stop.as_ref());
            let Some(shape) = self.shape(&keys.shape, &keys.shape.place) else {
                continue;
            };
            drains.push(Drain {
                name,
                shape: Arc::new(shape),
                start: keys.start.value,
                stop: keys.stop.as_ref().map_or(f64::INFINITY, |stop| stop.value),
            });
        }
        drains
    }

    /// A shape that liquid fills.
    fn filled_shape(&mut self, keys: &Placed<ShapeKeys>) -> Option<Arc<Shape>> {
        self.shape(keys, &keys.place).map(Arc::new)
    }

    /// Velocity from either way of giving it.
    fn emitter_velocity(&mut self, keys: &Placed<EmitterKeys>) -> Option<Vec3> {
        let moving = match (&keys.velocity, &keys.speed, &keys.direction) {
            (Some(velocity), None, None) => {
                self.in_plane(velocity);
                if velocity.value == Vec3::ZERO {
                    let message =
                        format!("`{}` is zero: nothing would come out", velocity.place.key);
                    self.error(Problem::error(&velocity.place, message));
                    return None;
                }
                velocity.value
            }
            (None, Some(speed), Some(direction)) => {
                self.in_plane(direction);
                direction.normalize() * speed.value as f32
            }
            (Some(velocity), Some(other), _) => {
                self.clash(
                    &velocity.place,
                    &other.place,
                    "the velocity has a speed already",
                );
                return None;
            }
            (Some(velocity), None, Some(other)) => {
                self.clash(
                    &velocity.place,
                    &other.place,
                    "the velocity has a direction already",
                );
                return None;
            }
            _ => {
                let message = format!(
                    "`{}` must have either `velocity` or both `speed` and `direction`",
                    keys.place.key
                );
                self.error(Problem::error(&keys.place, message));
                return None;
            }
        };
        Some(moving)
    }

    pub(super) fn start_before_stop(&mut self, start: &Placed<f64>, stop: Option<&Placed<f64>>) {
        if let Some(stop) = stop
            && stop.value <= start.value
        {
            let message = format!(
                "`{}` is {} s, but must be after `start`, {} s",
                stop.place.key, stop.value, start.value
            );
            self.error(Problem::error(&stop.place, message).and(&start.place));
        }
    }
}
