use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use portreeve_smi::Timestamp;

use super::{Holder, LockStatus, LockTimeoutError, Purpose, Ticket, TransactionLock};

#[test]
fn lock_is_granted_in_order_of_arrival() {
    let lock = TransactionLock::default();
    let order = Arc::new(Mutex::new(Vec::new()));
    let first = lock.acquire(ticket(0));
    let waiting: Vec<_> = (1..=WAITERS)
        .map(|n| {
            let thread = {
                let (lock, order) = (lock.clone(), Arc::clone(&order));
                thread::spawn(move || {
                    let _guard = lock.acquire(ticket(n));
                    order.lock().unwrap().push(n);
                })
            };
            // The next thread arrives only when this one waits.
            await_waiters(&lock, n);
            thread
        })
        .collect();
    drop(first);
    waiting.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(*order.lock().unwrap(), (1..=WAITERS).collect::<Vec<_>>());
    assert_eq!(lock.status(), LockStatus::default());
}

#[test]
fn released_lock_is_passed_to_the_waiter_and_not_to_a_later_request() {
    let lock = TransactionLock::default();
    let first = lock.acquire(ticket(0));
    let (granted, wait_for_grant) = mpsc::channel();
    let (release, wait_for_release) = mpsc::channel::<()>();
    let waiting = {
        let lock = lock.clone();
        thread::spawn(move || {
            let _guard = lock.acquire(ticket(1));
            granted.send(()).unwrap();
            wait_for_release.recv().unwrap();
        })
    };
    await_waiters(&lock, 1);
    drop(first);
    // The lock belongs to the waiter at once, even before its thread runs.
    assert_eq!(holder(&lock), Some(ticket(1)));
    let error = lock.acquire_within(ticket(2), Duration::ZERO).map(drop).unwrap_err();
    assert_eq!(error, LockTimeoutError { holder: Some(ticket(1)) });
    wait_for_grant.recv().unwrap();
    release.send(()).unwrap();
    waiting.join().unwrap();
}

#[test]
fn at_most_one_transaction_holds_the_lock() {
    let lock = TransactionLock::default();
    let inside = Arc::new(Mutex::new(()));
    thread::scope(|scope| {
        for n in 0..4 {
            let (lock, inside) = (lock.clone(), Arc::clone(&inside));
            scope.spawn(move || {
                for _ in 0..500 {
                    let _guard = lock.acquire(ticket(n));
                    let _alone = inside.try_lock().expect("another transaction holds the lock");
                }
            });
        }
    });
    assert_eq!(lock.status(), LockStatus::default());
}

#[test]
fn waiter_that_gives_up_does_not_block_the_waiters_behind_it() {
    let lock = TransactionLock::default();
    let first = lock.acquire(ticket(0));
    let giving_up = {
        let lock = lock.clone();
        thread::spawn(move || lock.acquire_within(ticket(1), Duration::from_millis(100)).map(drop))
    };
    while lock.status().waiters.is_empty() && !giving_up.is_finished() {
        thread::yield_now();
    }
    let waiting = {
        let lock = lock.clone();
        thread::spawn(move || lock.acquire_within(ticket(2), LONG).map(drop))
    };
    while !lock.status().waiters.contains(&ticket(2)) {
        thread::yield_now();
    }
    assert_eq!(giving_up.join().unwrap(), Err(LockTimeoutError { holder: Some(ticket(0)) }));
    assert!(!lock.status().waiters.contains(&ticket(1)));
    drop(first);
    assert_eq!(waiting.join().unwrap(), Ok(()));
    assert_eq!(lock.status(), LockStatus::default());
}

#[test]
fn free_lock_is_granted_without_waiting() {
    let lock = TransactionLock::default();
    let guard = lock.acquire_within(ticket(0), Duration::ZERO).unwrap();
    assert_eq!(holder(&lock), Some(ticket(0)));
    drop(guard);
    assert_eq!(lock.status(), LockStatus::default());
}

