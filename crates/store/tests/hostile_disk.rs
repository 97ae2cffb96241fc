//! Tests with a full disk and a read-only disk, on a small file system of their own. They require
//! the privilege to mount.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{env, fs};

use portreeve_smi::EngineId;
use portreeve_store::{Batch, Record, Store};

#[test]
fn writes_fail_on_full_disk_and_succeed_after_space_is_freed() {
    let Some(disk) = TempMount::new("full", "size=256k") else { return };
    let state = disk.0.join("state");
    let (mut store, _) = Store::open(&state).unwrap();
    store.start_engine(|_| EngineId::LOCAL).unwrap();
    store.commit([Record::set("kept", "1")]).unwrap();
    fs::write(disk.0.join("ballast"), vec![0; 1 << 20]).unwrap_err();
    let writer = store.into_writer().unwrap();
    let commit = |record| writer.commit_group(vec![Batch::new(vec![record])]);
    commit(Record::set("lost", vec![0; 10_000])).unwrap_err();
    fs::remove_file(disk.0.join("ballast")).unwrap();
    commit(Record::set("later", "2")).unwrap();
    drop(writer);
    let (store, recovery) = Store::open(&state).unwrap();
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(store.get(b"kept"), Some(&b"1"[..]));
    assert_eq!(store.get(b"later"), Some(&b"2"[..]));
    assert_eq!(store.get(b"lost"), None);
}

#[test]
fn store_on_read_only_disk_can_be_read_but_start_engine_fails() {
    let Some(disk) = TempMount::new("read-only", "size=256k") else { return };
    let state = disk.0.join("state");
    let (mut store, _) = Store::open(&state).unwrap();
    store.start_engine(|_| EngineId::LOCAL).unwrap();
    store.commit([Record::set("kept", "1")]).unwrap();
    drop(store);
    // A log with an incomplete batch at its end needs repair, which must wait until the disk is
    // writable.
    let log = fs::read(state.join("state.log")).unwrap();
    fs::write(state.join("state.log"), [&log[..], b"torn"].concat()).unwrap();
    disk.remount("ro");
    let (mut store, recovery) = Store::open(&state).unwrap();
    assert!(!recovery.is_clean());
    assert_eq!(store.get(b"kept"), Some(&b"1"[..]));
    store.start_engine(|old| old.unwrap()).unwrap_err();
    store.commit([Record::set("lost", "")]).unwrap_err();
    disk.remount("rw");
    assert_eq!(store.start_engine(|old| old.unwrap()).unwrap().boots.get(), 2);
    drop(store);
    let (store, recovery) = Store::open(&state).unwrap();
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(store.iter(b"").count(), 3);
}

/// Runs one test at a time: while one test forks to run `mount`, its child briefly holds the lock
/// file of the other test.
static MOUNT_LOCK: Mutex<()> = Mutex::new(());

/// A tmpfs file system, unmounted on drop.
struct TempMount(PathBuf, #[allow(dead_code, reason = "held until dropped")] MutexGuard<'static, ()>);

impl TempMount {
    /// Returns `None`, and prints a note, if this process is not allowed to mount.
    fn new(name: &str, options: &str) -> Option<Self> {
        let lock = MOUNT_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let path = env::temp_dir().join(format!("portreeve-store-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&path).output();
        if mount.is_ok_and(|output| output.status.success()) {
            return Some(Self(path, lock));
        }
        println!("skipped: this process is not allowed to mount a file system");
        fs::remove_dir(&path).unwrap();
        None
    }

    fn remount(&self, mode: &str) {
        let options = format!("remount,{mode}");
        run(Command::new("mount").args(["-o", &options]), &self.0);
    }
}

impl Drop for TempMount {
    fn drop(&mut self) {
        run(Command::new("umount").arg("--lazy"), &self.0);
        let _ = fs::remove_dir(&self.0);
    }
}

fn run(command: &mut Command, path: &Path) {
    assert!(command.arg(path).status().unwrap().success(), "{command:?}");
}
