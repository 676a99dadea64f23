//! What tests of whole runs share.

use std::collections::BTreeMap;
use std::path::Path;

use ooze_cache::RunFolder;

/// Everything in a run's folder that must not depend on how it came about.
pub(crate) fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let folder = RunFolder::open(root).unwrap();
    let mut contents = BTreeMap::new();
    for frame in folder.frames().unwrap() {
        let bytes = std::fs::read(folder.particles_path(frame)).unwrap();
        contents.insert(format!("frame {frame}"), bytes);
    }
    for line in folder.statistics().unwrap() {
        let mut line = line.unwrap();
        line.seconds.clear();
        line.peak_memory_bytes = None;
        contents.insert(
            format!("statistics {}", line.frame),
            serde_json::to_vec(&line).unwrap(),
        );
    }
    let probes = std::fs::read(folder.probes_path()).unwrap();
    contents.insert("probes".into(), probes);
    contents
}
