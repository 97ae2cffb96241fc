//! The identity of the engine, and the conventions of the SNMPv3 architecture (SNMP-FRAMEWORK-MIB,
//! RFC 3411).

use super::snmpv2_smi::SNMP_MODULES;
use crate::{Module, define::*};

/// Definitions of SNMP-FRAMEWORK-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-FRAMEWORK-MIB",
    last_updated: "200210140000Z",
    reference: "RFC 3411",
    description: "The identity of the SNMP engine, and the conventions of the architecture.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// The identifier of an SNMP engine, unique in an administrative domain.
    SNMP_ENGINE_ID_TC = convention("SnmpEngineID", OCTETS.limited(&[(5, 32)]));
    /// A security model: 0 any, 1 SNMPv1, 2 SNMPv2c, 3 USM, 4 TSM.
    SNMP_SECURITY_MODEL = convention("SnmpSecurityModel", INTEGER32.limited(NOT_NEGATIVE));
    /// A message processing model: 0 SNMPv1, 1 SNMPv2c, 3 SNMPv3.
    SNMP_MESSAGE_PROCESSING_MODEL = convention("SnmpMessageProcessingModel", INTEGER32.limited(NOT_NEGATIVE));
    /// The security level: no authentication, authentication, or authentication and encryption.
    SNMP_SECURITY_LEVEL = convention("SnmpSecurityLevel", enumeration(&[
        ("noAuthNoPriv", 1), ("authNoPriv", 2), ("authPriv", 3),
    ]));
    /// Human-readable text in UTF-8.
    SNMP_ADMIN_STRING = convention("SnmpAdminString", OCTETS.limited(&[(0, 255)])).hint("255t");
}

objects! {
    /// The architecture of SNMP management.
    SNMP_FRAMEWORK_MIB = module_identity("snmpFrameworkMIB", &SNMP_MODULES, 10);
    /// Registration points of protocols.
    SNMP_FRAMEWORK_ADMIN = node("snmpFrameworkAdmin", &SNMP_FRAMEWORK_MIB, 1);
    /// Objects of this module.
    SNMP_FRAMEWORK_MIB_OBJECTS = node("snmpFrameworkMIBObjects", &SNMP_FRAMEWORK_MIB, 2);
    /// Conformance information of this module.
    SNMP_FRAMEWORK_MIB_CONFORMANCE = node("snmpFrameworkMIBConformance", &SNMP_FRAMEWORK_MIB, 3);
    /// The node below which authentication protocols are identified.
    SNMP_AUTH_PROTOCOLS = identity("snmpAuthProtocols", &SNMP_FRAMEWORK_ADMIN, 1);
    /// The node below which privacy protocols are identified.
    SNMP_PRIV_PROTOCOLS = identity("snmpPrivProtocols", &SNMP_FRAMEWORK_ADMIN, 2);
    /// Objects of the SNMP engine.
    SNMP_ENGINE = node("snmpEngine", &SNMP_FRAMEWORK_MIB_OBJECTS, 1);
    /// The identifier of this engine, unique in its administrative domain.
    SNMP_ENGINE_ID = scalar("snmpEngineID", &SNMP_ENGINE, 1, tc(&SNMP_ENGINE_ID_TC), ReadOnly);
    /// The number of starts of the engine since snmpEngineID was last set.
    SNMP_ENGINE_BOOTS = scalar("snmpEngineBoots", &SNMP_ENGINE, 2, INTEGER32.limited(POSITIVE), ReadOnly);
    /// The time since snmpEngineBoots last changed.
    SNMP_ENGINE_TIME = scalar("snmpEngineTime", &SNMP_ENGINE, 3, INTEGER32.limited(NOT_NEGATIVE), ReadOnly)
        .units("seconds");
    /// The maximum size of messages that this engine can send or receive, in octets.
    SNMP_ENGINE_MAX_MESSAGE_SIZE = scalar(
        "snmpEngineMaxMessageSize", &SNMP_ENGINE, 4, INTEGER32.limited(&[(484, 2147483647)]), ReadOnly);
    /// Compliance statements.
    SNMP_FRAMEWORK_MIB_COMPLIANCES = node("snmpFrameworkMIBCompliances", &SNMP_FRAMEWORK_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_FRAMEWORK_MIB_GROUPS = node("snmpFrameworkMIBGroups", &SNMP_FRAMEWORK_MIB_CONFORMANCE, 2);
    /// Requirements for SNMP engines.
    SNMP_FRAMEWORK_MIB_COMPLIANCE = compliance(
        "snmpFrameworkMIBCompliance", &SNMP_FRAMEWORK_MIB_COMPLIANCES, 1, &[&SNMP_ENGINE_GROUP], &[]);
    /// Objects that describe the engine.
    SNMP_ENGINE_GROUP = group("snmpEngineGroup", &SNMP_FRAMEWORK_MIB_GROUPS, 1, &[
        &SNMP_ENGINE_ID, &SNMP_ENGINE_BOOTS, &SNMP_ENGINE_TIME, &SNMP_ENGINE_MAX_MESSAGE_SIZE,
    ]);
}
