//! The configuration file against SET: rows of the file take precedence, and the rows that they
//! hide are kept.

use std::fs;

use portreeve_mib::modules::{
    framework_mib::SNMP_ENGINE_ID, snmpv2_mib::*, usm_mib::USM_USER_STATUS, vacm_mib::*,
};
use portreeve_smi::{ErrorStatus, OwnedValue, Value};

use crate::fixture::{Manager, TestHome};

#[test]
fn row_hidden_by_configuration_file_applies_again_when_file_omits_it() {
    let home = TestHome::with("precedence-row", "");
    let agent = home.run();
    let row = group_index("extra");
    make_group(&mut home.writer(), &row, b"made by set").unwrap();
    home.writer().set_text(&SYS_LOCATION, "set").unwrap();
    let without = fs::read_to_string(home.config()).unwrap();
    home.append("[system]\nlocation = \"the file's\"\n");
    home.append(
        "[[user]]\nname = \"extra\"\nauth-pass = \"signs for extra\"\naccess = \"read\"\nview = \"all\"\n",
    );
    agent.reload_and_wait();
    for key in ["vacm/group/3/6578747261", "system/sysLocation"] {
        let output = agent.log().lines().any(|line| {
            line.contains("WARN") && line.contains("hides a row made by SET") && line.contains(key)
        });
        assert!(output, "{key} is not in the log:\n{}", agent.log());
    }
    assert_ne!(group_of(&mut home.reader(), &row), b"made by set");
    assert_eq!(home.reader().text(&SYS_LOCATION), "the file's");
    home.write(&without);
    agent.reload_and_wait();
    assert_eq!(group_of(&mut home.reader(), &row), b"made by set");
    assert_eq!(home.reader().text(&SYS_LOCATION), "set");
    agent.end();
    let _agent = home.run();
    assert_eq!(group_of(&mut home.reader(), &row), b"made by set");
    assert_eq!(home.reader().text(&SYS_LOCATION), "set");
}

#[test]
fn value_hidden_by_file_at_start_applies_again_when_file_omits_it() {
    let home = TestHome::with("precedence-start", "");
    let agent = home.run();
    home.writer().set_text(&SYS_CONTACT, "set").unwrap();
    agent.end();
    let without = fs::read_to_string(home.config()).unwrap();
    home.append("[system]\ncontact = \"the file's\"\n");
    let agent = home.run();
    assert!(agent.log().contains("system/sysContact"), "{}", agent.log());
    assert_eq!(home.reader().text(&SYS_CONTACT), "the file's");
    home.write(&without);
    agent.reload_and_wait();
    assert_eq!(home.reader().text(&SYS_CONTACT), "set");
}

#[test]
fn set_cannot_change_rows_of_configuration_file() {
    let home = TestHome::with("precedence-set", "[system]\ncontact = \"the file's\"\n");
    let _agent = home.run();
    let mut writer = home.writer();
    assert_eq!(writer.set_text(&SYS_CONTACT, "no"), Err((ErrorStatus::NotWritable, 1)));
    let row = group_index("ops");
    let name = Value::OctetString(b"no");
    assert_eq!(writer.set(&[(&VACM_GROUP_NAME, &row, name)]), Err((ErrorStatus::NotWritable, 1)));
    let user = [index(&writer.octets(&SNMP_ENGINE_ID)), index(b"ops")].concat();
    for (object, row) in [(&VACM_SECURITY_TO_GROUP_STATUS, &row), (&USM_USER_STATUS, &user)] {
        for action in [NOT_IN_SERVICE, DESTROY, CREATE_AND_GO] {
            let (status, _) = writer.set(&[(object, row, Value::Integer(action))]).unwrap_err();
            let refused = matches!(status, ErrorStatus::NotWritable | ErrorStatus::InconsistentValue);
            assert!(refused, "{} = {action}: {status:?}", object.name);
        }
    }
    assert_eq!(writer.text(&SYS_CONTACT), "the file's");
    home.ops().text(&SYS_NAME);
}

#[test]
fn set_of_objects_in_two_mib_modules_is_atomic() {
    let home = TestHome::with("precedence-both", "");
    let _agent = home.run();
    let mut writer = home.writer();
    let row = group_index("both");
    let contact = |text: &'static str| (&SYS_CONTACT, &[0][..], Value::OctetString(text.as_bytes()));
    let group = (&VACM_GROUP_NAME, &row[..], Value::OctetString(b"g"));
    let status = |action| (&VACM_SECURITY_TO_GROUP_STATUS, &row[..], Value::Integer(action));
    writer.set(&[contact("first"), group, status(CREATE_AND_GO)]).unwrap();
    let refused = writer.set(&[contact("second"), group, status(CREATE_AND_GO)]);
    assert_eq!(refused, Err((ErrorStatus::InconsistentValue, 3)));
    assert_eq!(writer.text(&SYS_CONTACT), "first");
}

fn make_group(writer: &mut Manager, row: &[u32], group: &[u8]) -> crate::fixture::Outcome {
    writer.set(&[
        (&VACM_GROUP_NAME, row, Value::OctetString(group)),
        (&VACM_SECURITY_TO_GROUP_STATUS, row, Value::Integer(CREATE_AND_GO)),
    ])
}

fn group_of(manager: &mut Manager, row: &[u32]) -> Vec<u8> {
    match manager.get(&VACM_GROUP_NAME, row) {
        OwnedValue::OctetString(name) => name,
        other => panic!("{other:?}"),
    }
}

/// Returns the index of a USM user's row in vacmSecurityToGroupTable.
fn group_index(name: &str) -> Vec<u32> {
    [vec![3], index(name.as_bytes())].concat()
}

/// Encodes a part of an index, preceded by its length.
fn index(octets: &[u8]) -> Vec<u32> {
    std::iter::once(octets.len() as u32).chain(octets.iter().map(|octet| u32::from(*octet))).collect()
}

const NOT_IN_SERVICE: i32 = 2;
const CREATE_AND_GO: i32 = 4;
const DESTROY: i32 = 6;
