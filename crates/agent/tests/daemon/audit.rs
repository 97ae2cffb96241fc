//! `portreeved audit` while an agent is running: it includes rows made by SET, and does not disturb
//! the agent.

use std::ffi::OsStr;

use portreeve_mib::modules::{
    notification_mib::*, target_mib::*, transport_address_mib::TRANSPORT_DOMAIN_UDP_IPV4, vacm_mib::*,
};
use portreeve_smi::{OidRef, Value};

use crate::fixture::{TestHome, portreeved};

#[test]
fn audit_of_running_agent_includes_rows_made_over_snmp() {
    let home = TestHome::with("audit-state", "");
    let _agent = home.run();
    let index: Vec<u32> = [3, 5].into_iter().chain("night".bytes().map(u32::from)).collect();
    home.writer()
        .set(&[
            (&VACM_GROUP_NAME, &index, Value::OctetString(b"ops")),
            (&VACM_SECURITY_TO_GROUP_STATUS, &index, Value::Integer(4)),
        ])
        .unwrap();
    make_targets(&home);
    let config = home.config();
    let output = portreeved(&[OsStr::new("audit"), OsStr::new("--config"), config.as_os_str()]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "note unreachable-rights:usm:night row made by SET night has access rights, but no [[user]] has this name",
        "community-2 (community community-2, from anywhere) may write the view all",
        "weak cleartext-target:nms1",
        "notifications of watch to nms1 (udp 192.0.2.9:162) are readable on the network path",
        "nms1 inform udp 192.0.2.9:162 watch (v2c) noAuthNoPriv",
        "note incomplete-target:nms2",
    ] {
        assert!(words.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("USM SHA-256, AES"), "{text}");
    // The agent is still running: it accepts a SET.
    home.writer().set_text(&portreeve_mib::modules::snmpv2_mib::SYS_CONTACT, "still here").unwrap();
}

/// Creates a target of cleartext informs, and a target without parameters.
fn make_targets(home: &TestHome) {
    let name = |name: &str| -> Vec<u32> { name.bytes().map(u32::from).collect() };
    let domain = TRANSPORT_DOMAIN_UDP_IPV4.oid();
    let address: &[u8] = &[192, 0, 2, 9, 0, 162];
    for (target, params) in [("nms1", "clear"), ("nms2", "lost")] {
        home.writer()
            .set(&[
                (&SNMP_TARGET_ADDR_T_DOMAIN, &name(target), Value::ObjectId(OidRef::Arcs(&domain))),
                (&SNMP_TARGET_ADDR_T_ADDRESS, &name(target), Value::OctetString(address)),
                (&SNMP_TARGET_ADDR_TAG_LIST, &name(target), Value::OctetString(b"all")),
                (&SNMP_TARGET_ADDR_PARAMS, &name(target), Value::OctetString(params.as_bytes())),
                (&SNMP_TARGET_ADDR_ROW_STATUS, &name(target), Value::Integer(4)),
            ])
            .unwrap();
    }
    home.writer()
        .set(&[
            (&SNMP_TARGET_PARAMS_MP_MODEL, &name("clear"), Value::Integer(1)),
            (&SNMP_TARGET_PARAMS_SECURITY_MODEL, &name("clear"), Value::Integer(2)),
            (&SNMP_TARGET_PARAMS_SECURITY_NAME, &name("clear"), Value::OctetString(b"watch")),
            (&SNMP_TARGET_PARAMS_SECURITY_LEVEL, &name("clear"), Value::Integer(1)),
            (&SNMP_TARGET_PARAMS_ROW_STATUS, &name("clear"), Value::Integer(4)),
        ])
        .unwrap();
    home.writer()
        .set(&[
            (&SNMP_NOTIFY_TAG, &name("all"), Value::OctetString(b"all")),
            (&SNMP_NOTIFY_TYPE, &name("all"), Value::Integer(2)),
            (&SNMP_NOTIFY_ROW_STATUS, &name("all"), Value::Integer(4)),
        ])
        .unwrap();
}
