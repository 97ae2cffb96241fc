use std::collections::{HashMap, HashSet};

use portreeve_smi::display_arcs;

use super::*;
use crate::{
    Object,
    object::{DefaultValue, Index, Kind},
    syntax::Base,
};

fn objects() -> impl Iterator<Item = &'static Object> {
    ALL.iter().flat_map(|module| module.objects.iter().copied())
}

#[test]
fn names_and_identifiers_of_definitions_are_unique() {
    let mut names = HashSet::new();
    let mut oids = HashMap::new();
    for object in objects() {
        assert!(names.insert(object.name), "{object:?} is defined twice");
        let oid = object.oid().to_vec();
        if let Some(other) = oids.insert(oid, object) {
            panic!("{object:?} and {other:?} have the same identifier");
        }
    }
    let conventions = ALL.iter().flat_map(|module| module.conventions.iter());
    for convention in conventions {
        assert!(names.insert(convention.name), "{convention:?} is defined twice");
    }
}

#[test]
fn parent_of_every_object_is_defined_in_a_module() {
    let known: HashSet<*const Object> = objects().map(std::ptr::from_ref).collect();
    for object in objects() {
        if let Some(parent) = object.parent {
            assert!(
                known.contains(&std::ptr::from_ref(parent)),
                "{parent:?}, parent of {object:?}, is not listed"
            );
        }
    }
}

#[test]
fn columns_belong_to_rows_and_rows_to_tables() {
    for object in objects() {
        let parent = object.parent.map(|parent| parent.kind);
        match object.kind {
            Kind::Column(_) => assert!(matches!(parent, Some(Kind::Row(_))), "{object:?}"),
            Kind::Row(_) => assert!(matches!(parent, Some(Kind::Table)) && object.arc == 1, "{object:?}"),
            _ => assert!(!matches!(parent, Some(Kind::Row(_) | Kind::Table)), "{object:?}"),
        }
    }
}

#[test]
fn rows_are_indexed_by_existing_columns() {
    let known: HashSet<*const Object> = objects().map(std::ptr::from_ref).collect();
    for object in objects() {
        let Kind::Row(index) = object.kind else { continue };
        if let Index::Augments(base) = index {
            assert!(matches!(base.kind, Kind::Row(Index::Objects(_) | Index::Implied(_))), "{object:?}");
        }
        let index = object.index().unwrap();
        assert!(!index.objects.is_empty(), "{object:?}");
        for part in index.objects {
            assert!(matches!(part.kind, Kind::Column(_)), "{object:?}: {part:?}");
            assert!(known.contains(&std::ptr::from_ref(*part)), "{object:?}: {part:?}");
        }
        let last = index.objects.last().unwrap().syntax().unwrap();
        if index.implied {
            let variable = matches!(last.base, Base::OctetString | Base::ObjectIdentifier);
            assert!(
                variable && last.fixed_len().is_none(),
                "{object:?}: only what varies in length can be implied"
            );
        }
    }
}

#[test]
fn every_object_has_description_and_compliances_list_only_groups() {
    for object in objects() {
        assert!(!object.description.trim().is_empty(), "{object:?}");
        if let Kind::Compliance(compliance) = object.kind {
            for group in compliance.mandatory.iter().chain(compliance.conditional) {
                assert!(
                    matches!(group.kind, Kind::Group(_) | Kind::NotificationGroup(_)),
                    "{object:?}: {group:?}"
                );
            }
        }
    }
}

#[test]
fn every_accessible_object_is_in_a_group_of_its_module() {
    for module in ALL {
        // UCD-SNMP-MIB has no conformance information.
        if module.name == ucd_snmp_mib::MODULE.name {
            continue;
        }
        let grouped: HashSet<&str> = module
            .objects
            .iter()
            .filter_map(|object| match object.kind {
                Kind::Group(members) | Kind::NotificationGroup(members) => Some(members),
                _ => None,
            })
            .flat_map(|members| members.iter().map(|member| member.name))
            .collect();
        for object in module.objects {
            let accessible = object.leaf().is_some_and(|leaf| leaf.access != crate::Access::NotAccessible);
            if accessible || matches!(object.kind, Kind::Notification(_)) {
                assert!(grouped.contains(object.name), "{object:?} is in no group of {}", module.name);
            }
        }
    }
}

#[test]
fn default_values_match_object_types() {
    for object in objects() {
        let Some(leaf) = object.leaf() else { continue };
        let fits = match leaf.default {
            None => true,
            Some(DefaultValue::Label(label)) => leaf.syntax.number(label).is_some(),
            Some(DefaultValue::Number(_)) => matches!(leaf.syntax.base, Base::Integer32 | Base::Unsigned32),
            Some(DefaultValue::Text(_) | DefaultValue::Octets(_)) => leaf.syntax.base == Base::OctetString,
            Some(DefaultValue::Object(_)) => leaf.syntax.base == Base::ObjectIdentifier,
        };
        assert!(fits, "{object:?}");
    }
}

