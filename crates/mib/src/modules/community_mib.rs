//! Maps communities to SNMPv3 security parameters (SNMP-COMMUNITY-MIB, RFC 3584).

use super::{
    framework_mib::{SNMP_ADMIN_STRING, SNMP_ENGINE_ID_TC},
    snmpv2_smi::SNMP_MODULES,
    snmpv2_tc::{ROW_STATUS, STORAGE_TYPE},
    target_mib::{SNMP_TAG_VALUE, SNMP_TARGET_ADDR_ENTRY},
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of SNMP-COMMUNITY-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-COMMUNITY-MIB",
    last_updated: "200308060000Z",
    reference: "RFC 3584",
    description: "The mapping of SNMPv1 and SNMPv2c communities to security names and contexts.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Communities and the security names to which they are mapped.
    SNMP_COMMUNITY_MIB = module_identity("snmpCommunityMIB", &SNMP_MODULES, 18);
    /// Objects of this module.
    SNMP_COMMUNITY_MIB_OBJECTS = node("snmpCommunityMIBObjects", &SNMP_COMMUNITY_MIB, 1);
    /// Conformance information of this module.
    SNMP_COMMUNITY_MIB_CONFORMANCE = node("snmpCommunityMIBConformance", &SNMP_COMMUNITY_MIB, 2);

    /// Maps communities to security names and contexts.
    SNMP_COMMUNITY_TABLE = table("snmpCommunityTable", &SNMP_COMMUNITY_MIB_OBJECTS, 1);
    /// One community and the parameters to which it is mapped.
    SNMP_COMMUNITY_ENTRY = row(
        "snmpCommunityEntry", &SNMP_COMMUNITY_TABLE, Index::Implied(&[&SNMP_COMMUNITY_INDEX]));
    /// The name that identifies the row.
    SNMP_COMMUNITY_INDEX = column(
        "snmpCommunityIndex", &SNMP_COMMUNITY_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The community string.
    SNMP_COMMUNITY_NAME = column("snmpCommunityName", &SNMP_COMMUNITY_ENTRY, 2, OCTETS, ReadCreate);
    /// The security name of the community.
    SNMP_COMMUNITY_SECURITY_NAME = column(
        "snmpCommunitySecurityName", &SNMP_COMMUNITY_ENTRY, 3,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), ReadCreate);
    /// The engine ID of the context; by default that of this engine.
    SNMP_COMMUNITY_CONTEXT_ENGINE_ID = column(
        "snmpCommunityContextEngineID", &SNMP_COMMUNITY_ENTRY, 4, tc(&SNMP_ENGINE_ID_TC), ReadCreate);
    /// The name of the context to which requests with the community apply.
    SNMP_COMMUNITY_CONTEXT_NAME = column(
        "snmpCommunityContextName", &SNMP_COMMUNITY_ENTRY, 5,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadCreate).default(Octets(&[]));
    /// The tag of the addresses that may use the community; empty for any address.
    SNMP_COMMUNITY_TRANSPORT_TAG = column(
        "snmpCommunityTransportTag", &SNMP_COMMUNITY_ENTRY, 6, tc(&SNMP_TAG_VALUE), ReadCreate)
        .default(Octets(&[]));
    /// The storage type of the row.
    SNMP_COMMUNITY_STORAGE_TYPE = column(
        "snmpCommunityStorageType", &SNMP_COMMUNITY_ENTRY, 7, tc(&STORAGE_TYPE), ReadCreate);
    /// The status of the row. It can become active only with a community and a security name.
    SNMP_COMMUNITY_STATUS = column(
        "snmpCommunityStatus", &SNMP_COMMUNITY_ENTRY, 8, tc(&ROW_STATUS), ReadCreate);

    /// Additional columns of snmpTargetAddrTable for communities.
    SNMP_TARGET_ADDR_EXT_TABLE = table("snmpTargetAddrExtTable", &SNMP_COMMUNITY_MIB_OBJECTS, 2);
    /// The additional columns of one target address.
    SNMP_TARGET_ADDR_EXT_ENTRY = row(
        "snmpTargetAddrExtEntry", &SNMP_TARGET_ADDR_EXT_TABLE, Index::Augments(&SNMP_TARGET_ADDR_ENTRY));
    /// The bits of an address that must match snmpTargetAddrTAddress; empty for all bits.
    SNMP_TARGET_ADDR_T_MASK = column(
        "snmpTargetAddrTMask", &SNMP_TARGET_ADDR_EXT_ENTRY, 1, OCTETS.limited(&[(0, 255)]), ReadCreate)
        .default(Octets(&[]));
    /// The maximum size of messages to the address in octets; 0 if it is unknown.
    SNMP_TARGET_ADDR_MMS = column(
        "snmpTargetAddrMMS", &SNMP_TARGET_ADDR_EXT_ENTRY, 2,
        INTEGER32.limited(&[(0, 0), (484, 2147483647)]), ReadCreate).default(Number(484));
    /// The agent's address in an SNMPv1 trap that a proxy forwards.
    SNMP_TRAP_ADDRESS = scalar(
        "snmpTrapAddress", &SNMP_COMMUNITY_MIB_OBJECTS, 3, IP_ADDRESS, AccessibleForNotify);
    /// The community of an SNMPv1 trap that a proxy forwards.
    SNMP_TRAP_COMMUNITY = scalar(
        "snmpTrapCommunity", &SNMP_COMMUNITY_MIB_OBJECTS, 4, OCTETS, AccessibleForNotify);

    /// Compliance statements.
    SNMP_COMMUNITY_MIB_COMPLIANCES = node("snmpCommunityMIBCompliances", &SNMP_COMMUNITY_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_COMMUNITY_MIB_GROUPS = node("snmpCommunityMIBGroups", &SNMP_COMMUNITY_MIB_CONFORMANCE, 2);
    /// Requirements for engines that accept communities.
    SNMP_COMMUNITY_MIB_COMPLIANCE = compliance(
        "snmpCommunityMIBCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 1, &[&SNMP_COMMUNITY_TABLE_GROUP], &[]);
    /// Requirements for proxies that forward SNMPv1 traps.
    SNMP_PROXY_TRAP_FORWARD_COMPLIANCE = compliance(
        "snmpProxyTrapForwardCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 2,
        &[&SNMP_PROXY_TRAP_FORWARD_GROUP], &[]);
    /// Requirements for engines whose communities can be configured by SNMP.
    SNMP_COMMUNITY_MIB_FULL_COMPLIANCE = compliance(
        "snmpCommunityMIBFullCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 3, &[&SNMP_COMMUNITY_TABLE_GROUP], &[]);
    /// Objects that map communities.
    SNMP_COMMUNITY_TABLE_GROUP = group("snmpCommunityTableGroup", &SNMP_COMMUNITY_MIB_GROUPS, 1, &[
        &SNMP_COMMUNITY_NAME, &SNMP_COMMUNITY_SECURITY_NAME, &SNMP_COMMUNITY_CONTEXT_ENGINE_ID,
        &SNMP_COMMUNITY_CONTEXT_NAME, &SNMP_COMMUNITY_TRANSPORT_TAG, &SNMP_COMMUNITY_STORAGE_TYPE,
        &SNMP_COMMUNITY_STATUS, &SNMP_TARGET_ADDR_T_MASK, &SNMP_TARGET_ADDR_MMS,
    ]);
    /// Objects in traps that a proxy forwards.
    SNMP_PROXY_TRAP_FORWARD_GROUP = group("snmpProxyTrapForwardGroup", &SNMP_COMMUNITY_MIB_GROUPS, 3, &[
        &SNMP_TRAP_ADDRESS, &SNMP_TRAP_COMMUNITY,
    ]);
}
