use std::net::SocketAddr;

use portreeve_smi::TransportAddress;

use super::*;

const LEVELS: [SecurityLevel; 3] =
    [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv];

fn session(domain: TransportDomain, name: Option<&str>, level: SecurityLevel) -> TmStateReference {
    let address = TransportAddress::Ip(SocketAddr::from(([192, 0, 2, 1], 5161)));
    TmStateReference {
        security_name: name.map(|name| name.as_bytes().into()),
        transport_level: level,
        session: Some(1),
        ..TmStateReference::unauthenticated(domain, address)
    }
}

#[test]
fn security_name_is_taken_from_the_session() {
    let session = session(TransportDomain::Ssh, Some("alice"), SecurityLevel::AuthPriv);
    for level in LEVELS {
        let name = process_incoming_msg(&session, level, UsePrefix(false)).unwrap();
        assert_eq!(&*name, b"alice");
    }
}

#[test]
fn session_without_security_name_is_rejected_as_invalid_cache() {
    for name in [None, Some("")] {
        let session = session(TransportDomain::Tls, name, SecurityLevel::AuthPriv);
        for level in LEVELS {
            let reason = process_incoming_msg(&session, level, UsePrefix(false));
            assert_eq!(reason, Err(TsmRejectReason::InvalidCache));
        }
    }
}

#[test]
fn message_level_above_session_level_is_rejected() {
    for provided in LEVELS {
        let session = session(TransportDomain::Dtls, Some("alice"), provided);
        for claimed in LEVELS {
            let result = process_incoming_msg(&session, claimed, UsePrefix(false)).map(drop);
            let expected =
                if claimed <= provided { Ok(()) } else { Err(TsmRejectReason::InadequateSecurityLevel) };
            assert_eq!(result, expected, "session level {provided}, message level {claimed}");
        }
    }
}

#[test]
fn security_name_has_transport_prefix_if_prefixes_are_enabled() {
    for (domain, expected) in [
        (TransportDomain::Ssh, Ok(&b"ssh:alice"[..])),
        (TransportDomain::Tls, Ok(b"tls:alice")),
        (TransportDomain::Dtls, Ok(b"dudp:alice")),
        (TransportDomain::Udp, Err(TsmRejectReason::UnknownPrefix)),
        (TransportDomain::Tcp, Err(TsmRejectReason::UnknownPrefix)),
        (TransportDomain::Unix, Err(TsmRejectReason::UnknownPrefix)),
    ] {
        let session = session(domain, Some("alice"), SecurityLevel::AuthPriv);
        let name = process_incoming_msg(&session, SecurityLevel::AuthPriv, UsePrefix(true));
        assert_eq!(name.as_deref(), expected.as_ref().map(|name| *name), "{domain}");
    }
}

//= rfc5591#4.2-2a
//= rfc5591#4.2-2b
//= rfc5591#4.2-2c
//= type=test
#[test]
fn prefix_of_outgoing_security_name_must_be_that_of_the_transport() {
    let (unknown, invalid) = (Err(PrefixError::Unknown), Err(PrefixError::Invalid));
    for (domain, name, expected) in [
        (TransportDomain::Ssh, "ssh:alice", Ok(&b"alice"[..])),
        (TransportDomain::Tls, "tls:alice", Ok(b"alice")),
        (TransportDomain::Dtls, "dudp:a:b", Ok(b"a:b")),
        (TransportDomain::Ssh, "alice", invalid),
        (TransportDomain::Ssh, "tls:alice", invalid),
        (TransportDomain::Ssh, "ssh", invalid),
        (TransportDomain::Ssh, "ssh:", invalid),
        (TransportDomain::Ssh, "sshalice", invalid),
        (TransportDomain::Udp, "ssh:alice", unknown),
        (TransportDomain::Tcp, "alice", unknown),
    ] {
        assert_eq!(tm_security_name(domain, name.as_bytes(), true), expected, "{domain} {name}");
        assert_eq!(tm_security_name(domain, name.as_bytes(), false), Ok(name.as_bytes()));
    }
    assert_eq!(PrefixError::Unknown.counter(), Counter::SnmpTsmUnknownPrefixes);
    assert_eq!(PrefixError::Invalid.counter(), Counter::SnmpTsmInvalidPrefixes);
}
