//! The age of stored informs, on fake clocks and a real disk.

use std::time::Duration;

use tempfile::{TempDir, tempdir};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::{
    disk_queue::{DiskQueue, Written},
    test_site::{FakeClocks, Site, notification},
};

const YEAR_2023: u64 = 1_672_531_200;
const YEAR_2026: u64 = 1_767_225_600;
const DAY: u64 = 86_400;
const MINUTE: Duration = Duration::from_secs(60);

/// One run of the notifier.
struct Run<'s> {
    site: &'s Site,
    results: UnboundedReceiver<Written>,
}

/// Runs the notifier with the informs of the last run, until it is killed.
fn run(directory: &TempDir, wall: u64, test: impl AsyncFnOnce(Run)) {
    let (sender, results) = unbounded_channel();
    let (disk, stored) = DiskQueue::open(directory.path(), sender).unwrap();
    let (_, batches) = DiskQueue::detached();
    Site::with_disk(disk, batches, FakeClocks::at(wall)).run(async |site| {
        site.core.restore(stored);
        let mut run = Run { site, results };
        run.finish_writes().await;
        test(run).await;
    });
}

impl Run<'_> {
    /// Handles the results of all writes.
    async fn finish_writes(&mut self) {
        while self.site.core.status().waiting_writes > 0 {
            self.site.core.written(self.results.recv().await.unwrap());
        }
    }

    /// Queues an inform of the agent, and lets a minute pass.
    async fn add(&mut self) {
        self.site.core.notify(&notification(10));
        self.finish_writes().await;
        self.site.clocks.pass(MINUTE);
    }

    /// Sets the clock of the system, and lets a minute pass.
    async fn set_clock(&mut self, wall: u64) {
        self.site.clocks.set_wall(wall);
        self.site.core.tick();
        self.finish_writes().await;
        self.site.clocks.pass(MINUTE);
    }

    /// Returns the age of the oldest inform, in seconds.
    fn age(&self) -> u64 {
        self.site.queue().oldest.expect("an inform").as_secs()
    }
}

#[test]
fn outage_counts_as_age() {
    let directory = tempdir().unwrap();
    run(&directory, YEAR_2026, async |mut run| {
        run.add().await;
        assert_eq!(run.age(), 60);
    });
    run(&directory, YEAR_2026 + 3 * DAY, async |run| assert_eq!(run.age(), 3 * DAY));
}

#[test]
fn clock_that_is_set_forward_during_a_run_does_not_change_ages() {
    let directory = tempdir().unwrap();
    run(&directory, YEAR_2023, async |mut run| {
        run.add().await;
        run.set_clock(YEAR_2026).await;
        run.add().await;
        assert_eq!(run.age(), 180);
    });
    run(&directory, YEAR_2026 + 120, async |run| assert_eq!(run.age(), 180));
    // The offset stays stored.
    run(&directory, YEAR_2026 + DAY, async |run| assert_eq!(run.age(), 60 + DAY));
}

#[test]
fn clock_that_starts_in_the_past_does_not_discard_informs() {
    let directory = tempdir().unwrap();
    run(&directory, YEAR_2026, async |mut run| run.add().await);
    // The board boots with an old clock, and gets the time while the agent runs.
    run(&directory, YEAR_2023, async |mut run| {
        assert_eq!(run.age(), 0);
        run.set_clock(YEAR_2026 + DAY).await;
        assert_eq!(run.age(), 60);
    });
    run(&directory, YEAR_2026 + DAY + 100, async |run| assert_eq!(run.age(), 100));
}

#[test]
fn age_is_not_known_if_the_clock_was_set_by_years_between_two_runs() {
    for wall in [0, DAY, YEAR_2023] {
        let directory = tempdir().unwrap();
        run(&directory, wall, async |mut run| {
            run.add().await;
            run.add().await;
        });
        run(&directory, YEAR_2026, async |run| {
            assert_eq!(run.age(), 60, "the age up to the newest inform is known");
        });
        run(&directory, YEAR_2026 + DAY, async |run| assert_eq!(run.age(), 60 + DAY));
    }
}

#[test]
fn offset_that_could_not_be_stored_is_stored_again() {
    Site::new().run(async |site| {
        site.clocks.set_wall(YEAR_2026);
        site.core.tick();
        site.finish_write(Err("no space".to_owned()));
        site.core.tick();
        site.finish_write(Ok(()));
        site.core.tick();
        assert_eq!(site.core.status().waiting_writes, 0, "an offset that is stored is not written again");
    });
}
