use portreeve_smi::{MessageProcessingModel, Value};

use super::*;
use crate::samples::{ADDRESSES, cold_start, encode, notification, numeric, trap_v1, variables};

// The expected input is that of handlers of snmptrapd 5.9.3.
#[test]
fn v1_trap_has_the_variables_of_v2_and_its_own_fields_at_the_end() {
    let octets = encode(&[(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 3], Value::Integer(3))]);
    let trap = trap_v1(6, 17, 12_345_678, variables(&octets));
    let expected = format!(
        "{ADDRESSES}\n{ADDRESSES}\n.1.3.6.1.2.1.1.3.0 1:10:17:36.78\n\
         .1.3.6.1.6.3.1.1.4.1.0 .1.3.6.1.4.1.8072.9.0.17\n.1.3.6.1.2.1.2.2.1.1.3 3\n\
         .1.3.6.1.6.3.18.1.3.0 192.0.2.7\n.1.3.6.1.6.3.18.1.4.0 \"public\"\n\
         .1.3.6.1.6.3.1.1.4.3.0 .1.3.6.1.4.1.8072.9\n"
    );
    assert_eq!(handler_input(&trap, &numeric()).unwrap(), expected);
    let link_down = handler_input(&trap_v1(2, 4, 100, variables(&octets)), &numeric()).unwrap();
    assert!(link_down.contains("\n.1.3.6.1.6.3.1.1.4.1.0 .1.3.6.1.6.3.1.1.5.3\n"), "{link_down}");
}

#[test]
fn v2_notification_has_its_own_variables_without_types() {
    let octets = cold_start();
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let expected = format!(
        "{ADDRESSES}\n{ADDRESSES}\n.1.3.6.1.2.1.1.3.0 0:0:20:34.56\n.1.3.6.1.6.3.1.1.4.1.0 .1.3.6.1.6.3.1.1.5.1\n"
    );
    assert_eq!(handler_input(&trap, &numeric()).unwrap(), expected);
}

#[test]
fn trap_with_many_variables_is_translated() {
    let value = [7; 1000];
    let octets = encode(&[(&[1, 3, 6, 1, 4, 1, 1][..], Value::OctetString(&value)); 20]);
    let input = handler_input(&trap_v1(6, 17, 1, variables(&octets)), &numeric()).unwrap();
    assert_eq!(input.lines().filter(|line| line.starts_with(".1.3.6.1.4.1.1 ")).count(), 20);
    assert!(input.ends_with(".1.3.6.1.6.3.1.1.4.3.0 .1.3.6.1.4.1.8072.9\n"));
}

#[test]
fn trap_that_v2_cannot_represent_is_refused() {
    let trap = trap_v1(7, 0, 0, VarBinds::default());
    assert_eq!(handler_input(&trap, &numeric()), Err(TranslationError::UnknownGenericTrap));
}

/// A sysName that looks like another variable, and ends with control characters.
fn forged() -> Vec<u8> {
    let name = "web1\nSNMPv2-MIB::snmpTrapOID.0 IF-MIB::linkUp\r\t\u{1b}[2J\u{2028}\u{202e}\u{85}";
    encode(&[(&[1, 3, 6, 1, 2, 1, 1, 5, 0], Value::OctetString(name.as_bytes()))])
}

#[test]
fn line_feed_of_a_value_stays_in_the_layout_of_net_snmp() {
    let octets = forged();
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let input = handler_input(&trap, &numeric()).unwrap();
    assert!(input.contains(".1.3.6.1.2.1.1.5.0 web1\nSNMPv2-MIB::snmpTrapOID.0 IF-MIB::linkUp"), "{input}");
}

#[test]
fn value_with_line_feed_adds_no_line_to_escaped_input() {
    let octets = forged();
    let expected = format!(
        "{ADDRESSES}\n{ADDRESSES}\n.1.3.6.1.2.1.1.5.0 web1\\nSNMPv2-MIB::snmpTrapOID.0 \
         IF-MIB::linkUp.\\t.[2J\\u{{2028}}..\n"
    );
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    assert_eq!(escaped_handler_input(&trap, &numeric()).unwrap(), expected);
    let v1 = escaped_handler_input(&trap_v1(6, 17, 1, variables(&octets)), &numeric()).unwrap();
    assert!(v1.contains(" web1\\nSNMPv2-MIB::") && v1.lines().count() == 8, "{v1}");
}
