use super::*;

const LIMITS: TransactionLimits = TransactionLimits { transactions: 4, octets: 100 };
const ALL: TransactionLimits = TransactionLimits { transactions: usize::MAX, octets: usize::MAX };

/// Adds a transaction of a principal of its own, which no share limits.
fn push(queue: &TransactionQueue<u32, String>, number: u32, octets: usize) -> Result<(), PushError> {
    queue.push(number, octets, number.to_string())
}

fn first(transactions: usize) -> TransactionLimits {
    TransactionLimits { transactions, ..ALL }
}

#[test]
fn queue_returns_waiting_transactions_in_order_of_arrival() {
    let queue = TransactionQueue::new(LIMITS);
    (0..3).for_each(|number| push(&queue, number, 10).unwrap());
    assert_eq!(queue.take_group(first(2)), Some(vec![0, 1]));
    push(&queue, 3, 10).unwrap();
    assert_eq!(queue.take_group(first(10)), Some(vec![2, 3]));
}

#[test]
fn push_fails_when_queue_contains_maximum_number_of_transactions() {
    let queue = TransactionQueue::new(LIMITS);
    (0..4).for_each(|number| push(&queue, number, 0).unwrap());
    assert_eq!(push(&queue, 4, 0), Err(PushError::Full(ReachedLimit::Transactions(4))));
    queue.take_group(first(1));
    push(&queue, 5, 0).unwrap();
    push(&queue, 6, 0).unwrap_err();
}

#[test]
fn push_fails_when_queue_contains_maximum_number_of_octets() {
    let queue = TransactionQueue::new(LIMITS);
    let full = Err(PushError::Full(ReachedLimit::Octets(100)));
    push(&queue, 1, 60).unwrap();
    assert_eq!(push(&queue, 2, 41), full);
    push(&queue, 3, 40).unwrap();
    assert_eq!(push(&queue, 4, 1), full);
    assert_eq!(queue.take_group(ALL), Some(vec![1, 3]));
    // Otherwise a transaction above the limit could never be executed.
    push(&queue, 5, 1000).unwrap();
    assert_eq!(push(&queue, 6, usize::MAX), full);
    assert_eq!(queue.take_group(ALL), Some(vec![5]));
    push(&queue, 7, 100).unwrap();
}

#[test]
fn principal_can_use_half_of_the_room_that_others_leave() {
    let queue = TransactionQueue::new(TransactionLimits { transactions: 8, octets: 100 });
    for (principal, share) in [("ops", 4), ("monitor", 2), ("backup", 1)] {
        (0..share).for_each(|number| queue.push(number, 0, principal).unwrap());
        let used = PushError::ShareUsed(ReachedLimit::Transactions(share as usize));
        assert_eq!(queue.push(9, 0, principal), Err(used), "{principal}");
    }
    // The first transaction of a principal needs no share.
    queue.push(0, 0, "last").unwrap();
    assert_eq!(queue.push(0, 0, "other"), Err(PushError::Full(ReachedLimit::Transactions(8))));
    let status = queue.status();
    assert_eq!((status.refused, status.refused_by_share), (1, 3));
    // Shares change when transactions have been taken.
    assert_eq!(queue.take_group(first(4)), Some(vec![0, 1, 2, 3]));
    queue.push(4, 0, "ops").unwrap();
    queue.push(5, 0, "ops").unwrap();
    assert_eq!(queue.push(6, 0, "ops"), Err(PushError::ShareUsed(ReachedLimit::Transactions(2))));
    assert_eq!(queue.take_group(ALL), Some(vec![0, 1, 0, 0, 4, 5]));
    assert!(queue.lock().principals.is_empty());
}

#[test]
fn principals_that_flood_the_queue_leave_room_for_others() {
    let queue = TransactionQueue::new(TransactionLimits { transactions: 1024, octets: 1 << 20 });
    let flood = |principal: &'static str| while queue.push(0, 0, principal).is_ok() {};
    let used = |principal| queue.lock().principals.get(principal).map_or(0, |used| used.transactions);
    flood("first");
    flood("second");
    assert_eq!((used("first"), used("second")), (512, 256));
    // While both refill the queue, their shares and the room for others become similar.
    for _ in 0..20 {
        queue.take_group(first(256));
        flood("second");
        flood("first");
    }
    for principal in ["first", "second"] {
        assert!((280..=440).contains(&used(principal)), "{principal}: {}", used(principal));
    }
    assert!(1024 - queue.status().transactions > 280);
    (0..100).for_each(|_| queue.push(0, 0, "other").unwrap());
}

