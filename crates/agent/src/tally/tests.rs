use portreeve_channel_ssh::server::{Refusal, StatisticsReading as Logins};
use portreeve_transport::StatisticsReading as Sessions;

use super::{ORDINARY, Tally};

#[test]
fn what_has_risen_is_told_once() {
    let mut tally = Tally::default();
    let mut sessions = Sessions { closed_unanswered: 3, handshakes_given_up: 1, ..Sessions::default() };
    let mut logins = Logins { refused: vec![(Refusal::KeyRevoked, 2)], ..Logins::default() };
    let told = tally.since_last(&sessions, Some(&logins)).unwrap();
    assert_eq!(told, "handshakes_given_up +1, closed_unanswered +3, ssh_logins_refused{KeyRevoked} +2");
    assert_eq!(tally.since_last(&sessions, Some(&logins)), None);
    sessions.closed_unanswered += 4;
    logins.requests_refused += 1;
    let told = tally.since_last(&sessions, Some(&logins)).unwrap();
    assert_eq!(told, "closed_unanswered +4, ssh_requests_refused +1");
}

#[test]
fn what_is_ordinary_makes_no_line() {
    let mut tally = Tally::default();
    let sessions = Sessions { sessions_opened: 9, closed_by_peer: 8, closed_idle: 1, ..Sessions::default() };
    assert_eq!(tally.since_last(&sessions, None), None);
}

#[test]
fn what_is_called_ordinary_is_a_counter() {
    let names: Vec<_> = Sessions::default().named().map(|(name, _)| name).collect();
    assert!(ORDINARY.iter().all(|name| names.contains(name)), "{names:?}");
}
