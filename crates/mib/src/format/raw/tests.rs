use proptest::prelude::*;

use super::*;

fn round_trip(octets: &[u8]) -> Vec<u8> {
    let mut text = String::new();
    write(&mut text, octets);
    octets_of(&text).into_owned()
}

#[test]
fn what_stands_in_for_octets_may_itself_be_sent() {
    let stand_in = "a\u{10fe80}b\u{10feff}\u{10fe7f}";
    assert_eq!(round_trip(stand_in.as_bytes()), stand_in.as_bytes());
}

proptest! {
    #[test]
    fn any_octets_come_back(octets: Vec<u8>) {
        prop_assert_eq!(round_trip(&octets), octets);
    }
}
