//! The registry of methods: one line for each preset, from which the keys that it takes, its place in the reference and its
//! starter follow.

use ooze_grid::{FlipSettings, LevelSetSettings};
use ooze_particles::{ClavetSettings, MuellerSettings};

use crate::Method;
use crate::keys::choice;

/// Declares the presets: what each is, its word, and the method that it stands for.
macro_rules! presets {
    (
        $(#[doc = $doc:literal])+
        enum $presets:ident {
            $( $(#[doc = $preset_doc:literal])+ $preset:ident $word:literal => $method:expr; )+
        }
    ) => {
        choice! {
            $(#[doc = $doc])+
            enum $presets {
                $( $(#[doc = $preset_doc])+ $preset $word; )+
            }
        }

        impl $presets {
            /// The method with the settings of the preset.
            pub(crate) fn method(self) -> Method {
                match self {
                    $( Self::$preset => $method, )+
                }
            }
        }
    };
}

presets! {
    /// A published way of simulating a liquid, with one choice for every stage.
    enum MethodPreset {
        /// The default FLIP liquid: lively, keeps its volume (Zhu & Bridson 2005).
        Flip "flip" => Method::Flip(FlipSettings::default());
        /// As `flip`, with affine transfers: calmer surfaces, keeps angular momentum (Jiang et al. 2015).
        Apic "apic" => Method::Flip(FlipSettings::apic());
        /// The paper's FLIP: variational viscosity between two pressure solves, one large particle a cell, walls weighted
        /// by volume, incomplete Cholesky, no correction of density or volume (Batty & Bridson 2008, sec. 5 and 6).
        BattyBridson2008 "batty-bridson-2008" => Method::Flip(FlipSettings::batty_bridson_2008());
        /// A particle level set on a grid: smooth surfaces and no particles inside, for thick liquids and goo (after
        /// Goktekin 2011).
        LevelSet "level-set" => Method::LevelSet(LevelSetSettings::default());
        /// As published: semi-Lagrangian, voxelised walls, decoupled viscosity, explicit elasticity by differences, no
        /// correction of volume (Goktekin 2011).
        Goktekin2011 "goktekin-2011" => Method::LevelSet(LevelSetSettings::goktekin_2011());
        /// Particles that are relaxed to their density, with springs for elastic and yielding liquids (after Clavet,
        /// Beaudoin & Poulin 2005); tension as small as the material's where particles allow.
        Clavet "clavet" => Method::Clavet(ClavetSettings::default());
        /// As published: particles relaxed one by one, with the full attraction at the surface (Clavet et al. 2005).
        Clavet2005 "clavet-2005" => Method::Clavet(ClavetSettings::published());
        /// Particles with forces: pressure from a state equation, tension, mixing, heat (after Müller et al. 2003, 2005).
        Mueller "mueller" => Method::Mueller(MuellerSettings::default());
        /// As `mueller`, with summed densities and the published kernels and viscosity (Müller, Charypar & Gross 2003).
        Mueller2003 "mueller-2003" => Method::Mueller(MuellerSettings::published());
    }
}

/// Methods that read the same keys, whatever preset they start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Particles that carry the velocity of a grid.
    Flip,
    /// Level sets on a grid.
    LevelSet,
    /// Relaxed particles with springs.
    Clavet,
    /// Particles with forces.
    Mueller,
}

impl Method {
    /// The methods that it reads the same keys as.
    pub(crate) fn family(&self) -> Family {
        match self {
            Self::Flip(_) => Family::Flip,
            Self::LevelSet(_) => Family::LevelSet,
            Self::Clavet(_) => Family::Clavet,
            Self::Mueller(_) => Family::Mueller,
        }
    }
}

impl Family {
    /// The commented scene that one starts from.
    pub(crate) fn starter(self) -> &'static str {
        match self {
            Self::Flip => include_str!("../scenes/starter.toml.in"),
            Self::LevelSet => include_str!("../scenes/starter-level-set.toml.in"),
            Self::Clavet => include_str!("../scenes/starter-clavet.toml.in"),
            Self::Mueller => include_str!("../scenes/starter-mueller.toml.in"),
        }
    }
}
