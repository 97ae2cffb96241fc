use portreeve_smi::{MessageProcessingModel, Value};
use portreeve_snmp_message::VarBinds;

use super::*;
use crate::samples::{ADDRESSES, cold_start, encode, notification, numeric, trap_v1, variables};

fn line(notification: &Notification<'_>) -> String {
    let mut out = String::new();
    write_default_line(&mut out, notification, &numeric());
    out
}

// The expected lines are those of snmptrapd 5.9.3.
#[test]
fn v1_trap_has_two_lines_and_a_line_of_variables() {
    let octets = encode(&[
        (&[1, 3, 6, 1, 4, 1, 1, 1], Value::Integer(1)),
        (&[1, 3, 6, 1, 4, 1, 1, 2], Value::Integer(2)),
    ]);
    let head = format!(
        "2026-03-07 01:02:03 192.0.2.7 [192.0.2.7] (via {ADDRESSES}) TRAP, SNMP v1, community public\n"
    );
    let body = "\t.1.3.6.1.4.1.8072.9 Enterprise Specific Trap (17) Uptime: 1 day, 10:17:36.78\n";
    let expected = format!("{head}{body}\t.1.3.6.1.4.1.1.1 = INTEGER: 1\t.1.3.6.1.4.1.1.2 = INTEGER: 2\n");
    assert_eq!(line(&trap_v1(6, 17, 12_345_678, variables(&octets))), expected);
    let body = "\t.1.3.6.1.4.1.8072.9 Link Down Trap (4) Uptime: 0:00:01.00\n";
    assert_eq!(line(&trap_v1(2, 4, 100, VarBinds::default())), format!("{head}{body}\n"));
    assert!(line(&trap_v1(6, i32::MIN, 0, VarBinds::default())).contains(" Trap (-2147483648) "));
}

#[test]
fn v2_notification_has_a_line_of_variables() {
    let octets = cold_start();
    let kind = NotificationKind::Inform(variables(&octets));
    let expected = format!(
        "2026-03-07 01:02:03 {ADDRESSES} [{ADDRESSES}]:\n.1.3.6.1.2.1.1.3.0 = Timeticks: (123456) 0:20:34.56\t\
         .1.3.6.1.6.3.1.1.4.1.0 = OID: .1.3.6.1.6.3.1.1.5.1\n"
    );
    assert_eq!(line(&notification(kind, MessageProcessingModel::V2c)), expected);
}
