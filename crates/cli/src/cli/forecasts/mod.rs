//! `ooze bench forecasts`: what `ooze check` foretells beside what runs take, as a table in Markdown.
//!
//! Each forecast and each run is the real command in a process of its own, so that memory and time are its own, and forecasts
//! are measured anew: those that the user has are not asked.

mod report;
mod trial;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ooze_scene::{builtin, method_names};

use super::arguments::{Changes, Forecasts, SceneChoice};
use super::failure::Failure;
use super::source;
use super::words::{complain, say};
use trial::Trial;

/// The scene that is tried with every method, and its cells.
const SMALL_SCENE: &str = "dam-break";
const SMALL_CELLS: &str = "24";

/// Runs scenes and compares; without names, all that are built in, and a small one with every method.
pub(crate) fn forecasts(
    chosen: &Forecasts,
    changes: &Changes,
    threads: Option<u16>,
) -> Result<(), Failure> {
    let subjects = subjects(chosen, changes)?;
    let jobs = usize::from(chosen.jobs).min(subjects.len()).max(1);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let trial = Trial {
        threads: threads.map_or((processors / jobs).max(1), usize::from),
        limit: chosen.limit.map(Duration::from_secs),
    };
    complain(&format!(
        "{} runs, {jobs} at a time, each on {} threads",
        subjects.len(),
        trial.threads
    ));
    let rows = side_by_side(&subjects, jobs, |subject| {
        let row = trial.row(subject);
        complain(&match &row {
            Ok(row) => row.line(),
            Err(failure) => format!("{}: {failure}", subject.scene),
        });
        row
    });
    say(&format!("{}\n", report::HEADER))?;
    let (mut off, mut failures) = (0, Vec::new());
    for row in rows {
        match row {
            Ok(row) => {
                say(&format!("{}\n", row.line()))?;
                off += row.off();
            }
            Err(failure) => failures.push(failure),
        }
    }
    match failures.into_iter().next() {
        Some(failure) => Err(failure),
        None if off > 0 => Err(Failure::Off { failed: off }),
        None => Ok(()),
    }
}

/// What is run.
fn subjects(chosen: &Forecasts, changes: &Changes) -> Result<Vec<SceneChoice>, Failure> {
    let with = |scene: &str, changes: &Changes| SceneChoice {
        scene: scene.into(),
        changes: changes.clone(),
    };
    let with_every_method = |scene: &str, changes: &Changes| -> Vec<SceneChoice> {
        let methods = method_names().map(|method| Changes {
            method: Some(method.into()),
            ..changes.clone()
        });
        methods.map(|changes| with(scene, &changes)).collect()
    };
    let subjects: Vec<SceneChoice> = match &chosen.scenes[..] {
        [] if chosen.every_method => with_every_method(SMALL_SCENE, &small(changes)),
        [] => {
            let all = builtin::list();
            let all = all.iter().map(|scene| with(scene.name, changes));
            all.chain(with_every_method(SMALL_SCENE, &small(changes)))
                .collect()
        }
        names if chosen.every_method => names
            .iter()
            .flat_map(|name| with_every_method(name, changes))
            .collect(),
        names => names.iter().map(|name| with(name, changes)).collect(),
    };
    // What makes no sense is told before the first run.
    for subject in &subjects {
        source::resolve(subject)?;
    }
    Ok(subjects)
}

fn small(changes: &Changes) -> Changes {
    let mut small = changes.clone();
    small.resolution.get_or_insert_with(|| SMALL_CELLS.into());
    small
}

/// Does the work for all items, so many at a time; results are in the order of the items.
fn side_by_side<Item: Sync, Outcome: Send>(
    items: &[Item],
    jobs: usize,
    work: impl Fn(&Item) -> Outcome + Sync,
) -> Vec<Outcome> {
    let queue = Mutex::new(items.iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some((index, item)) = next() {
                    let outcome = work(item);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((index, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_keeps_its_order_whoever_does_it() {
        let items: Vec<u64> = (0..20).collect();
        let squares = side_by_side(&items, 4, |&item| {
            std::thread::sleep(Duration::from_millis(20 - item));
            item * item
        });
        let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
        assert_eq!(squares, expected);
    }
}
