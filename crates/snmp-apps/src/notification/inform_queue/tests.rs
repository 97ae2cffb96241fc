use super::*;

const LIMITS: QueueLimits = QueueLimits {
    max_octets: 1000,
    max_age: Duration::from_secs(3600),
    max_outstanding: 3,
    min_pause: Duration::from_secs(1),
    max_pause: Duration::from_secs(60),
};

fn secs(secs: u64) -> Timestamp {
    Timestamp::from_secs(secs)
}

/// An entry of 100 octets that is added at the time `id`.
fn entry(id: u64) -> QueueEntry {
    QueueEntry { id, octets: 100, added: secs(id), earlier_age: Duration::ZERO }
}

/// A queue with the entries 1, 2, …
fn queue(count: u64) -> InformQueue {
    let mut queue = InformQueue::new(LIMITS);
    for id in 1..=count {
        queue.push(entry(id)).unwrap();
    }
    queue
}

/// Returns the numbers of all informs that are to be sent now.
fn sent(queue: &mut InformQueue, now: Timestamp) -> Vec<u64> {
    std::iter::from_fn(|| queue.next_to_send(now)).collect()
}

#[test]
fn informs_are_sent_in_order_up_to_the_limit_of_outstanding_ones() {
    let mut queue = queue(5);
    assert_eq!(sent(&mut queue, secs(0)), [1, 2, 3]);
    assert!(queue.acknowledge(2));
    assert_eq!(sent(&mut queue, secs(0)), [4]);
    assert!(queue.acknowledge(1));
    assert!(queue.acknowledge(3));
    assert_eq!(sent(&mut queue, secs(0)), [5]);
    assert!(queue.acknowledge(4) && queue.acknowledge(5));
    assert_eq!(queue.status(secs(0)), QueueStatus { acknowledged: 5, ..QueueStatus::default() });
}

#[test]
fn acknowledgement_of_an_inform_that_was_not_sent_has_no_effect() {
    let mut queue = queue(5);
    assert!(!queue.acknowledge(1));
    assert_eq!(queue.next_to_send(secs(0)), Some(1));
    assert!(!queue.acknowledge(2));
    assert!(queue.acknowledge(1));
    assert!(!queue.acknowledge(1));
    assert_eq!(queue.status(secs(0)).entries, 4);
}

#[test]
fn one_inform_at_a_time_is_sent_after_a_failure_in_the_old_order() {
    let mut queue = queue(5);
    assert_eq!(sent(&mut queue, secs(0)), [1, 2, 3]);
    assert!(queue.acknowledge(2));
    queue.fail(secs(10), 0);
    assert_eq!(queue.next_timeout(), Some(secs(11)));
    assert_eq!(sent(&mut queue, Timestamp::from_micros(10_999_999)), []);
    assert_eq!(sent(&mut queue, secs(11)), [1]);
    // A timeout in the past would keep the owner busy until the result of the inform.
    assert_eq!(queue.next_timeout(), None);
    assert!(queue.acknowledge(1));
    assert_eq!(sent(&mut queue, secs(11)), [3, 4, 5]);
    assert_eq!(queue.next_timeout(), None);
}

#[test]
fn informs_whose_session_was_replaced_are_sent_again_without_a_pause() {
    let mut queue = queue(4);
    assert_eq!(sent(&mut queue, secs(10)), [1, 2, 3]);
    assert!(queue.acknowledge(1));
    queue.resend();
    assert!(!queue.has_outstanding() && !queue.is_failing());
    assert_eq!(sent(&mut queue, secs(10)), [2, 3, 4]);
}

#[test]
fn pauses_double_up_to_their_maximum_until_an_acknowledgement() {
    let mut queue = queue(3);
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
        queue.fail(secs(100), 0);
        assert_eq!(queue.next_timeout(), Some(secs(100 + pause)));
    }
    // No overflow after any number of failures.
    (0..100).for_each(|_| queue.fail(secs(100), 0));
    assert_eq!(queue.next_timeout(), Some(secs(160)));
    assert_eq!(queue.next_to_send(secs(160)), Some(1));
    assert!(queue.acknowledge(1));
    queue.fail(secs(200), 0);
    assert_eq!(queue.next_timeout(), Some(secs(201)));
}

