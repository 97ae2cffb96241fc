use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::PathBuf;
use std::sync::Arc;

use portreeve_smi::{EngineBoots, EngineId};
use rustix::process::geteuid;

use super::Store;
use crate::disk::memory::MemoryDisk;
use crate::error::OpenError;
use crate::format::{self, FileKind, VERSION};
use crate::record::{Batch, Image, Record, VisitEntry};

#[test]
fn entries_are_found_by_key_and_by_prefix() {
    let (mut store, _) = Store::from_disk(MemoryDisk::default().shared(), 1000).unwrap();
    let entries = [("usm/user/b", "2"), ("usm/user/a", "1"), ("usm/userx", "3"), ("z", "4")];
    store.commit(entries.map(|(key, value)| Record::set(key, value))).unwrap();
    assert_eq!(store.get(b"z"), Some(&b"4"[..]));
    assert_eq!(store.get(b"usm/user"), None);
    let found: Vec<_> = store.iter(b"usm/user/").collect();
    assert_eq!(found, [(&b"usm/user/a"[..], &b"1"[..]), (b"usm/user/b", b"2")]);
    assert_eq!(store.iter(b"").count(), 4);
}

#[test]
fn key_space_that_was_handed_over_is_read_from_its_image_afterwards() {
    struct OneEntry;
    impl Image for OneEntry {
        fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> std::io::Result<()> {
            visit(b"held/b", b"2")
        }
    }
    let disk = MemoryDisk::default();
    let (mut store, _) = Store::from_disk(disk.shared(), 100).unwrap();
    store.commit(["held/a", "other"].map(|key| Record::set(key, "1"))).unwrap();
    let held: Vec<_> = store.hand_over(b"held/").collect();
    assert_eq!(held, [(b"held/a".to_vec(), b"1".to_vec().into())]);
    assert_eq!((store.get(b"held/a"), store.get(b"other")), (None, Some(&b"1"[..])));
    store.set_image(Arc::new(OneEntry));
    store.commit([Record::set("filler", [0; 100])]).unwrap();
    assert!(disk.files().contains_key("state.snapshot"));
    let (store, _) = Store::from_disk(disk.shared(), 100).unwrap();
    let keys: Vec<_> = store.iter(b"").map(|(key, _)| key).collect();
    assert_eq!(keys, [&b"filler"[..], b"held/b", b"other"]);
}

#[test]
fn every_start_increases_engine_boots_and_retains_engine_id() {
    let disk = MemoryDisk::default();
    for expected in 1..=5 {
        let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
        let start = store.start_engine(|old| old.unwrap_or(id(1))).unwrap();
        assert_eq!((start.engine_id, start.boots.get()), (id(1), expected));
    }
    // A configured engineID replaces the stored one.
    let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    assert_eq!(store.start_engine(|_| id(2)).unwrap().engine_id, id(2));
    let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    assert_eq!(store.start_engine(|old| old.unwrap()).unwrap().boots.get(), 7);
}

#[test]
fn boots_and_engine_id_survive_damage_to_any_byte() {
    let disk = MemoryDisk::default();
    for _ in 0..6 {
        let (mut store, _) = Store::from_disk(disk.shared(), 150).unwrap();
        store.start_engine(|old| old.unwrap_or(id(1))).unwrap();
        store.commit([Record::set("filler", vec![0; 60])]).unwrap();
    }
    let files = disk.files();
    assert!(files.contains_key("engine") && files.contains_key("state.snapshot.previous"));
    for (name, content) in &files {
        for at in 0..content.len() {
            let mut cut = files.clone();
            cut.get_mut(name).unwrap().truncate(at);
            let mut flipped = files.clone();
            flipped.get_mut(name).unwrap()[at] ^= 0xff;
            for damaged in [cut, flipped] {
                let (mut store, _) = Store::from_disk(MemoryDisk::with(damaged).shared(), 150).unwrap();
                let start = store.start_engine(|old| old.unwrap()).unwrap();
                assert_eq!((start.engine_id, start.boots.get()), (id(1), 7), "{name} at {at}");
            }
        }
    }
}

