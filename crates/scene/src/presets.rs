//! The registry of methods: one line for each family of methods, from which its place in a scene, the keys that it takes and its
//! starter follow, and one line for each preset, with its place in the reference.

use ooze_core::{Domain, Liquid, LiquidError, LiquidSettings, LiquidSetup, Solids};
use ooze_grid::{FlipSettings, LevelSetSettings, MarkerSettings};
use ooze_particles::{ClavetSettings, MuellerSettings};

use crate::check::Checker;
use crate::file::MethodKeys;
use crate::keys::{GRID, Methods, choice};
use crate::place::Placed;

/// Declares the families: what each does, its settings, the set of its presets for keys that say who reads them, the commented scene
/// that one starts from, and what a scene's keys make of the settings of a preset; `|_, preset, _, _| preset` for a family without keys.
/// The preset with all of the defaults has the family's name.
macro_rules! families {
    ($(
        $(#[doc = $doc:literal])+
        $family:ident($settings:ty) $set:ident $starter:literal $changed:expr;
    )+) => {
        /// How a liquid is simulated.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Method {
            $( $(#[doc = $doc])+ $family($settings), )+
        }

        /// Methods that read the same keys, whatever preset they start from.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Family {
            $( $(#[doc = $doc])+ $family, )+
        }

        $( $(#[doc = $doc])+ pub(crate) const $set: Methods = Methods::of(Family::$family); )+

        impl Method {
            /// The name of the preset with the method's own defaults.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$family(_) => MethodPreset::$family.name(), )+
                }
            }

            /// Volume that one particle stands for, in cubic metres.
            pub fn particle_volume(&self, domain: &Domain) -> f64 {
                match self {
                    $( Self::$family(settings) => settings.particle_volume(domain), )+
                }
            }

            /// The liquid of a scene at time zero.
            pub fn liquid(
                &self,
                setup: LiquidSetup,
                solids: &dyn Solids,
            ) -> Result<Box<dyn Liquid>, LiquidError> {
                match self {
                    $( Self::$family(settings) => settings.liquid(setup, solids), )+
                }
            }

            /// What a scene makes of it.
            pub(crate) fn changed(
                self,
                checker: &mut Checker,
                keys: &Placed<MethodKeys>,
                cfl: Option<&Placed<f64>>,
            ) -> Self {
                match self {
                    $( Self::$family(preset) => Self::$family($changed(checker, preset, keys, cfl)), )+
                }
            }

            /// The methods that it reads the same keys as.
            pub(crate) fn family(&self) -> Family {
                match self {
                    $( Self::$family(_) => Family::$family, )+
                }
            }
        }

        impl Family {
            /// The commented scene that one starts from.
            pub(crate) fn starter(self) -> &'static str {
                match self {
                    $( Self::$family => include_str!(concat!("../scenes/", $starter)), )+
                }
            }
        }
    };
}

families! {
    /// Particles carry the velocity of a staggered grid.
    Flip(FlipSettings) FLIP "starter.toml.in" Checker::flip_with_steps;
    /// A level set carries the surface of a liquid on a staggered grid.
    LevelSet(LevelSetSettings) LEVEL_SET "starter-level-set.toml.in" Checker::level_set;
    /// Markers tell which cells of a staggered grid are liquid.
    Carlson(MarkerSettings) CARLSON "starter-carlson.toml.in" Checker::carlson;
    /// Particles are relaxed to their density.
    Clavet(ClavetSettings) CLAVET "starter-clavet.toml.in" Checker::clavet;
    /// Particles push and pull one another.
    Mueller(MuellerSettings) MUELLER "starter-mueller.toml.in" Checker::mueller;
}

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
        /// As `level-set`, with bodies that are liquid while the liquid is solved for, and then made rigid: quick, for bodies of half
        /// the liquid's density and more (Carlson 2004, ch. 5).
        Carlson2004Rigid "carlson-2004-rigid" => Method::LevelSet(LevelSetSettings::carlson_2004_rigid());
        /// Markers in the cells of a grid, each component of velocity diffused by itself, for liquids that melt and set: simple and
        /// quick on small grids, coarse at walls and surfaces (Carlson 2004, ch. 3 and 4).
        Carlson "carlson-2004" => Method::Carlson(MarkerSettings::default());
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

/// Names of the presets that a method can start from.
pub fn method_names() -> impl Iterator<Item = &'static str> {
    MethodPreset::ALL.iter().map(|(name, _)| *name)
}

impl Method {
    /// Whether velocities live on a grid; if not, particles are all that there is.
    pub fn is_on_grid(&self) -> bool {
        GRID.has(self.family())
    }
}
