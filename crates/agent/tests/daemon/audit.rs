//! `portreeved audit` beside an agent at work: what SETs have made is looked at too, and nothing is disturbed.

use std::ffi::OsStr;

use portreeve_mib::modules::vacm_mib::*;
use portreeve_smi::Value;

use crate::fixture::{Home, portreeved};

#[test]
fn rows_that_were_made_over_snmp_are_in_the_audit_of_a_running_agent() {
    let home = Home::with("audit-state", "");
    let _agent = home.run();
    let index: Vec<u32> = [3, 5].into_iter().chain("night".bytes().map(u32::from)).collect();
    home.writer()
        .set(&[
            (&VACM_GROUP_NAME, &index, Value::OctetString(b"ops")),
            (&VACM_SECURITY_TO_GROUP_STATUS, &index, Value::Integer(4)),
        ])
        .unwrap();
    let config = home.config();
    let output = portreeved(&[OsStr::new("audit"), OsStr::new("--config"), config.as_os_str()]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("note: made over SNMP: night has rights, and is no user"), "{said}");
    assert!(said.contains("community-2 (community community-2, from anywhere) may write all"), "{said}");
    assert!(said.contains("USM SHA-256, AES"), "{said}");
    // The agent goes on.
    home.writer().set_text(&portreeve_mib::modules::snmpv2_mib::SYS_CONTACT, "still here").unwrap();
}
