use std::{sync::mpsc, thread};

use super::*;

const LONG: Duration = Duration::from_secs(20);

fn holder(session: u32) -> RunningLockHolder {
    RunningLockHolder { session, owner: "ops at 192.0.2.7".into() }
}

#[test]
fn waiter_gets_the_name_of_the_holder_or_the_released_lock() {
    let lock = RunningLock::default();
    assert!(lock.set(Some(holder(4)), LONG));
    let held = lock.wait_until_free(Duration::from_millis(1)).unwrap_err();
    assert_eq!(held.to_string(), "session 4 of ops at 192.0.2.7");
    thread::scope(|scope| {
        let waiter = scope.spawn(|| lock.wait_until_free(LONG));
        assert!(lock.set(None, LONG));
        assert_eq!(waiter.join().unwrap(), Ok(()));
    });
}

#[test]
fn lock_is_granted_after_the_change_that_is_being_stored() {
    let lock = RunningLock::default();
    let change = lock.begin_change();
    assert!(!lock.set(Some(holder(1)), Duration::from_millis(1)), "the change is not visible yet");
    assert_eq!(change.holder(), None, "the change began without the lock");
    thread::scope(|scope| {
        let (started, wait) = mpsc::channel();
        let lock = &lock;
        let setter = scope.spawn(move || {
            started.send(()).unwrap();
            lock.set(Some(holder(2)), LONG)
        });
        wait.recv().unwrap();
        drop(change);
        assert!(setter.join().unwrap());
    });
    assert_eq!(lock.begin_change().holder().map(AsRef::as_ref), Some(&holder(2)));
}
