use portreeve_mib::modules::{
    community_mib::{SNMP_TRAP_ADDRESS, SNMP_TRAP_COMMUNITY},
    snmpv2_mib::{SNMP_TRAP_ENTERPRISE, SNMP_TRAP_OID, SYS_UP_TIME},
};
use portreeve_smi::{
    OwnedValue, Value,
    ber::{ForwardWriter, Reader, ReverseWriter, Tag},
};
use portreeve_snmp_message::{TrapV1, VarBind, VarBinds};
use proptest::prelude::*;

use super::*;

/// Encodes a list of variable bindings.
pub(super) fn encode(var_binds: &[(&[u32], Value<'_>)]) -> Vec<u8> {
    let mut buffer = vec![0; 8192];
    let mut writer = ForwardWriter::new(&mut buffer);
    for (name, value) in var_binds {
        writer.var_bind(name, value).unwrap();
    }
    let end = writer.len();
    list(&buffer[..end])
}

/// Prepends the header of the list to encoded variable bindings.
fn list(var_binds: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; var_binds.len() + 8];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(var_binds).unwrap();
    writer.wrap(Tag::SEQUENCE, 0).unwrap();
    writer.written().to_vec()
}

pub(super) fn parse(list: &[u8]) -> VarBinds<'_> {
    VarBinds::parse(&mut Reader::new(list)).unwrap()
}

/// Encodes the list of variable bindings of an SNMPv2-Trap-PDU.
pub(super) fn appended(notification: &NotificationV2<'_>) -> Vec<u8> {
    let mut buffer = vec![0; 8192];
    let mut writer = ForwardWriter::new(&mut buffer);
    notification.append(&mut writer).unwrap();
    list(writer.written())
}

/// Encodes the Trap-PDU of a translated notification.
pub(super) fn prepended(notification: &NotificationV1<'_>) -> Vec<u8> {
    let mut buffer = vec![0; 8192];
    let mut writer = ReverseWriter::new(&mut buffer);
    notification.prepend(&mut writer).unwrap();
    writer.written().to_vec()
}

pub(super) fn parse_trap(octets: &[u8]) -> TrapV1<'_> {
    let mut reader = Reader::new(octets);
    let trap = TrapV1::parse(&mut reader).unwrap();
    reader.finish().unwrap();
    trap
}

/// An SNMPv1 trap and its community.
#[derive(Clone, Debug)]
struct AnyTrap {
    enterprise: Vec<u32>,
    agent_address: [u8; 4],
    generic: i32,
    specific: i32,
    time_stamp: u32,
    var_binds: Vec<u8>,
    community: Vec<u8>,
}

impl AnyTrap {
    fn as_trap(&self) -> TrapV1<'_> {
        TrapV1 {
            enterprise: OidRef::Arcs(&self.enterprise),
            agent_address: self.agent_address,
            generic: self.generic,
            specific: self.specific,
            time_stamp: self.time_stamp,
            var_binds: parse(&self.var_binds),
        }
    }
}

fn any_trap() -> impl Strategy<Value = AnyTrap> {
    let fields = (any_arcs(126), any::<[u8; 4]>(), 0..=6, 0..=i32::MAX, any::<u32>());
    let var_binds = prop::collection::vec((any_arcs(128), any_v1_value()), 0..6);
    (fields, var_binds, prop::collection::vec(any::<u8>(), 0..200)).prop_map(
        |(fields, var_binds, community)| {
            let (enterprise, agent_address, generic, specific, time_stamp) = fields;
            let var_binds: Vec<_> =
                var_binds.iter().map(|(name, value)| (&name[..], value.as_value())).collect();
            let var_binds = encode(&var_binds);
            AnyTrap { enterprise, agent_address, generic, specific, time_stamp, var_binds, community }
        },
    )
}

fn any_arcs(most: usize) -> impl Strategy<Value = Vec<u32>> {
    let rest = prop::collection::vec(prop_oneof![0..3u32, any::<u32>()], 0..=most - 2);
    (0..3u32, 0..40u32, rest).prop_map(|(root, second, rest)| [vec![root, second], rest].concat())
}

fn any_v1_value() -> impl Strategy<Value = OwnedValue> {
    prop_oneof![
        any::<i32>().prop_map(OwnedValue::Integer),
        prop::collection::vec(any::<u8>(), 0..200).prop_map(OwnedValue::OctetString),
        Just(OwnedValue::Null),
        any::<[u8; 4]>().prop_map(OwnedValue::IpAddress),
        any::<u32>().prop_map(OwnedValue::Counter32),
        any::<u32>().prop_map(OwnedValue::TimeTicks),
    ]
}

/// Generates names of variables that the translation uses, and of other variables.
fn any_name() -> impl Strategy<Value = Vec<u32>> {
    let scalars =
        [&SYS_UP_TIME, &SNMP_TRAP_OID, &SNMP_TRAP_ADDRESS, &SNMP_TRAP_COMMUNITY, &SNMP_TRAP_ENTERPRISE];
    prop_oneof![
        4 => prop::sample::select(scalars.map(|scalar| instance(scalar).to_vec()).to_vec()),
        1 => any_arcs(128),
    ]
}

