use portreeve_lcd::{BoolScalar, StorageType, Tables, TextScalar};
use portreeve_mib::modules::{
    snmpv2_mib::*,
    target_mib::SNMP_TARGET_SPIN_LOCK,
    usm_mib::USM_USER_SPIN_LOCK,
    vacm_mib::{VACM_CONTEXT_NAME, VACM_VIEW_SPIN_LOCK},
};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, Value};

use super::agent::*;

#[test]
fn system_group_is_writable_and_survives_restart() {
    let mut agent = TestAgent::new();
    for object in [&SYS_CONTACT, &SYS_NAME, &SYS_LOCATION] {
        agent.set(&[(object, &[0], Value::OctetString("Zürich".as_bytes()))]).unwrap();
        assert_eq!(agent.octets(object, &[0]).unwrap(), "Zürich".as_bytes());
    }
    assert_eq!(agent.restarted().octets(&SYS_NAME, &[0]).unwrap(), "Zürich".as_bytes());
}

#[test]
fn scalars_from_configuration_file_are_not_writable() {
    let mut tables = Tables::default();
    tables.scalars.sys_contact = TextScalar::read_only(*b"the file's");
    tables.scalars.enable_authen_traps = BoolScalar { enabled: true, storage: StorageType::ReadOnly };
    let mut agent = TestAgent::with(tables);
    let contact = (&SYS_CONTACT, &[0][..], Value::OctetString(b"mine"));
    assert_eq!(agent.set(&[contact]), Err((0, ErrorStatus::NotWritable)));
    let traps = (&SNMP_ENABLE_AUTHEN_TRAPS, &[0][..], Value::Integer(2));
    assert_eq!(agent.set(&[traps]), Err((0, ErrorStatus::NotWritable)));
    assert_eq!(agent.integer(&SNMP_ENABLE_AUTHEN_TRAPS, &[0]), Some(1));
}

#[test]
fn read_only_scalars_reject_set() {
    let mut agent = TestAgent::new();
    for (object, value) in [
        (&SYS_DESCR, Value::OctetString(b"x")),
        (&SYS_SERVICES, Value::Integer(1)),
        (&SYS_OBJECT_ID, Value::OctetString(b"x")),
    ] {
        assert_eq!(agent.set(&[(object, &[0], value)]), Err((0, ErrorStatus::NotWritable)));
    }
    assert_eq!(agent.get(&SYS_OBJECT_ID, &[0]), Some(OwnedValue::ObjectId(Oid::new(&[0, 0]).unwrap())));
    assert_eq!(agent.integer(&SYS_SERVICES, &[0]), Some(64));
}

#[test]
fn scalars_reject_wrong_types_lengths_and_instances() {
    let mut agent = TestAgent::new();
    let name = |index: &'static [u32], value| (&SYS_NAME, index, value);
    assert_eq!(agent.set(&[name(&[0], Value::Integer(1))]), Err((0, ErrorStatus::WrongType)));
    let long = [b'a'; 256];
    assert_eq!(agent.set(&[name(&[0], Value::OctetString(&long))]), Err((0, ErrorStatus::WrongLength)));
    assert_eq!(agent.set(&[name(&[0], Value::OctetString(b"\xff"))]), Err((0, ErrorStatus::WrongValue)));
    for index in [&[][..], &[1], &[0, 0]] {
        assert_eq!(agent.set(&[name(index, Value::OctetString(b"x"))]), Err((0, ErrorStatus::NoCreation)));
        assert_eq!(agent.get(&SYS_NAME, index), None);
    }
    let traps = (&SNMP_ENABLE_AUTHEN_TRAPS, &[0][..], Value::Integer(3));
    assert_eq!(agent.set(&[traps]), Err((0, ErrorStatus::WrongValue)));
}

#[test]
fn spin_lock_accepts_only_current_value_and_increments_it() {
    for lock in [&SNMP_SET_SERIAL_NO, &USM_USER_SPIN_LOCK, &VACM_VIEW_SPIN_LOCK, &SNMP_TARGET_SPIN_LOCK] {
        let mut agent = TestAgent::new();
        let set = |number| (lock, &[0][..], Value::Integer(number));
        assert_eq!(agent.integer(lock, &[0]), Some(0));
        assert_eq!(agent.set(&[set(1)]), Err((0, ErrorStatus::InconsistentValue)));
        assert_eq!(agent.set(&[set(-1)]), Err((0, ErrorStatus::WrongValue)));
        agent.set(&[set(0)]).unwrap();
        assert_eq!(agent.integer(lock, &[0]), Some(1));
        assert_eq!(agent.set(&[set(0)]), Err((0, ErrorStatus::InconsistentValue)));
        agent.set(&[set(1), set(1)]).unwrap();
        assert_eq!(agent.integer(lock, &[0]), Some(2), "set twice in one request, incremented once");
        assert_eq!(agent.restarted().integer(lock, &[0]), Some(2));
    }
}

#[test]
fn spin_lock_wraps_to_zero() {
    let mut tables = Tables::default();
    tables.scalars.set_serial_no = portreeve_lcd::TestAndIncr::new(i32::MAX);
    let mut agent = TestAgent::with(tables);
    agent.set(&[(&SNMP_SET_SERIAL_NO, &[0], Value::Integer(i32::MAX))]).unwrap();
    assert_eq!(agent.integer(&SNMP_SET_SERIAL_NO, &[0]), Some(0));
}

#[test]
fn set_with_wrong_spin_lock_value_is_rejected_as_a_whole() {
    let mut agent = TestAgent::new();
    let request = [
        (&SYS_NAME, &[0][..], Value::OctetString(b"gate")),
        (&SNMP_SET_SERIAL_NO, &[0][..], Value::Integer(7)),
    ];
    assert_eq!(agent.set(&request), Err((1, ErrorStatus::InconsistentValue)));
    assert_eq!(agent.octets(&SYS_NAME, &[0]).unwrap(), b"");
}

#[test]
fn context_table_is_ordered_by_index_and_read_only() {
    let contexts = std::sync::Arc::new([b"vlan-7"[..].into(), b"b"[..].into()].into_iter().collect());
    let mut agent = TestAgent::with(Tables { contexts, ..Tables::default() });
    assert_eq!(agent.walk(&VACM_CONTEXT_NAME), [vec![0], counted(b"b"), counted(b"vlan-7")]);
    assert_eq!(agent.octets(&VACM_CONTEXT_NAME, &counted(b"vlan-7")).unwrap(), b"vlan-7");
    let outcome = agent.set(&[(&VACM_CONTEXT_NAME, &counted(b"c"), Value::OctetString(b"c"))]);
    assert_eq!(outcome, Err((0, ErrorStatus::NotWritable)));
}
