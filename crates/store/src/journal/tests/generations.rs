//! Snapshots: the switch between generations, key spaces held by their owner, and format 1.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Barrier};
use std::{fs, path::Path};

use super::{BATCHES, MIN_COMPACT_SIZE, batch, keys, map, open};
use crate::disk::memory::{Files, MemoryDisk};
use crate::disk::{Disk, Input, TEMPORARY_SNAPSHOT};
use crate::format::{FileKind, FrameWriter, Frames, RecordRef};
use crate::journal::Journal;
use crate::record::{Batch, Image, Record, VisitEntry};
use crate::recovery::{LOG, PREVIOUS_LOG, SEALED_LOG, SNAPSHOT};

#[test]
fn remove_prefix_removes_keys_with_prefix_and_no_others() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    let records = ["a", "b", "b/1", "b/2", "c"].map(|key| Record::set(key, "1"));
    journal.commit(Batch::new(records.into())).unwrap();
    let batch = vec![Record::set("b/0", "1"), Record::remove_prefix("b/"), Record::set("b/3", "1")];
    journal.commit(Batch::new(batch)).unwrap();
    assert_eq!(keys(map(&open(&disk).0)), ["a", "b", "b/3", "c"]);
}

#[test]
fn batches_are_appended_while_snapshot_is_being_written() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    let gate = Arc::new(Barrier::new(2));
    let image = Arc::new(SlowImage(Arc::clone(&gate)));
    journal.hand_over(b"held/");
    journal.set_image(image);
    let mut journal = journal.start_thread().unwrap();
    let filler = vec![0; 2 * MIN_COMPACT_SIZE as usize];
    journal.commit(Batch::new(vec![Record::set("a", filler)])).unwrap();
    journal.compact_if_due();
    // The thread now waits in the image.
    for n in 0..50_u8 {
        journal.commit(Batch::new(vec![Record::set([b'k', n], "1")])).unwrap();
        journal.compact_if_due();
    }
    assert!(disk.files().contains_key(SEALED_LOG) && !disk.files().contains_key(SNAPSHOT));
    // Even before the snapshot is there, nothing is missing.
    assert_eq!(map(&open(&MemoryDisk::with(disk.files())).0).len(), 51);
    gate.wait();
    drop(journal);
    let files = disk.files();
    assert!(files.contains_key(PREVIOUS_LOG) && !files.contains_key(SEALED_LOG));
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(map(&journal).len(), 52, "the entry of the image is there as well");
}

#[test]
fn snapshot_that_crash_interrupted_is_written_after_next_batch() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    journal.seal_log().unwrap();
    drop(journal);
    let (mut journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap();
    journal.compact_if_due();
    let files = disk.files();
    assert!(
        files.contains_key(SNAPSHOT) && files.contains_key(PREVIOUS_LOG) && !files.contains_key(SEALED_LOG)
    );
    assert_eq!(keys(map(&open(&disk).0)), ["a", "b"]);
}

#[test]
fn generations_continue_after_any_sync_has_failed() {
    let run = |disk: &MemoryDisk| {
        let (mut journal, _) = open(disk);
        for n in 0..4 * BATCHES {
            let _ = journal.commit(Batch::new(batch(n)));
            journal.compact_if_due();
        }
        journal.commit(Batch::new(vec![Record::set("end", "1")])).unwrap();
        map(&journal).clone()
    };
    let whole = MemoryDisk::default();
    run(&whole);
    let (syncs, longest) = (whole.syncs(), whole.files()[LOG].len());
    for &failing in &syncs[..syncs.len() / 2] {
        let disk = MemoryDisk::default();
        disk.fail_sync_at(failing);
        let expected = run(&disk);
        let files = disk.files();
        assert!(!files.contains_key(SEALED_LOG), "sync {failing}");
        assert!(files[LOG].len() < longest + 1000, "sync {failing}: {}", files[LOG].len());
        let (journal, recovery) = open(&disk);
        assert!(recovery.is_clean(), "sync {failing}: {recovery}");
        assert_eq!(*map(&journal), expected, "sync {failing}");
    }
}

#[test]
fn snapshot_contains_entries_of_image_instead_of_those_in_map() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    let records = ["held/a", "held/b", "other"].map(|key| Record::set(key, "1"));
    journal.commit(Batch::new(records.into())).unwrap();
    let mut held = journal.hand_over(b"held/");
    assert_eq!(keys(&held), ["held/a", "held/b"]);
    held.remove(&b"held/a"[..]);
    held.insert(b"held/c".to_vec(), vec![3; 2 * MIN_COMPACT_SIZE as usize].into());
    let image: BTreeMap<_, _> = held.iter().map(|(key, value)| (key.clone(), value.to_vec())).collect();
    let records = vec![Record::remove("held/a"), Record::set("held/c", image[&b"held/c"[..]].clone())];
    journal.commit(Batch::new(records.clone())).unwrap_err();
    journal.commit(Batch::new(records).with_image(Arc::new(MapImage(image)))).unwrap();
    assert_eq!(keys(map(&journal)), ["other"], "the map does not hold the key space");
    journal.compact_if_due();
    assert!(disk.files().contains_key(SNAPSHOT));
    assert_eq!(disk.files()[LOG].len(), 16, "everything is in the snapshot");
    let mut only_snapshot = disk.files();
    only_snapshot.retain(|name, _| name == SNAPSHOT || name == LOG);
    assert_eq!(keys(map(&open(&MemoryDisk::with(only_snapshot)).0)), ["held/b", "held/c", "other"]);
}

