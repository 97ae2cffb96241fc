//! Counters of message processing and dispatching (SNMP-MPD-MIB, RFC 3412).

use super::snmpv2_smi::SNMP_MODULES;
use crate::{Module, define::*};

/// Definitions of SNMP-MPD-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-MPD-MIB",
    last_updated: "200210140000Z",
    reference: "RFC 3412",
    description: "Counters of message processing and dispatching.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Message processing and dispatching.
    SNMP_MPD_MIB = module_identity("snmpMPDMIB", &SNMP_MODULES, 11);
    /// The registration point of this module; unused.
    SNMP_MPD_ADMIN = node("snmpMPDAdmin", &SNMP_MPD_MIB, 1);
    /// Objects of this module.
    SNMP_MPD_MIB_OBJECTS = node("snmpMPDMIBObjects", &SNMP_MPD_MIB, 2);
    /// Conformance information of this module.
    SNMP_MPD_MIB_CONFORMANCE = node("snmpMPDMIBConformance", &SNMP_MPD_MIB, 3);
    /// Counters of message processing and dispatching.
    SNMP_MPD_STATS = node("snmpMPDStats", &SNMP_MPD_MIB_OBJECTS, 1);
    /// Packets dropped because their security model is not supported.
    SNMP_UNKNOWN_SECURITY_MODELS = scalar("snmpUnknownSecurityModels", &SNMP_MPD_STATS, 1, COUNTER32, ReadOnly);
    /// Packets dropped because the message has invalid or inconsistent components.
    SNMP_INVALID_MSGS = scalar("snmpInvalidMsgs", &SNMP_MPD_STATS, 2, COUNTER32, ReadOnly);
    /// Packets dropped because no application has registered for their PDU.
    SNMP_UNKNOWN_PDU_HANDLERS = scalar("snmpUnknownPDUHandlers", &SNMP_MPD_STATS, 3, COUNTER32, ReadOnly);
    /// Compliance statements.
    SNMP_MPD_MIB_COMPLIANCES = node("snmpMPDMIBCompliances", &SNMP_MPD_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_MPD_MIB_GROUPS = node("snmpMPDMIBGroups", &SNMP_MPD_MIB_CONFORMANCE, 2);
    /// Requirements for SNMP engines.
    SNMP_MPD_COMPLIANCE = compliance("snmpMPDCompliance", &SNMP_MPD_MIB_COMPLIANCES, 1, &[&SNMP_MPD_GROUP], &[]);
    /// The counters of this module.
    SNMP_MPD_GROUP = group("snmpMPDGroup", &SNMP_MPD_MIB_GROUPS, 1, &[
        &SNMP_UNKNOWN_SECURITY_MODELS, &SNMP_INVALID_MSGS, &SNMP_UNKNOWN_PDU_HANDLERS,
    ]);
}
