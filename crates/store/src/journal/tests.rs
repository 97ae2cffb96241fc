//! Tests with damage to every byte of every file, and with full and failing disks.

mod generations;
mod power;
mod sources;

use crate::disk::memory::{Files, MemoryDisk};
use crate::format::read_log;
use crate::journal::Journal;
use crate::record::{Batch, Record};
use crate::recovery::{LOG, Map, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, Recovery, SNAPSHOT};

#[test]
fn committed_batches_survive_reopen() {
    let (disk, states) = populated();
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(map(&journal), states.last().unwrap());
    let names: Vec<_> = disk.files().into_keys().collect();
    assert_eq!(names, [LOG, PREVIOUS_LOG, SNAPSHOT, PREVIOUS_SNAPSHOT], "two generations exist");
}

#[test]
fn recovery_succeeds_when_any_file_is_truncated_at_any_byte() {
    let (disk, states) = populated();
    let files = disk.files();
    for (name, content) in &files {
        for length in 0..content.len() {
            let mut damaged = files.clone();
            damaged.get_mut(name).unwrap().truncate(length);
            assert_recovers(&damaged, name, &states, &format!("{name} cut to {length}"));
        }
    }
}

#[test]
fn recovery_succeeds_when_any_byte_of_any_file_is_altered() {
    let (disk, states) = populated();
    let files = disk.files();
    for (name, content) in &files {
        for at in 0..content.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = files.clone();
                damaged.get_mut(name).unwrap()[at] ^= flip;
                assert_recovers(&damaged, name, &states, &format!("{name} octet {at} ^ {flip:#x}"));
            }
        }
    }
}

#[test]
fn recovery_restores_all_batches_when_one_file_other_than_log_is_missing() {
    let (disk, states) = populated();
    for name in [PREVIOUS_LOG, SNAPSHOT, PREVIOUS_SNAPSHOT] {
        let mut files = disk.files();
        files.remove(name);
        let (journal, _) = open(&MemoryDisk::with(files));
        assert_eq!(map(&journal), states.last().unwrap(), "{name}");
    }
}

#[test]
fn batch_is_rejected_as_a_whole_while_disk_is_full() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    let before = disk.files();
    let used: usize = before.values().map(Vec::len).sum();
    disk.set_capacity(Some(used + 10));
    let batch = Batch::new(vec![Record::set("b", "2"), Record::remove("a")]);
    let error = journal.commit(batch).unwrap_err();
    assert!(!error.may_reappear(), "{error}");
    assert_eq!(disk.files(), before, "the log is unchanged");
    assert_eq!(map(&journal).len(), 1);
    disk.set_capacity(None);
    journal.commit(Batch::new(vec![Record::set("c", "3")])).unwrap();
    assert!(!disk.files().contains_key(SNAPSHOT), "the log is continued");
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(keys(map(&journal)), ["a", "c"]);
}

#[test]
fn batches_are_appended_to_log_when_disk_is_too_full_for_snapshot() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", vec![1; 2 * MIN_COMPACT_SIZE as usize])])).unwrap();
    let used: usize = disk.files().values().map(Vec::len).sum();
    disk.set_capacity(Some(used + 100));
    journal.compact_if_due();
    journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap();
    let (journal, _) = open(&MemoryDisk::with(disk.files()));
    assert_eq!(keys(map(&journal)), ["a", "b"]);
}

#[test]
fn all_files_are_rewritten_after_failed_sync() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    disk.fail_syncs(1);
    journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap_err();
    journal.commit(Batch::new(vec![Record::set("c", "3")])).unwrap();
    assert!(disk.files().contains_key(SNAPSHOT), "all files were rewritten");
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(keys(map(&journal)), ["a", "c"], "the failed batch has no effect");
}

#[test]
fn failed_batch_that_cannot_be_removed_may_reappear_until_rewriting() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    // The batch reaches the file; it cannot be removed, and the files cannot be rewritten.
    disk.fail_syncs(2);
    disk.fail_truncations(1);
    let error = journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap_err();
    assert!(error.may_reappear(), "{error}");
    assert!(error.to_string().ends_with("; the change may be in effect after a restart"), "{error}");
    assert_eq!(keys(map(&journal)), ["a"]);
    assert_eq!(keys(map(&open(&MemoryDisk::with(disk.files())).0)), ["a", "b"], "after a restart");
    disk.set_capacity(Some(0));
    let error = journal.commit(Batch::new(vec![Record::set("c", "3")])).unwrap_err();
    assert!(!error.may_reappear(), "this batch was not written: {error}");
    disk.set_capacity(None);
    journal.commit(Batch::new(vec![Record::set("c", "3")])).unwrap();
    assert_eq!(keys(map(&open(&MemoryDisk::with(disk.files())).0)), ["a", "c"]);
}

#[test]
fn failed_batch_does_not_reappear_when_only_its_removal_fails() {
    for fail in [
        |disk: &MemoryDisk| disk.fail_syncs(2),
        |disk: &MemoryDisk| {
            disk.fail_syncs(1);
            disk.fail_truncations(1);
        },
    ] {
        let disk = MemoryDisk::default();
        let (mut journal, _) = open(&disk);
        journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
        fail(&disk);
        let error = journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap_err();
        assert!(!error.may_reappear(), "{error}");
        assert_eq!(keys(map(&open(&MemoryDisk::with(disk.files())).0)), ["a"]);
    }
}

