//! Scenes that are larger than the machine are refused before they begin: running out of memory cannot be told of afterwards.

use std::fs;

use ooze_cli::forecast::Forecast;
use ooze_scene::{Prediction, Scene};

use super::failure::Failure;
use super::words::{bytes, complain};

/// Refuses a scene that will need more memory than the process can have, by the forecast that `ooze check` shows. What is
/// beyond doubt small enough is not tried before: nobody wants to wait for that.
pub(crate) fn refuse_too_large(scene: &Scene) -> Result<(), Failure> {
    let Some(limit) = limit() else {
        return Ok(());
    };
    let rough = scene.prediction().memory_bytes;
    if rough.saturating_mul(Prediction::DOUBT) <= limit {
        return Ok(());
    }
    if !Forecast::is_known(scene) {
        complain("this scene may need more memory than there is: trying it on coarse cells first");
    }
    // A scene that makes no sense on coarse cells is judged roughly.
    let needed = Forecast::of(scene).map_or(rough, |forecast| forecast.memory_bytes as u64);
    if needed <= limit {
        return Ok(());
    }
    Err(Failure::TooLarge {
        scene: scene.name.clone(),
        needed: bytes(needed),
        limit: bytes(limit),
    })
}

/// The memory that the process can have in bytes, where the operating system tells (Linux): what the machine has, less where
/// a shell or a container allows less.
fn limit() -> Option<u64> {
    let read = |path| fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| total(&text));
    let process = read("/proc/self/limits").and_then(|text| address_space(&text));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    [machine, process, container].into_iter().flatten().min()
}

fn total(memory_information: &str) -> Option<u64> {
    let line = memory_information
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

fn address_space(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    // `unlimited` is no number.
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        assert_eq!(
            total("MemTotal:       1024 kB\nMemFree: 1 kB\n"),
            Some(1 << 20)
        );
        let limits =
            "Limit  Soft Limit  Hard Limit  Units\nMax address space   4096   unlimited   bytes\n";
        assert_eq!(address_space(limits), Some(4096));
        assert_eq!(address_space(&limits.replace("4096", "unlimited")), None);
    }
}
