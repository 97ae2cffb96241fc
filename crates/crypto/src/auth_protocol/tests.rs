use super::*;

#[test]
fn every_protocol_is_parsed_from_its_own_name() {
    for protocol in AuthProtocol::ALL {
        assert_eq!(protocol.name().parse(), Ok(protocol));
        assert_eq!(protocol.to_string(), protocol.name());
        assert!(protocol.mac_len() < protocol.key_len());
    }
}

#[test]
fn protocol_name_ignores_dashes_and_case() {
    for written in ["SHA-256", "SHA256", "sha256", "sha-256"] {
        assert_eq!(written.parse(), Ok(AuthProtocol::HmacSha256_192), "{written}");
    }
    for written in ["SHA", "SHA1", "SHA-1", "sha"] {
        assert_eq!(written.parse(), Ok(AuthProtocol::HmacSha96), "{written}");
    }
}

#[test]
fn unknown_protocol_error_lists_accepted_names() {
    for written in ["", "-", "SHA-2", "SHA-2566", "MD5 ", "AES", "SHÀ"] {
        let rejected = written.parse::<AuthProtocol>().unwrap_err();
        assert!(rejected.to_string().ends_with("SHA-384, SHA-512"), "{written}");
    }
}

#[test]
fn only_rfc_3414_auth_protocols_are_weak() {
    let weak = AuthProtocol::ALL.map(AuthProtocol::is_weak);
    assert_eq!(weak, [true, true, false, false, false, false]);
}
