//! Revocation for connected clients (attacks K and B): removed rights apply at once, a reload
//! closes the sessions of revoked certificates, and revoked credentials open no new session.

use std::fs;

use portreeve_broker_protocol::Transport;
use portreeve_mib::modules::tls_tm_mib::{
    SNMP_TLSTM_CERT_TO_TSN_DATA, SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
};
use portreeve_smi::{ErrorStatus, SecurityLevel, Value};
use rcgen::{KeyPair, SerialNumber};

use crate::fixture::{OPS, ResponseKind, SecureAgent, TlsPeer, authority, params, parse_response, tsm_get};

const ALL_TRANSPORTS: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];

#[test]
fn b_removal_of_access_right_applies_to_open_sessions() {
    let agent_site = SecureAgent::new("b-right", "");
    let agent = agent_site.run();
    let mut open = ALL_TRANSPORTS.map(|transport| agent_site.open_session(transport, "ops").unwrap());
    let mut output =
        || open.each_mut().map(|session| session.ask(&question()).map(|answer| parse_response(&answer)));
    assert_eq!(output(), [(); 3].map(|()| Some(ResponseKind::Values(1))));
    let text = fs::read_to_string(agent_site.home.config()).unwrap();
    agent_site
        .home
        .write(&text.replace("name = \"ops\"\naccess = \"read\"", "name = \"other\"\naccess = \"read\""));
    agent.reload_and_wait();
    assert_eq!(output(), [(); 3].map(|()| Some(ResponseKind::Error(ErrorStatus::AuthorizationError))));
    agent_site.home.write(&text);
    agent.reload_and_wait();
    assert_eq!(output(), [(); 3].map(|()| Some(ResponseKind::Values(1))));
}

#[test]
fn review_l13_reload_closes_sessions_of_revoked_certificates() {
    let agent_site = SecureAgent::new("k-revoked", "");
    let mut revocable = params("ops");
    revocable.serial_number = Some(SerialNumber::from(7));
    agent_site.issue_certificate("ops", revocable);
    let agent = agent_site.run();
    let mut open = ALL_TRANSPORTS.map(|transport| agent_site.open_session(transport, "ops").unwrap());
    let client = TlsPeer::client(&agent_site, "ops");
    let mut first = TlsPeer::connect_as(&agent_site, &client);
    assert!(first.ask(&question()).is_some());
    agent_site.revoke(7);
    fs::write(agent_site.home.path.join("keys_of_ops"), "").unwrap();
    agent.reload_and_wait();
    for (transport, session) in ALL_TRANSPORTS.into_iter().zip(&mut open) {
        // Removing a key from authorized_keys does not close the sessions that were opened with it.
        if transport == Transport::Ssh {
            assert!(session.ask(&question()).is_some(), "{transport:?}");
        } else {
            assert!(session.ask(&question()).is_none(), "{transport:?}");
        }
    }
    for transport in ALL_TRANSPORTS {
        let session = agent_site.open_session(transport, "ops").ok();
        assert_eq!(session.and_then(|mut session| session.ask(&question())), None, "{transport:?}");
    }
    // The client still has the ticket of an earlier session, which the agent must reject.
    assert_eq!(TlsPeer::connect_as(&agent_site, &client).ask(&question()), None);
}

/// The agent trusts the certificate only because a `[[tls.name]]` rule names it, and does not know
/// its issuer.
#[test]
fn review_h3_revoked_certificate_is_refused_despite_a_tls_name_rule() {
    let issuer = authority("another authority");
    let key = KeyPair::generate().unwrap();
    let mut revocable = params("ops");
    revocable.serial_number = Some(SerialNumber::from(7));
    let leaf = revocable.signed_by(&key, &issuer).unwrap();
    let fingerprint = &portreeve_x509::certificate_facts(leaf.der()).unwrap().fingerprints[2];
    let rule =
        format!("[[tls.name]]\nfingerprint = \"{fingerprint}\"\nmap = \"specified\"\nname = \"ops\"\n");
    let agent_site = SecureAgent::new("h3-rule", &rule);
    agent_site.store_certificate("named", &leaf.pem(), &key);
    let agent = agent_site.run();
    let ask = |transport| {
        let session = agent_site.open_session(transport, "named").ok();
        session.and_then(|mut session| session.ask(&question())).is_some()
    };
    assert_eq!([Transport::Tls, Transport::Dtls].map(ask), [true; 2]);
    agent_site.revoke_by(&issuer, 7);
    agent.reload_and_wait();
    assert_eq!([Transport::Tls, Transport::Dtls].map(ask), [false; 2]);
}

#[test]
fn k_session_ticket_is_rejected_after_row_of_its_certificate_is_destroyed() {
    let agent_site = SecureAgent::new("k-ticket", OPS);
    let key = KeyPair::generate().unwrap();
    agent_site.store_certificate("pinned", &params("ops").self_signed(&key).unwrap().pem(), &key);
    let _agent = agent_site.run();
    let facts = portreeve_x509::certificate_facts(&agent_site.credentials("pinned").chain()[0]).unwrap();
    let fingerprint = facts.fingerprints[2].to_octets();
    let (row, status) = ([7], &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS);
    let pin = [
        (&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &row[..], Value::OctetString(&fingerprint)),
        (&SNMP_TLSTM_CERT_TO_TSN_DATA, &row, Value::OctetString(b"ops")),
        (status, &row, Value::Integer(CREATE_AND_GO)),
    ];
    agent_site.home.ops().set(&pin).unwrap();
    let client = TlsPeer::client(&agent_site, "pinned");
    let mut first = TlsPeer::connect_as(&agent_site, &client);
    assert!(first.ask(&question()).is_some());
    let mut second = TlsPeer::connect_as(&agent_site, &client);
    assert!(second.ask(&question()).is_some());
    assert!(
        second.handshake_octets * 2 < first.handshake_octets,
        "not resumed: {} octets",
        second.handshake_octets
    );
    agent_site.home.ops().set(&[(status, &row, Value::Integer(DESTROY))]).unwrap();
    let mut third = TlsPeer::connect_as(&agent_site, &client);
    assert_eq!(third.ask(&question()), None);
    assert!(second.ask(&question()).is_some(), "an open session was closed");
}

fn question() -> Vec<u8> {
    tsm_get(SecurityLevel::AuthPriv, 1)
}

/// The value createAndGo of RowStatus.
const CREATE_AND_GO: i32 = 4;
const DESTROY: i32 = 6;
