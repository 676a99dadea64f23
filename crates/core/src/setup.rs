//! What a liquid is made from: the part of a checked scene that every method shares.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use ooze_geometry::Shape;

use crate::{
    Carried, Domain, Drain, Emitter, Force, HeatSetup, InitialLiquid, Material, MaterialId,
    TextureCoordinates, Tracers,
};

/// The liquid side of a scene, free of any method's settings.
#[derive(Clone, Debug)]
pub struct LiquidSetup {
    /// The simulated box.
    pub domain: Domain,
    /// Materials; a `MaterialId` is an index into them.
    pub materials: Vec<Material>,
    /// Liquid at the start.
    pub initial: Vec<InitialLiquid>,
    /// Where liquid is added.
    pub emitters: Vec<Emitter>,
    /// Where liquid is taken away.
    pub drains: Vec<Drain>,
    /// Accelerations, gravity among them.
    pub forces: Vec<Force>,
    /// What heats and cools the liquid, walls apart.
    pub heat: HeatSetup,
    /// What the liquid carries beside what its method needs.
    pub carried: Carried,
    /// The texture coordinates among that, if it carries any.
    pub texture: Option<TextureCoordinates>,
    /// Points that show how the liquid flows, for methods that carry them.
    pub tracers: Vec<Tracers>,
    /// Seed of every random choice.
    pub seed: u64,
}

impl LiquidSetup {
    /// Gravity on earth in m/s².
    pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

    /// A domain under gravity, without any liquid yet.
    pub fn new(domain: Domain) -> Self {
        Self {
            domain,
            materials: Vec::new(),
            initial: Vec::new(),
            emitters: Vec::new(),
            drains: Vec::new(),
            forces: vec![Force::Constant {
                acceleration: Self::GRAVITY,
            }],
            heat: HeatSetup::default(),
            carried: Carried::default(),
            texture: None,
            tracers: Vec::new(),
            seed: 0,
        }
    }

    /// The place of a material among the others; it is added unless it is there.
    pub fn material(&mut self, material: Material) -> MaterialId {
        let known = self.materials.iter().position(|known| *known == material);
        let index = known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        });
        MaterialId(u8::try_from(index).expect("a scene has fewer than 256 materials"))
    }

    /// Lets the liquid carry texture coordinates.
    pub fn carry_texture(&mut self, coordinates: TextureCoordinates) {
        coordinates.register(&mut self.carried);
        self.texture = Some(coordinates);
    }

    /// Fills a shape with liquid at rest; what comes back can be set in motion.
    pub fn fill(&mut self, shape: Shape, material: Material) -> &mut InitialLiquid {
        let liquid = InitialLiquid {
            name: format!("liquid-{}", self.initial.len() + 1),
            shape: Arc::new(shape),
            material: self.material(material),
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            viscosity_gradient: None,
            temperature: None,
            hold: None,
        };
        self.initial.push(liquid);
        self.initial.last_mut().expect("it was just added")
    }

    /// Potential energy of a unit of mass at a point in J/kg, of all forces that have a potential.
    pub fn potential(&self, point: DVec3) -> f64 {
        let forces = self.forces.iter();
        forces.map(|force| force.potential(point)).sum()
    }
}
