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
    assert_eq!(*Secret::from("abc").into_octets(), b"abc");
    assert_eq!(Secret::from("abc").len(), 3);
    assert!(Secret::from("").is_empty());
}

#[test]
fn buffer_contains_all_octets_after_it_has_grown() {
    let mut buffer = SecretBuffer::default();
    for number in 0..=255_u8 {
        buffer.extend(&[number; 3]);
    }
    let expected: Vec<u8> = (0..=255).flat_map(|number| [number; 3]).collect();
    assert_eq!(buffer.into_secret().expose(), expected);
}

#[test]
fn secrets_are_wiped_when_dropped() {
    fn assert_wiped<T: ZeroizeOnDrop>() {}
    assert_wiped::<Secret>();
    assert_wiped::<SecretBuffer>();
}
