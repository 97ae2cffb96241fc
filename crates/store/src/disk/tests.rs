use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs};

use rustix::fs::{CWD, Mode, mkfifoat};
use rustix::io::{FdFlags, fcntl_getfd};

use super::memory::MemoryDisk;
use super::{COPY_BUFFER, Directory, Disk, Observer};

#[test]
fn file_larger_than_buffer_is_copied_completely() {
    let disk = MemoryDisk::default();
    let content: Vec<u8> = (0..2 * COPY_BUFFER + 1000).map(|n| (n % 251) as u8).collect();
    disk.create("from").unwrap().write_at(0, &content).unwrap();
    disk.copy("from", "to").unwrap();
    assert_eq!(disk.files()["to"], content);
    disk.copy("missing", "copy").unwrap();
    assert!(!disk.files().contains_key("copy"));
}

#[test]
fn files_of_directory_are_written_truncated_renamed_and_removed() {
    let base = TempDir::new("files");
    let disk = Directory::open(&base.0).unwrap();
    let mut file = disk.create("a").unwrap();
    file.write_at(0, b"0123456789").unwrap();
    file.write_at(2, b"ab").unwrap();
    file.truncate(6).unwrap();
    assert_eq!(content(&disk, "a").unwrap(), b"01ab45");
    disk.open("a").unwrap().write_at(6, b"67").unwrap();
    assert_eq!(content(&disk, "a").unwrap(), b"01ab4567");
    disk.rename("a", "b").unwrap();
    assert_eq!((content(&disk, "a"), content(&disk, "b").map(|b| b.len())), (None, Some(8)));
    // A file that does not exist is removed already.
    for _ in 0..2 {
        disk.remove("b").unwrap();
        assert_eq!(content(&disk, "b"), None);
    }
}

#[test]
fn directory_reports_names_that_are_not_files() {
    let base = TempDir::new("names");
    let disk = Directory::open(&base.0).unwrap();
    fs::create_dir(base.0.join("sub")).unwrap();
    symlink("missing", base.0.join("link")).unwrap();
    mkfifoat(CWD, base.0.join("fifo"), Mode::RUSR | Mode::WUSR).unwrap();
    for name in ["sub", "link", "fifo"] {
        disk.read(name).map(drop).unwrap_err();
    }
    disk.create("sub").map(drop).unwrap_err();
    disk.remove("sub").unwrap_err();
    assert_eq!(disk.open("missing").map(drop).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(disk.rename("missing", "a").unwrap_err().kind(), io::ErrorKind::NotFound);
}

/// A helper program that the agent starts must not inherit the files.
#[test]
fn files_are_closed_when_another_program_is_executed() {
    let base = TempDir::new("inherit");
    let disk = Directory::open(&base.0).unwrap();
    let file = disk.write_new("a").unwrap();
    assert!(fcntl_getfd(&file).unwrap().contains(FdFlags::CLOEXEC));
}

#[test]
fn observer_reads_files_and_refuses_each_change() {
    let base = TempDir::new("observer");
    fs::write(base.0.join("a"), "1").unwrap();
    for (path, expected) in [(base.0.clone(), Some(&b"1"[..])), (base.0.join("missing"), None)] {
        let disk = Observer::open(&path).unwrap();
        assert_eq!(content(&disk, "a").as_deref(), expected);
        disk.create("a").map(drop).unwrap_err();
        disk.open("a").map(drop).unwrap_err();
        disk.rename("a", "b").unwrap_err();
        disk.remove("a").unwrap_err();
        disk.sync_names().unwrap_err();
        assert!(!disk.is_owned(), "damage is not repaired");
    }
    assert!(Directory::open(&base.0).unwrap().is_owned());
    Observer::open(&base.0.join("a/b")).map(drop).unwrap_err();
}

/// Returns the content of a file; `None` if it does not exist.
fn content(disk: &dyn Disk, name: &str) -> Option<Vec<u8>> {
    let mut input = disk.read(name).unwrap()?;
    let mut octets = Vec::new();
    input.content.read_to_end(&mut octets).unwrap();
    assert_eq!(input.length, octets.len() as u64);
    Some(octets)
}

/// A directory for one test, removed when dropped.
pub(super) struct TempDir(pub(super) PathBuf);

impl TempDir {
    pub(super) fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("portreeve-store-{}-disk-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        set_mode(&path, 0o755);
        Self(path)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(super) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
