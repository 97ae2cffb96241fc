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
fn sessions_wait_at_the_limit_of_the_worker_and_continue_in_order() {
    let budget = Rc::<OutputBudget>::default();
    let new_outbox = || Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)));
    let mut answers = fill(&budget);
    let (first, closed, dropped, last) = (new_outbox(), new_outbox(), new_outbox(), new_outbox());
    for outbox in [&first, &closed, &dropped, &last, &first] {
        assert!(!outbox.admits_request());
    }
    closed.set_closed();
    drop(dropped);
    assert_eq!(budget.queue.borrow().len(), 4, "a session is in the queue twice");
    answers.pop();
    assert!(is_woken(&first) && !is_woken(&last));
    assert!(!new_outbox().admits_request(), "a session passes those that wait");
    assert!(first.admits_request());
    answers.extend(expect(&first, 1));
    assert!(!first.admits_request(), "a session passes those that wait");
    answers.pop();
    assert!(is_woken(&last) && !is_woken(&closed));
    assert!(last.admits_request());
}

#[test]
fn waiting_session_is_woken_even_if_others_keep_the_worker_near_its_limit() {
    let budget = Rc::<OutputBudget>::default();
    let mut answers = fill(&budget);
    let victim = Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)));
    assert!(!victim.admits_request());
    let others = Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)));
    answers.truncate(97);
    answers.extend(expect(&others, 94));
    answers.truncate(97);
    assert!(is_woken(&victim));
    assert!(victim.admits_request());
}

#[test]
fn all_waiting_sessions_continue_when_no_answer_is_expected_any_more() {
    let budget = Rc::<OutputBudget>::default();
    let mut answers = fill(&budget);
    let waiting: Vec<_> =
        (0..1000).map(|_| Rc::new(Outbox::new(Arc::default(), Rc::clone(&budget)))).collect();
    assert!(waiting.iter().all(|outbox| !outbox.admits_request()));
    answers.clear();
    // Some sessions use their turn and are answered at once, others cannot use it.
    let mut woken = 0;
    for (number, outbox) in waiting.iter().enumerate() {
        woken += usize::from(is_woken(outbox));
        if number % 3 == 0 {
            assert!(outbox.admits_request());
        } else if number % 3 == 1 {
            outbox.end_turn();
        } else {
            outbox.set_closed();
        }
    }
    assert_eq!(woken, waiting.len());
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

/// Lets other sessions expect as many answers as one worker allows.
fn fill(budget: &Rc<OutputBudget>) -> Vec<ExpectedAnswer> {
    let others = (0..MAX_WORKER_ANSWERS).map(|_| Rc::new(Outbox::new(Arc::default(), Rc::clone(budget))));
    others.map(|outbox| ExpectedAnswer::new(&outbox)).collect()
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
