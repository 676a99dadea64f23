//! A short version of `ooze fuzz`.

use std::time::Duration;

use ooze_cli::fuzz::{Kind, Settings, run};

#[test]
fn whatever_files_hold_the_answer_is_a_result_or_an_error() {
    let outcome = run(&Settings {
        cases: 2400,
        first: 0,
        seed: 2026,
        threads: 2,
        limit: Duration::from_secs(120),
    });
    assert!(outcome.failures.is_empty(), "{:#?}", outcome.failures);
    for kind in [Kind::Scene, Kind::Mesh, Kind::Checkpoint, Kind::Frame] {
        let tally = &outcome.tallies[&kind];
        assert!(tally.cases >= 300, "{kind:?}: {tally:?}");
        // Neither is everything refused, nor is anything let through.
        assert!(tally.refused >= tally.cases / 10, "{kind:?}: {tally:?}");
        assert!(tally.accepted >= tally.cases / 50, "{kind:?}: {tally:?}");
    }
    let damage = &outcome.tallies[&Kind::Damage];
    assert!(damage.refused >= damage.cases * 9 / 10, "{damage:?}");
}
