//! Arguments of the commands that measure the program itself.

use clap::Args;

use super::simulating::Changes;

#[derive(Debug, Args)]
pub(crate) struct Validate {
    /// Cases to run [default: all]
    pub cases: Vec<String>,

    /// Only cases that take seconds
    #[arg(long)]
    pub quick: bool,

    /// Print one JSON object a line instead of a table
    #[arg(long)]
    pub json: bool,

    /// Threads to use [default: one a processor]; does not change the result
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Run one workload and print its cost as JSON [default: all, as tables with ratios]; `forecasts` runs built-in
    /// scenes and compares what they take with what `ooze check` foretells; `table-6` and `table-9` run scenes after Carlson 2004
    /// beside what they took then; `bodies` tells what it costs that liquid moves bodies
    pub workload: Option<String>,

    #[command(flatten)]
    pub forecasts: Forecasts,

    #[command(flatten)]
    pub changes: Changes,

    /// Threads to use [default: 2, and 1 for comparison; for forecasts all that there are, shared between jobs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
}

/// Whose forecasts are compared with runs, and how.
#[derive(Debug, Args)]
pub(crate) struct Forecasts {
    /// Scenes whose forecasts are compared, as `--scenes honey,pour` [default: all that are built in, and a small one with
    /// every method]
    #[arg(
        long,
        visible_alias = "scene",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    pub scenes: Vec<String>,

    /// Run these scenes with every method [default: a small scene]
    #[arg(long)]
    pub every_method: bool,

    /// Forecasts and runs that go on side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Scenes that are foretold to take more seconds than this are run for fewer frames; of `table-9`, each is run for as long
    /// [default there: 30]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
}

impl Forecasts {
    /// Whether any of it was typed but the limit.
    pub(crate) fn are_chosen(&self) -> bool {
        !self.scenes.is_empty() || self.every_method || self.jobs != 1
    }
}

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// Number of cases
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub cases: u64,

    /// Number of the first case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first: u64,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Threads to use [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,

    /// Seconds after which a case counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub limit: u64,
}