#[test]
fn missing_damaged_or_outdated_record_of_engine_boots_is_reported() {
    let disk = MemoryDisk::default();
    for _ in 0..3 {
        let (mut store, recovery) = Store::from_disk(disk.shared(), 1000).unwrap();
        assert!(recovery.is_clean(), "{recovery}");
        store.start_engine(|old| old.unwrap_or(id(1))).unwrap();
    }
    let without = |name: &str| {
        let mut files = disk.files();
        files.remove(name).unwrap();
        Store::from_disk(MemoryDisk::with(files).shared(), 1000).unwrap().1.to_string()
    };
    assert!(without("engine").starts_with("the file `engine` is missing"));
    let mut files = disk.files();
    files.get_mut("engine").unwrap()[20] ^= 1;
    let (store, recovery) = Store::from_disk(MemoryDisk::with(files).shared(), 1000).unwrap();
    assert!(recovery.to_string().starts_with("the file `engine` is damaged"), "{recovery}");
    assert_eq!(store.engine_id(), Some(id(1)));
    let report = without("state.log");
    assert!(
        report.starts_with("the file `engine` records 3 starts, but state.log records only 0"),
        "{report}"
    );
}

#[test]
fn start_engine_fails_when_engine_boots_cannot_be_stored() {
    let disk = MemoryDisk::default();
    let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    store.start_engine(|_| id(1)).unwrap();
    let used: usize = disk.files().values().map(Vec::len).sum();
    // The disk has no space at all, then space for the second copy but not for the log.
    for room in [0, 70] {
        disk.set_capacity(Some(used + room));
        let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
        store.start_engine(|old| old.unwrap()).unwrap_err();
    }
    disk.set_capacity(None);
    assert!(store.start_engine(|old| old.unwrap()).unwrap().boots.get() > 1);
}

#[test]
fn engine_boots_stay_at_maximum_after_reaching_it() {
    let disk = MemoryDisk::default();
    let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    store.commit([Record::set("boots", (i32::MAX as u32 - 1).to_be_bytes())]).unwrap();
    for _ in 0..3 {
        let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
        assert_eq!(store.start_engine(|_| id(1)).unwrap().boots, EngineBoots::LATCHED);
    }
}

#[test]
fn store_files_are_created_private_and_too_open_modes_are_reported() {
    let directory = TempPath::new("modes");
    let (mut store, recovery) = Store::open(&directory.0).unwrap();
    assert!(recovery.is_clean());
    store.start_engine(|_| id(1)).unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(directory.0.clone()), 0o700);
    for name in ["state.log", "engine", "lock"] {
        assert_eq!(mode(directory.0.join(name)), 0o600, "{name}");
    }
    store.commit([Record::set("a", "1")]).unwrap();
    assert!(!directory.0.join("state.snapshot").exists(), "the log is short");
    drop(store);
    fs::set_permissions(&directory.0, fs::Permissions::from_mode(0o755)).unwrap();
    let (_, recovery) = Store::open(&directory.0).unwrap();
    assert!(recovery.to_string().contains("chmod 700"));
}

#[test]
fn review_l11_directory_that_others_can_write_is_refused() {
    for mode in [0o770, 0o702, 0o777, 0o1777] {
        let directory = TempPath::new("writable");
        fs::create_dir(&directory.0).unwrap();
        fs::set_permissions(&directory.0, fs::Permissions::from_mode(mode)).unwrap();
        let error = Store::open(&directory.0).map(|_| ()).unwrap_err();
        assert!(matches!(error, OpenError::Unsafe { .. }), "{error}");
        assert!(error.to_string().contains("chmod 700"), "{error}");
        // No file was created in the directory.
        assert_eq!(fs::read_dir(&directory.0).unwrap().count(), 0, "{mode:o}");
    }
}

