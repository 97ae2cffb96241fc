use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;

/// A pipe, and the number of times its worker's side was woken.
fn pipe() -> (Pipe, Arc<AtomicUsize>) {
    let wakeups = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&wakeups);
    let wake = move || {
        counter.fetch_add(1, Relaxed);
    };
    (Pipe::new(wake), wakeups)
}

fn turn(phase: Phase) -> Turn {
    let condition = Condition { phase, holds_lock: false };
    Turn { piece: Vec::new(), condition, has_progress: false, is_handling: false }
}

fn output(pipe: &Pipe) -> Option<Vec<u8>> {
    pipe.take_output().ok().map(|(piece, _)| piece)
}

#[test]
fn input_is_bounded_and_its_writer_is_woken_when_there_is_room() {
    let (pipe, wakeups) = pipe();
    let octets = vec![0; MAX_INPUT + 10];
    assert_eq!(pipe.write(&octets), (MAX_INPUT, true));
    assert!(!pipe.has_room());
    assert_eq!(pipe.write(&octets), (0, false));
    assert_eq!(pipe.take_input().len(), MAX_INPUT);
    assert!(pipe.has_room());
    assert_eq!(wakeups.load(Relaxed), 1);
    // A pipe that was not full had room all the time.
    pipe.write(&octets[..10]);
    pipe.take_input();
    assert_eq!(wakeups.load(Relaxed), 1);
}

#[test]
fn session_is_scheduled_once_until_its_turn() {
    let (pipe, _) = pipe();
    assert_eq!(pipe.write(b"a"), (1, true));
    assert_eq!(pipe.write(b"b"), (1, false));
    assert!(!pipe.schedule());
    pipe.begin_turn();
    assert_eq!(pipe.take_input(), b"ab");
    assert_eq!(pipe.write(b"c"), (1, true));
}

/// A client that sends its requests and closes its side of the connection gets all replies.
#[test]
fn request_is_unanswered_from_its_first_octet_to_the_last_one_of_its_reply() {
    let (pipe, wakeups) = pipe();
    assert!(!pipe.has_unanswered());
    pipe.write(b"request");
    assert!(pipe.has_unanswered());
    pipe.take_input();
    assert!(pipe.has_unanswered(), "while the thread handles it");
    pipe.update(Turn { is_handling: true, ..turn(Phase::Idle) });
    assert!(pipe.has_unanswered(), "while octets are left for the next turn");
    pipe.update(turn(Phase::Executing));
    assert!(pipe.has_unanswered());
    pipe.update(Turn { piece: b"reply".to_vec(), has_progress: true, ..turn(Phase::Idle) });
    assert!(pipe.has_unanswered());
    assert_eq!(output(&pipe).unwrap(), b"reply");
    assert!(!pipe.has_unanswered());
    assert!(pipe.take_progress());
    assert!(!pipe.take_progress());
    assert_eq!(wakeups.load(Relaxed), 3);
    // The peer may not send the rest of a request that has begun.
    pipe.write(b"part");
    pipe.take_input();
    pipe.update(turn(Phase::Receiving));
    assert!(!pipe.has_unanswered());
    assert_eq!(wakeups.load(Relaxed), 4);
    pipe.update(turn(Phase::Receiving));
    assert_eq!(wakeups.load(Relaxed), 4, "nothing has changed");
}

#[test]
fn output_is_bounded_and_the_session_is_scheduled_when_there_is_room() {
    let (pipe, _) = pipe();
    for number in 0..MAX_OUTPUT_PIECES {
        assert!(pipe.accepts_output());
        pipe.update(Turn { piece: vec![number as u8], ..turn(Phase::Replying) });
    }
    assert!(!pipe.accepts_output());
    let (piece, must_schedule) = pipe.take_output().ok().unwrap();
    assert_eq!((piece, must_schedule), (vec![0], true));
    let (piece, must_schedule) = pipe.take_output().ok().unwrap();
    assert_eq!((piece, must_schedule), (vec![1], false));
    assert!(matches!(pipe.take_output(), Err(NoOutput::None)));
}

#[test]
fn peer_is_not_waited_for_while_octets_of_either_side_wait() {
    let (pipe, _) = pipe();
    let condition = Condition { phase: Phase::Idle, holds_lock: false };
    pipe.update(turn(Phase::Idle));
    assert_eq!(pipe.condition(), Some(condition));
    pipe.write(&[0; MAX_INPUT]);
    assert_eq!(pipe.condition(), None);
    pipe.take_input();
    pipe.update(Turn { piece: b"reply".to_vec(), has_progress: true, ..turn(Phase::Idle) });
    assert_eq!(pipe.condition(), None);
    output(&pipe);
    assert_eq!(pipe.condition(), None, "the worker has not taken the progress");
    pipe.take_progress();
    assert_eq!(pipe.condition(), Some(condition));
}

#[test]
fn end_after_output_lets_the_output_be_taken_and_discards_input() {
    let (pipe, _) = pipe();
    pipe.write(b"request");
    pipe.update(Turn { piece: b"reply".to_vec(), ..turn(Phase::Closing) });
    pipe.end(End::AfterOutput);
    assert!(!pipe.is_finished());
    assert!(!pipe.has_unanswered());
    assert!(!pipe.has_input());
    assert_eq!(pipe.write(b"more"), (4, false));
    assert_eq!(output(&pipe).unwrap(), b"reply");
    assert!(pipe.is_finished());
}

#[test]
fn end_at_once_discards_output_and_stays() {
    let (pipe, wakeups) = pipe();
    pipe.update(Turn { piece: b"reply".to_vec(), ..turn(Phase::Replying) });
    pipe.end(End::Now(CloseReason::Killed));
    pipe.end(End::AfterOutput);
    assert!(matches!(pipe.take_output(), Err(NoOutput::Closed(CloseReason::Killed))));
    assert!(!pipe.accepts_output());
    assert!(!pipe.is_finished());
    assert_eq!(wakeups.load(Relaxed), 3);
}