#[test]
fn well_known_objects_have_expected_identifiers() {
    let cases: &[(&Object, &str)] = &[
        (&snmpv2_smi::ZERO_DOT_ZERO, "0.0"),
        (&snmpv2_smi::ENTERPRISES, "1.3.6.1.4.1"),
        (&snmpv2_mib::SYS_DESCR, "1.3.6.1.2.1.1.1"),
        (&snmpv2_mib::SYS_UP_TIME, "1.3.6.1.2.1.1.3"),
        (&snmpv2_mib::SYS_OR_DESCR, "1.3.6.1.2.1.1.9.1.3"),
        (&snmpv2_mib::SNMP_IN_BAD_COMMUNITY_USES, "1.3.6.1.2.1.11.5"),
        (&snmpv2_mib::SNMP_TRAP_OID, "1.3.6.1.6.3.1.1.4.1"),
        (&snmpv2_mib::COLD_START, "1.3.6.1.6.3.1.1.5.1"),
        (&snmpv2_mib::SNMP_SET_SERIAL_NO, "1.3.6.1.6.3.1.1.6.1"),
        (&if_mib::LINK_UP, "1.3.6.1.6.3.1.1.5.4"),
        (&ip_mib::IP_AD_ENT_NET_MASK, "1.3.6.1.2.1.4.20.1.3"),
        (&ip_mib::IP_SYSTEM_STATS_REFRESH_RATE, "1.3.6.1.2.1.4.31.1.1.47"),
        (&ip_mib::ICMP_OUT_ADDR_MASK_REPS, "1.3.6.1.2.1.5.26"),
        (&ip_mib::ICMP_MSG_STATS_OUT_PKTS, "1.3.6.1.2.1.5.30.1.4"),
        (&ip_forward_mib::INET_CIDR_ROUTE_STATUS, "1.3.6.1.2.1.4.24.7.1.17"),
        (&tcp_mib::TCP_CONN_REM_PORT, "1.3.6.1.2.1.6.13.1.5"),
        (&tcp_mib::TCP_CONNECTION_PROCESS, "1.3.6.1.2.1.6.19.1.8"),
        (&tcp_mib::TCP_LISTENER_PROCESS, "1.3.6.1.2.1.6.20.1.4"),
        (&udp_mib::UDP_LOCAL_PORT, "1.3.6.1.2.1.7.5.1.2"),
        (&udp_mib::UDP_ENDPOINT_PROCESS, "1.3.6.1.2.1.7.7.1.8"),
        (&if_mib::IF_DESCR, "1.3.6.1.2.1.2.2.1.2"),
        (&if_mib::IF_HC_IN_OCTETS, "1.3.6.1.2.1.31.1.1.1.6"),
        (&if_mib::IF_STACK_STATUS, "1.3.6.1.2.1.31.1.2.1.3"),
        (&host_resources_mib::HR_STORAGE_USED, "1.3.6.1.2.1.25.2.3.1.6"),
        (&host_resources_mib::HR_PROCESSOR_LOAD, "1.3.6.1.2.1.25.3.3.1.2"),
        (&host_resources_types::HR_STORAGE_NETWORK_DISK, "1.3.6.1.2.1.25.2.1.10"),
        (&ucd_snmp_mib::DSK_USED_HIGH, "1.3.6.1.4.1.2021.9.1.16"),
        (&ucd_snmp_mib::LA_LOAD_FLOAT, "1.3.6.1.4.1.2021.10.1.6"),
        (&ucd_snmp_mib::SS_CPU_RAW_IDLE, "1.3.6.1.4.1.2021.11.53"),
        (&framework_mib::SNMP_ENGINE_ID, "1.3.6.1.6.3.10.2.1.1"),
        (&mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS, "1.3.6.1.6.3.11.2.1.3"),
        (&target_mib::SNMP_UNKNOWN_CONTEXTS, "1.3.6.1.6.3.12.1.5"),
        (&notification_mib::SNMP_NOTIFY_FILTER_MASK, "1.3.6.1.6.3.13.1.3.1.2"),
        (&usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS, "1.3.6.1.6.3.15.1.1.4"),
        (&usm_mib::USM_USER_STATUS, "1.3.6.1.6.3.15.1.2.2.1.13"),
        (&usm_aes_mib::USM_AES_CFB128_PROTOCOL, "1.3.6.1.6.3.10.1.2.4"),
        (&usm_hmac_sha2_mib::USM_HMAC384_SHA512_AUTH_PROTOCOL, "1.3.6.1.6.3.10.1.1.7"),
        (&usm_vendor::eso::USM_AES_CFB256_PRIV_PROTOCOL, "1.3.6.1.4.1.14832.1.4"),
        (&usm_vendor::cisco::CUSM_AES_CFB256_PRIV_PROTOCOL, "1.3.6.1.4.1.9.12.6.1.2"),
        (&vacm_mib::VACM_ACCESS_STATUS, "1.3.6.1.6.3.16.1.4.1.9"),
        (&vacm_mib::VACM_VIEW_TREE_FAMILY_STATUS, "1.3.6.1.6.3.16.1.5.2.1.6"),
        (&community_mib::SNMP_TRAP_COMMUNITY, "1.3.6.1.6.3.18.1.4"),
        (&community_mib::SNMP_TARGET_ADDR_MMS, "1.3.6.1.6.3.18.1.2.1.2"),
        (&snmpv2_tm::SNMP_UDP_DOMAIN, "1.3.6.1.6.1.1"),
        (&transport_address_mib::TRANSPORT_DOMAIN_TCP_IPV6, "1.3.6.1.2.1.100.1.6"),
    ];
    for (object, expected) in cases {
        assert_eq!(display_arcs(&object.oid()).to_string(), *expected, "{object:?}");
    }
}
