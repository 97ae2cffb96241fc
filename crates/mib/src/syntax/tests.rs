use portreeve_smi::OidRef;

use super::*;
use crate::modules::{
    community_mib::SNMP_TARGET_ADDR_MMS, if_mib::*, snmpv2_mib::*, vacm_mib::VACM_GROUP_NAME,
};

#[test]
fn values_are_checked_against_type_length_and_range() {
    let long = [b'x'; 256];
    let cases: &[(&crate::Object, Value<'_>, Result<(), RefusalKind>)] = &[
        (&SYS_CONTACT, Value::OctetString(b""), Ok(())),
        (&SYS_CONTACT, Value::OctetString(&long[..255]), Ok(())),
        (&SYS_CONTACT, Value::OctetString(&long), Err(RefusalKind::WrongLength)),
        (&SYS_CONTACT, Value::Integer(1), Err(RefusalKind::WrongType)),
        (&VACM_GROUP_NAME, Value::OctetString(b""), Err(RefusalKind::WrongLength)),
        (&VACM_GROUP_NAME, Value::OctetString(&long[..32]), Ok(())),
        (&VACM_GROUP_NAME, Value::OctetString(&long[..33]), Err(RefusalKind::WrongLength)),
        (&IF_ADMIN_STATUS, Value::Integer(0), Err(RefusalKind::WrongValue)),
        (&IF_ADMIN_STATUS, Value::Integer(3), Ok(())),
        (&IF_ADMIN_STATUS, Value::Integer(4), Err(RefusalKind::WrongValue)),
        (&IF_ADMIN_STATUS, Value::Gauge32(1), Err(RefusalKind::WrongType)),
        (&SNMP_SET_SERIAL_NO, Value::Integer(-1), Err(RefusalKind::WrongValue)),
        (&SNMP_SET_SERIAL_NO, Value::Integer(i32::MAX), Ok(())),
        (&SNMP_TARGET_ADDR_MMS, Value::Integer(0), Ok(())),
        (&SNMP_TARGET_ADDR_MMS, Value::Integer(1), Err(RefusalKind::WrongValue)),
        (&SNMP_TARGET_ADDR_MMS, Value::Integer(483), Err(RefusalKind::WrongValue)),
        (&SNMP_TARGET_ADDR_MMS, Value::Integer(484), Ok(())),
        (&IF_TEST_TYPE, Value::ObjectId(OidRef::Arcs(&[0, 0])), Ok(())),
        (&IF_TEST_TYPE, Value::Null, Err(RefusalKind::WrongType)),
    ];
    for (object, value, expected) in cases {
        assert_eq!(object.syntax().unwrap().check(value), *expected, "{object:?} = {value:?}");
    }
}

#[test]
fn limits_and_labels_of_object_default_to_its_textual_convention() {
    assert_eq!(IF_ALIAS.syntax().unwrap().limits(), &[(0, 64)]);
    assert_eq!(IF_NAME.syntax().unwrap().limits(), &[(0, 255)]);
    assert_eq!(IF_NAME.syntax().unwrap().hint(), Some("255a"));
    assert_eq!(IF_TYPE.syntax().unwrap().label(24), Some("softwareLoopback"));
    assert_eq!(IF_STACK_STATUS.syntax().unwrap().number("destroy"), Some(6));
    assert_eq!(IF_STACK_STATUS.syntax().unwrap().number("Destroy"), None);
}
