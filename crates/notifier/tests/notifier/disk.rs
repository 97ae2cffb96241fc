//! A small file system that a test can fill; needs the right to mount.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A memory file system, unmounted when dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts the file system; prints a note and returns `None` if this process may not mount.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let path = env::temp_dir().join(format!("portreeve-notifier-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let options = ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs"];
        let mount = Command::new("mount").args(options).arg(&path).output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(path));
        }
        println!("skipped {name}: no right to mount a file system");
        fs::remove_dir(&path).unwrap();
        None
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Fills the file system completely.
    pub(crate) fn fill(&self) {
        fs::write(self.0.join("ballast"), vec![0; 1 << 20]).unwrap_err();
    }

    pub(crate) fn make_room(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
        let _ = fs::remove_dir(&self.0);
    }
}
