//! `ooze fuzz`: what nonsense does, as a table and a list of failures.

use std::time::{Duration, Instant};

use ooze_cli::fuzz::{Outcome, Settings, run};

use super::arguments::Fuzz;
use super::failure::Failure;
use super::table::table;
use super::words::{complain, count, say};

/// Cases after which progress is shown.
const BATCH: u64 = 10_000;

/// Tries altered scenes, meshes, checkpoints and frames.
pub(crate) fn fuzz(arguments: Fuzz) -> Result<(), Failure> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let start = Instant::now();
    let mut whole = Outcome::default();
    let mut done = 0;
    while done < arguments.cases {
        let settings = Settings {
            cases: BATCH.min(arguments.cases - done),
            first: arguments.first + done,
            seed: arguments.seed,
            threads: arguments.threads.map_or(processors, usize::from),
            limit: Duration::from_secs(arguments.limit),
        };
        let part = run(&settings);
        for failure in &part.failures {
            complain(failure);
        }
        whole.absorb(part);
        done += settings.cases;
        let (done, all) = (count(done), count(arguments.cases));
        let failures = whole.failures.len();
        complain(&format!("{done} of {all} cases, {failures} failures"));
    }
    let rows: Vec<Vec<String>> = whole
        .tallies
        .iter()
        .map(|(kind, tally)| {
            vec![
                format!("{kind:?}").to_lowercase(),
                count(tally.cases),
                count(tally.accepted),
                count(tally.refused),
                format!("{:.2}", tally.slowest.as_secs_f64()),
                tally.slowest_case.to_string(),
            ]
        })
        .collect();
    let header = ["kind", "cases", "accepted", "refused", "slowest s", "case"];
    let failures = whole.failures.len();
    say(&format!(
        "{}\n{} cases of seed {} in {:.0} s, {failures} failures\n",
        table(&header, &rows),
        count(arguments.cases),
        arguments.seed,
        start.elapsed().as_secs_f64(),
    ))?;
    match failures {
        0 => Ok(()),
        failed => Err(Failure::Off { failed }),
    }
}