#[test]
fn numbers_of_failed_batches_are_not_used_again() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    disk.fail_syncs(1);
    journal.append(&["b", "c", "d"].map(|key| Batch::new(vec![Record::set(key, "1")]))).unwrap_err();
    // The number after those of the three batches is not used either.
    assert_eq!(journal.sequence, 5);
    journal.commit(Batch::new(vec![Record::set("e", "1")])).unwrap();
    assert_eq!(read_log(&disk.files()[LOG]).batches, [(6, vec![Record::set("e", "1")])]);
}

#[test]
fn all_batches_of_one_commit_are_synced_together() {
    let disk = MemoryDisk::default();
    let (mut journal, _) = open(&disk);
    journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
    let before = disk.operations();
    let batches = (0..100_u8).map(|n| Batch::new(vec![Record::set([b'k', n], [n])]));
    journal.commit_group(batches.collect()).unwrap();
    assert_eq!(disk.operations() - before, 2, "one write, one sync");
    assert_eq!(map(&open(&disk).0).len(), 101);
}

#[test]
fn journal_opens_and_reports_damage_that_it_cannot_repair() {
    let (disk, states) = populated();
    let mut files = disk.files();
    for name in [SNAPSHOT, PREVIOUS_SNAPSHOT] {
        files.get_mut(name).unwrap().truncate(9);
    }
    let disk = MemoryDisk::with(files.clone());
    let (mut journal, recovery) = open(&disk);
    assert!(recovery.to_string().contains(": expected change batch"), "{recovery}");
    assert_ne!(map(&journal), states.last().unwrap());
    assert_eq!(disk.files()["state.snapshot.damaged"], files[SNAPSHOT], "a copy of the damaged file is kept");
    journal.commit(Batch::new(vec![Record::set("new", "1")])).unwrap();
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{recovery}");
    assert_eq!(map(&journal)[&b"new"[..]].as_slice(), b"1");
}

/// Opens the store with a damaged file `name`. Checks the recovered state and the report, and that
/// later writes succeed.
fn assert_recovers(files: &Files, name: &str, states: &[Map], context: &str) {
    let disk = MemoryDisk::with(files.clone());
    let (mut journal, recovery) = open(&disk);
    if name == LOG {
        // A log that was truncated between two batches cannot be distinguished from a shorter log.
        assert!(states.contains(map(&journal)), "{context}: {:?}", map(&journal));
    } else {
        assert_eq!(map(&journal), states.last().unwrap(), "{context}");
        assert!(!recovery.is_clean() || name == PREVIOUS_LOG, "{context} went unnoticed");
    }
    journal.commit(Batch::new(vec![Record::set("after", "1")])).unwrap();
    let expected = map(&journal).clone();
    let (journal, recovery) = open(&disk);
    assert!(recovery.is_clean(), "{context} is not repaired: {recovery}");
    assert_eq!(*map(&journal), expected, "{context}");
}

/// Returns a disk with files of several generations, and the state after each batch.
fn populated() -> (MemoryDisk, Vec<Map>) {
    let disk = MemoryDisk::default();
    let states = commit_batches(&disk);
    assert_eq!(states.len(), BATCHES + 1);
    (disk, states)
}

/// Commits batches until a commit fails; returns the state after each batch.
fn commit_batches(disk: &MemoryDisk) -> Vec<Map> {
    commit_up_to(BATCHES, disk, vec![Map::new()])
}

/// Commits the batches after those of `states`, up to `count`, until a commit fails; returns the
/// state after each batch. As with a thread that writes snapshots, there is a batch between the
/// sealing of the log and the snapshot.
fn commit_up_to(count: usize, disk: &MemoryDisk, mut states: Vec<Map>) -> Vec<Map> {
    let (mut journal, _) = open(disk);
    let mut is_sealed = false;
    for n in states.len() - 1..count {
        if journal.commit(Batch::new(batch(n))).is_err() {
            break;
        }
        let mut state = states[n].clone();
        apply_batch(&mut state, n);
        assert_eq!(*map(&journal), state);
        states.push(state);
        if is_sealed {
            journal.write_snapshot();
        }
        is_sealed = !is_sealed && journal.seal_log_if_due();
    }
    if is_sealed {
        journal.write_snapshot();
    }
    states
}

/// Returns batch `n`: adds one entry, changes one and removes one.
fn batch(n: usize) -> Vec<Record> {
    let mut batch =
        vec![Record::set(format!("k{n}"), format!("value {n}")), Record::set("last", n.to_string())];
    if n >= 3 {
        batch.push(Record::remove(format!("k{}", n - 3)));
    }
    batch
}

/// Applies batch `n` to a map, independently of the journal.
fn apply_batch(map: &mut Map, n: usize) {
    map.insert(format!("k{n}").into(), format!("value {n}").into_bytes().into());
    map.insert("last".into(), n.to_string().into_bytes().into());
    if n >= 3 {
        map.remove(format!("k{}", n - 3).as_bytes());
    }
}

fn open(disk: &MemoryDisk) -> (Journal, Recovery) {
    Journal::open(disk.shared(), MIN_COMPACT_SIZE, false).unwrap()
}

fn map(journal: &Journal) -> &Map {
    journal.map().unwrap()
}

fn keys(map: &Map) -> Vec<&str> {
    map.keys().map(|key| std::str::from_utf8(key).unwrap()).collect()
}

const BATCHES: usize = 14;

/// The minimum log size in bytes for a new generation, so small that the tests write three
/// generations.
const MIN_COMPACT_SIZE: u64 = 200;
