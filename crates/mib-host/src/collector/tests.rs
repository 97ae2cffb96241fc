use std::sync::mpsc::{self, Receiver};

use super::*;
use crate::SnapshotError;

/// A source that publishes the number of its calls. It fails while `broken` is set.
struct CountingCollect {
    calls: u64,
    broken: Arc<AtomicBool>,
}

impl Collect for CountingCollect {
    type Snapshot = u64;

    fn collect(&mut self, _: Timestamp, last: &u64, next: &mut u64) -> io::Result<()> {
        self.calls += 1;
        assert_eq!(*last + 1, self.calls);
        *next = self.calls;
        if self.broken.load(Ordering::Relaxed) {
            self.calls -= 1;
            return Err(io::Error::other("broken"));
        }
        Ok(())
    }
}

/// A collector with a manual clock, and its announcements of refreshes.
struct TestCollector {
    collector: Collector<u64>,
    clock: Arc<AtomicU64>,
    broken: Arc<AtomicBool>,
    announced: Receiver<(LookupToken, bool)>,
}

impl TestCollector {
    fn new() -> Self {
        let (clock, broken) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (send, announced) = mpsc::channel();
        let refresh = RefreshPolicy { max_age: Duration::from_secs(1), token: TOKEN };
        let thread_clock = Arc::clone(&clock);
        let collector = Collector::start(
            CountingCollect { calls: 0, broken: Arc::clone(&broken) },
            refresh,
            move || Timestamp::from_micros(thread_clock.load(Ordering::Relaxed)),
            move |token, outcome| send.send((token, outcome.is_ok())).unwrap(),
        )
        .unwrap();
        Self { collector, clock, broken, announced }
    }

    fn at(&self, milliseconds: u64) -> Timestamp {
        self.clock.store(milliseconds * 1000, Ordering::Relaxed);
        Timestamp::from_micros(milliseconds * 1000)
    }

    fn next_announcement(&self) -> (LookupToken, bool) {
        self.announced.recv_timeout(Duration::from_secs(10)).unwrap()
    }
}

const TOKEN: LookupToken = LookupToken(42);

#[test]
fn fresh_snapshot_is_served_without_refresh() {
    let test = TestCollector::new();
    let mut view = test.collector.view();
    for milliseconds in [0, 1, 500] {
        view.begin(test.at(milliseconds));
        assert_eq!(view.read(), Ok(&1));
    }
    assert!(test.announced.try_recv().is_err());
}

#[test]
fn aging_snapshot_is_served_and_refreshed_in_background() {
    let test = TestCollector::new();
    let mut view = test.collector.view();
    view.begin(test.at(501));
    assert_eq!(view.read(), Ok(&1));
    assert_eq!(test.next_announcement(), (TOKEN, true));
    assert_eq!(view.read(), Ok(&1), "one request sees one snapshot");
    view.begin(test.at(1400));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn request_that_does_not_read_values_does_not_refresh_snapshot() {
    let test = TestCollector::new();
    test.collector.view().begin(test.at(5_000));
    assert!(test.announced.recv_timeout(Duration::from_millis(50)).is_err());
}

#[test]
fn stale_snapshot_defers_lookup_until_refresh() {
    let test = TestCollector::new();
    let mut view = test.collector.view();
    view.begin(test.at(1001));
    assert_eq!(view.read(), Err(SnapshotError::Later(TOKEN)));
    assert_eq!(
        view.read(),
        Err(SnapshotError::Later(TOKEN)),
        "a request retains the result of its first lookup"
    );
    assert_eq!(test.next_announcement(), (TOKEN, true));
    view.begin(test.at(1002));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn lookups_fail_after_failed_refresh_until_a_refresh_succeeds() {
    let test = TestCollector::new();
    let mut view = test.collector.view();
    test.broken.store(true, Ordering::Relaxed);
    view.begin(test.at(2_000));
    assert_eq!(view.read(), Err(SnapshotError::Later(TOKEN)));
    assert_eq!(test.next_announcement(), (TOKEN, false));
    view.begin(test.at(2_001));
    assert_eq!(view.read(), Err(SnapshotError::Failed));

    test.broken.store(false, Ordering::Relaxed);
    view.begin(test.at(3_002));
    assert_eq!(view.read(), Err(SnapshotError::Later(TOKEN)));
    assert_eq!(test.next_announcement(), (TOKEN, true));
    view.begin(test.at(3_003));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn idle_view_does_not_prevent_reuse_of_snapshot_memory() {
    let test = TestCollector::new();
    let _idle = test.collector.view();
    let mut view = test.collector.view();
    let mut addresses = Vec::new();
    for round in 1..=20u64 {
        view.begin(test.at(round * 10_000));
        assert_eq!(view.read(), Err(SnapshotError::Later(TOKEN)));
        test.next_announcement();
        view.begin(test.at(round * 10_000));
        addresses.push(std::ptr::from_ref(view.read().unwrap()) as usize);
    }
    addresses.sort_unstable();
    addresses.dedup();
    assert!(addresses.len() <= 4, "20 snapshots used {} addresses", addresses.len());
}

#[test]
fn view_returns_last_snapshot_after_collector_is_dropped() {
    let test = TestCollector::new();
    let mut view = test.collector.view();
    drop(test.collector);
    view.begin(Timestamp::from_micros(400_000));
    assert_eq!(view.read(), Ok(&1));
}

#[test]
fn collector_start_fails_when_first_read_fails() {
    let collect = CountingCollect { calls: 0, broken: Arc::new(AtomicBool::new(true)) };
    let refresh = RefreshPolicy { max_age: Duration::from_secs(1), token: TOKEN };
    assert!(Collector::start(collect, refresh, || Timestamp::ZERO, |_, _| {}).is_err());
}
