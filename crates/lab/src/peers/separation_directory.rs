//! The empty directory `/run/sshd`, which sshd needs as root for its processes without rights.
//!
//! It exists while the system's sshd runs. Otherwise the lab's sshd sees one in a mount namespace
//! of its own, so that nothing is left behind, even if the lab is killed.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::process::output;

/// Returns the program and the first arguments with which sshd is started.
pub(super) fn sshd_words(sshd: &Path) -> Vec<OsString> {
    let is_root = portreeve_sys::effective_uid() == 0;
    let is_needed = is_root && !Path::new(DIRECTORY).exists();
    // Temporary files below /run would not be visible.
    let is_possible = || {
        !std::env::temp_dir().starts_with("/run")
            && output(Command::new("unshare").args(["--mount", "--", "sh", "-c", PREPARE, "sh", "true"]))
                .is_ok()
    };
    // Without the directory, sshd reports that it is missing.
    let prefix: &[&str] = match is_needed && is_possible() {
        true => &["unshare", "--mount", "--", "sh", "-c", PREPARE, "sh"],
        false => &[],
    };
    prefix.iter().map(OsString::from).chain([sshd.into()]).collect()
}

const DIRECTORY: &str = "/run/sshd";

/// Creates the directory, and executes the arguments.
const PREPARE: &str = r#"mount -t tmpfs -o mode=755 tmpfs /run && mkdir -m 755 /run/sshd && exec "$@""#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directory_for_sshd_is_not_created_outside_its_namespace() {
        let existed = Path::new(DIRECTORY).exists();
        let words = sshd_words("/usr/bin/test".as_ref());
        let (program, arguments) = words.split_first().unwrap();
        let status = Command::new(program).args(arguments).args(["-d", DIRECTORY]).status().unwrap();
        assert_eq!(Path::new(DIRECTORY).exists(), existed);
        assert!(status.success() || words.len() == 1);
    }
}
