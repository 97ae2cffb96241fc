use proptest::prelude::*;

use super::*;

fn round_trip(octets: &[u8]) -> Vec<u8> {
    let mut text = String::new();
    write(&mut text, octets);
    octets_of(&text).into_owned()
}

#[test]
fn placeholder_characters_round_trip() {
    let placeholders = "a\u{10fe80}b\u{10feff}\u{10fe7f}";
    assert_eq!(round_trip(placeholders.as_bytes()), placeholders.as_bytes());
}

proptest! {
    #[test]
    fn arbitrary_octets_round_trip(octets: Vec<u8>) {
        prop_assert_eq!(round_trip(&octets), octets);
    }
}
