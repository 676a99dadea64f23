//! Scenes that are made in code: what they do not say is as in an empty scene file.

use std::path::Path;

use glam::Vec3;
use ooze_core::{Body, Collider, LiquidSetup, Tracers};

use super::{Checker, look_over, output_settings};
use crate::file::SceneKeys;
use crate::keys::{Reader, Value};
use crate::place::source;
use crate::prediction;
use crate::{Method, Scene, SolidLook, TracerLook, node};

impl Scene {
    /// A scene made in code: a liquid, and how it is simulated. Time, output and pictures are as in a scene file that says
    /// nothing of them; they, solids and probes can be changed afterwards.
    ///
    /// Nothing is checked: what makes no sense shows when it is simulated.
    pub fn new(name: &str, setup: LiquidSetup, method: Method) -> Self {
        let tree = node::parse(&source(name, "")).expect("an empty text is a table");
        let mut reader = Reader::new(SceneKeys::description, Vec::new());
        let keys = SceneKeys::read(&tree, &(), &mut reader).expect("everything has a default");
        let mut checker = Checker::new(Path::new(""), Vec::new());
        let time = checker.time(&keys.time);
        let pictures = checker.pictures(&keys.pictures, &method, &setup.heat.heaters);
        let prediction = prediction::predict(&look_over::Parts {
            setup: &setup,
            colliders: &[],
            method: &method,
            time: &time,
            probes: &[],
        });
        Self {
            name: name.into(),
            description: String::new(),
            setup,
            method_name: method.name(),
            method,
            colliders: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            solid_looks: Vec::new(),
            textures: Vec::new(),
            tracer_looks: Vec::new(),
            probes: Vec::new(),
            time,
            output: output_settings(&keys),
            pictures,
            source_text: String::new(),
            base_folder: Path::new("").into(),
            mesh_files: Vec::new(),
            warnings: Vec::new(),
            unread: Vec::new(),
            walls: None,
            creeping: Vec::new(),
            prediction,
        }
    }

    /// Adds a solid that pictures show as plain as can be.
    pub fn add_collider(&mut self, collider: Collider) {
        // Looks of colliders come before those of bodies.
        self.solid_looks.insert(self.colliders.len(), plain_look());
        self.colliders.push(collider);
    }

    /// Adds a solid that moves freely, which pictures show as plain as can be.
    pub fn add_body(&mut self, body: Body) {
        self.solid_looks.push(plain_look());
        self.bodies.push(body);
    }

    /// Adds tracers, for methods that carry them, and what pictures show of them.
    pub fn add_tracers(&mut self, tracers: Tracers, look: TracerLook) {
        self.setup.tracers.push(tracers);
        self.tracer_looks.push(look);
    }
}

fn plain_look() -> SolidLook {
    SolidLook {
        visible: true,
        look: "matte",
        colour: Vec3::splat(0.5),
    }
}
