//! Values that are choices of the crates that they are settings of.

use ooze_commons::{Choice, ChoiceOption};

use super::{AsWritten, ChoiceKind, Kind, Methods, OptionKind, Reader, Value, doc, read_choice};
use crate::node::Located;
use crate::pictures::{ColourChannel, Lighting, Show, StageKind};

/// What schema and reference tell of a choice.
fn describe<T: Choice>() -> ChoiceKind {
    let option = |option: &ChoiceOption<T>| OptionKind {
        name: option.word,
        doc: doc(option.about),
        methods: Methods::ALL,
    };
    ChoiceKind {
        doc: doc(T::ABOUT),
        options: T::OPTIONS.iter().map(option).collect(),
    }
}

/// Lets keys have values of these types.
macro_rules! choices {
    ($($choice:ty),+ $(,)?) => {
        $(
            impl Value for $choice {
                type Rules = ();

                fn kind(_: &()) -> Kind {
                    Kind::Choice(describe::<Self>)
                }

                fn read(located: &Located, _: &(), reader: &mut Reader) -> Option<Self> {
                    let options = Self::OPTIONS.iter();
                    let options: Vec<_> = options.map(|option| (option.word, option.value)).collect();
                    read_choice(located, &options, reader)
                }
            }

            impl AsWritten for $choice {
                fn as_written(&self) -> String {
                    format!("\"{}\"", self.word())
                }
            }
        )+
    };
}

choices! {
    ooze_core::MeltingCurve,
    ooze_geometry::Interpolation,
    ooze_geometry::ShellSide,
    ooze_grid::Advection,
    ooze_grid::Air,
    ooze_grid::BodyCoupling,
    ooze_grid::Convection,
    ooze_grid::Decay,
    ooze_grid::Diffusion,
    ooze_grid::EdgeMean,
    ooze_grid::ElasticityScheme,
    ooze_grid::LoopOrder,
    ooze_grid::OuterFaces,
    ooze_grid::PathRule,
    ooze_grid::PressurePreconditioner,
    ooze_grid::Reinitialisation,
    ooze_grid::Sampling,
    ooze_grid::ShearMean,
    ooze_grid::ViscousPressure,
    ooze_grid::SurfaceCondition,
    ooze_grid::SurfaceTreatment,
    ooze_grid::Transfer,
    ooze_grid::VelocityAdvection,
    ooze_grid::ViscosityPreconditioner,
    ooze_grid::ViscosityScheme,
    ooze_grid::WallFaces,
    ooze_grid::WallShape,
    ooze_grid::WallWeights,
    ooze_particles::DensityRule,
    ooze_particles::Kernels,
    ooze_particles::RelaxationOrder,
    ooze_particles::ViscosityForm,
    ooze_particles::WallForm,
    ooze_staging::QualityPreset,
    ooze_staging::TexturePattern,
    ooze_staging::ToneMap,
    ooze_surface::Extraction,
    ColourChannel,
    Lighting,
    Show,
    StageKind,
}