#[test]
fn generation_that_could_not_begin_is_tried_again_when_log_has_grown() {
    for (growth, expected) in [(MIN_COMPACT_SIZE - 1, false), (MIN_COMPACT_SIZE, true)] {
        let disk = MemoryDisk::default();
        let (mut journal, _) = open(&disk);
        let log_len = || disk.files()[LOG].len() as u64;
        journal.commit(Batch::new(vec![Record::set("", vec![])])).unwrap();
        let overhead = log_len() - 16;
        journal.commit(Batch::new(vec![Record::set("", vec![0; MIN_COMPACT_SIZE as usize])])).unwrap();
        let failed_at = log_len();
        disk.set_capacity(Some(failed_at as usize));
        journal.compact_if_due();
        disk.set_capacity(None);
        let filler = vec![0; (growth - overhead) as usize];
        journal.commit(Batch::new(vec![Record::set("", filler)])).unwrap();
        assert_eq!(log_len(), failed_at + growth);
        journal.compact_if_due();
        assert_eq!(disk.files().contains_key(SNAPSHOT), expected, "after {growth} bytes");
    }
}

#[test]
fn batch_that_changes_held_key_space_needs_image() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.hand_over(b"held/");
    let prefixes = ["held/a", "held/", "he", ""].map(Record::remove_prefix);
    for record in [Record::set("held/a", "1"), Record::remove("held/a")].into_iter().chain(prefixes) {
        let batch = Batch::new(vec![Record::set("other", "1"), record]);
        journal.commit(batch.clone()).unwrap_err();
        journal.commit(batch.with_image(Arc::new(MapImage(BTreeMap::new())))).unwrap();
    }
    let prefixes = ["held0", "other"].map(Record::remove_prefix);
    for record in [Record::set("held", "1"), Record::remove("other")].into_iter().chain(prefixes) {
        journal.commit(Batch::new(vec![record])).unwrap();
    }
}

#[test]
fn snapshot_of_several_frames_is_used_only_if_it_is_complete() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    let records = ["a", "b", "c"].map(|key| Record::set(key, vec![0; 200_000]));
    journal.commit(Batch::new(records.into())).unwrap();
    journal.compact_if_due();
    let whole = disk.files().remove(SNAPSHOT).unwrap();
    let mut frames = Frames::new(Input::from_octets(whole.clone()), FileKind::Snapshot).unwrap();
    let mut ends = vec![];
    while frames.next().unwrap().is_some() {
        ends.push(frames.position());
    }
    assert_eq!((ends.len(), frames.is_whole()), (3, true));
    let found = |name: &str, snapshot: &[u8]| {
        let (journal, recovery) = open(&MemoryDisk::with([(name.to_owned(), snapshot.to_vec())].into()));
        (map(&journal).len(), recovery.is_clean())
    };
    for (name, is_reported) in [(SNAPSHOT, true), (TEMPORARY_SNAPSHOT, false)] {
        assert_eq!(found(name, &whole), (3, true), "{name}");
        for (end, _) in &ends[..2] {
            assert_eq!(found(name, &whole[..*end as usize]), (0, !is_reported), "{name} cut to {end}");
        }
    }
    // A second batch is damage, also after an unfinished one.
    for (end, checksum) in [ends[0], ends[2]] {
        let disk = MemoryDisk::with([(SNAPSHOT.to_owned(), whole[..end as usize].to_vec())].into());
        let mut file = disk.open(SNAPSHOT).unwrap();
        let mut frames = FrameWriter::new(&mut *file, end, checksum, None);
        frames.batch(2, [RecordRef::Set { key: b"d", value: b"" }]).unwrap();
        frames.finish().unwrap();
        assert_eq!(found(SNAPSHOT, &disk.files()[SNAPSHOT]), (0, false), "appended at {end}");
    }
}

#[test]
fn length_of_damage_at_end_of_log_is_reported() {
    let disk = MemoryDisk::default();
    open(&disk).0.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    let mut files = disk.files();
    let log = files.get_mut(LOG).unwrap();
    let note = format!("is valid up to offset {} (change batch 1); the remaining 7 bytes", log.len());
    log.extend_from_slice(b"garbage");
    let (_, recovery) = open(&MemoryDisk::with(files));
    assert!(recovery.to_string().contains(&note), "{recovery}");
}

