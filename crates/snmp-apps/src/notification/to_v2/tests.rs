use portreeve_mib::modules::{
    if_mib::{LINK_DOWN, LINK_UP},
    snmpv2_mib::{AUTHENTICATION_FAILURE, COLD_START, SNMP_TRAPS, SYS_LOCATION, WARM_START},
};
use portreeve_smi::ber::{BerError, Reader};

use super::*;
use crate::notification::tests::{appended, encode, parse};

/// An enterprise identifier from the range reserved for examples.
const ENTERPRISE: [u32; 9] = [1, 3, 6, 1, 4, 1, 32473, 1, 2];

fn trap(generic: i32, specific: i32) -> TrapV1<'static> {
    TrapV1 {
        enterprise: OidRef::Arcs(&ENTERPRISE),
        agent_address: [192, 0, 2, 161],
        generic,
        specific,
        time_stamp: 4711,
        var_binds: VarBinds::default(),
    }
}

fn translated(trap: TrapV1<'_>) -> Result<OidBuf, TranslationError> {
    NotificationV2::from_trap_v1(&trap, None).map(|notification| notification.snmp_trap_oid)
}

#[test]
fn generic_trap_becomes_standard_notification() {
    let named = [&COLD_START, &WARM_START, &LINK_DOWN, &LINK_UP, &AUTHENTICATION_FAILURE];
    //= rfc3584#3.1-3
    //= type=test
    for (generic, notification) in named.into_iter().enumerate() {
        let oid = translated(trap(generic as i32, 99)).unwrap();
        assert_eq!(&*oid, notification.arcs(), "{generic}");
    }
    let egp_neighbor_loss = [SNMP_TRAPS.arcs(), &[6]].concat();
    assert_eq!(&*translated(trap(5, 99)).unwrap(), egp_neighbor_loss);
}

#[test]
fn trap_oid_of_specific_trap_is_enterprise_followed_by_0_and_number() {
    for specific in [0, 1, i32::MAX] {
        //= rfc3584#3.1-2
        //= type=test
        let expected = [&ENTERPRISE[..], &[0, specific as u32]].concat();
        assert_eq!(&*translated(trap(6, specific)).unwrap(), expected);
    }
}

#[test]
fn translation_to_v2_preserves_time_stamp_and_variables() {
    let location = instance(&SYS_LOCATION);
    let sent = encode(&[(&location, Value::OctetString(b"cellar"))]);
    let trap = TrapV1 { var_binds: parse(&sent), ..trap(6, 17) };
    let notification = NotificationV2::from_trap_v1(&trap, None).unwrap();
    let kind = [&ENTERPRISE[..], &[0, 17]].concat();
    //= rfc3584#3-p1
    //= rfc3584#3.1-1
    //= rfc3584#3.1-4a
    //= type=test
    let expected = encode(&[
        (&instance(&SYS_UP_TIME), Value::TimeTicks(4711)),
        (&instance(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Arcs(&kind))),
        (&location, Value::OctetString(b"cellar")),
    ]);
    assert_eq!(appended(&notification), expected);
}

#[test]
fn proxy_appends_address_community_and_enterprise_unless_present() {
    let forwarded = Forwarded {
        agent_address: [192, 0, 2, 161],
        community: b"trap community",
        enterprise: OidRef::Arcs(&ENTERPRISE),
    };
    let variables = forwarded.variables();
    for present in 0..8 {
        // Variables that the trap already contains take precedence, even if their values have
        // another type.
        let own: Vec<_> = (0..3)
            .filter(|i| present & 1 << i != 0)
            .map(|i| (instance(variables[i].0), Value::Integer(-1)))
            .collect();
        let own: Vec<_> = own.iter().map(|(name, value)| (&**name, *value)).collect();
        let sent = encode(&own);
        let trap = TrapV1 { var_binds: parse(&sent), ..trap(1, 0) };
        let list = appended(&NotificationV2::from_trap_v1(&trap, Some(b"trap community")).unwrap());

        let added: Vec<_> = (0..3).filter(|i| present & 1 << i == 0).map(|i| variables[i]).collect();
        //= rfc3584#3.1-4b
        //= type=test
        let got: Vec<_> =
            parse(&list).iter().skip(2 + own.len()).map(|bind| (bind.name.to_buf(), bind.value)).collect();
        let expected: Vec<_> = added.iter().map(|(object, value)| (instance(object), *value)).collect();
        assert_eq!(got, expected, "{present:03b}");
    }
}

#[test]
fn append_of_notification_writes_nothing_if_buffer_is_too_small() {
    let notification = NotificationV2::from_trap_v1(&trap(6, 70_000), Some(b"public")).unwrap();
    let mut buffer = [0; 512];
    let mut writer = ForwardWriter::resume(&mut buffer, 10);
    notification.append(&mut writer).unwrap();
    let exact = writer.len();
    for size in 10..=exact {
        let mut buffer = vec![0; size];
        let mut writer = ForwardWriter::resume(&mut buffer, 10);
        let expected = if size == exact { Ok(()) } else { Err(BufferFullError) };
        assert_eq!(notification.append(&mut writer), expected, "{size}");
        assert_eq!(writer.len(), if size == exact { exact } else { 10 });
    }
}

#[test]
fn unknown_generic_trap_is_rejected() {
    for generic in [i32::MIN, -1, 7, i32::MAX] {
        assert_eq!(translated(trap(generic, 1)), Err(TranslationError::UnknownGenericTrap), "{generic}");
    }
}

#[test]
fn enterprise_specific_trap_with_negative_number_is_rejected() {
    for specific in [-1, i32::MIN] {
        assert_eq!(translated(trap(6, specific)), Err(TranslationError::NegativeSpecificTrap));
        assert!(translated(trap(0, specific)).is_ok());
    }
}

#[test]
fn trap_with_enterprise_of_less_than_two_arcs_is_rejected() {
    let octets = [0xa4, 17, 6, 0, 0x40, 4, 192, 0, 2, 1, 2, 1, 6, 2, 1, 1, 0x43, 1, 0, 0x30, 0];
    assert_eq!(TrapV1::parse(&mut Reader::new(&octets)).unwrap_err(), BerError::BadValue);
    for generic in [0, 6] {
        for enterprise in [&[][..], &[1]] {
            let trap = TrapV1 { enterprise: OidRef::Arcs(enterprise), ..trap(generic, 1) };
            assert_eq!(translated(trap), Err(TranslationError::EnterpriseTooShort));
        }
    }
}

#[test]
fn specific_trap_with_enterprise_of_more_than_126_arcs_is_rejected() {
    let arcs = [1; 128];
    for length in [2, 125, 126, 127, 128] {
        let long = TrapV1 { enterprise: OidRef::Arcs(&arcs[..length]), ..trap(6, 1) };
        let expected = if length <= 126 { Ok(length + 2) } else { Err(TranslationError::EnterpriseTooLong) };
        assert_eq!(translated(long).map(|oid| oid.len()), expected, "{length}");
        assert!(translated(TrapV1 { generic: 0, ..long }).is_ok());
    }
}
