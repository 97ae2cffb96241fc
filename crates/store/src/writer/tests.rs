use std::sync::mpsc;
use std::sync::{Arc, Barrier};

use crate::Store;
use crate::disk::memory::MemoryDisk;
use crate::error::StoreError;
use crate::record::{Batch, Record};
use crate::writer::{MAX_QUEUED_BATCHES, Writer};

#[test]
fn batches_finish_in_order_and_dropping_writer_stores_queued_batches() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    let (done, outcomes) = mpsc::channel();
    for n in 0..500_u16 {
        let done = done.clone();
        writer.submit(vec![Record::set(n.to_be_bytes(), "x")], move |result| {
            done.send((n, result.is_ok())).unwrap();
        });
    }
    drop(writer);
    drop(done);
    assert!(outcomes.iter().eq((0..500).map(|n| (n, true))));
    let (store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    assert_eq!(store.iter(b"").count(), 500);
}

#[test]
fn queued_batches_are_synced_together() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    writer.commit(vec![Record::set("first", "")]).unwrap();
    // A `done` callback blocks the writer thread while a hundred batches are queued.
    let gate = Arc::new(Barrier::new(2));
    let held = Arc::clone(&gate);
    writer.submit(vec![Record::set("gate", "")], move |_| {
        held.wait();
    });
    for n in 0..100_u8 {
        writer.submit(vec![Record::set([n], "")], |result| result.unwrap());
    }
    let before = disk.operations();
    gate.wait();
    drop(writer);
    assert!(disk.operations() - before <= 6, "{}", disk.operations() - before);
}

#[test]
fn batch_too_large_for_disk_does_not_make_other_queued_batches_fail() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    writer.commit(vec![Record::set("first", "")]).unwrap();
    let used: usize = disk.files().values().map(Vec::len).sum();
    disk.set_capacity(Some(used + 200));
    let gate = Arc::new(Barrier::new(2));
    let held = Arc::clone(&gate);
    writer.submit(vec![Record::set("gate", "")], move |_| {
        held.wait();
    });
    let (done, outcomes) = mpsc::channel();
    for (key, size) in [("a", 1), ("large", 500), ("b", 1)] {
        let done = done.clone();
        writer.submit(vec![Record::set(key, vec![0; size])], move |result| {
            done.send((key, result.is_ok())).unwrap();
        });
    }
    drop(done);
    gate.wait();
    assert_eq!(outcomes.iter().collect::<Vec<_>>(), [("a", true), ("large", false), ("b", true)]);
}

#[test]
fn failed_writes_are_recorded() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    let failures = writer.failures();
    writer.commit(vec![Record::set("first", "")]).unwrap();
    assert_eq!((failures.count(), failures.last()), (0, None));
    disk.set_capacity(Some(disk.files().values().map(Vec::len).sum()));
    let error = writer.commit(vec![Record::set("a", "1")]).unwrap_err();
    assert_eq!(failures.count(), 1);
    assert_eq!(failures.last().unwrap().reason, error.to_string());
    writer.commit_group(group(&[1])).unwrap_err();
    assert_eq!(failures.count(), 2);
}

#[test]
fn submit_fails_with_busy_when_queue_is_full() {
    let writer = writer(&MemoryDisk::default());
    let gate = Arc::new(Barrier::new(2));
    let held = Arc::clone(&gate);
    let (entered, inside) = mpsc::channel();
    writer.submit(vec![], move |_| {
        entered.send(()).unwrap();
        held.wait();
    });
    inside.recv().unwrap();
    for _ in 0..MAX_QUEUED_BATCHES {
        writer.submit(vec![], |result| result.unwrap());
    }
    let (done, outcome) = mpsc::channel();
    writer.submit(vec![], move |result| done.send(result).unwrap());
    assert!(matches!(outcome.recv().unwrap(), Err(StoreError::Busy)));
    gate.wait();
}

#[test]
fn writer_thread_continues_after_callback_panics() {
    let writer = writer(&MemoryDisk::default());
    writer.submit(vec![], |_| panic!("on purpose"));
    writer.commit(vec![Record::set("a", "1")]).unwrap();
}

#[test]
fn last_writer_handle_can_be_dropped_inside_callback() {
    let writer = writer(&MemoryDisk::default());
    let last = writer.clone();
    let (done, outcome) = mpsc::channel();
    writer.submit(vec![], move |_| {
        drop(last);
        done.send(()).unwrap();
    });
    drop(writer);
    outcome.recv().unwrap();
}

#[test]
fn group_is_made_durable_with_one_sync() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    writer.commit(vec![Record::set("first", "")]).unwrap();
    let before = disk.operations();
    writer.commit_group(group(&[1; 50])).unwrap();
    assert_eq!(disk.operations() - before, 2, "one write, one sync");
    assert_eq!(stored(&disk), 51);
}

#[test]
fn group_that_does_not_fit_on_disk_is_durable_up_to_first_batch_that_fails() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    writer.commit(vec![Record::set("first", "")]).unwrap();
    let used: usize = disk.files().values().map(Vec::len).sum();
    disk.set_capacity(Some(used + 200));
    // The third batch would fit, but is drafted on the second, which fails.
    let failed = writer.commit_group(group(&[1, 500, 1])).unwrap_err();
    assert_eq!(failed.durable, 1);
    assert!(matches!(failed.error, StoreError::Io(_)));
    assert_eq!(stored(&disk), 2);
}

#[test]
fn batches_of_group_are_written_one_after_another_when_their_sync_fails() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    writer.commit(vec![Record::set("first", "")]).unwrap();
    disk.fail_syncs(1);
    writer.commit_group(group(&[1, 1, 1])).unwrap();
    assert_eq!(stored(&disk), 4);
}

#[test]
fn empty_group_succeeds() {
    writer(&MemoryDisk::default()).commit_group(vec![]).unwrap();
}

/// Returns batches that each set one key to a value of the given length.
fn group(lengths: &[usize]) -> Vec<Batch> {
    let records = lengths.iter().zip(0_u8..);
    records.map(|(&length, n)| Batch::new(vec![Record::set([b'g', n], vec![0; length])])).collect()
}

/// Returns the number of entries on disk.
fn stored(disk: &MemoryDisk) -> usize {
    let copy = MemoryDisk::with(disk.files());
    Store::from_disk(copy.shared(), 100_000).unwrap().0.iter(b"").count()
}

fn writer(disk: &MemoryDisk) -> Writer {
    Store::from_disk(disk.shared(), 100_000).unwrap().0.into_writer().unwrap()
}
