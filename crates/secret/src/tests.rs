use super::*;

#[test]
fn secrets_are_equal_only_if_length_and_every_octet_are_equal() {
    let secret = Secret::from("maplesyrup");
    assert!(secret == secret.duplicate());
    assert!(secret != Secret::from("maplesyruq"));
    assert!(secret != Secret::from("naplesyrup"));
    assert!(secret != Secret::from("maplesyru"));
    assert!(secret != Secret::from(""));
    assert!(ct_eq(b"", b""));
}

#[test]
fn every_constructor_preserves_the_octets() {
    assert_eq!(Secret::new(vec![0, 255]).expose(), [0, 255]);
    assert_eq!(Secret::from(&[1u8, 2][..]).expose(), [1, 2]);
    assert_eq!(Secret::from(String::from("né")).expose(), "né".as_bytes());
    assert_eq!(Secret::from("abc").len(), 3);
    assert!(Secret::from("").is_empty());
}
