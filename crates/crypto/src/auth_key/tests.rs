use super::*;
use crate::hex::hex;

/// The first ("Hi There") and second ("Jefe") test case of RFC 2202 and RFC 4231. The codes are not
/// truncated.
const VECTORS: [(AuthProtocol, &str, &str); 6] = [
    (AuthProtocol::HmacMd5_96, "9294727a3638bb1c13f48ef8158bfc9d", "750c783e6ab0b503eaa86e310a5db738"),
    (
        AuthProtocol::HmacSha96,
        "b617318655057264e28bc0b6fb378c8ef146be00",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
    ),
    (
        AuthProtocol::HmacSha224_128,
        "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22",
        "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44",
    ),
    (
        AuthProtocol::HmacSha256_192,
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        AuthProtocol::HmacSha384_256,
        "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    ),
    (
        AuthProtocol::HmacSha512_384,
        "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854",
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    ),
];

/// Creates a key without the length check: the keys of the test vectors are shorter than SNMP keys.
fn with_any_key(protocol: AuthProtocol, key: &[u8]) -> AuthKey {
    let schedule = Schedule::new(protocol, key).unwrap();
    AuthKey { protocol, schedule }
}

fn key(protocol: AuthProtocol) -> AuthKey {
    AuthKey::new(protocol, &vec![0xa5; protocol.key_len()]).unwrap()
}

#[test]
fn macs_match_rfc_2202_and_rfc_4231() {
    for (protocol, hi_there, jefe) in VECTORS {
        let len = protocol.mac_len();
        let key_len = if protocol == AuthProtocol::HmacMd5_96 { 16 } else { 20 };
        let mac = with_any_key(protocol, &vec![0x0b; key_len]).sign(&[b"Hi There"]);
        assert_eq!(mac.as_octets(), &hex(hi_there)[..len], "{protocol}");
        let mac = with_any_key(protocol, b"Jefe").sign(&[b"what do ya want ", b"", b"for nothing?"]);
        assert_eq!(mac.as_octets(), &hex(jefe)[..len], "{protocol}");
    }
}

#[test]
fn mac_does_not_depend_on_how_the_message_is_split() {
    let message: Vec<u8> = (0..=255).collect();
    for protocol in AuthProtocol::ALL {
        let key = key(protocol);
        let whole = key.sign(&[&message]);
        for cut in [0, 1, 63, 64, 65, 127, 128, 129, 256] {
            let (head, tail) = message.split_at(cut);
            assert!(key.verify(&[head, tail], whole.as_octets()), "{protocol} cut at {cut}");
        }
    }
}

#[test]
fn auth_key_can_sign_several_messages() {
    let key = key(AuthProtocol::HmacSha256_192);
    let first = key.sign(&[b"one"]);
    key.sign(&[b"two"]);
    assert_eq!(key.sign(&[b"one"]).as_octets(), first.as_octets());
}

#[test]
fn mac_of_wrong_length_is_rejected() {
    for protocol in AuthProtocol::ALL {
        let key = key(protocol);
        let full = mac_padded_to_64_octets(&key);
        for len in 0..=full.len() {
            assert_eq!(
                key.verify(&[b"message"], &full[..len]),
                len == protocol.mac_len(),
                "{protocol} {len}"
            );
        }
    }
}

#[test]
fn mac_with_any_flipped_bit_is_rejected() {
    for protocol in AuthProtocol::ALL {
        let key = key(protocol);
        let mac = key.sign(&[b"message"]);
        for bit in 0..protocol.mac_len() * 8 {
            let mut flipped = mac.as_octets().to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(!key.verify(&[b"message"], &flipped), "{protocol} bit {bit}");
        }
    }
}

#[test]
fn key_of_wrong_length_is_rejected() {
    for protocol in AuthProtocol::ALL {
        for len in [0, protocol.key_len() - 1, protocol.key_len() + 1] {
            let rejected = AuthKey::new(protocol, &vec![0; len]).err();
            assert_eq!(rejected, Some(KeyLengthError { expected: protocol.key_len(), found: len }));
        }
    }
}

/// Returns the correct code, followed by zeros up to 64 octets. A longer code must be rejected even
/// though its beginning is correct.
fn mac_padded_to_64_octets(key: &AuthKey) -> Vec<u8> {
    let mut code = key.sign(&[b"message"]).octets.to_vec();
    code.resize(64, 0);
    code
}
