use std::sync::mpsc::{self, Receiver};

use super::*;
use crate::Unready;

/// Publishes how often it was asked; fails while `broken`.
struct Counting {
    asked: u64,
    broken: Arc<AtomicBool>,
}

impl Collect for Counting {
    type Snapshot = u64;

    fn collect(&mut self, _: Timestamp, last: &u64, next: &mut u64) -> io::Result<()> {
        self.asked += 1;
        assert_eq!(*last + 1, self.asked);
        *next = self.asked;
        if self.broken.load(Ordering::Relaxed) {
            self.asked -= 1;
            return Err(io::Error::other("broken"));
        }
        Ok(())
    }
}

/// A collector with a clock set by hand, and what it announced.
struct Bench {
    collector: Collector<u64>,
    clock: Arc<AtomicU64>,
    broken: Arc<AtomicBool>,
    announced: Receiver<(Token, bool)>,
}

impl Bench {
    fn new() -> Self {
        let (clock, broken) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let (send, announced) = mpsc::channel();
        let refresh = Refresh { max_age: Duration::from_secs(1), token: TOKEN };
        let theirs = Arc::clone(&clock);
        let collector = Collector::start(
            Counting { asked: 0, broken: Arc::clone(&broken) },
            refresh,
            move || Timestamp::from_micros(theirs.load(Ordering::Relaxed)),
            move |token, outcome| send.send((token, outcome.is_ok())).unwrap(),
        )
        .unwrap();
        Self { collector, clock, broken, announced }
    }

    fn at(&self, milliseconds: u64) -> Timestamp {
        self.clock.store(milliseconds * 1000, Ordering::Relaxed);
        Timestamp::from_micros(milliseconds * 1000)
    }

    fn announcement(&self) -> (Token, bool) {
        self.announced.recv_timeout(Duration::from_secs(10)).unwrap()
    }
}

const TOKEN: Token = Token(42);

#[test]
fn a_fresh_snapshot_is_served_without_asking() {
    let bench = Bench::new();
    let mut view = bench.collector.view();
    for milliseconds in [0, 1, 500] {
        view.begin(bench.at(milliseconds));
        assert_eq!(view.read(), Ok(&1));
    }
    assert!(bench.announced.try_recv().is_err());
}

#[test]
fn an_aging_snapshot_is_served_and_refreshed_behind_the_request() {
    let bench = Bench::new();
    let mut view = bench.collector.view();
    view.begin(bench.at(501));
    assert_eq!(view.read(), Ok(&1));
    assert_eq!(bench.announcement(), (TOKEN, true));
    assert_eq!(view.read(), Ok(&1), "one request sees one snapshot");
    view.begin(bench.at(1400));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn a_request_that_never_looks_asks_for_nothing() {
    let bench = Bench::new();
    bench.collector.view().begin(bench.at(5_000));
    assert!(bench.announced.recv_timeout(Duration::from_millis(50)).is_err());
}

#[test]
fn a_stale_snapshot_is_waited_for_once() {
    let bench = Bench::new();
    let mut view = bench.collector.view();
    view.begin(bench.at(1001));
    assert_eq!(view.read(), Err(Unready::Later(TOKEN)));
    assert_eq!(view.read(), Err(Unready::Later(TOKEN)), "until the lookup is repeated");
    assert_eq!(bench.announcement(), (TOKEN, true));
    view.begin(bench.at(1002));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn a_machine_that_cannot_be_read_fails_lookups_until_it_can() {
    let bench = Bench::new();
    let mut view = bench.collector.view();
    bench.broken.store(true, Ordering::Relaxed);
    view.begin(bench.at(2_000));
    assert_eq!(view.read(), Err(Unready::Later(TOKEN)));
    assert_eq!(bench.announcement(), (TOKEN, false));
    view.begin(bench.at(2_001));
    assert_eq!(view.read(), Err(Unready::Failed));

    bench.broken.store(false, Ordering::Relaxed);
    view.begin(bench.at(3_002));
    assert_eq!(view.read(), Err(Unready::Later(TOKEN)));
    assert_eq!(bench.announcement(), (TOKEN, true));
    view.begin(bench.at(3_003));
    assert_eq!(view.read(), Ok(&2));
}

#[test]
fn a_view_that_nobody_uses_holds_back_one_snapshot_only() {
    let bench = Bench::new();
    let _idle = bench.collector.view();
    let mut view = bench.collector.view();
    let mut places = Vec::new();
    for round in 1..=20u64 {
        view.begin(bench.at(round * 10_000));
        assert_eq!(view.read(), Err(Unready::Later(TOKEN)));
        bench.announcement();
        view.begin(bench.at(round * 10_000));
        places.push(std::ptr::from_ref(view.read().unwrap()) as usize);
    }
    places.sort_unstable();
    places.dedup();
    assert!(places.len() <= 4, "20 snapshots took {} places", places.len());
}

#[test]
fn a_view_outlives_its_collector() {
    let bench = Bench::new();
    let mut view = bench.collector.view();
    drop(bench.collector);
    view.begin(Timestamp::from_micros(400_000));
    assert_eq!(view.read(), Ok(&1));
}

#[test]
fn a_machine_that_cannot_be_read_at_first_starts_no_collector() {
    let collect = Counting { asked: 0, broken: Arc::new(AtomicBool::new(true)) };
    let refresh = Refresh { max_age: Duration::from_secs(1), token: TOKEN };
    assert!(Collector::start(collect, refresh, || Timestamp::ZERO, |_, _| {}).is_err());
}
