use super::*;

#[test]
fn every_protocol_is_parsed_from_its_own_name() {
    for protocol in PrivProtocol::ALL {
        assert_eq!(protocol.name().parse(), Ok(protocol));
        assert_eq!(protocol.to_string(), protocol.name());
    }
}

#[test]
fn alternative_protocol_names_are_accepted() {
    let table = [
        ("aes128", PrivProtocol::Aes128),
        ("AES-128", PrivProtocol::Aes128),
        ("AES256", PrivProtocol::Aes256),
        ("AES192C", PrivProtocol::Aes192Reeder),
        ("AES-256C", PrivProtocol::Aes256Reeder),
        ("3DES-EDE", PrivProtocol::TripleDes),
    ];
    for (written, protocol) in table {
        assert_eq!(written.parse(), Ok(protocol), "{written}");
    }
    for written in ["", "AES-512", "AES-128-C", "none"] {
        assert!(written.parse::<PrivProtocol>().is_err(), "{written}");
    }
}

#[test]
fn only_cbc_ciphers_pad_plaintext() {
    for (len, padded) in [(0, 0), (1, 8), (7, 8), (8, 8), (9, 16)] {
        assert_eq!(PrivProtocol::Des.padded_len(len), padded);
        assert_eq!(PrivProtocol::TripleDes.padded_len(len), padded);
        assert_eq!(PrivProtocol::Aes256.padded_len(len), len);
    }
}

#[test]
fn only_des_and_3des_are_weak() {
    let weak = PrivProtocol::ALL.into_iter().filter(|protocol| protocol.is_weak());
    assert!(weak.eq([PrivProtocol::Des, PrivProtocol::TripleDes]));
}

#[test]
fn alternative_key_extension_exists_only_for_extended_aes_keys() {
    let with_sha1 = |privacy: PrivProtocol| privacy.with_other_extension(AuthProtocol::HmacSha96);
    for privacy in PrivProtocol::ALL {
        let expected = privacy.key_len() > 20 && privacy != PrivProtocol::TripleDes;
        assert_eq!(with_sha1(privacy).is_some(), expected, "{privacy}");
        assert_eq!(with_sha1(privacy).and_then(with_sha1).is_some(), expected);
        assert_eq!(privacy.with_other_extension(AuthProtocol::HmacSha256_192), None);
    }
}
