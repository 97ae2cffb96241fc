use super::{Gap, Gaps, MAX_GAPS};
use crate::keys::Keys;

fn keys(number: u8) -> Keys {
    let mut keys = Keys::default();
    keys.push(&[number]);
    keys
}

fn gap(first: u8, end: Option<u8>, rows: usize) -> Gap {
    Gap { first: keys(first), end: end.map(keys), rows }
}

fn found(gaps: &Gaps, at: u8) -> Option<(u8, Option<u8>)> {
    let gap = gaps.find(&[at])?;
    Some((gap.first.octets[0], gap.end.as_ref().map(|end| end.octets[0])))
}

#[test]
fn rows_from_the_first_to_the_end_are_in_a_gap() {
    let mut gaps = Gaps::default();
    gaps.add(gap(10, Some(50), 40));
    gaps.add(gap(200, None, 55));
    for (at, expected) in [
        (9, None),
        (10, Some((10, Some(50)))),
        (49, Some((10, Some(50)))),
        (50, None),
        (199, None),
        (200, Some((200, None))),
        (255, Some((200, None))),
    ] {
        assert_eq!(found(&gaps, at), expected, "{at}");
    }
    gaps.set_version(1);
    assert_eq!(found(&gaps, 10), None);
}

#[test]
fn new_gap_replaces_those_within_it() {
    let mut gaps = Gaps::default();
    gaps.add(gap(20, Some(40), 20));
    gaps.add(gap(60, Some(90), 30));
    gaps.add(gap(100, Some(120), 20));
    gaps.add(gap(10, Some(95), 85));
    assert_eq!(gaps.gaps.len(), 2);
    assert_eq!(found(&gaps, 30), Some((10, Some(95))));
    assert_eq!(found(&gaps, 92), Some((10, Some(95))));
    assert_eq!(found(&gaps, 100), Some((100, Some(120))));
}

#[test]
fn longest_gaps_are_kept() {
    let mut gaps = Gaps::default();
    gaps.add(gap(0, Some(1), 3));
    assert!(gaps.gaps.is_empty(), "a short gap is searched as fast as found");
    for number in 0..30 {
        gaps.add(gap(number * 8, Some(number * 8 + 7), 100 + usize::from(number % 7)));
    }
    assert_eq!(gaps.gaps.len(), MAX_GAPS);
    assert!(gaps.gaps.iter().all(|gap| gap.rows >= 102), "{:?}", gaps.gaps);
    assert!(gaps.gaps.is_sorted_by_key(|gap| gap.first.octets.clone()));
}