#[test]
fn principal_can_use_half_of_the_octets() {
    let queue = TransactionQueue::new(LIMITS);
    let used = PushError::ShareUsed(ReachedLimit::Octets(50));
    queue.push(1, 20, "ops").unwrap();
    assert_eq!(queue.push(2, 31, "ops"), Err(used));
    queue.push(3, 30, "ops").unwrap();
    queue.push(4, 40, "monitor").unwrap();
    queue.take_group(ALL);
    // A transaction above the share is accepted if it is the only one of its principal.
    queue.push(5, 40, "monitor").unwrap();
    queue.push(6, 60, "ops").unwrap();
    queue.take_group(first(2));
    queue.push(7, 50, "ops").unwrap();
}

#[test]
fn reached_limit_is_part_of_the_error_text() {
    for (error, text) in [
        (PushError::Full(ReachedLimit::Transactions(4)), "too many changes wait: limit 4"),
        (
            PushError::ShareUsed(ReachedLimit::Octets(50)),
            "too many changes of this user wait: limit 50 octets",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn group_is_limited_in_number_and_octets() {
    let queue = TransactionQueue::new(ALL);
    for (number, octets) in [(1, 500), (2, 40), (3, 60), (4, 1), (5, 0), (6, 0), (7, 0), (8, 0)] {
        push(&queue, number, octets).unwrap();
    }
    // The first is longer than a group.
    assert_eq!(queue.take_group(LIMITS), Some(vec![1]));
    assert_eq!(queue.take_group(LIMITS), Some(vec![2, 3]));
    assert_eq!(queue.take_group(LIMITS), Some(vec![4, 5, 6, 7]));
    assert_eq!(queue.take_group(LIMITS), Some(vec![8]));
    assert_eq!(queue.status(), QueueStatus::default());
}

#[test]
fn status_contains_waiting_and_refused_transactions() {
    let queue = TransactionQueue::new(LIMITS);
    push(&queue, 1, 60).unwrap();
    push(&queue, 2, 30).unwrap();
    push(&queue, 3, 30).unwrap_err();
    let before = QueueStatus { transactions: 2, octets: 90, refused: 1, refused_by_share: 0 };
    assert_eq!(queue.status(), before);
    queue.take_group(first(1));
    let after = QueueStatus { transactions: 1, octets: 30, ..before };
    assert_eq!(queue.status(), after);
    queue.close();
    assert_eq!(push(&queue, 4, 1), Err(PushError::Closed));
    assert_eq!(queue.status(), after, "the queue is closed, but not full");
}

#[test]
fn take_group_waits_for_transaction_from_another_thread() {
    let queue = TransactionQueue::new(LIMITS);
    let pushing = queue.clone();
    let taker = std::thread::spawn(move || queue.take_group(ALL));
    push(&pushing, 7, 1).unwrap();
    assert_eq!(taker.join().unwrap(), Some(vec![7]));
}

#[test]
fn closed_queue_rejects_transactions_and_is_emptied() {
    let queue = TransactionQueue::new(LIMITS);
    push(&queue, 1, 1).unwrap();
    queue.close();
    assert_eq!(push(&queue, 2, 1), Err(PushError::Closed));
    assert_eq!(queue.take_group(ALL), Some(vec![1]));
    assert_eq!(queue.take_group(ALL), None);
}

#[test]
fn group_is_empty_after_the_maximum_wait_unless_the_queue_is_closed() {
    let queue = TransactionQueue::new(LIMITS);
    let take = |wait| queue.take_group_within(LIMITS, Duration::from_millis(wait));
    assert_eq!(take(1), Some(vec![]));
    queue.push(1, 1, "a").unwrap();
    assert_eq!(take(20_000), Some(vec![1]));
    queue.push(2, 1, "a").unwrap();
    queue.close();
    assert_eq!((take(20_000), take(20_000)), (Some(vec![2]), None));
}