#[test]
fn review_l11_directory_of_another_user_is_refused() {
    if !geteuid().is_root() {
        println!("skipped: only root can give a directory away");
        return;
    }
    let directory = TempPath::new("foreign");
    fs::create_dir(&directory.0).unwrap();
    chown(&directory.0, Some(65534), None).unwrap();
    let error = Store::open(&directory.0).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("user ID 65534"), "{error}");
    assert_eq!(fs::read_dir(&directory.0).unwrap().count(), 0);
}

#[test]
fn review_l11_symbolic_links_are_not_followed() {
    for name in ["lock", "new", "state.log", "state.snapshot", "engine"] {
        let (directory, target) = (TempPath::new("links"), TempPath::new("target"));
        fs::create_dir(&directory.0).unwrap();
        fs::write(&target.0, "precious").unwrap();
        symlink(&target.0, directory.0.join(name)).unwrap();
        if let Ok((mut store, _)) = Store::open(&directory.0) {
            let _ = store.start_engine(|_| id(1));
        }
        assert_eq!(fs::read(&target.0).unwrap(), b"precious", "{name}");
    }
}

#[test]
fn review_l11_debug_output_of_record_omits_its_value() {
    let record = Record::set("usm/user/ops", "a localized key");
    let batches = [Batch::from([record.clone()]), Batch::from(vec![record.clone()])];
    for shown in [format!("{record:?}"), format!("{:?}", batches[0]), format!("{:?}", batches[1])] {
        assert!(shown.contains("usm/user/ops"), "{shown}");
        assert!(!shown.contains("localized") && !shown.contains("97, 32, 108"), "{shown}");
    }
}

#[test]
fn directory_is_locked_until_writer_is_dropped_and_error_contains_pid() {
    let directory = TempPath::new("locked");
    let (store, _) = Store::open(&directory.0).unwrap();
    let error = Store::open(&directory.0).map(|_| ()).unwrap_err();
    let this_process = std::process::id();
    assert!(matches!(error, OpenError::Locked { pid: Some(pid), .. } if pid == this_process), "{error}");
    let writer = store.into_writer().unwrap();
    assert!(matches!(Store::open(&directory.0), Err(OpenError::Locked { .. })));
    drop(writer);
    Store::open(&directory.0).unwrap();
}

#[test]
fn file_of_newer_format_version_is_rejected_and_not_changed() {
    for (name, kind) in
        [("state.log", FileKind::Log), ("state.snapshot", FileKind::Snapshot), ("engine", FileKind::Engine)]
    {
        let directory = TempPath::new("newer");
        fs::create_dir(&directory.0).unwrap();
        let mut file = format::header(kind);
        file[8..12].copy_from_slice(&(VERSION + 1).to_be_bytes());
        let crc = crc32fast::hash(&file[..12]);
        file[12..].copy_from_slice(&crc.to_be_bytes());
        fs::write(directory.0.join(name), &file).unwrap();
        let error = Store::open(&directory.0).map(|_| ()).unwrap_err();
        assert!(matches!(error, OpenError::NewerFormat { version: 3, .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
        assert_eq!(fs::read(directory.0.join(name)).unwrap(), file);
    }
}

#[test]
fn state_of_format_1_is_read_without_a_change_by_observer() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    let names =
        || fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let before = names();
    let store = Store::open_read_only(&directory).unwrap();
    assert_eq!(store.get(b"system/sysContact"), Some(&b"1;value=6e6f63406578616d706c652e6f7267"[..]));
    assert_eq!(store.engine_id(), EngineId::new(b"\x80\0\0\0\x05format-1").ok());
    assert_eq!(names(), before);
}

#[test]
fn open_fails_when_directory_cannot_be_created() {
    let file = TempPath::new("file");
    fs::write(&file.0, "").unwrap();
    let error = Store::open(&file.0.join("state")).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("state directory"), "{error}");
}

fn id(n: u8) -> EngineId {
    EngineId::new(&[0x80, 0, 0, 0, 5, n]).unwrap()
}

/// A unique path for each test, removed on drop.
struct TempPath(PathBuf);

impl TempPath {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("portreeve-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for TempPath {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0).or_else(|_| fs::remove_file(&self.0));
    }
}
