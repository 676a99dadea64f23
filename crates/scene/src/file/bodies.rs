//! Keys of colliders.

use glam::Vec3;

use super::{HEATED, KELVIN, MotionKeys, ShapeKeys, TRANSFER, preset_names};
use crate::keys::{SMOOTH_WALLS, Text, choice, number, table, vector};
use crate::presets::FLIP;

// No twin of `WallCondition`: it can leave the condition to the liquid's thickness, which only a scene knows.
choice! {
    /// How liquid behaves where it touches a solid.
    enum ContactWord {
        /// As its thickness suggests: `no-slip` in scenes with a liquid of at least a hundred times the kinematic viscosity of
        /// water, 1e-4 m²/s, as syrup and honey have, and where `method.viscosity` is on; otherwise, and where there is
        /// `friction`, `slip`. `ooze check` says which.
        Automatic "automatic";
        /// Liquid glides along the wall. Liquids on a grid leave it from its edges, where air comes between.
        Slip "slip";
        /// Liquid glides along the wall and leaves it anywhere: the wall never pulls.
        Separating "separating" for SMOOTH_WALLS;
        /// Liquid at the wall moves with the wall, and leaves it as it does `slip` walls.
        NoSlip "no-slip";
        /// Liquid at the wall moves with the wall and does not leave it by itself.
        Sticky "sticky";
    }
}

// Looks are values without end; these are words for three of them.
choice! {
    /// What a solid looks like in pictures.
    enum LookWord {
        /// Dull, like plaster.
        Matte "matte";
        /// Shiny metal.
        Metal "metal";
        /// Clear glass.
        Glass "glass";
    }
}

table! {
    /// A solid that follows its keyframes whatever the liquid does.
    struct ColliderKeys "collider" {
        /// Name for messages and probes; left out, `collider-1` and so on.
        name: String [Text::Some] optional;
        /// The shape, in the body's own frame, which is the world's unless `motion` moves it.
        shape: ShapeKeys [()] required;
        /// Where the body is at any time.
        motion: MotionKeys [()] section;
        /// What it is made of, if it melts: a name under `materials`, or a preset, with a melting point. Heat passes into it as into
        /// liquid; it keeps its place, or moves as `motion` says, and what has melted leaves it as liquid. Left out, it never melts.
        material: String [Text::Material(preset_names)] optional for FLIP;
        /// How liquid behaves at its surface.
        contact: ContactWord [()] default(ContactWord::Automatic);
        /// Coulomb friction of a slip surface: tangential speed lost per normal speed stopped.
        friction: f64 [number("").between(0.0, 10.0)] default(0.0) for SMOOTH_WALLS;
        /// Its temperature; left out, it passes no heat. Of one that melts, the temperature at the start; left out, its material's.
        temperature: f64 [KELVIN] optional for HEATED;
        /// Heat that passes between it and the liquid; left out, as much as the liquid conducts.
        heat_transfer: f64 [TRANSFER] optional for HEATED;
        /// Whether pictures show it.
        visible: bool [()] default(true);
        /// What pictures make it look like.
        look: LookWord [()] default(LookWord::Matte);
        /// Linear red, green and blue in pictures.
        colour: Vec3 [vector(number("").between(0.0, 1.0))] default(Vec3::splat(0.5));
    }
}
