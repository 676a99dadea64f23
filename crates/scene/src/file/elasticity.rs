//! Keys of the elastic stage.

use ooze_grid::{Decay, ElasticityScheme};

use crate::keys::table;

table! {
    /// The elastic stage, for materials with `elasticity`; what is left out is as the preset has it.
    struct ElasticStageKeys "elastic stage" {
        /// Whether materials with `elasticity` are elastic at all.
        enabled: bool [()] optional;
        /// How elastic forces are integrated in time.
        scheme: ElasticityScheme [()] optional;
        /// How plastic flow is integrated in time.
        decay: Decay [()] optional;
        /// Whether strain turns with the liquid. Without it, goo that was squeezed and turned unfolds into the wrong shape.
        rotation: bool [()] optional;
    }
}
