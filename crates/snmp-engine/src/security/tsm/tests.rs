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
fn the_session_says_who_it_is() {
    let session = session(TransportDomain::Ssh, Some("alice"), SecurityLevel::AuthPriv);
    for level in LEVELS {
        let name = process_incoming_msg(&session, level, UsePrefix(false)).unwrap();
        assert_eq!(&*name, b"alice");
    }
}

#[test]
fn a_session_without_a_name_is_an_invalid_cache() {
    for name in [None, Some("")] {
        let session = session(TransportDomain::Tls, name, SecurityLevel::AuthPriv);
        for level in LEVELS {
            let failure = process_incoming_msg(&session, level, UsePrefix(false));
            assert_eq!(failure, Err(TsmFailure::InvalidCache));
        }
    }
}

#[test]
fn a_message_may_not_claim_more_than_its_session_provides() {
    for provided in LEVELS {
        let session = session(TransportDomain::Dtls, Some("alice"), provided);
        for claimed in LEVELS {
            let result = process_incoming_msg(&session, claimed, UsePrefix(false)).map(drop);
            let expected =
                if claimed <= provided { Ok(()) } else { Err(TsmFailure::InadequateSecurityLevel) };
            assert_eq!(result, expected, "{provided} provided, {claimed} claimed");
        }
    }
}

#[test]
fn names_carry_the_prefix_of_their_transport_where_that_is_asked_for() {
    for (domain, expected) in [
        (TransportDomain::Ssh, Ok(&b"ssh:alice"[..])),
        (TransportDomain::Tls, Ok(b"tls:alice")),
        (TransportDomain::Dtls, Ok(b"dudp:alice")),
        (TransportDomain::Udp, Err(TsmFailure::UnknownPrefix)),
        (TransportDomain::Tcp, Err(TsmFailure::UnknownPrefix)),
        (TransportDomain::Unix, Err(TsmFailure::UnknownPrefix)),
    ] {
        let session = session(domain, Some("alice"), SecurityLevel::AuthPriv);
        let name = process_incoming_msg(&session, SecurityLevel::AuthPriv, UsePrefix(true));
        assert_eq!(name.as_deref(), expected.as_ref().map(|name| *name), "{domain}");
    }
}
