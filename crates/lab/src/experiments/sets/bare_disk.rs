//! The lower bound: appends octets to a file on the file system of the agent's state, with one
//! fdatasync for each group of SETs.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::error::{Context, Result};

/// Writes `octets` for each of `sets` SETs, with one write and one fdatasync for each group.
pub(in crate::experiments) fn append(
    directory: &Path,
    sets: usize,
    group: usize,
    octets: usize,
) -> Result<Duration> {
    let path = directory.join("bare.log");
    let mut file = File::create(&path).context(path.display())?;
    file.sync_all().context(path.display())?;
    let content = vec![0x5a; octets * group];
    let started = Instant::now();
    for first in (0..sets).step_by(group) {
        let part = content.get(..octets * group.min(sets - first)).unwrap_or_default();
        file.write_all(part).context(path.display())?;
        file.sync_data().context(path.display())?;
    }
    let elapsed = started.elapsed();
    fs::remove_file(&path).context(path.display())?;
    Ok(elapsed)
}
