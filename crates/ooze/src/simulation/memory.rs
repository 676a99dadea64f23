//! How much memory the process has needed.

/// Largest resident memory of the process so far in bytes, where the operating system tells (Linux).
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    parse(&status)
}

fn parse(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_found() {
        let status = "Name:\tooze\nVmPeak:\t  9000 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(parse(status), Some(1234 * 1024));
        assert_eq!(parse("Name:\tooze\n"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_was_touched_shows() {
        let block = vec![1u8; 64 << 20];
        assert!(peak_bytes().is_some_and(|peak| peak > block.len() as u64));
    }
}
