use proptest::prelude::*;

use super::*;

fn round_trip(octets: &[u8]) -> Vec<u8> {
    let mut text = String::new();
    write(&mut text, octets);
    octets_of(&text).into_owned()
}

#[test]
fn text_that_contains_placeholder_characters_is_restored_unchanged() {
    let placeholders = "a\u{10fe80}b\u{10feff}\u{10fe7f}";
    assert_eq!(round_trip(placeholders.as_bytes()), placeholders.as_bytes());
}

proptest! {
    #[test]
    fn arbitrary_octets_converted_to_text_are_restored_unchanged(octets: Vec<u8>) {
        prop_assert_eq!(round_trip(&octets), octets);
    }
}
