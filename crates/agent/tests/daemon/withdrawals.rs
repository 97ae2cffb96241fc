//! What is taken back from those who are in (reliability lines K and B): rights are gone at once, open sessions stay, and
//! nobody opens another with what counts no more.

use std::fs;

use portreeve_broker_protocol::Transport;
use portreeve_mib::modules::tls_tm_mib::{
    SNMP_TLSTM_CERT_TO_TSN_DATA, SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
};
use portreeve_smi::{ErrorStatus, SecurityLevel, Value};
use rcgen::{KeyPair, SerialNumber};

use crate::fixture::{Gate, Heard, OPS, TlsPeer, heard, params, tsm_get};

const EVERY: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];

#[test]
fn b_a_right_that_is_taken_back_is_gone_in_open_sessions_too() {
    let gate = Gate::new("b-right", "");
    let agent = gate.run();
    let mut open = EVERY.map(|transport| gate.visit(transport, "ops").unwrap());
    let mut said = || open.each_mut().map(|visitor| visitor.ask(&question()).map(|answer| heard(&answer)));
    assert_eq!(said(), [(); 3].map(|()| Some(Heard::Values(1))));
    let text = fs::read_to_string(gate.home.config()).unwrap();
    gate.home
        .write(&text.replace("name = \"ops\"\naccess = \"read\"", "name = \"other\"\naccess = \"read\""));
    agent.hang_up();
    assert_eq!(said(), [(); 3].map(|()| Some(Heard::Error(ErrorStatus::AuthorizationError))));
    gate.home.write(&text);
    agent.hang_up();
    assert_eq!(said(), [(); 3].map(|()| Some(Heard::Values(1))));
}

#[test]
fn k_whoever_is_revoked_keeps_an_open_session_and_gets_no_other() {
    let gate = Gate::new("k-revoked", "");
    let mut revocable = params("ops");
    revocable.serial_number = Some(SerialNumber::from(7));
    gate.certify("ops", revocable);
    let agent = gate.run();
    let mut open = EVERY.map(|transport| gate.visit(transport, "ops").unwrap());
    let client = TlsPeer::client(&gate, "ops");
    let mut first = TlsPeer::connect_as(&gate, &client);
    assert!(first.ask(&question()).is_some());
    gate.revoke(7);
    fs::write(gate.home.path.join("keys_of_ops"), "").unwrap();
    agent.hang_up();
    for visitor in &mut open {
        assert!(visitor.ask(&question()).is_some(), "an open session was dropped");
    }
    for transport in EVERY {
        let visitor = gate.visit(transport, "ops").ok();
        assert_eq!(visitor.and_then(|mut visitor| visitor.ask(&question())), None, "{transport:?}");
    }
    // It has a ticket from before.
    assert_eq!(TlsPeer::connect_as(&gate, &client).ask(&question()), None);
}

#[test]
fn k_a_ticket_opens_no_session_for_whom_no_row_names_any_more() {
    let gate = Gate::new("k-ticket", OPS);
    let key = KeyPair::generate().unwrap();
    gate.keep("pinned", &params("ops").self_signed(&key).unwrap().pem(), &key);
    let _agent = gate.run();
    let facts = portreeve_x509::certificate_facts(&gate.credentials("pinned").chain()[0]).unwrap();
    let fingerprint = facts.fingerprints[2].to_octets();
    let (row, status) = ([7], &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS);
    let pin = [
        (&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &row[..], Value::OctetString(&fingerprint)),
        (&SNMP_TLSTM_CERT_TO_TSN_DATA, &row, Value::OctetString(b"ops")),
        (status, &row, Value::Integer(CREATE_AND_GO)),
    ];
    gate.home.ops().set(&pin).unwrap();
    let client = TlsPeer::client(&gate, "pinned");
    let mut first = TlsPeer::connect_as(&gate, &client);
    assert!(first.ask(&question()).is_some());
    let mut second = TlsPeer::connect_as(&gate, &client);
    assert!(second.ask(&question()).is_some());
    assert!(second.greeting * 2 < first.greeting, "not resumed: {} octets", second.greeting);
    gate.home.ops().set(&[(status, &row, Value::Integer(DESTROY))]).unwrap();
    let mut third = TlsPeer::connect_as(&gate, &client);
    assert_eq!(third.ask(&question()), None);
    assert!(second.ask(&question()).is_some(), "an open session was dropped");
}

fn question() -> Vec<u8> {
    tsm_get(SecurityLevel::AuthPriv, 1)
}

/// Of RowStatus.
const CREATE_AND_GO: i32 = 4;
const DESTROY: i32 = 6;
