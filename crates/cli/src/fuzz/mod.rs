//! Trying what nonsense does: scenes, meshes and files of runs that were altered at random. Whatever they hold, the answer must
//! be a result or an error within a time limit, and damage must be noticed. `ooze fuzz` is the long version, tests run a
//! short one.

mod archives;
mod meshes;
mod random;
mod scenes;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use archives::Bench;
use random::Random;

/// What is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Scene files: parsed and checked.
    Scene,
    /// Mesh files of all formats: read, and distances to them taken.
    Mesh,
    /// Checkpoints with right checksums and wrong contents: loaded, and a step taken with what is accepted.
    Checkpoint,
    /// Frames with right checksums and wrong contents: read, and surfaces made of what is accepted.
    Frame,
    /// Archives with wrong checksums: all must be refused.
    Damage,
}

/// All kinds, with how often each comes up.
const TURNS: [Kind; 8] = [
    Kind::Scene,
    Kind::Mesh,
    Kind::Checkpoint,
    Kind::Damage,
    Kind::Scene,
    Kind::Mesh,
    Kind::Frame,
    Kind::Damage,
];

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Number of cases.
    pub cases: u64,
    /// The first of them.
    pub first: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Threads that work at the same time.
    pub threads: usize,
    /// Time after which a case counts as hanging.
    pub limit: Duration,
}

/// What was tried of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Number of cases.
    pub cases: u64,
    /// Those that were answered with a result.
    pub accepted: u64,
    /// Those that were answered with an error.
    pub refused: u64,
    /// The slowest of them.
    pub slowest: Duration,
    /// Its number.
    pub slowest_case: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Figures by kind.
    pub tallies: BTreeMap<Kind, Tally>,
    /// Cases that were not answered as they must be, in words.
    pub failures: Vec<String>,
}

impl Outcome {
    /// Adds what came of other cases.
    pub fn absorb(&mut self, other: Self) {
        for (kind, tally) in other.tallies {
            let sum = self.tallies.entry(kind).or_default();
            sum.cases += tally.cases;
            sum.accepted += tally.accepted;
            sum.refused += tally.refused;
            if tally.slowest > sum.slowest {
                (sum.slowest, sum.slowest_case) = (tally.slowest, tally.slowest_case);
            }
        }
        self.failures.extend(other.failures);
    }
}

/// How a case was answered; the error says what is wrong with the answer.
type Answer = Result<bool, String>;

/// Tries all cases.
pub fn run(settings: &Settings) -> Outcome {
    let shared = Arc::new(Shared {
        settings: *settings,
        bench: Bench::new(),
        next: AtomicU64::new(0),
        outcome: Mutex::new(Outcome::default()),
        at_work: (0..settings.threads).map(|_| Mutex::new(None)).collect(),
    });
    let former = Arc::new(panic::take_hook());
    let others = Arc::clone(&former);
    panic::set_hook(Box::new(move |panic| {
        let is_of_case = PLACE.with(|slot| match &mut *slot.borrow_mut() {
            Some(place) => {
                *place = place_of(panic);
                true
            }
            None => false,
        });
        if !is_of_case {
            others(panic);
        }
    }));
    let workers: Vec<_> = (0..settings.threads)
        .map(|worker| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.work(worker))
        })
        .collect();
    shared.wait_for(&workers);
    panic::set_hook(Box::new(move |panic| former(panic)));
    lock(&shared.outcome).clone()
}

thread_local! {
    /// Where the last panic of a thread that tries cases began; none in other threads.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

struct Shared {
    settings: Settings,
    bench: Bench,
    next: AtomicU64,
    outcome: Mutex<Outcome>,
    /// What each worker is at, and since when.
    at_work: Vec<Mutex<Option<(u64, Instant)>>>,
}

impl Shared {
    fn work(&self, worker: usize) {
        // Libraries split their work among threads; here each case has one of its own.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let Ok(pool) = pool else { return };
        let mut tables = self.bench.tables();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.settings.cases {
                return;
            }
            let case = self.settings.first + index;
            let kind = TURNS[(case % TURNS.len() as u64) as usize];
            let start = Instant::now();
            *lock(&self.at_work[worker]) = Some((case, start));
            let mut random = Random::new(self.settings.seed, case);
            let answer = pool.install(|| {
                PLACE.with(|slot| *slot.borrow_mut() = Some(String::new()));
                let attempt = AssertUnwindSafe(|| match kind {
                    Kind::Scene => scenes::attempt(&mut random),
                    Kind::Mesh => meshes::attempt(&mut random),
                    Kind::Checkpoint => tables.checkpoint(&mut random),
                    Kind::Frame => tables.frame(&mut random),
                    Kind::Damage => tables.damage(&mut random),
                });
                panic::catch_unwind(attempt).unwrap_or_else(|payload| Err(panicked(&*payload)))
            });
            *lock(&self.at_work[worker]) = None;
            if answer.is_err() {
                // Whatever a panic has left behind is of no use.
                tables = self.bench.tables();
            }
            self.note(kind, case, start.elapsed(), answer);
        }
    }

    fn note(&self, kind: Kind, case: u64, took: Duration, answer: Answer) {
        let mut outcome = lock(&self.outcome);
        let tally = outcome.tallies.entry(kind).or_default();
        tally.cases += 1;
        if took > tally.slowest {
            (tally.slowest, tally.slowest_case) = (took, case);
        }
        match answer {
            Ok(true) => tally.accepted += 1,
            Ok(false) => tally.refused += 1,
            Err(what) => outcome
                .failures
                .push(format!("case {case} ({kind:?}): {what}")),
        }
    }

    /// Waits until all workers are done but those that hang, which are left to themselves.
    fn wait_for(&self, workers: &[JoinHandle<()>]) {
        let mut hangs = vec![false; workers.len()];
        while (workers.iter().zip(&hangs)).any(|(worker, hangs)| !hangs && !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            for (slot, hangs) in self.at_work.iter().zip(&mut hangs) {
                let late = lock(slot).filter(|(_, since)| since.elapsed() > self.settings.limit);
                if let Some((case, since)) = late.filter(|_| !*hangs) {
                    *hangs = true;
                    let seconds = since.elapsed().as_secs_f64();
                    let failures = &mut lock(&self.outcome).failures;
                    failures.push(format!("case {case}: no answer after {seconds:.1} s"));
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a panic began: in our own code, if that called another library's.
fn place_of(panic: &PanicHookInfo<'_>) -> String {
    let place = panic
        .location()
        .map(ToString::to_string)
        .unwrap_or_default();
    let trace = std::backtrace::Backtrace::force_capture().to_string();
    let is_own = |line: &&str| line.contains("crates/") && !line.contains("/fuzz/");
    match trace.lines().find(is_own) {
        Some(own) if !place.starts_with("crates/") => format!("{place}, {}", own.trim()),
        _ => place,
    }
}

fn panicked(payload: &(dyn std::any::Any + Send)) -> String {
    let words = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    let place = PLACE.with(|slot| slot.borrow().clone());
    format!("panic at {}: {words}", place.unwrap_or_default())
}
