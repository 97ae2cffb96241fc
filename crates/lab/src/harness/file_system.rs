//! The file system on which agents keep their state, because it decides if a SET is durable.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the type of the file system that contains the temporary directory, such as `ext4`; empty
/// if it is unknown.
pub(super) fn of_state() -> String {
    let directory = std::env::temp_dir();
    let directory = directory.canonicalize().unwrap_or(directory);
    of(&directory, &fs::read_to_string("/proc/self/mountinfo").unwrap_or_default())
}

/// Returns the warning for measurements on this machine, if their state is in memory.
pub(crate) fn warning_here() -> Option<String> {
    warning(&of_state())
}

/// Returns the warning for measurements with the state on this file system, if it is in memory.
pub(super) fn warning(file_system: &str) -> Option<String> {
    IN_MEMORY.contains(&file_system).then(|| {
        format!(
            "the agents' state is on {file_system}, in memory: SETs, edits and received notifications are not \
             durable, and their times lack those of a disk; TMPDIR can name a directory on a disk"
        )
    })
}

/// Returns the type of the innermost mount that contains a directory. Of several mounts at the same
/// place, the last one is visible.
fn of(directory: &Path, mounts: &str) -> String {
    let mounts = mounts.lines().filter_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let point = PathBuf::from(mount.split(' ').nth(4)?.replace("\\040", " "));
        directory.starts_with(&point).then(|| (point.components().count(), file_system.split(' ').next()))
    });
    let innermost = mounts.max_by_key(|(depth, _)| *depth);
    innermost.and_then(|(_, name)| name).unwrap_or_default().to_owned()
}

const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];

#[cfg(test)]
mod tests {
    use super::{of, of_state, warning};
    use std::path::Path;

    #[test]
    fn innermost_mount_decides() {
        let mounts = "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n\
                      30 27 0:30 / /tmp rw shared:5 - tmpfs tmpfs rw\n\
                      31 30 0:31 / /tmp/my\\040disk rw - xfs /dev/vdb rw\n\
                      32 27 0:32 / /tmpfile rw - btrfs /dev/vdc rw\n";
        let found = |path: &str| of(Path::new(path), mounts);
        assert_eq!(
            ["/var/tmp", "/tmp", "/tmp/a", "/tmp/my disk/a", "/tmpfile"].map(found),
            ["ext4", "tmpfs", "tmpfs", "xfs", "btrfs"]
        );
        assert_eq!(of(Path::new("/tmp"), ""), "");
    }

    #[test]
    fn later_mount_at_the_same_place_hides_the_earlier_one() {
        let mounts = "27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:30 / / rw - overlay overlay rw\n";
        assert_eq!(of(Path::new("/tmp"), mounts), "overlay");
    }

    #[test]
    fn only_file_systems_in_memory_cause_a_warning() {
        assert!(warning("tmpfs").is_some_and(|text| text.contains("tmpfs")));
        assert_eq!((warning("ext4"), warning("")), (None, None));
        assert!(!of_state().is_empty());
    }
}
