use super::*;
use crate::hex::hex;
use crate::{PrivProtocol, password_to_key};
use portreeve_secret::Secret;

const ENGINE_ID: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];

fn localized(protocol: AuthProtocol, password: &str) -> LocalizedKey {
    password_to_key(protocol, &Secret::from(password)).unwrap().localize(&ENGINE_ID)
}

fn for_privacy(protocol: AuthProtocol, privacy: PrivProtocol, password: &str) -> LocalizedKey {
    password_to_key(protocol, &Secret::from(password)).unwrap().localize_for(privacy, &ENGINE_ID)
}

/// RFC 3414 A.5.1 and A.5.2, where the random part is all zeros.
#[test]
fn key_change_matches_rfc_3414_examples() {
    let table = [
        (AuthProtocol::HmacMd5_96, "88056151 41676cc9 196174e7 42a32551"),
        (AuthProtocol::HmacSha96, "9c1017f4 fd483d2d e8d5fadb f84392cb 06457051"),
    ];
    for (protocol, delta) in table {
        let (old, new) = (localized(protocol, "maplesyrup"), localized(protocol, "newsyrup"));
        let random = vec![0; protocol.key_len()];
        let value = make_key_change(protocol, &old, &new, &random).unwrap();
        assert_eq!(value, [random, hex(delta)].concat(), "{protocol}");
        assert!(apply_key_change(protocol, &old, &value).unwrap() == new);
    }
}

/// RFC 3414 A.5.2: a privacy key of sixteen octets, with a longer hash.
#[test]
fn key_change_of_short_key_matches_rfc_3414() {
    let protocol = AuthProtocol::HmacSha96;
    let old = for_privacy(protocol, PrivProtocol::Des, "maplesyrup");
    let new = for_privacy(protocol, PrivProtocol::Des, "newsyrup");
    let value = make_key_change(protocol, &old, &new, &[0; 16]).unwrap();
    assert_eq!(value[16..], hex("7ef8d8a4 c9cdb26b 47591cd8 52ff88b5"));
    assert!(apply_key_change(protocol, &old, &value).unwrap() == new);
}

/// Values made by Net-SNMP 5.9, with its own random part.
#[test]
fn key_change_from_net_snmp_is_applied() {
    let table = [
        (
            AuthProtocol::HmacSha256_192,
            "cc7e75db4d253cb9f7666e5fcd9315328af4b41a582938e617dc7a8b864a77eb
             6bcdbddea031fb86826c68efebf5f6967c8c7d0c9f8a2bf802a3ae21d8d0e197",
        ),
        (
            AuthProtocol::HmacSha512_384,
            "8cd9644cef0296f0d1883187cf8846b935915f153e1c398dd5fcdacf652ae0b3
             87bf9e3012da1a0998a72ca2ce91f408243d83d53f19f78b02463937e9875fc5
             fd527fafda8cba519d28b45f2eb3fe8876578e0a78f2b257f79259d81366e2b1
             f7ebab118ea9cd7c0f87a628f2fd28f54dc2003d8012620df89b0c87bc0abcc8",
        ),
    ];
    for (protocol, value) in table {
        let old = localized(protocol, "maplesyrup");
        let new = apply_key_change(protocol, &old, &hex(value)).unwrap();
        assert!(new == localized(protocol, "newsyrup"), "{protocol}");
    }
}

#[test]
fn key_longer_than_hash_is_changed_in_pieces() {
    let protocol = AuthProtocol::HmacMd5_96;
    let old = for_privacy(protocol, PrivProtocol::Aes256, "maplesyrup");
    let new = for_privacy(protocol, PrivProtocol::Aes256, "newsyrup");
    let random: Vec<u8> = (0..32).collect();
    let value = make_key_change(protocol, &old, &new, &random).unwrap();

    let first = hash(protocol, [old.expose(), &random]);
    let second = hash(protocol, [first.as_slice(), &random]);
    let pad = [first.as_slice(), second.as_slice()].concat();
    let unmasked: Vec<u8> = value[32..].iter().zip(pad).map(|(delta, pad)| delta ^ pad).collect();
    assert_eq!(unmasked, new.expose());
    assert!(apply_key_change(protocol, &old, &value).unwrap() == new);
}

#[test]
fn key_change_of_wrong_length_is_rejected() {
    let protocol = AuthProtocol::HmacSha96;
    let old = localized(protocol, "maplesyrup");
    let wrong = KeyChangeLengthError { expected: 40 };
    for len in [0, 1, 39, 41, 80] {
        assert_eq!(apply_key_change(protocol, &old, &vec![0; len]).err(), Some(wrong));
    }
    let shorter = LocalizedKey::from_octets(&[0; 16]).unwrap();
    assert_eq!(make_key_change(protocol, &old, &shorter, &[0; 20]), Err(wrong));
    assert_eq!(make_key_change(protocol, &old, &old, &[0; 19]), Err(wrong));
}
