use crate::Store;
use crate::disk::memory::MemoryDisk;
use crate::error::StoreError;
use crate::record::{Batch, Record};
use crate::writer::Writer;

#[test]
fn group_is_made_durable_with_one_sync() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    let before = disk.operations();
    writer.commit_group(group(&[1; 50])).unwrap();
    assert_eq!(disk.operations() - before, 2, "one write, one sync");
    assert_eq!(stored(&disk), 51);
}

#[test]
fn group_that_does_not_fit_on_disk_is_durable_up_to_first_batch_that_fails() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
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
    disk.fail_syncs(1);
    writer.commit_group(group(&[1, 1, 1])).unwrap();
    assert_eq!(stored(&disk), 4);
}

#[test]
fn batches_of_group_that_may_reappear_are_not_written_again() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    disk.fail_syncs(2);
    disk.fail_truncations(1);
    let failed = writer.commit_group(group(&[1, 1, 1])).unwrap_err();
    assert!(failed.durable == 0 && failed.error.may_reappear(), "{failed}");
    assert_eq!(stored(&disk), 4, "a restart finds all three");
}

#[test]
fn group_of_one_batch_is_not_written_again_when_its_sync_fails() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    disk.fail_syncs(1);
    assert_eq!(writer.commit_group(group(&[1])).unwrap_err().durable, 0);
    assert_eq!(stored(&disk), 1);
}

#[test]
fn group_after_a_panic_is_refused_and_recorded_as_failed_write() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    let panicking = writer.clone();
    let panicked = std::thread::spawn(move || {
        let _journal = panicking.journal.lock().unwrap();
        panic!("a panic for the test");
    });
    panicked.join().unwrap_err();
    let failed = writer.commit_group(group(&[1])).unwrap_err();
    assert!(failed.durable == 0 && matches!(failed.error, StoreError::Closed), "{failed}");
    assert_eq!(writer.failures().count(), 1);
    assert_eq!(writer.failures().last().unwrap().reason, StoreError::Closed.to_string());
}

#[test]
fn empty_group_succeeds() {
    writer(&MemoryDisk::default()).commit_group(vec![]).unwrap();
}

#[test]
fn failed_writes_are_recorded() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    let failures = writer.failures();
    writer.commit_group(group(&[1])).unwrap();
    assert_eq!((failures.count(), failures.last()), (0, None));
    disk.set_capacity(Some(disk.files().values().map(Vec::len).sum()));
    let error = writer.commit_group(group(&[1])).unwrap_err();
    assert_eq!(failures.count(), 1);
    assert_eq!(failures.last().unwrap().reason, error.to_string());
    let shown = format!("{writer:?}");
    assert!(shown.contains(&error.to_string()), "{shown}");
}

#[test]
fn groups_of_several_threads_are_all_durable() {
    let disk = MemoryDisk::default();
    let writer = writer(&disk);
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            let writer = writer.clone();
            scope.spawn(move || {
                for n in 0..50_u8 {
                    let record = Record::set([thread, n], vec![0; 100]);
                    writer.commit_group(vec![Batch::new(vec![record])]).unwrap();
                }
            });
        }
    });
    drop(writer);
    assert_eq!(stored(&disk), 201);
    assert!(disk.files().contains_key("state.snapshot"), "snapshots were written at the same time");
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

/// Returns a writer after its first batch, which opens the log.
fn writer(disk: &MemoryDisk) -> Writer {
    let writer = Store::from_disk(disk.shared(), 10_000).unwrap().0.into_writer().unwrap();
    writer.commit_group(vec![Batch::new(vec![Record::set("first", "")])]).unwrap();
    writer
}
