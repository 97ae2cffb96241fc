use super::*;
use crate::hex::hex;

/// The key, and the key localized to the engine 00 00 00 00 00 00 00 00 00 00 00 02. The values for
/// MD5 and SHA-1 come from RFC 3414 A.3.1 and A.3.2, and the others from Net-SNMP 5.9.
const MAPLESYRUP: [(AuthProtocol, &str, &str); 6] = [
    (AuthProtocol::HmacMd5_96, "9faf3283884e92834ebc9847d8edd963", "526f5eed9fcce26f8964c2930787d82b"),
    (
        AuthProtocol::HmacSha96,
        "9fb5cc0381497b3793528939ff788d5d79145211",
        "6695febc9288e36282235fc7151f128497b38f3f",
    ),
    (
        AuthProtocol::HmacSha224_128,
        "282a5867ee9aac639ad59df9572c7d3ac0fbc13a905b6df07dbbf00b",
        "0bd8827c6e29f8065e08e09237f177e410f69b90e1782be682075674",
    ),
    (
        AuthProtocol::HmacSha256_192,
        "ab51014d1e077f6017df2b12bee5f5aa72993177e9bb569c4dff5a4ca0b4afac",
        "8982e0e549e866db361a6b625d84cccc11162d453ee8ce3a6445c2d6776f0f8b",
    ),
    (
        AuthProtocol::HmacSha384_256,
        "e06eccdf2c68a06ed034723c9c26e0db3b669e1e2efed49150b55377a2e98f383c86fb836857444654b287c93f51ff64",
        "3b298f16164a11184279d5432bf169e2d2a48307de02b3d3f7e2b4f36eb6f0455a53689a3937eea07319a633d2ccba78",
    ),
    (
        AuthProtocol::HmacSha512_384,
        "7e4396de5aadc77be853819b98c9406265b3a9c37cc3176569847a4e4f6fba63
         dd3a73d04924d31a63f95a601f9385af6be4ed1b37f87d040f7c6ed6f8d38a91",
        "22a5a36cedfcc085807a128d7bc6c2382167ad6c0dbc5fdff856740f3d84c099
         ad1ea87a8db096714d9788bd544047c9021e4229ce27e4c0a69250adfcffbb0b",
    ),
];

#[test]
fn key_derivation_matches_rfc_3414_and_net_snmp() {
    let engine_id = hex("000000000000000000000002");
    for (protocol, master, localized) in MAPLESYRUP {
        let key = password_to_key(protocol, &Secret::from("maplesyrup")).unwrap();
        assert_eq!(key.expose(), hex(master), "{protocol}");
        assert_eq!(key.localize(&engine_id).expose(), hex(localized), "{protocol}");
    }
}

#[test]
fn pass_phrase_and_its_repetition_derive_the_same_key() {
    let phrase = "0123456789".repeat(500);
    let short_form = password_to_key(AuthProtocol::HmacSha256_192, &Secret::from("0123456789")).unwrap();
    let long_form = password_to_key(AuthProtocol::HmacSha256_192, &Secret::from(phrase)).unwrap();
    assert_eq!(short_form.expose(), long_form.expose());
}

#[test]
fn pass_phrase_is_truncated_at_one_mebibyte() {
    let mebibyte = "ab".repeat(STRETCHED_LEN / 2);
    let cut = password_to_key(AuthProtocol::HmacMd5_96, &Secret::from(format!("{mebibyte}tail"))).unwrap();
    let whole = password_to_key(AuthProtocol::HmacMd5_96, &Secret::from(mebibyte)).unwrap();
    assert_eq!(cut.expose(), whole.expose());
}

#[test]
fn pass_phrase_shorter_than_8_octets_is_rejected() {
    for phrase in ["", "1", "1234567"] {
        let rejected = password_to_key(AuthProtocol::HmacSha96, &Secret::from(phrase));
        assert_eq!(rejected.err(), Some(PasswordTooShortError));
    }
    assert!(password_to_key(AuthProtocol::HmacSha96, &Secret::from("12345678")).is_ok());
}

#[test]
fn pass_phrase_type_derives_the_same_keys_as_password_to_key() {
    let phrase = PassPhrase::new(Secret::from("maplesyrup")).unwrap();
    for protocol in AuthProtocol::ALL {
        let now = password_to_key(protocol, &Secret::from("maplesyrup")).unwrap();
        assert_eq!(phrase.to_key(protocol).expose(), now.expose());
    }
    assert!(PassPhrase::new(Secret::from("seven77")).is_err());
}
