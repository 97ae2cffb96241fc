use super::*;

#[test]
fn every_protocol_is_read_back_from_its_name() {
    for protocol in AuthProtocol::ALL {
        assert_eq!(protocol.name().parse(), Ok(protocol));
        assert_eq!(protocol.to_string(), protocol.name());
        assert!(protocol.mac_len() < protocol.key_len());
    }
}

#[test]
fn dashes_and_case_do_not_matter() {
    for written in ["SHA-256", "SHA256", "sha256", "sha-256"] {
        assert_eq!(written.parse(), Ok(AuthProtocol::HmacSha256_192), "{written}");
    }
    for written in ["SHA", "SHA1", "SHA-1", "sha"] {
        assert_eq!(written.parse(), Ok(AuthProtocol::HmacSha96), "{written}");
    }
}

#[test]
fn a_name_nobody_knows_is_answered_with_the_known_ones() {
    for written in ["", "-", "SHA-2", "SHA-2566", "MD5 ", "AES", "SHÀ"] {
        let refused = written.parse::<AuthProtocol>().unwrap_err();
        assert!(refused.to_string().ends_with("SHA-384, SHA-512"), "{written}");
    }
}

#[test]
fn the_protocols_of_rfc_3414_are_weak_and_those_of_rfc_7860_are_not() {
    let weak = AuthProtocol::ALL.map(AuthProtocol::is_weak);
    assert_eq!(weak, [true, true, false, false, false, false]);
}
