//! Batches whose records are produced while they are written.

use std::io;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use super::{keys, map, open};
use crate::disk::memory::MemoryDisk;
use crate::format::RecordRef;
use crate::journal::Journal;
use crate::record::{Batch, Image, Record, RecordSource, VisitEntry, VisitRecord};
use crate::recovery::{LOG, SNAPSHOT};

#[test]
fn batch_with_source_is_found_whole_or_not_at_all_after_power_cut() {
    let whole = MemoryDisk::default();
    let mut journal = journal(&whole);
    journal.commit(large_batch()).unwrap();
    let mut outcomes = [0, 0];
    for cut in 0..=whole.operations() {
        let disk = MemoryDisk::default();
        disk.cut_power_at(cut);
        let mut journal = self::journal(&disk);
        let is_durable = journal.commit(large_batch()).is_ok();
        for image in disk.images(cut as u64) {
            let (journal, _) = open(&MemoryDisk::with(image));
            let found = keys(map(&journal));
            assert!(found.is_empty() || found.len() == 1 + ENTRIES, "cut at {cut}: {}", found.len());
            assert!(!found.is_empty() || !is_durable, "cut at {cut}: the batch is lost");
            outcomes[usize::from(found.is_empty())] += 1;
        }
    }
    assert!(outcomes.iter().all(|count| *count > 0), "{outcomes:?}");
}

/// The map does not receive the records of a source, and its records and image are released.
#[test]
fn source_is_released_when_batch_is_durable() {
    let disk = MemoryDisk::default();
    let mut journal = journal(&disk);
    let source = Arc::new(Numbered::default());
    let batch = Batch::new(vec![Record::set("other", "1")]).with_source(source.clone()).with_image(image());
    journal.commit(batch).unwrap();
    assert_eq!(source.visits.load(Ordering::Relaxed), 1);
    assert_eq!(Arc::strong_count(&source), 1);
    assert_eq!(keys(map(&journal)), ["other"]);
    assert!(disk.files()[LOG].len() > 2 << 18, "several frames");
    journal.compact_if_due();
    assert_eq!(
        keys(map(&open(&MemoryDisk::with([disk.files().remove_entry(SNAPSHOT).unwrap()].into())).0)),
        ["held/image", "other"]
    );
}

#[test]
fn group_is_written_one_after_another_when_source_fails() {
    let disk = MemoryDisk::default();
    let mut journal = journal(&disk);
    let fails = Arc::new(Numbered { fails_at: Some(ENTRIES / 2), ..Numbered::default() });
    let group = vec![
        Batch::new(vec![Record::set("a", "1")]),
        Batch::new(vec![Record::set("b", "1")]).with_source(fails).with_image(image()),
        Batch::new(vec![Record::set("c", "1")]),
    ];
    let failed = journal.commit_group(group).unwrap_err();
    assert_eq!((failed.durable, failed.error.to_string().contains("the source")), (1, true));
    assert_eq!(keys(map(&open(&disk).0)), ["a"]);
}

#[test]
fn batch_is_refused_when_its_source_has_no_image_or_changes_keys_of_the_map() {
    let disk = MemoryDisk::default();
    let mut journal = journal(&disk);
    let batch = Batch::default().with_source(Arc::new(Numbered::default()));
    journal.commit(batch).unwrap_err();
    let batch = Batch::default().with_source(Arc::new(OtherKey)).with_image(image());
    journal.commit(batch).unwrap_err();
    assert_eq!(keys(map(&open(&disk).0)), [""; 0]);
}

fn journal(disk: &MemoryDisk) -> Journal {
    let (mut journal, _) = open(disk);
    journal.hand_over(b"held/");
    journal
}

fn large_batch() -> Batch {
    Batch::new(vec![Record::set("other", "1")]).with_source(Arc::new(Numbered::default())).with_image(image())
}

fn image() -> Arc<dyn Image> {
    Arc::new(OneEntry)
}

const ENTRIES: usize = 600;

/// Sets entries with numbers, together more than two frames.
#[derive(Default)]
struct Numbered {
    visits: AtomicUsize,
    fails_at: Option<usize>,
}

impl RecordSource for Numbered {
    fn visit_records(&self, visit: &mut VisitRecord<'_>) -> io::Result<()> {
        self.visits.fetch_add(1, Ordering::Relaxed);
        let value = [7; 1000];
        for number in 0..ENTRIES {
            if self.fails_at == Some(number) {
                return Err(io::Error::other("the source fails"));
            }
            visit(RecordRef::Set { key: format!("held/{number:03}").as_bytes(), value: &value })?;
        }
        Ok(())
    }
}

struct OtherKey;

impl RecordSource for OtherKey {
    fn visit_records(&self, visit: &mut VisitRecord<'_>) -> io::Result<()> {
        visit(RecordRef::Set { key: b"held/a", value: b"" })?;
        visit(RecordRef::RemovePrefix { prefix: b"held" })
    }
}

struct OneEntry;

impl Image for OneEntry {
    fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> io::Result<()> {
        visit(b"held/image", b"1")
    }
}
