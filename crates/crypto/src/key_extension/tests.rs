use super::*;
use crate::hex::hex;
use portreeve_secret::Secret;

/// The keys that Net-SNMP 5.9 derives from "maplesyrup" for the engine 00 00 00 00 00 00 00 00 00
/// 00 00 02. The key for MD5 with Reeder's extension is also the example for 3DES in Reeder's
/// draft.
const EXTENDED: [(AuthProtocol, PrivProtocol, &str); 8] = [
    (AuthProtocol::HmacMd5_96, PrivProtocol::Aes192, "526f5eed9fcce26f8964c2930787d82b fa24a92467426c2f"),
    (
        AuthProtocol::HmacMd5_96,
        PrivProtocol::Aes256,
        "526f5eed9fcce26f8964c2930787d82b fa24a92467426c2f4b09192be10dfaec",
    ),
    (
        AuthProtocol::HmacMd5_96,
        PrivProtocol::Aes256Reeder,
        "526f5eed9fcce26f8964c2930787d82b 79eff44a90650ee0a3a40abfac5acc12",
    ),
    (
        AuthProtocol::HmacSha96,
        PrivProtocol::Aes256,
        "6695febc9288e36282235fc7151f128497b38f3f 505e07eb9af25568fa1f5dbe",
    ),
    (
        AuthProtocol::HmacSha96,
        PrivProtocol::Aes192Reeder,
        "6695febc9288e36282235fc7151f128497b38f3f 9b8b6d78",
    ),
    (
        AuthProtocol::HmacSha96,
        PrivProtocol::Aes256Reeder,
        "6695febc9288e36282235fc7151f128497b38f3f 9b8b6d78936ba6e7d19dfd9c",
    ),
    (
        AuthProtocol::HmacSha224_128,
        PrivProtocol::Aes256,
        "0bd8827c6e29f8065e08e09237f177e410f69b90e1782be682075674 e82d9bf0",
    ),
    (
        AuthProtocol::HmacSha224_128,
        PrivProtocol::Aes256Reeder,
        "0bd8827c6e29f8065e08e09237f177e410f69b90e1782be682075674 22c34be4",
    ),
];

const ENGINE_ID: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2];

fn maplesyrup(protocol: AuthProtocol) -> MasterKey {
    crate::password_to_key(protocol, &Secret::from("maplesyrup")).unwrap()
}

#[test]
fn short_keys_are_extended_as_in_net_snmp() {
    for (protocol, privacy, expected) in EXTENDED {
        let key = maplesyrup(protocol).localize_for(privacy, &ENGINE_ID);
        assert_eq!(key.expose(), hex(expected), "{protocol} {privacy}");
    }
}

#[test]
fn triple_des_uses_reeder_key_extension() {
    for protocol in [AuthProtocol::HmacMd5_96, AuthProtocol::HmacSha96] {
        let master = maplesyrup(protocol);
        let triple_des = master.localize_for(PrivProtocol::TripleDes, &ENGINE_ID);
        assert!(triple_des == master.localize_for(PrivProtocol::Aes256Reeder, &ENGINE_ID));
    }
}

#[test]
fn localized_key_is_truncated_or_extended_to_cipher_key_length() {
    for protocol in AuthProtocol::ALL {
        let master = maplesyrup(protocol);
        let uncut = master.localize(&ENGINE_ID);
        for privacy in PrivProtocol::ALL {
            let key = master.localize_for(privacy, &ENGINE_ID);
            assert_eq!(key.expose().len(), privacy.key_len(), "{protocol} {privacy}");
            let shared = privacy.key_len().min(protocol.key_len());
            assert_eq!(key.expose()[..shared], uncut.expose()[..shared], "{protocol} {privacy}");
        }
    }
}