#[test]
fn panic_of_the_holder_releases_the_lock_and_is_recorded() {
    let lock = TransactionLock::default();
    let (acquired, wait_for_holder) = mpsc::channel();
    let (fail, wait_to_fail) = mpsc::channel::<()>();
    let failing = {
        let lock = lock.clone();
        thread::spawn(move || {
            let _guard = lock.acquire(ticket(1));
            acquired.send(()).unwrap();
            wait_to_fail.recv().unwrap();
            panic!("a transaction fails");
        })
    };
    wait_for_holder.recv().unwrap();
    let waiting = {
        let lock = lock.clone();
        thread::spawn(move || lock.acquire_within(ticket(2), LONG).map(drop))
    };
    await_waiters(&lock, 1);
    fail.send(()).unwrap();
    assert_eq!(waiting.join().unwrap(), Ok(()));
    assert!(failing.join().is_err());
    let expected = LockStatus { panics: 1, last_panic: Some(ticket(1)), ..LockStatus::default() };
    assert_eq!(lock.status(), expected);
}

#[test]
fn transaction_that_succeeds_during_a_panic_of_its_thread_is_not_recorded() {
    struct Cleanup(TransactionLock);
    impl Drop for Cleanup {
        fn drop(&mut self) {
            drop(self.0.acquire(ticket(1)));
        }
    }
    let lock = TransactionLock::default();
    let panicking = catch_unwind(AssertUnwindSafe(|| {
        let _cleanup = Cleanup(lock.clone());
        panic!("not in a transaction");
    }));
    assert!(panicking.is_err());
    assert_eq!(lock.status(), LockStatus::default());
}

#[test]
fn status_lists_the_holder_and_the_waiters_with_their_times() {
    let lock = TransactionLock::default();
    let reload = Ticket::new("portreeved reload", Purpose::Reload, Timestamp::from_secs(7));
    let guard = lock.acquire(reload.clone());
    assert_eq!(lock.status().holder, Some(Holder { ticket: reload.clone(), granted: None }));
    guard.record_grant(Timestamp::from_secs(8));
    let waiting: Vec<_> = (1..=2)
        .map(|n| {
            let thread = {
                let lock = lock.clone();
                thread::spawn(move || drop(lock.acquire(ticket(n))))
            };
            await_waiters(&lock, n);
            thread
        })
        .collect();
    let holder = Holder { ticket: reload, granted: Some(Timestamp::from_secs(8)) };
    let expected =
        LockStatus { holder: Some(holder), waiters: vec![ticket(1), ticket(2)], ..LockStatus::default() };
    assert_eq!(lock.status(), expected);
    drop(guard);
    waiting.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn timeout_error_names_the_holder_if_there_is_one() {
    let holder = |owner, purpose| Some(Ticket::new(owner, purpose, Timestamp::ZERO));
    for (holder, end) in [
        (holder("ops@192.0.2.7", Purpose::Set), " by ops@192.0.2.7 (set)"),
        (holder("portreeved reload", Purpose::Reload), " by portreeved reload (reload)"),
        (None, ""),
    ] {
        let text = LockTimeoutError { holder }.to_string();
        assert_eq!(text, format!("the configuration datastore is locked{end}"));
    }
}

/// Waits until this number of transactions wait for the lock.
fn await_waiters(lock: &TransactionLock, count: usize) {
    while lock.status().waiters.len() != count {
        thread::yield_now();
    }
}

fn holder(lock: &TransactionLock) -> Option<Ticket> {
    lock.status().holder.map(|holder| holder.ticket)
}

fn ticket(n: usize) -> Ticket {
    Ticket::new(format!("user{n}"), Purpose::Set, Timestamp::from_secs(n as u64))
}

const WAITERS: usize = 8;
/// Longer than any wait takes, even on a busy machine.
const LONG: Duration = Duration::from_secs(60);
