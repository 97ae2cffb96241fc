//! A file system that can be filled.

use std::{fs, path::PathBuf, process::Command};

use crate::site::Site;

/// A file system of 64 KiB; unmounted when dropped.
pub(crate) struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// Mounts the file system at the directory `disk` of a site; `None` if this is not possible.
    pub(crate) fn mount(site: &Site) -> Option<Self> {
        let path = site.path.join("disk");
        fs::create_dir(&path).unwrap();
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs"]).arg(&path);
        let is_mounted = command.output().is_ok_and(|output| output.status.success());
        if !is_mounted {
            println!("skipped: a file system cannot be mounted");
        }
        is_mounted.then_some(Self { path })
    }

    /// Writes a file until the disk is full.
    pub(crate) fn fill(&self) {
        let error = fs::write(self.path.join("other"), [0; 64 << 10]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }

    /// Removes the file of [`Self::fill`].
    pub(crate) fn empty(&self) {
        fs::remove_file(self.path.join("other")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}
