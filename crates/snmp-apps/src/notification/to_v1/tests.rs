use portreeve_mib::modules::{
    community_mib::SNMP_TRAP_COMMUNITY,
    if_mib::{LINK_DOWN, LINK_UP},
    snmpv2_mib::{AUTHENTICATION_FAILURE, COLD_START, SYS_LOCATION, WARM_START},
};
use portreeve_smi::ber::BerError;

use super::*;
use crate::notification::{
    instance,
    tests::{encode, parse, parse_trap, prepended},
};

/// An enterprise identifier from the range reserved for examples.
const ENTERPRISE: [u32; 9] = [1, 3, 6, 1, 4, 1, 32473, 1, 2];

/// Returns enterprise, generic-trap and specific-trap of a notification with this snmpTrapOID and
/// these other variables.
fn kind(oid: &[u32], others: &[(&Object, Value<'_>)]) -> Result<(Vec<u32>, i32, i32), TranslationError> {
    let octets = notification(oid, others);
    NotificationV1::from_var_binds(parse(&octets), AgentAddress::Forwarded)
        .map(|trap| (trap.enterprise.to_vec(), trap.generic, trap.specific))
}

fn notification(oid: &[u32], others: &[(&Object, Value<'_>)]) -> Vec<u8> {
    let leading =
        [(&SYS_UP_TIME, Value::TimeTicks(4711)), (&SNMP_TRAP_OID, Value::ObjectId(OidRef::Arcs(oid)))];
    let named: Vec<_> =
        leading.iter().chain(others).map(|(scalar, value)| (instance(scalar), *value)).collect();
    let var_binds: Vec<_> = named.iter().map(|(name, value)| (&**name, *value)).collect();
    encode(&var_binds)
}

#[test]
fn standard_notification_becomes_generic_trap() {
    let named = [&COLD_START, &WARM_START, &LINK_DOWN, &LINK_UP, &AUTHENTICATION_FAILURE];
    let egp_neighbor_loss = [SNMP_TRAPS.arcs(), &[6]].concat();
    let oids = named.map(|notification| notification.arcs()).into_iter().chain([&egp_neighbor_loss[..]]);
    //= rfc3584#3.2-3
    //= rfc3584#3.2-4
    //= type=test
    for (generic, oid) in oids.enumerate() {
        assert_eq!(kind(oid, &[]), Ok((SNMP_TRAPS.arcs().to_vec(), generic as i32, 0)));
    }
}

#[test]
fn enterprise_of_standard_trap_is_value_of_snmp_trap_enterprise_variable() {
    let enterprise = (&SNMP_TRAP_ENTERPRISE, Value::ObjectId(OidRef::Arcs(&ENTERPRISE)));
    //= rfc3584#3.2-1a
    //= type=test
    assert_eq!(kind(LINK_UP.arcs(), &[enterprise]), Ok((ENTERPRISE.to_vec(), 3, 0)));
    let other_type = (&SNMP_TRAP_ENTERPRISE, Value::OctetString(b"1.3.6.1.4.1.32473"));
    assert_eq!(kind(LINK_UP.arcs(), &[other_type]), Ok((SNMP_TRAPS.arcs().to_vec(), 3, 0)));
    let other = [&ENTERPRISE[..], &[0, 5]].concat();
    let foreign = (&SNMP_TRAP_ENTERPRISE, Value::ObjectId(OidRef::Arcs(&[1, 3])));
    assert_eq!(kind(&other, &[foreign]), Ok((ENTERPRISE.to_vec(), 6, 5)));
}

#[test]
fn enterprise_of_specific_trap_is_snmp_trap_oid_without_its_last_arcs() {
    let traps = SNMP_TRAPS.arcs();
    let table: [(Vec<u32>, Vec<u32>, i32); 8] = [
        //= rfc3584#3.2-1b
        //= type=test
        ([&ENTERPRISE[..], &[0, 5]].concat(), ENTERPRISE.to_vec(), 5),
        ([&ENTERPRISE[..], &[0, 0]].concat(), ENTERPRISE.to_vec(), 0),
        ([&ENTERPRISE[..], &[0, 0, 5]].concat(), [&ENTERPRISE[..], &[0]].concat(), 5),
        //= rfc3584#3.2-1c
        //= type=test
        ([&ENTERPRISE[..], &[5]].concat(), ENTERPRISE.to_vec(), 5),
        ([traps, &[7]].concat(), traps.to_vec(), 7),
        ([traps, &[0]].concat(), traps.to_vec(), 0),
        //= rfc3584#3.2-3
        //= rfc3584#3.2-4
        //= type=test
        ([traps, &[1, 1]].concat(), [traps, &[1]].concat(), 1),
        ([&ENTERPRISE[..], &[i32::MAX as u32]].concat(), ENTERPRISE.to_vec(), i32::MAX),
    ];
    for (oid, enterprise, specific) in table {
        assert_eq!(kind(&oid, &[]), Ok((enterprise, 6, specific)), "{oid:?}");
    }
}

#[test]
fn originator_uses_own_agent_address_and_proxy_uses_snmp_trap_address() {
    let address = (&SNMP_TRAP_ADDRESS, Value::IpAddress([192, 0, 2, 161]));
    let other_type = (&SNMP_TRAP_ADDRESS, Value::OctetString(&[192, 0, 2, 161]));
    let ours = [198, 51, 100, 7];
    let table = [
        //= rfc3584#3.2-2a
        //= type=test
        (AgentAddress::Originator(Some(ours)), &[][..], ours),
        (AgentAddress::Originator(Some(ours)), &[address], ours),
        (AgentAddress::Originator(None), &[address], [0; 4]),
        //= rfc3584#3.2-2b
        //= type=test
        (AgentAddress::Forwarded, &[address], [192, 0, 2, 161]),
        (AgentAddress::Forwarded, &[], [0; 4]),
        (AgentAddress::Forwarded, &[other_type], [0; 4]),
    ];
    for (agent, others, expected) in table {
        let octets = notification(COLD_START.arcs(), others);
        let trap = NotificationV1::from_var_binds(parse(&octets), agent).unwrap();
        assert_eq!(trap.agent_address, expected, "{agent:?}");
    }
}

#[test]
fn translation_to_v1_removes_only_first_two_variables() {
    let others = [
        (&SYS_UP_TIME, Value::TimeTicks(1)),
        (&SYS_LOCATION, Value::OctetString(b"cellar")),
        (&SNMP_TRAP_ADDRESS, Value::IpAddress([192, 0, 2, 161])),
        (&SNMP_TRAP_COMMUNITY, Value::OctetString(b"public")),
        (&SNMP_TRAP_ENTERPRISE, Value::ObjectId(OidRef::Arcs(&ENTERPRISE))),
    ];
    let octets = notification(COLD_START.arcs(), &others);
    let notification = NotificationV1::from_var_binds(parse(&octets), AgentAddress::Forwarded).unwrap();
    let pdu = prepended(&notification);
    let trap = parse_trap(&pdu);
    //= rfc3584#3.2-5
    //= rfc3584#3.2-6a
    //= type=test
    assert_eq!(trap.time_stamp, 4711);
    let kept: Vec<_> = trap.var_binds.iter().map(|bind| (bind.name.to_buf(), bind.value)).collect();
    assert_eq!(kept, others.map(|(scalar, value)| (instance(scalar), value)));
}

#[test]
fn trap_pdu_is_written_if_buffer_has_exactly_its_length() {
    let octets = notification(COLD_START.arcs(), &[]);
    let agent = AgentAddress::Originator(Some([192, 0, 2, 161]));
    let notification = NotificationV1::from_var_binds(parse(&octets), agent).unwrap();
    let expected = [
        0xa4, 28, 6, 8, 0x2b, 6, 1, 6, 3, 1, 1, 5, 0x40, 4, 192, 0, 2, 161, 2, 1, 0, 2, 1, 0, 0x43, 2, 0x12,
        0x67, 0x30, 0,
    ];
    for size in 0..=expected.len() {
        let mut buffer = vec![0; size];
        let written = notification.prepend(&mut ReverseWriter::new(&mut buffer));
        assert_eq!(written.is_ok(), size == expected.len(), "{size}");
    }
    assert_eq!(prepended(&notification), expected);
}

#[test]
fn notification_with_counter64_or_exception_is_rejected() {
    let table = [
        (Value::Counter64(1), TranslationError::Counter64),
        (Value::NoSuchObject, TranslationError::Exception),
        (Value::NoSuchInstance, TranslationError::Exception),
        (Value::EndOfMibView, TranslationError::Exception),
    ];
    for (value, failure) in table {
        let others = [(&SYS_LOCATION, Value::Null), (&SYS_LOCATION, value)];
        //= rfc3584#3.2-6b
        //= type=test
        assert_eq!(kind(COLD_START.arcs(), &others), Err(failure));
    }
}

#[test]
fn notification_without_leading_sys_up_time_and_trap_oid_is_rejected() {
    let time = (&*instance(&SYS_UP_TIME), Value::TimeTicks(1));
    let oid = (&*instance(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Arcs(COLD_START.arcs())));
    let table = [
        (vec![], TranslationError::NoSysUpTime),
        (vec![oid], TranslationError::NoSysUpTime),
        (vec![oid, time], TranslationError::NoSysUpTime),
        (vec![(time.0, Value::Integer(1)), oid], TranslationError::NoSysUpTime),
        (vec![(SYS_UP_TIME.arcs(), time.1), oid], TranslationError::NoSysUpTime),
        (vec![time], TranslationError::NoSnmpTrapOid),
        (vec![time, time, oid], TranslationError::NoSnmpTrapOid),
        (vec![time, (oid.0, Value::OctetString(b"1.3.6"))], TranslationError::NoSnmpTrapOid),
        (vec![time, (oid.0, Value::NoSuchObject)], TranslationError::NoSnmpTrapOid),
        (vec![time, (SNMP_TRAP_OID.arcs(), oid.1)], TranslationError::NoSnmpTrapOid),
    ];
    for (var_binds, failure) in table {
        let octets = encode(&var_binds);
        //= rfc3584#3-p1
        //= type=test
        let rejected = NotificationV1::from_var_binds(parse(&octets), AgentAddress::Forwarded).unwrap_err();
        assert_eq!(rejected, failure, "{var_binds:?}");
    }
}

#[test]
fn empty_snmp_trap_oid_fails_to_parse() {
    let time = (&*instance(&SYS_UP_TIME), Value::TimeTicks(1));
    let oid = (&*instance(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Encoded(&[])));
    let octets = encode(&[time, oid]);
    assert_eq!(VarBinds::parse(&mut Reader::new(&octets)).unwrap_err(), BerError::BadValue);
}

#[test]
fn snmp_trap_oid_too_short_for_an_enterprise_is_rejected() {
    // The shortest identifier has two arcs, which are encoded as one octet.
    let rejected: [&[u32]; 6] = [&[0, 0], &[1, 3], &[2, 0], &[2, 47], &[1, 0, 6], &[2, 0, u32::MAX]];
    for oid in rejected {
        assert_eq!(kind(oid, &[]), Err(TranslationError::SnmpTrapOidTooShort), "{oid:?}");
    }
    let shortest: [&[u32]; 3] = [&[1, 3, 6], &[1, 3, 0, 6], &[1, 3, 0]];
    for oid in shortest {
        assert_eq!(kind(oid, &[]).unwrap().0, [1, 3], "{oid:?}");
    }
}

#[test]
fn snmp_trap_oid_of_128_arcs_is_translated() {
    let arcs = [1; 128];
    assert_eq!(kind(&arcs, &[]), Ok((vec![1; 127], 6, 1)));
    let mut arcs = [u32::MAX; 128];
    arcs[..2].copy_from_slice(&[1, 3]);
    arcs[126..].copy_from_slice(&[0, 1]);
    assert_eq!(kind(&arcs, &[]), Ok((arcs[..126].to_vec(), 6, 1)));
}

#[test]
fn specific_trap_number_above_v1_maximum_is_rejected() {
    for number in [1 << 31, u32::MAX] {
        let oid = [&ENTERPRISE[..], &[0, number]].concat();
        assert_eq!(kind(&oid, &[]), Err(TranslationError::SpecificTrapTooLarge));
    }
}
