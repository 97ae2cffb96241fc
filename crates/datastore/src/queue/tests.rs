use super::*;

const LIMITS: QueueLimits = QueueLimits { transactions: 3, octets: 100 };

#[test]
fn queue_returns_waiting_transactions_in_order_of_arrival() {
    let queue = TransactionQueue::new(LIMITS);
    for number in 0..3 {
        queue.push(number, 10).unwrap();
    }
    assert_eq!(queue.take_group(2), Some(vec![0, 1]));
    queue.push(3, 10).unwrap();
    assert_eq!(queue.take_group(10), Some(vec![2, 3]));
}

#[test]
fn push_fails_when_queue_contains_maximum_number_of_transactions() {
    let queue = TransactionQueue::new(LIMITS);
    for number in 0..3 {
        queue.push(number, 0).unwrap();
    }
    assert_eq!(queue.push(3, 0), Err(3));
    queue.take_group(1);
    queue.push(4, 0).unwrap();
    assert_eq!(queue.push(5, 0), Err(5));
}

#[test]
fn push_fails_when_queue_contains_maximum_number_of_octets() {
    let queue = TransactionQueue::new(LIMITS);
    queue.push('a', 60).unwrap();
    assert_eq!(queue.push('b', 41), Err('b'));
    queue.push('c', 40).unwrap();
    assert_eq!(queue.push('d', 1), Err('d'));
    assert_eq!(queue.take_group(9), Some(vec!['a', 'c']));
    // Otherwise a transaction above the limit could never be executed.
    queue.push('e', 1000).unwrap();
    assert_eq!(queue.push('f', usize::MAX), Err('f'));
    assert_eq!(queue.take_group(9), Some(vec!['e']));
    queue.push('g', 100).unwrap();
}

#[test]
fn status_contains_waiting_and_refused_transactions() {
    let queue = TransactionQueue::new(LIMITS);
    queue.push('a', 60).unwrap();
    queue.push('b', 30).unwrap();
    queue.push('c', 30).unwrap_err();
    assert_eq!(queue.status(), QueueStatus { transactions: 2, octets: 90, refused: 1 });
    queue.take_group(1);
    assert_eq!(queue.status(), QueueStatus { transactions: 1, octets: 30, refused: 1 });
    queue.close();
    queue.push('d', 1).unwrap_err();
    assert_eq!(queue.status().refused, 1, "the queue is closed, but not full");
}

#[test]
fn take_group_waits_for_transaction_from_another_thread() {
    let queue = TransactionQueue::new(LIMITS);
    let pushing = queue.clone();
    let taker = std::thread::spawn(move || queue.take_group(1));
    pushing.push("late", 1).unwrap();
    assert_eq!(taker.join().unwrap(), Some(vec!["late"]));
}

#[test]
fn closed_queue_rejects_transactions_and_is_emptied() {
    let queue = TransactionQueue::new(LIMITS);
    queue.push(1, 1).unwrap();
    queue.close();
    assert_eq!(queue.push(2, 1), Err(2));
    assert_eq!(queue.take_group(9), Some(vec![1]));
    assert_eq!(queue.take_group(9), None);
}
