use std::time::Duration;

use portreeve_secret::Secret;
use portreeve_smi::MessageProcessingModel;

use super::{super::tests::received, *};

/// The queues, and the notifications that were added.
struct Fixture {
    queues: FormQueues,
    added: Vec<Arc<ReceivedNotification>>,
    now: Instant,
}

impl Fixture {
    fn new() -> Self {
        Self::with_min_rejected_age(Duration::ZERO)
    }

    fn with_min_rejected_age(min_rejected_age: Duration) -> Self {
        let limits = ForwardQueueLimits { min_rejected_age, ..ForwardQueueLimits::default() };
        Self { queues: FormQueues::new(limits, true), added: Vec::new(), now: Instant::now() }
    }

    /// Adds an inform with each of these communities.
    fn push(&mut self, communities: &[&str]) {
        for community in communities {
            let notification = Arc::new(received());
            self.added.push(Arc::clone(&notification));
            self.queues.push(Some(form(community)), notification, true, self.now).unwrap();
        }
    }

    /// Returns the next attempt, if it need not be waited for.
    fn attempt(&self) -> Option<Box<Attempt>> {
        match self.queues.next(self.now) {
            Next::Attempt(attempt) => Some(attempt),
            Next::Pause(end) => {
                assert!(end > self.now);
                None
            }
            Next::Idle => None,
        }
    }

    /// Returns the next attempt and the number of its notification. Pauses end at once.
    fn next(&mut self) -> (usize, Box<Attempt>) {
        if let Next::Pause(end) = self.queues.next(self.now) {
            self.now = end;
        }
        let attempt = self.attempt().unwrap();
        let is_same = |added: &Arc<_>| Arc::ptr_eq(added, &attempt.waiting.notification);
        (self.added.iter().position(is_same).unwrap(), attempt)
    }

    /// Makes `count` attempts at a destination that confirms the notifications for which
    /// `is_confirmed` returns true, and returns their numbers.
    fn attempts(&mut self, count: usize, is_confirmed: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            let (number, attempt) = self.next();
            match is_confirmed(number) {
                true => self.queues.forwarded(&attempt),
                false => self.queues.failed(&attempt, true, self.now),
            }
            numbers.push(number);
        }
        numbers
    }
}

fn form(community: &str) -> MessageForm {
    let (version, community) = (MessageProcessingModel::V2c, Some(Secret::from(community)));
    MessageForm { version, community, is_confirmed: true }
}

#[test]
fn order_is_kept_among_communities_while_all_are_accepted() {
    let mut fixture = Fixture::new();
    fixture.push(&["a", "b", "a", "c", "b"]);
    assert_eq!(fixture.attempts(5, |_| true), [0, 1, 2, 3, 4]);
    assert!(matches!(fixture.queues.next(fixture.now), Next::Idle));
}

#[test]
fn community_that_is_not_accepted_does_not_delay_others() {
    let mut fixture = Fixture::new();
    fixture.push(&["unknown", "good", "good"]);
    let (number, attempt) = fixture.next();
    assert_eq!(number, 0);
    fixture.queues.failed(&attempt, true, fixture.now);
    for expected in [1, 2] {
        let attempt = fixture.attempt().unwrap();
        assert!(Arc::ptr_eq(&attempt.waiting.notification, &fixture.added[expected]));
        assert!(!attempt.has_failed);
        fixture.queues.forwarded(&attempt);
    }
    assert!(fixture.attempt().is_none());
    assert_eq!(fixture.attempts(1, |_| true), [0]);
}

#[test]
fn inform_that_is_not_confirmed_goes_behind_those_that_are_and_is_discarded() {
    let mut fixture = Fixture::new();
    fixture.push(&["a"; 5]);
    let confirmed = |number| number != 0;
    assert_eq!(fixture.attempts(4, confirmed), [0, 0, 0, 1]);
    assert_eq!(fixture.attempts(3, confirmed), [2, 3, 4]);
    // Alone, it waits: nothing shows that the destination can be reached.
    assert_eq!(fixture.attempts(5, confirmed), [0; 5]);
    fixture.push(&["a"; 3]);
    assert_eq!(fixture.attempts(4, confirmed), [0, 5, 6, 7]);
    fixture.push(&["a"; 2]);
    assert_eq!(fixture.attempts(2, confirmed), [0, 8]);
    let (number, attempt) = fixture.next();
    assert!(number == 0 && attempt.waiting.is_rejected(&fixture.queues.limits));
    fixture.queues.discard(&attempt);
    assert_eq!(fixture.attempts(1, confirmed), [9]);
    assert_eq!((fixture.queues.len(), fixture.queues.octets), (0, 0));
}