fn any_value() -> impl Strategy<Value = OwnedValue> {
    let oid =
        prop_oneof![any_arcs(3), any_arcs(128), (0..9u32).prop_map(|n| [SNMP_TRAPS.arcs(), &[n]].concat())];
    prop_oneof![
        4 => oid.prop_map(|arcs| OwnedValue::ObjectId(portreeve_smi::Oid::new(&arcs).unwrap())),
        4 => any_v1_value(),
        1 => any::<u64>().prop_map(OwnedValue::Counter64),
        1 => Just(OwnedValue::EndOfMibView),
    ]
}

#[test]
fn generic_trap_numbers_map_to_standard_notification_oids_and_back() {
    for generic in 0..=5 {
        assert_eq!(generic_trap(&standard_trap_oid(generic).unwrap()), Some(generic));
    }
    for generic in [i32::MIN, -1, 6, 7, i32::MAX] {
        assert_eq!(standard_trap_oid(generic), None, "{generic}");
    }
    for number in [0, 7, u32::MAX] {
        assert_eq!(generic_trap(&[SNMP_TRAPS.arcs(), &[number]].concat()), None, "{number}");
    }
    assert_eq!(generic_trap(&[SNMP_TRAPS.arcs(), &[0, 1]].concat()), None);
    assert_eq!(generic_trap(&[]), None);
}

proptest! {
    /// specific-trap has no meaning for a standard trap, so the translation sets it to zero.
    #[test]
    fn v1_trap_translated_to_v2_and_back_by_proxies_gains_three_variables(trap in any_trap()) {
        let list = appended(&NotificationV2::from_trap_v1(&trap.as_trap(), Some(&trap.community)).unwrap());
        let back = prepended(&NotificationV1::from_var_binds(parse(&list), AgentAddress::Forwarded).unwrap());
        let back = parse_trap(&back);

        prop_assert_eq!(back.enterprise, OidRef::Arcs(&trap.enterprise));
        prop_assert_eq!(back.agent_address, trap.agent_address);
        prop_assert_eq!(back.generic, trap.generic);
        prop_assert_eq!(back.specific, if trap.generic == 6 { trap.specific } else { 0 });
        prop_assert_eq!(back.time_stamp, trap.time_stamp);

        let sent = parse(&trap.var_binds);
        prop_assert!(back.var_binds.encoded().starts_with(sent.encoded()));
        let added: Vec<VarBind<'_>> = back.var_binds.iter().skip(sent.len()).collect();
        let values = [
            (&SNMP_TRAP_ADDRESS, Value::IpAddress(trap.agent_address)),
            (&SNMP_TRAP_COMMUNITY, Value::OctetString(&trap.community)),
            (&SNMP_TRAP_ENTERPRISE, Value::ObjectId(OidRef::Arcs(&trap.enterprise))),
        ];
        let names = values.map(|(object, _)| instance(object));
        let expected: Vec<_> = names
            .iter()
            .zip(values)
            .map(|(name, (_, value))| VarBind { name: OidRef::Arcs(name), value })
            .collect();
        prop_assert_eq!(added, expected);
    }

    #[test]
    fn v1_trap_is_unchanged_after_translation_to_v2_and_back(trap in any_trap()) {
        let list = appended(&NotificationV2::from_trap_v1(&trap.as_trap(), None).unwrap());
        let agent = AgentAddress::Originator(Some(trap.agent_address));
        let back = prepended(&NotificationV1::from_var_binds(parse(&list), agent).unwrap());
        let back = parse_trap(&back);

        let (enterprise, specific) =
            if trap.generic == 6 { (&trap.enterprise[..], trap.specific) } else { (SNMP_TRAPS.arcs(), 0) };
        prop_assert_eq!(back.enterprise, OidRef::Arcs(enterprise));
        prop_assert_eq!(back.agent_address, trap.agent_address);
        prop_assert_eq!((back.generic, back.specific), (trap.generic, specific));
        prop_assert_eq!(back.time_stamp, trap.time_stamp);
        prop_assert_eq!(back.var_binds.encoded(), parse(&trap.var_binds).encoded());
    }

    #[test]
    fn notification_with_arbitrary_variables_is_translated_or_rejected(
        kind in any_value(),
        others in prop::collection::vec((any_name(), any_value()), 0..5),
        whole in any::<bool>(),
    ) {
        let prefix = [
            (instance(&SYS_UP_TIME).to_vec(), OwnedValue::TimeTicks(1)),
            (instance(&SNMP_TRAP_OID).to_vec(), kind),
        ];
        let var_binds: Vec<_> = prefix.into_iter().skip(usize::from(!whole)).chain(others).collect();
        let var_binds: Vec<_> = var_binds.iter().map(|(name, value)| (&name[..], value.as_value())).collect();
        let octets = encode(&var_binds);
        for agent in [AgentAddress::Originator(None), AgentAddress::Forwarded] {
            if let Ok(notification) = NotificationV1::from_var_binds(parse(&octets), agent) {
                let trap = prepended(&notification);
                prop_assert_eq!(parse_trap(&trap).var_binds.len() + 2, var_binds.len());
            }
        }
    }
}
