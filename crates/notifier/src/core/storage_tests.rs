//! Informs that cannot be stored at once.

use std::time::Duration;

use portreeve_store::Store;
use tempfile::{TempDir, tempdir};
use tokio::{sync::mpsc::unbounded_channel, time::sleep};

use crate::{
    disk_queue::{DiskQueue, Written},
    test_site::{FakeClocks, Site, notification},
};

/// A disk that may fail.
struct FailingDisk(TempDir);

impl FailingDisk {
    fn new() -> Self {
        Self(tempdir().unwrap())
    }

    /// Writes the next batch.
    fn write(&self, site: &Site) {
        let (batch, records) = site.batches.try_recv().expect("a batch");
        Store::open(self.0.path()).unwrap().0.commit(records).unwrap();
        site.core.written(Written { batch, result: Ok(()) });
    }

    /// Starts the notifier with the content of the disk. The test gets a site with a new receiver.
    fn restart(&self, test: impl AsyncFnOnce(&Site)) {
        let (sender, _results) = unbounded_channel();
        let (disk, stored) = DiskQueue::open(self.0.path(), sender).unwrap();
        let (_, batches) = DiskQueue::detached();
        Site::with_disk(disk, batches, FakeClocks::default()).run(async |site| {
            site.core.restore(stored);
            test(site).await;
        });
    }
}

fn fail(site: &Site) {
    site.finish_write(Err("no space".to_owned()));
}

/// Waits until the receiver has got a message.
async fn await_message(site: &Site) {
    site.receiver.set_nonblocking(true).unwrap();
    let mut attempts = 0..2000;
    while site.receiver.recv(&mut [0; 1000]).is_err() {
        attempts.next().expect("a message");
        sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn unstored_inform_is_stored_later_and_sent_after_a_restart() {
    let disk = FailingDisk::new();
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        fail(site);
        let result = site.submit(10);
        disk.write(site);
        assert_eq!(result.try_recv().unwrap().unwrap().informs, 1);
        disk.write(site);
        assert_eq!(site.core.status().waiting_writes, 0);
    });
    disk.restart(async |site| {
        assert_eq!(site.queue().entries, 2);
        await_message(site).await;
    });
}

#[test]
fn unstored_informs_are_stored_when_the_disk_works_again() {
    let disk = FailingDisk::new();
    Site::new().run(async |site| {
        for _ in 0..3 {
            site.core.notify(&notification(10));
        }
        (0..3).for_each(|_| fail(site));
        assert_eq!(site.core.status().waiting_writes, 0);
        site.core.tick();
        site.core.tick();
        assert_eq!(site.core.status().waiting_writes, 1, "one inform finds out whether the disk works");
        fail(site);
        site.core.tick();
        (0..3).for_each(|_| disk.write(site));
        site.core.tick();
        assert_eq!(site.core.status().waiting_writes, 0, "each inform is stored once");
    });
    disk.restart(async |site| assert_eq!(site.queue().entries, 3));
}

#[test]
fn inform_that_is_stored_later_keeps_its_age() {
    let disk = FailingDisk::new();
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        fail(site);
        site.clocks.pass(Duration::from_secs(100));
        site.core.tick();
        disk.write(site);
        site.core.notify(&notification(10));
        disk.write(site);
    });
    disk.restart(async |site| assert_eq!(site.queue().oldest, Some(Duration::from_secs(100))));
}

#[test]
fn inform_that_was_never_stored_is_not_stored_after_it_has_left_the_queue() {
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        fail(site);
        // The inform expires.
        site.clocks.pass(Duration::from_secs(86_400));
        site.core.replace_settings(site.core.settings());
        let mut attempts = 0..2000;
        while site.queue().entries > 0 {
            attempts.next().expect("an empty queue");
            sleep(Duration::from_millis(5)).await;
        }
        site.core.tick();
        assert_eq!(site.core.status().waiting_writes, 0);
    });
}
