use std::io;
use std::sync::mpsc;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use super::{KeeperThread, Order, SnapshotKeeper, SnapshotRequest};
use crate::disk::memory::MemoryDisk;
use crate::format::encoded_len;
use crate::record::{Batch, Image, Record, VisitEntry};
use crate::recovery::Map;

#[test]
fn batch_waits_for_snapshot_when_backlog_is_full() {
    let gate = Arc::new(Barrier::new(2));
    let thread = thread_with_limit(1000);
    thread.write(SnapshotRequest { sequence: 0, image: Some(Arc::new(GatedImage(Arc::clone(&gate)))) });
    thread.apply(batch_of(900));
    let (done, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            thread.apply(batch_of(200));
            done.send(()).unwrap();
        });
        finished.recv_timeout(Duration::from_millis(50)).unwrap_err();
        gate.wait();
        finished.recv().unwrap();
    });
}

#[test]
fn batches_that_fill_the_backlog_do_not_wait_for_snapshot() {
    let gate = Arc::new(Barrier::new(2));
    let length = encoded_len(batch_of(900)[0].records.iter().map(Into::into));
    let thread = thread_with_limit(2 * length);
    thread.write(SnapshotRequest { sequence: 0, image: Some(Arc::new(GatedImage(Arc::clone(&gate)))) });
    thread.apply(batch_of(900));
    thread.apply(batch_of(900));
    assert_eq!(thread.shared.lock().backlog, 2 * length);
    gate.wait();
}

#[test]
fn batch_does_not_wait_for_thread_that_has_panicked() {
    let thread = thread_with_limit(1000);
    let gate = Arc::new(Barrier::new(2));
    thread.write(SnapshotRequest { sequence: 0, image: Some(Arc::new(GatedImage(Arc::clone(&gate)))) });
    // More than the backlog: an error of this program.
    thread.send(Order::Apply { batches: vec![], octets: 1 << 20 });
    thread.apply(batch_of(900));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| thread.apply(batch_of(200)));
        gate.wait();
        waiting.join().unwrap();
    });
    thread.apply(batch_of(2000));
}

#[test]
fn batch_larger_than_backlog_is_accepted_when_no_other_batch_waits() {
    let thread = thread_with_limit(1000);
    for _ in 0..3 {
        thread.apply(batch_of(5000));
    }
}

#[test]
fn snapshots_are_written_after_panic_of_image() {
    let disk = MemoryDisk::default();
    let mut thread = thread_on(&disk, 1000);
    thread.write(SnapshotRequest { sequence: 1, image: Some(Arc::new(BrokenImage)) });
    thread.apply(batch_of(10));
    thread.rewrite(SnapshotRequest { sequence: 2, image: Some(Arc::new(BrokenImage)) }).unwrap_err();
    thread.rewrite(SnapshotRequest { sequence: 2, image: None }).unwrap();
    assert!(thread.status().is_some());
    thread.orders = None;
    assert!(disk.files().contains_key("state.snapshot"));
}

fn thread_with_limit(max_backlog: usize) -> KeeperThread {
    thread_on(&MemoryDisk::default(), max_backlog)
}

fn thread_on(disk: &MemoryDisk, max_backlog: usize) -> KeeperThread {
    KeeperThread::start(SnapshotKeeper::new(disk.shared(), Map::new(), None, false), max_backlog).unwrap()
}

fn batch_of(length: usize) -> Vec<Batch> {
    vec![Batch::new(vec![Record::set("key", vec![0; length])])]
}

/// An image that is complete only after the test has continued.
struct GatedImage(Arc<Barrier>);

impl Image for GatedImage {
    fn visit_entries(&self, _: &mut VisitEntry<'_>) -> io::Result<()> {
        self.0.wait();
        Ok(())
    }
}

struct BrokenImage;

impl Image for BrokenImage {
    fn visit_entries(&self, _: &mut VisitEntry<'_>) -> io::Result<()> {
        panic!("on purpose")
    }
}
