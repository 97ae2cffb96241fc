use std::net::IpAddr;

use portreeve_smi::Timestamp;

use super::Admission;

#[test]
fn at_a_sources_share_its_oldest_unanswered_session_goes() {
    let admission = Admission::new(100, 3);
    let first = admission.admit(ip("10.0.0.1")).unwrap();
    first.accepted(Timestamp::from_secs(1));
    let second = admission.admit(ip("10.0.0.1")).unwrap();
    let third = admission.admit(ip("10.0.0.1")).unwrap();
    let other = admission.admit(ip("10.0.0.2")).unwrap();
    let fourth = admission.admit(ip("10.0.0.1")).unwrap();
    let gone: Vec<_> = [&first, &second, &third, &other, &fourth]
        .iter()
        .map(|place| place.ticket().is_displaced())
        .collect();
    assert_eq!(gone, [false, true, false, false, false]);
}

#[test]
fn where_all_of_a_source_are_answered_the_longest_silent_one_goes() {
    let admission = Admission::new(100, 2);
    let first = admission.admit(ip("2001:db8::1")).unwrap();
    let second = admission.admit(ip("2001:db8::2")).unwrap();
    second.accepted(Timestamp::from_secs(1));
    first.accepted(Timestamp::from_secs(2));
    assert!(admission.admit(ip("2001:db8::3")).is_some());
    assert!(second.ticket().is_displaced());
    assert!(!first.ticket().is_displaced());
}

#[test]
fn a_full_house_gives_up_the_unanswered_and_keeps_the_answered() {
    let admission = Admission::new(2, 2);
    let first = admission.admit(ip("10.0.0.1")).unwrap();
    let second = admission.admit(ip("10.0.0.2")).unwrap();
    second.accepted(Timestamp::ZERO);
    let third = admission.admit(ip("10.0.0.3")).unwrap();
    assert!(first.ticket().is_displaced());
    third.accepted(Timestamp::ZERO);
    assert!(admission.admit(ip("10.0.0.4")).is_none());
    drop(second);
    assert!(admission.admit(ip("10.0.0.4")).is_some());
}

#[test]
fn places_come_back_and_the_book_is_empty_in_the_end() {
    let admission = Admission::new(10, 10);
    let places: Vec<_> = (0..10).map(|_| admission.admit(ip("::1")).unwrap()).collect();
    places[3].accepted(Timestamp::ZERO);
    places[3].accepted(Timestamp::ZERO);
    admission.shed();
    assert!(places[0].ticket().is_displaced());
    // An answer to a session that has already lost its place changes nothing.
    places[0].accepted(Timestamp::ZERO);
    drop(places);
    let book = admission.book();
    assert_eq!(book.len(), 0);
    assert!(book.sources.is_empty());
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}
