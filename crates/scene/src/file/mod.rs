//! The keys of a scene file: what may be written, before anything is checked against anything else.

mod bodies;
mod body;
mod carlson;
mod coupling;
mod domain;
mod elasticity;
mod heat;
mod level_set;
mod material;
mod method;
mod motion;
mod output;
mod particles;
mod pictures;
mod probe;
mod shape;
mod sources;
mod texture;
mod tracers;
mod viscosity;

use glam::Vec3;
use ooze_core::LiquidSetup;

use crate::keys::{List, Named, Number, SMOOTH_WALLS, Text, count, number, table, vector};
use crate::place::Placed;
use crate::presets::LEVEL_SET;

pub(crate) use bodies::{ColliderKeys, ContactWord, LookWord};
pub(crate) use body::{BodyKeys, JointKeys, JointKindKeys, LockWord};
pub(crate) use carlson::CarlsonKeys;
pub(crate) use coupling::CouplingKeys;
pub(crate) use domain::{ClosedKeys, DomainKeys, SideKeys, TimeKeys};
pub(crate) use elasticity::ElasticStageKeys;
pub(crate) use heat::{AirKeys, HEATED, HeaterKeys, TRANSFER};
pub(crate) use level_set::LevelSetKeys;
pub(crate) use material::{
    LawKeys, MaterialKeys, TableKeys, TablePointKeys, ThermalKeys, WARM, liquid_properties,
    material_properties, preset_names, property_names,
};
pub(crate) use method::MethodKeys;
pub(crate) use motion::{MotionKeys, RotationKeys};
pub(crate) use output::OutputKeys;
pub(crate) use particles::{ClavetKeys, MuellerKeys};
pub(crate) use pictures::{
    CameraKeyKeys, CameraKeys, ColouringKeys, EnvironmentKeys, FramingKeys, GroundKeys, LampKeys,
    PathKeys, PictureKeys, SurfaceKeys, SurfaceWord,
};
pub(crate) use probe::{DirectionWord, MeasureKeys, NamedSolidKeys, ProbeKeys};
pub(crate) use shape::{BoxKeys, MeshKeys, ShapeKeys};
pub(crate) use sources::{DrainKeys, DropsKeys, EmitterKeys, ForceKeys, LiquidKeys};
pub(crate) use texture::{TextureCoordinateKeys, TextureKeys};
pub(crate) use tracers::TracersKeys;
pub(crate) use viscosity::{ViscosityGradientKeys, ViscosityKeys};

/// Rules of a list of tables that may be empty.
const TABLES: List<()> = List {
    items: (),
    least: 0,
};

/// A share.
const SHARE: Number = number("").between(0.0, 1.0);

/// An acceleration.
const ACCELERATION: Number = number("m/s²").between(-1e5, 1e5);

/// A temperature.
const KELVIN: Number = number("K").between(1.0, 10_000.0);

/// A velocity.
const VELOCITY: Number = number("m/s").between(-1e4, 1e4);

table! {
    /// Units are SI throughout: metres, seconds, kilograms, kelvin; angles are in degrees. The y axis points up.
    struct SceneKeys "scene" {
        /// Name of the scene, which also names the output folder; left out, the name of the file.
        name: String [Text::Some] optional;
        /// What the scene shows, for people.
        description: String [Text::Free] default("");
        /// How the liquid is simulated: the name of a preset, or a table that starts from one and changes stages.
        method: MethodKeys [()] section;
        /// Seed of every random choice. The same seed gives the same bytes.
        seed: u64 [count()] default(0u64);
        /// Acceleration by gravity.
        gravity: Vec3 [vector(ACCELERATION)] default(LiquidSetup::GRAVITY);
        /// The box in which everything happens.
        domain: DomainKeys [()] vital;
        /// Frames, duration and time steps.
        time: TimeKeys [()] section;
        /// Materials of your own, each under a name that liquids and emitters refer to.
        materials: Named<MaterialKeys> [()] section;
        /// Liquid that is there at the start.
        liquid: Vec<Placed<LiquidKeys>> [TABLES] section;
        /// Solids that follow their keyframes whatever the liquid does.
        collider: Vec<Placed<ColliderKeys>> [TABLES] section;
        /// Solids that gravity, other solids and the liquid move.
        body: Vec<Placed<BodyKeys>> [TABLES] section for SMOOTH_WALLS, essential;
        /// What holds bodies together.
        joint: Vec<Placed<JointKeys>> [TABLES] section for SMOOTH_WALLS, essential;
        /// Regions that liquid flows out of.
        emitter: Vec<Placed<EmitterKeys>> [TABLES] section;
        /// Balls of liquid that appear one by one.
        drops: Vec<Placed<DropsKeys>> [TABLES] section;
        /// Regions that swallow liquid.
        drain: Vec<Placed<DrainKeys>> [TABLES] section;
        /// The air around the liquid; left out, its surface passes no heat.
        air: AirKeys [()] optional for HEATED;
        /// Hot and cold things that are not solid.
        heater: Vec<Placed<HeaterKeys>> [TABLES] section for HEATED;
        /// Texture coordinates that stick to the liquid; left out, it carries none, unless a material has a texture.
        texture_coordinates: TextureCoordinateKeys [()] optional;
        /// Points that show how the liquid flows.
        tracers: Vec<Placed<TracersKeys>> [TABLES] section for LEVEL_SET;
        /// Accelerations beside gravity.
        force: Vec<Placed<ForceKeys>> [TABLES] section;
        /// What is measured every frame and written to `probes.csv`.
        probe: Vec<Placed<ProbeKeys>> [TABLES] section;
        /// What a run leaves behind, and how often.
        output: OutputKeys [()] section;
        /// How pictures are made.
        pictures: PictureKeys [()] section;
    }
}
