//! Keys of the elastic stage.

use crate::keys::{choice, table};

choice! {
    /// How elastic forces are integrated in time.
    enum ElasticSchemeWord {
        /// Explicit as long as a step is short enough, and no more implicit than it must be beyond.
        Automatic "automatic";
        /// Forces of the strain at the beginning of a step: waves are not damped, but steps are as short as they ask for.
        Explicit "explicit";
        /// Forces of the strain at the end of a step: stable at any step, waves are damped.
        Implicit "implicit";
    }
}

choice! {
    /// How the flow of strain beyond the yield strain is integrated.
    enum DecayWord {
        /// Exactly, at any decay rate.
        Exact "exact";
        /// Forward Euler, in steps shorter than a decay time (Goktekin 2011, eq. 3.29d).
        Explicit "explicit";
    }
}

table! {
    /// The elastic stage, for materials with `elasticity`; what is left out is as the preset has it.
    struct ElasticStageKeys "elastic stage" {
        /// Whether materials with `elasticity` are elastic at all.
        enabled: bool [()] optional;
        /// How elastic forces are integrated in time.
        scheme: ElasticSchemeWord [()] optional;
        /// How plastic flow is integrated in time.
        decay: DecayWord [()] optional;
        /// Whether strain turns with the liquid. Without it, goo that was squeezed and turned unfolds into the wrong shape.
        rotation: bool [()] optional;
    }
}
