//! What communities stand for in SNMPv3's terms (SNMP-COMMUNITY-MIB, RFC 3584).

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
    description: "What the communities of SNMPv1 and SNMPv2c stand for.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Communities.
    SNMP_COMMUNITY_MIB = module_identity("snmpCommunityMIB", &SNMP_MODULES, 18);
    /// Objects of this module.
    SNMP_COMMUNITY_MIB_OBJECTS = node("snmpCommunityMIBObjects", &SNMP_COMMUNITY_MIB, 1);
    /// Conformance to this module.
    SNMP_COMMUNITY_MIB_CONFORMANCE = node("snmpCommunityMIBConformance", &SNMP_COMMUNITY_MIB, 2);

    /// Which security name and context a community stands for.
    SNMP_COMMUNITY_TABLE = table("snmpCommunityTable", &SNMP_COMMUNITY_MIB_OBJECTS, 1);
    /// One community.
    SNMP_COMMUNITY_ENTRY = row(
        "snmpCommunityEntry", &SNMP_COMMUNITY_TABLE, Index::Implied(&[&SNMP_COMMUNITY_INDEX]));
    /// Names the row.
    SNMP_COMMUNITY_INDEX = column(
        "snmpCommunityIndex", &SNMP_COMMUNITY_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The community.
    SNMP_COMMUNITY_NAME = column("snmpCommunityName", &SNMP_COMMUNITY_ENTRY, 2, OCTETS, ReadCreate);
    /// The security name it stands for.
    SNMP_COMMUNITY_SECURITY_NAME = column(
        "snmpCommunitySecurityName", &SNMP_COMMUNITY_ENTRY, 3,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), ReadCreate);
    /// The engine whose context it selects; by default this one.
    SNMP_COMMUNITY_CONTEXT_ENGINE_ID = column(
        "snmpCommunityContextEngineID", &SNMP_COMMUNITY_ENTRY, 4, tc(&SNMP_ENGINE_ID_TC), ReadCreate);
    /// The context it selects.
    SNMP_COMMUNITY_CONTEXT_NAME = column(
        "snmpCommunityContextName", &SNMP_COMMUNITY_ENTRY, 5,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadCreate).default(Octets(&[]));
    /// The tag of the addresses it is taken from and sent to; empty for any.
    SNMP_COMMUNITY_TRANSPORT_TAG = column(
        "snmpCommunityTransportTag", &SNMP_COMMUNITY_ENTRY, 6, tc(&SNMP_TAG_VALUE), ReadCreate)
        .default(Octets(&[]));
    /// How the row is kept.
    SNMP_COMMUNITY_STORAGE_TYPE = column(
        "snmpCommunityStorageType", &SNMP_COMMUNITY_ENTRY, 7, tc(&STORAGE_TYPE), ReadCreate);
    /// The row's life; active needs a community and a security name.
    SNMP_COMMUNITY_STATUS = column(
        "snmpCommunityStatus", &SNMP_COMMUNITY_ENTRY, 8, tc(&ROW_STATUS), ReadCreate);

    /// What snmpTargetAddrTable lacks for communities.
    SNMP_TARGET_ADDR_EXT_TABLE = table("snmpTargetAddrExtTable", &SNMP_COMMUNITY_MIB_OBJECTS, 2);
    /// What one target address lacks.
    SNMP_TARGET_ADDR_EXT_ENTRY = row(
        "snmpTargetAddrExtEntry", &SNMP_TARGET_ADDR_EXT_TABLE, Index::Augments(&SNMP_TARGET_ADDR_ENTRY));
    /// Which bits of an address have to agree with snmpTargetAddrTAddress; empty for all.
    SNMP_TARGET_ADDR_T_MASK = column(
        "snmpTargetAddrTMask", &SNMP_TARGET_ADDR_EXT_ENTRY, 1, OCTETS.limited(&[(0, 255)]), ReadCreate)
        .default(Octets(&[]));
    /// The longest message that may be sent there, in octets; 0 where it is not known.
    SNMP_TARGET_ADDR_MMS = column(
        "snmpTargetAddrMMS", &SNMP_TARGET_ADDR_EXT_ENTRY, 2,
        INTEGER32.limited(&[(0, 0), (484, 2147483647)]), ReadCreate).default(Number(484));
    /// The agent's address in an SNMPv1 trap that a proxy forwards.
    SNMP_TRAP_ADDRESS = scalar(
        "snmpTrapAddress", &SNMP_COMMUNITY_MIB_OBJECTS, 3, IP_ADDRESS, AccessibleForNotify);
    /// The community of an SNMPv1 trap that a proxy forwards.
    SNMP_TRAP_COMMUNITY = scalar(
        "snmpTrapCommunity", &SNMP_COMMUNITY_MIB_OBJECTS, 4, OCTETS, AccessibleForNotify);

    /// Statements of conformance.
    SNMP_COMMUNITY_MIB_COMPLIANCES = node("snmpCommunityMIBCompliances", &SNMP_COMMUNITY_MIB_CONFORMANCE, 1);
    /// Units of conformance.
    SNMP_COMMUNITY_MIB_GROUPS = node("snmpCommunityMIBGroups", &SNMP_COMMUNITY_MIB_CONFORMANCE, 2);
    /// What an engine that takes communities has to show.
    SNMP_COMMUNITY_MIB_COMPLIANCE = compliance(
        "snmpCommunityMIBCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 1, &[&SNMP_COMMUNITY_TABLE_GROUP], &[]);
    /// What a proxy that forwards SNMPv1 traps has to send.
    SNMP_PROXY_TRAP_FORWARD_COMPLIANCE = compliance(
        "snmpProxyTrapForwardCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 2,
        &[&SNMP_PROXY_TRAP_FORWARD_GROUP], &[]);
    /// For engines whose communities can be configured through SNMP.
    SNMP_COMMUNITY_MIB_FULL_COMPLIANCE = compliance(
        "snmpCommunityMIBFullCompliance", &SNMP_COMMUNITY_MIB_COMPLIANCES, 3, &[&SNMP_COMMUNITY_TABLE_GROUP], &[]);
    /// Communities.
    SNMP_COMMUNITY_TABLE_GROUP = group("snmpCommunityTableGroup", &SNMP_COMMUNITY_MIB_GROUPS, 1, &[
        &SNMP_COMMUNITY_NAME, &SNMP_COMMUNITY_SECURITY_NAME, &SNMP_COMMUNITY_CONTEXT_ENGINE_ID,
        &SNMP_COMMUNITY_CONTEXT_NAME, &SNMP_COMMUNITY_TRANSPORT_TAG, &SNMP_COMMUNITY_STORAGE_TYPE,
        &SNMP_COMMUNITY_STATUS, &SNMP_TARGET_ADDR_T_MASK, &SNMP_TARGET_ADDR_MMS,
    ]);
    /// Objects of forwarded traps.
    SNMP_PROXY_TRAP_FORWARD_GROUP = group("snmpProxyTrapForwardGroup", &SNMP_COMMUNITY_MIB_GROUPS, 3, &[
        &SNMP_TRAP_ADDRESS, &SNMP_TRAP_COMMUNITY,
    ]);
}
