//! Files that only their owner can read.
//!
//! Captured frames contain the communities of devices, and samples and reports the names and
//! properties of a network. Their owner may publish them; the lab does not. The mode of a file that
//! exists is kept.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Creates a file, or removes the contents of an existing one.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    options().write(true).truncate(true).open(path)
}

/// Opens a file for reading and appending, and creates it if it does not exist.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    options().read(true).append(true).open(path)
}

/// Creates or replaces a file with this text.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    create(path)?.write_all(text.as_bytes())
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).mode(0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_the_owner_can_read_new_files_and_existing_ones_keep_their_mode() {
        let directory = tempfile::tempdir().unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (created, appended) = (directory.path().join("created"), directory.path().join("appended"));
        write(&created, "text").unwrap();
        append(&appended).unwrap().write_all(b"text").unwrap();
        assert_eq!([mode(&created), mode(&appended)], [0o600; 2]);
        fs::set_permissions(&created, Permissions::from_mode(0o644)).unwrap();
        write(&created, "more").unwrap();
        assert_eq!((mode(&created), fs::read_to_string(&created).unwrap().as_str()), (0o644, "more"));
    }
}
