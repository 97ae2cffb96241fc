use std::io;

use super::*;

#[test]
fn outbox_preserves_octet_order_and_frees_memory_when_empty() {
    let budget = Rc::<OutputBudget>::default();
    let outbox = Outbox::new(Arc::default(), Rc::clone(&budget));
    outbox.push(b"abc");
    outbox.push(b"defgh");
    assert_eq!(budget.octets.get(), 8);
    let mut written = Vec::new();
    let mut room = 5;
    let progress = outbox.drain(|bytes| {
        let count = bytes.len().min(2).min(room);
        if count == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        room -= count;
        written.extend_from_slice(&bytes[..count]);
        Ok(count)
    });
    assert!(progress.unwrap());
    assert_eq!(written, b"abcde");
    assert_eq!(budget.octets.get(), 3);
    outbox
        .drain(|bytes| {
            written.extend_from_slice(bytes);
            Ok(bytes.len())
        })
        .unwrap();
    assert_eq!(written, b"abcdefgh");
    assert!(outbox.octets.borrow().is_none());
    assert_eq!(budget.octets.get(), 0);
}

#[test]
fn octets_of_a_dropped_outbox_leave_the_budget() {
    let budget = Rc::<OutputBudget>::default();
    let outbox = Outbox::new(Arc::default(), Rc::clone(&budget));
    outbox.push(b"abc");
    drop(outbox);
    assert_eq!(budget.octets.get(), 0);
}

#[test]
fn session_at_its_limit_is_woken_when_half_of_its_answers_are_sent() {
    let outbox = Rc::new(Outbox::new(Arc::default(), Rc::default()));
    let mut answers = expect(&outbox, MAX_SESSION_ANSWERS);
    assert!(!outbox.admits_request());
    answers.truncate(MAX_SESSION_ANSWERS as usize / 2 + 1);
    assert!(!is_woken(&outbox));
    answers.pop();
    assert!(is_woken(&outbox));
    assert!(outbox.admits_request());
    answers.clear();
    assert!(!is_woken(&outbox), "a session that does not wait is woken");
    assert!(!outbox.awaits_answers());
}

#[test]
fn sessions_wait_at_the_limit_of_the_worker_and_are_woken() {
    let budget = Rc::<OutputBudget>::default();
    let new_outbox = || Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)));
    let others: Vec<_> = (0..MAX_WORKER_ANSWERS).map(|_| new_outbox()).collect();
    let mut answers: Vec<_> = others.iter().map(ExpectedAnswer::new).collect();
    let (first, second, closed) = (new_outbox(), new_outbox(), new_outbox());
    for outbox in [&first, &second, &closed, &first] {
        assert!(!outbox.admits_request());
    }
    drop(closed);
    assert_eq!(budget.queue.borrow().len(), 3, "a session is in the queue twice");
    answers.truncate(MAX_WORKER_ANSWERS / 2);
    assert!(is_woken(&first) && is_woken(&second));
    assert!(first.admits_request());
    assert!(budget.queue.borrow().is_empty());
}

#[test]
fn session_expects_one_answer_while_all_outboxes_exceed_their_limit() {
    let budget = Rc::<OutputBudget>::default();
    let slow = Outbox::new(Arc::default(), Rc::clone(&budget));
    slow.push(&vec![0; MAX_SHARED_OCTETS]);
    let outbox = Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)));
    assert!(outbox.admits_request());
    let answers = expect(&outbox, 1);
    assert!(!outbox.admits_request());
    drop(answers);
    assert!(is_woken(&outbox));
    drop(slow);
    let _answers = expect(&outbox, 1);
    assert!(outbox.admits_request());
}

fn expect(outbox: &Rc<Outbox>, count: u32) -> Vec<ExpectedAnswer> {
    (0..count).map(|_| ExpectedAnswer::new(outbox)).collect()
}

/// Returns whether the session has been woken since the last call.
fn is_woken(outbox: &Outbox) -> bool {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};
    pin!(outbox.woken()).poll(&mut Context::from_waker(Waker::noop())).is_ready()
}
