//! Bodies that follow the liquid: what [`Solids`] tells and hears is enough for them, whatever the liquid.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use ooze::grid::{FlipLiquid, LevelSetLiquid};
use ooze::{Contact, Domain, Liquid, LiquidSetup, Material, Shape, Solid, Solids};
use ooze::{Schedule, Simulation};
use ooze_core::{
    BodyVelocity, ChannelData, ChannelError, Channels, FreeBody, Impulse, SpatialInertia,
};
use ooze_geometry::{Pose, Twist};

pub(crate) const GRAVITY: f64 = 9.81;
const CENTRE: Vec3 = Vec3::new(0.16, 0.16, 0.0);
pub(crate) const ROD: f32 = 0.05;
pub(crate) const CUP: f32 = 0.15;
/// Density of the rod over that of water.
const HEAVIER: f64 = 4.0;

/// A rod that falls freely in a cup that stands still.
pub(crate) struct Falling {
    solids: [Solid; 2],
    velocity: DVec3,
}

fn solid(name: &str, shape: Shape, at: Vec3, fixed: bool) -> Solid {
    let pose = Pose {
        translation: at,
        ..Pose::IDENTITY
    };
    let rest = Twist {
        centre: at,
        linear: Vec3::ZERO,
        angular: Vec3::ZERO,
        growth: 0.0,
    };
    Solid {
        name: name.into(),
        shape: Arc::new(shape),
        contact: Contact::default(),
        left: None,
        heat_capacity: None,
        free: None,
        fixed,
        start: pose,
        end: pose,
        twist: rest,
        next: rest,
    }
}

fn cylinder(radius: f32) -> Shape {
    Shape::cylinder(Vec3::NEG_Z, Vec3::Z, radius).expect("a fair cylinder")
}

impl Falling {
    /// One of a density relative to that of water, in a slab of some thickness.
    pub(crate) fn new(thickness: f32, ratio: f64) -> Self {
        let block = Shape::cuboid(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.5)).expect("a fair box");
        let cup = Shape::difference(block, vec![cylinder(CUP)]).expect("a fair cup");
        let volume = PI * ROD * ROD * thickness;
        let mass = ratio * 998.0 * f64::from(volume);
        let rod = Solid {
            free: Some(FreeBody {
                mass,
                volume: f64::from(volume),
                centre: Vec3::ZERO,
                inertia: DMat3::from_diagonal(DVec3::splat(0.5 * mass * f64::from(ROD * ROD))),
                // It falls without turning.
                locked: [[true, false, true], [true; 3]],
                before: BodyVelocity::default(),
                unforced: BodyVelocity::default(),
                joined: SpatialInertia::ZERO,
            }),
            ..solid("rod", cylinder(ROD), CENTRE, false)
        };
        Self {
            solids: [rod, solid("cup", cup, CENTRE, true)],
            velocity: DVec3::ZERO,
        }
    }
}

impl Falling {
    /// How fast the rod rises.
    pub(crate) fn velocity(&self) -> f64 {
        self.velocity.y
    }

    /// Ends the step as the velocity takes the rod.
    fn fall(&mut self, dt: f64) {
        let rod = &mut self.solids[0];
        rod.end.translation = rod.start.translation + (self.velocity * dt).as_vec3();
        rod.twist.centre = rod.start.translation;
        rod.twist.linear = self.velocity.as_vec3();
        rod.next = rod.twist;
    }
}

impl Solids for Falling {
    fn all(&self) -> &[Solid] {
        &self.solids
    }

    fn advance(&mut self, _time: f64, dt: f64) {
        let before = self.velocity;
        self.velocity.y -= GRAVITY * dt;
        let rod = &mut self.solids[0];
        rod.start = rod.end;
        let free = rod.free.as_mut().expect("it is free");
        free.before.linear = before;
        free.unforced.linear = self.velocity;
        self.fall(dt);
    }

    fn follow(&mut self, impulses: &[Impulse], dt: f64) {
        let rod = self.solids[0].free.expect("it is free");
        let push = impulses[0].total().linear.y / rod.mass;
        self.velocity.y = rod.unforced.linear.y + push;
        self.fall(dt);
    }

    fn push(&mut self, _impulses: &[Impulse], _dt: f64) {
        // Both liquids have had it follow.
    }

    fn save(&self) -> Channels {
        let place = self.solids[0].end.translation.as_dvec3();
        let values = [place.to_array(), self.velocity.to_array()].concat();
        let mut saved = Channels::default();
        saved.insert("rod", ChannelData::Double(values));
        saved
    }

    fn load(&mut self, mut saved: Channels, _time: f64) -> Result<(), ChannelError> {
        let values = saved.take_doubles("rod")?;
        self.solids[0].end.translation = DVec3::from_slice(&values).as_vec3();
        self.velocity = DVec3::from_slice(&values[3..]);
        Ok(())
    }
}

/// Water all over a flat domain.
pub(crate) fn cup_of_water() -> LiquidSetup {
    let mut domain = Domain::closed(Vec3::ZERO, Vec3::splat(0.32), 48);
    (domain.flat, domain.cells.z) = (true, 1);
    let mut setup = LiquidSetup::new(domain);
    let all = Shape::cuboid(Vec3::ZERO, Vec3::ONE).expect("a fair box");
    setup.fill(all, Material::newtonian("water", 998.0, 0.0, 0.0));
    setup
}

#[test]
fn a_heavy_rod_falls_with_the_water_that_it_takes_along() {
    let setup = cup_of_water();
    let cell_size = setup.domain.cell_size;
    let schedule = Schedule {
        frames: 20,
        frame_rate: 1000.0,
        max_substeps: 1000,
    };
    let rod = || Falling::new(cell_size, HEAVIER);
    let flip = FlipLiquid::new(setup.clone(), Default::default(), &rod());
    let level_set = LevelSetLiquid::new(setup, Default::default(), &rod());
    let liquids: [(&str, Box<dyn Liquid>); 2] =
        [("flip", Box::new(flip)), ("level set", Box::new(level_set))];
    for (name, liquid) in liquids {
        let mut simulation = Simulation::new(liquid, Box::new(rod()), schedule);
        let mut speed_after = |frames: u32| {
            for _ in 0..frames {
                simulation.advance_frame(&|| false).expect("a frame");
            }
            let rod = &simulation.solids().all()[0];
            let (free, motion) = rod.free.zip(rod.motion()).expect("it is free");
            -motion.momentum[1] / free.mass
        };
        let acceleration = speed_after(20) * schedule.frame_rate / 20.0;
        // Between cylinders of radii a and b, a moves liquid as if it had (b² + a²)/(b² − a²) of what it displaces in tow.
        let [rod, cup] = [ROD, CUP].map(|radius| f64::from(radius * radius));
        let taken = (cup + rod) / (cup - rod);
        let expected = GRAVITY * (HEAVIER - 1.0) / (HEAVIER + taken);
        assert!(
            (acceleration / expected - 1.0).abs() < 0.05,
            "{name}: {acceleration} of {expected} m/s²"
        );
    }
}