#[test]
fn no_snapshot_is_written_without_image_of_key_space() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    let filler = vec![1; 2 * MIN_COMPACT_SIZE as usize];
    journal.commit(Batch::new(vec![Record::set("held/a", filler)])).unwrap();
    journal.hand_over(b"held/");
    journal.compact_if_due();
    assert!(!disk.files().contains_key(SNAPSHOT));
    assert_eq!(keys(map(&open(&disk).0)), ["held/a"]);
}

#[test]
fn state_of_format_1_is_converted_and_its_files_are_copied() {
    let old = format_1();
    let disk = MemoryDisk::with(old.clone());
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(keys(map(&journal)), FORMAT_1_KEYS);
    let files = disk.files();
    for (name, content) in &old {
        assert_eq!(&files[&format!("{name}.format1")], content, "{name}");
    }
    for name in [LOG, SNAPSHOT] {
        assert_eq!(files[name][8..12], 2_u32.to_be_bytes(), "{name}");
    }
    let (journal, _) = open(&disk);
    assert_eq!(keys(map(&journal)), FORMAT_1_KEYS);
}

#[test]
fn state_of_format_1_survives_power_cut_during_conversion() {
    let old = format_1();
    let mut cut = 0;
    loop {
        let disk = MemoryDisk::with(old.clone());
        disk.cut_power_at(disk.operations() + cut);
        let (mut journal, _) = open(&disk);
        let is_finished = journal.prepare().is_ok();
        for image in disk.images(cut as u64) {
            let (journal, _) = open(&MemoryDisk::with(image.clone()));
            assert_eq!(keys(map(&journal)), FORMAT_1_KEYS, "cut at {cut}");
            // As soon as a file is replaced, the copies of all files are complete.
            if old.iter().any(|(name, content)| image.get(name) != Some(content)) {
                for (name, content) in &old {
                    assert_eq!(image.get(&format!("{name}.format1")), Some(content), "{name}, cut at {cut}");
                }
            }
        }
        if is_finished {
            break;
        }
        cut += 1;
    }
    assert!(cut > 20, "{cut}");
}

#[test]
fn state_of_format_1_is_recovered_from_damage_as_before() {
    let old = format_1();
    for name in old.keys().filter(|name| *name != LOG && *name != "engine") {
        for at in 0..old[name].len() {
            let mut files = old.clone();
            files.get_mut(name).unwrap()[at] ^= 0xff;
            let (journal, recovery) = open(&MemoryDisk::with(files));
            assert_eq!(keys(map(&journal)), FORMAT_1_KEYS, "{name} at {at}");
            assert!(!recovery.is_clean() || name == PREVIOUS_LOG, "{name} at {at}");
        }
    }
}

#[test]
fn batches_of_format_1_are_read_when_header_of_log_is_damaged() {
    let mut files = format_1();
    files.get_mut(LOG).unwrap()[0] ^= 0xff;
    let (journal, recovery) = open(&MemoryDisk::with(files));
    assert!(recovery.to_string().contains("the header of state.log is damaged"), "{recovery}");
    assert_eq!(keys(map(&journal)), FORMAT_1_KEYS);
}

#[test]
fn state_of_format_1_is_not_changed_while_disk_is_too_full_for_copies() {
    let old = format_1();
    let used: usize = old.values().map(Vec::len).sum();
    let disk = MemoryDisk::with(old.clone());
    disk.set_capacity(Some(used + 300));
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap_err();
    let files = disk.files();
    assert!(old.iter().all(|(name, content)| &files[name] == content));
    disk.set_capacity(None);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    assert_eq!(map(&open(&disk).0).len(), FORMAT_1_KEYS.len() + 1);
}

/// Returns a state directory that a program of format 1 has written: three generations, in which
/// each file is needed if another one is damaged.
fn format_1() -> Files {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    let files = fs::read_dir(directory).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    });
    let files: Files = files.collect();
    assert_eq!(files.len(), 5);
    files
}

/// The keys of that state.
const FORMAT_1_KEYS: [&str; 5] =
    ["boots", "engine-id", "snmp/setSerialNo", "system/sysContact", "system/sysLocation"];

struct MapImage(BTreeMap<Vec<u8>, Vec<u8>>);

impl Image for MapImage {
    fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> io::Result<()> {
        self.0.iter().try_for_each(|(key, value)| visit(key, value))
    }
}

/// An image that is complete only after the test has continued.
struct SlowImage(Arc<Barrier>);

impl Image for SlowImage {
    fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> io::Result<()> {
        self.0.wait();
        visit(b"held/a", b"1")
    }
}

/// The journal is used by one thread at a time.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Journal>();
};