#[test]
fn inform_that_others_overtake_is_not_discarded_in_its_first_minutes() {
    let mut fixture = Fixture::with_min_rejected_age(Duration::from_secs(3600));
    fixture.push(&["a"]);
    for _ in 0..5 {
        fixture.push(&["a"; 2]);
        fixture.attempts(6, |number| number != 0);
    }
    let (number, attempt) = fixture.next();
    assert!(number == 0 && attempt.waiting.overtaken() > 3, "{}", attempt.waiting.overtaken());
    assert!(!attempt.waiting.is_rejected(&fixture.queues.limits));
    assert_eq!(fixture.attempts(1, |_| true), [0]);
}

#[test]
fn order_is_kept_while_the_destination_confirms_nothing() {
    let mut fixture = Fixture::new();
    fixture.push(&["a"; 4]);
    assert_eq!(fixture.attempts(9, |_| false), [0, 0, 0, 1, 0, 2, 0, 3, 0]);
    assert_eq!(fixture.attempts(1, |_| false), [1]);
    assert_eq!(fixture.attempts(4, |_| true), [0, 1, 2, 3]);
}

#[test]
fn only_the_first_one_is_tried_while_the_destination_cannot_be_reached() {
    let mut fixture = Fixture::new();
    fixture.push(&["a"; 3]);
    for _ in 0..10 {
        let (number, attempt) = fixture.next();
        assert_eq!(number, 0);
        fixture.queues.failed(&attempt, false, fixture.now);
    }
    assert_eq!(fixture.attempts(3, |_| true), [0, 1, 2]);
}

#[test]
fn pause_doubles_up_to_its_maximum_and_starts_again_after_a_success() {
    let mut fixture = Fixture::new();
    fixture.push(&["a"; 2]);
    let mut pause = || {
        let (_, attempt) = fixture.next();
        fixture.queues.failed(&attempt, false, fixture.now);
        match fixture.queues.next(fixture.now) {
            Next::Pause(end) => end - fixture.now,
            _ => Duration::ZERO,
        }
    };
    for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
        let (pause, expected) = (pause(), Duration::from_secs(expected));
        assert!(expected * 3 / 4 <= pause && pause <= expected * 5 / 4, "{pause:?} {expected:?}");
    }
    assert_eq!(fixture.attempts(1, |_| true), [0]);
    let (_, attempt) = fixture.next();
    fixture.queues.failed(&attempt, false, fixture.now);
    let Next::Pause(end) = fixture.queues.next(fixture.now) else { panic!("no pause") };
    assert!(end - fixture.now <= Duration::from_millis(1250));
}

#[test]
fn failure_and_recovery_are_seen_once() {
    let mut fixture = Fixture::new();
    fixture.push(&["a"; 3]);
    let confirmed = |number| number != 0;
    assert!(!fixture.next().1.has_failed);
    fixture.attempts(3, confirmed);
    let (number, attempt) = fixture.next();
    assert!(number == 1 && attempt.has_failed && !attempt.is_for_first());
    fixture.attempts(1, confirmed);
    let (number, attempt) = fixture.next();
    assert!(number == 2 && attempt.has_failed && attempt.is_for_first());
    fixture.attempts(1, confirmed);
    // The notification that waits behind the others does not count as a failure of the destination.
    fixture.attempts(1, confirmed);
    let (number, attempt) = fixture.next();
    assert!(number == 0 && !attempt.has_failed && attempt.waiting.was_overtaken());
}

#[test]
fn one_community_occupies_half_of_the_memory_at_most() {
    let notification = Arc::new(received());
    let max_octets = 8 * size_of_one(&notification);
    let fill = |queues: &mut FormQueues, community: &str| {
        let mut push = || queues.push(Some(form(community)), Arc::clone(&notification), true, Instant::now());
        (0..).take_while(|_| push().is_ok()).count()
    };
    let limits = ForwardQueueLimits { max_octets, ..ForwardQueueLimits::default() };
    let mut shared = FormQueues::new(limits, true);
    assert_eq!([fill(&mut shared, "unknown"), fill(&mut shared, "good")], [4, 2]);
    let mut of_one_form = FormQueues::new(limits, false);
    assert_eq!(fill(&mut of_one_form, "any"), 8);
}
