//! The Transport Security Model (SNMP-TSM-MIB, RFC 5591).

use super::{snmpv2_smi::MIB_2, snmpv2_tc::TRUTH_VALUE};
use crate::{Module, define::*, object::DefaultValue::*};

/// Definitions of SNMP-TSM-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-TSM-MIB",
    last_updated: "200906090000Z",
    reference: "RFC 5591",
    description: "The Transport Security Model: its counters, and the prefixes of security names.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// The Transport Security Model.
    SNMP_TSM_MIB = module_identity("snmpTsmMIB", &MIB_2, 190);
    /// Notifications of this module; there are none.
    SNMP_TSM_NOTIFICATIONS = node("snmpTsmNotifications", &SNMP_TSM_MIB, 0);
    /// Objects of this module.
    SNMP_TSM_MIB_OBJECTS = node("snmpTsmMIBObjects", &SNMP_TSM_MIB, 1);
    /// Conformance information of this module.
    SNMP_TSM_CONFORMANCE = node("snmpTsmConformance", &SNMP_TSM_MIB, 2);

    /// Counters of the Transport Security Model.
    SNMP_TSM_STATS = node("snmpTsmStats", &SNMP_TSM_MIB_OBJECTS, 1);
    /// Messages dropped because their transport supplied no authenticated name.
    SNMP_TSM_INVALID_CACHES = scalar("snmpTsmInvalidCaches", &SNMP_TSM_STATS, 1, COUNTER32, ReadOnly);
    /// Messages dropped because the security level of their session is lower than requested.
    SNMP_TSM_INADEQUATE_SECURITY_LEVELS = scalar(
        "snmpTsmInadequateSecurityLevels", &SNMP_TSM_STATS, 2, COUNTER32, ReadOnly);
    /// Messages dropped because their transport has no known prefix although prefixes are in use.
    SNMP_TSM_UNKNOWN_PREFIXES = scalar("snmpTsmUnknownPrefixes", &SNMP_TSM_STATS, 3, COUNTER32, ReadOnly);
    /// Messages not sent because their security name lacks the prefix of the transport.
    SNMP_TSM_INVALID_PREFIXES = scalar("snmpTsmInvalidPrefixes", &SNMP_TSM_STATS, 4, COUNTER32, ReadOnly);

    /// Settings of the Transport Security Model.
    SNMP_TSM_CONFIGURATION = node("snmpTsmConfiguration", &SNMP_TSM_MIB_OBJECTS, 2);
    /// True if security names are prefixed with their transport and a colon.
    SNMP_TSM_CONFIGURATION_USE_PREFIX = scalar(
        "snmpTsmConfigurationUsePrefix", &SNMP_TSM_CONFIGURATION, 1, tc(&TRUTH_VALUE), ReadWrite)
        .default(Label("false"));

    /// Compliance statements.
    SNMP_TSM_COMPLIANCES = node("snmpTsmCompliances", &SNMP_TSM_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_TSM_GROUPS = node("snmpTsmGroups", &SNMP_TSM_CONFORMANCE, 2);
    /// Requirements for engines with the Transport Security Model.
    SNMP_TSM_COMPLIANCE = compliance("snmpTsmCompliance", &SNMP_TSM_COMPLIANCES, 1, &[&SNMP_TSM_GROUP], &[]);
    /// All objects of this module.
    SNMP_TSM_GROUP = group("snmpTsmGroup", &SNMP_TSM_GROUPS, 2, &[
        &SNMP_TSM_INVALID_CACHES, &SNMP_TSM_INADEQUATE_SECURITY_LEVELS, &SNMP_TSM_UNKNOWN_PREFIXES,
        &SNMP_TSM_INVALID_PREFIXES, &SNMP_TSM_CONFIGURATION_USE_PREFIX,
    ]);
}
