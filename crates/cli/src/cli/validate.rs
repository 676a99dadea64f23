//! `ooze validate`: reference cases, measured against what is expected.

use ooze_cli::validate::{Case, CaseError, Verdict, cases};
use ooze_scene::suggestion;

use super::arguments::Validate;
use super::failure::Failure;
use super::run::use_threads;
use super::table::table;
use super::words::{complain, say};

/// Runs the chosen cases; fails when one is off.
pub(crate) fn validate(arguments: Validate) -> Result<(), Failure> {
    use_threads(arguments.threads)?;
    let chosen = choose(&arguments)?;
    let mut rows = Vec::new();
    let mut failed = 0;
    let mut passed = 0;
    for case in chosen {
        if !arguments.json {
            complain(&format!("{}: {}", case.name, case.summary));
        }
        // What the other cases say is not lost.
        let verdicts = case.run().unwrap_or_else(|error| {
            failed += 1;
            complain(&broken(case.name, &error));
            Vec::new()
        });
        for verdict in verdicts {
            if verdict.pass {
                passed += 1;
            } else {
                failed += 1;
            }
            if arguments.json {
                let line = serde_json::to_string(&verdict)
                    .map_err(|error| Failure::Usage(error.to_string()))?;
                say(&format!("{line}\n"))?;
            } else {
                rows.push(row(&verdict));
            }
        }
    }
    if !arguments.json {
        let header = [
            "case",
            "method",
            "cells",
            "measured",
            "expected",
            "error",
            "tolerance",
            "verdict",
        ];
        say(&table(&header, &rows))?;
        say(&format!("{passed} passed, {failed} failed\n"))?;
    }
    if failed > 0 {
        return Err(Failure::Off { failed });
    }
    Ok(())
}

fn choose(arguments: &Validate) -> Result<Vec<Case>, Failure> {
    let all = cases();
    if let Some(unknown) = arguments
        .cases
        .iter()
        .find(|name| !all.iter().any(|case| case.name == **name))
    {
        let names: Vec<&str> = all.iter().map(|case| case.name).collect();
        let help = suggestion(unknown, &names);
        return Err(Failure::Usage(format!(
            "there is no case `{unknown}`; {help}"
        )));
    }
    let wanted = |case: &Case| {
        let named =
            arguments.cases.is_empty() || arguments.cases.iter().any(|name| name == case.name);
        named && (case.quick || !arguments.quick)
    };
    Ok(all.into_iter().filter(wanted).collect())
}

/// Why a case could not be carried through.
fn broken(name: &str, error: &CaseError) -> String {
    let why = match error {
        CaseError::Scene(errors) => errors.lines().join("\n"),
        other => other.to_string(),
    };
    format!("the reference case {name} failed: {why}")
}

fn row(verdict: &Verdict) -> Vec<String> {
    let number = |value: f64| format!("{value:.4}");
    vec![
        verdict.case.clone(),
        verdict.method.clone(),
        verdict.resolution.to_string(),
        number(verdict.measured),
        number(verdict.expected),
        number(verdict.error),
        number(verdict.tolerance),
        if verdict.pass { "ok" } else { "OFF" }.into(),
    ]
}