#[test]
fn pause_has_a_random_part_of_at_most_a_quarter() {
    let pause = |random| {
        let mut queue = queue(1);
        queue.fail(secs(0), random);
        queue.next_timeout().unwrap().as_micros()
    };
    assert_eq!([pause(0), pause(u32::MAX / 2), pause(u32::MAX)], [1_000_000, 1_125_000, 1_250_000]);
}

#[test]
fn pause_ends_when_the_target_returns() {
    let mut queue = queue(2);
    queue.fail(secs(0), 0);
    assert_eq!(queue.next_to_send(secs(0)), None);
    queue.resume();
    assert_eq!(sent(&mut queue, secs(0)), [1]);
}

#[test]
fn empty_queue_has_no_timeout() {
    let mut queue = queue(1);
    assert_eq!(queue.next_to_send(secs(0)), Some(1));
    queue.fail(secs(0), 0);
    assert_eq!(queue.expire(secs(10_000)), Some(1));
    assert_eq!(queue.next_timeout(), None);
}

#[test]
fn full_queue_refuses_new_informs_and_keeps_the_old_ones() {
    let mut queue = queue(10);
    let entry = QueueEntry { octets: 1, ..entry(11) };
    assert!(!queue.has_room_for(1));
    assert_eq!(queue.push(entry), Err(QueueFullError));
    assert_eq!(
        (queue.status(secs(0)).entries, queue.status(secs(0)).octets, queue.status(secs(0)).refused),
        (10, 1000, 1)
    );
    assert_eq!(queue.next_to_send(secs(0)), Some(1));
    assert!(queue.acknowledge(1));
    assert!(queue.push(entry).is_ok());
}

#[test]
fn informs_of_the_last_run_stay_in_the_queue_although_its_limit_was_lowered() {
    let mut queue = InformQueue::new(QueueLimits { max_octets: 150, ..LIMITS });
    for id in 1..=3 {
        queue.restore(entry(id));
    }
    assert_eq!(
        (queue.status(secs(0)).entries, queue.status(secs(0)).octets, queue.status(secs(0)).refused),
        (3, 300, 0)
    );
    assert!(!queue.has_room_for(0) && !queue.is_empty());
    assert_eq!(sent(&mut queue, secs(0)), [1, 2, 3]);
}

#[test]
fn old_informs_expire_from_the_oldest_also_while_they_are_sent() {
    let mut queue = queue(3);
    assert_eq!(queue.next_to_send(secs(0)), Some(1));
    assert_eq!(queue.expire(secs(3600)), None);
    assert_eq!(queue.time_to_expiry(secs(3600)), Some(Duration::from_secs(1)));
    assert_eq!(queue.expire(secs(3602)), Some(1));
    assert_eq!(queue.expire(secs(3602)), Some(2));
    assert_eq!(queue.expire(secs(3602)), None);
    assert!(!queue.acknowledge(1));
    assert_eq!(sent(&mut queue, secs(0)), [3]);
    let status = queue.status(secs(3602));
    assert_eq!((status.expired, status.octets, status.oldest), (2, 100, Some(Duration::from_secs(3599))));
}

#[test]
fn age_of_an_inform_includes_that_before_the_restart() {
    let mut queue = queue(0);
    queue.restore(QueueEntry { earlier_age: Duration::from_secs(3000), ..entry(1) });
    assert_eq!(queue.expire(secs(600)), None);
    assert_eq!(queue.time_to_expiry(secs(600)), Some(Duration::from_secs(1)));
    assert_eq!(queue.expire(secs(601)), Some(1));
    assert_eq!(queue.time_to_expiry(secs(601)), None);
}
