//! The targets of messages and their parameters (SNMP-TARGET-MIB, RFC 3413).

use super::{
    framework_mib::{
        SNMP_ADMIN_STRING, SNMP_MESSAGE_PROCESSING_MODEL, SNMP_SECURITY_LEVEL, SNMP_SECURITY_MODEL,
    },
    snmpv2_smi::SNMP_MODULES,
    snmpv2_tc::{ROW_STATUS, STORAGE_TYPE, T_ADDRESS, T_DOMAIN, TEST_AND_INCR, TIME_INTERVAL},
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of SNMP-TARGET-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-TARGET-MIB",
    last_updated: "200210140000Z",
    reference: "RFC 3413",
    description: "The targets of messages, and the parameters of messages to them.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// A tag that selects targets: text without white space.
    SNMP_TAG_VALUE = convention("SnmpTagValue", OCTETS.limited(&[(0, 255)])).hint("255t");
    /// A list of tags, separated by white space.
    SNMP_TAG_LIST = convention("SnmpTagList", OCTETS.limited(&[(0, 255)])).hint("255t");
}

objects! {
    /// Targets of messages.
    SNMP_TARGET_MIB = module_identity("snmpTargetMIB", &SNMP_MODULES, 12);
    /// Objects of this module.
    SNMP_TARGET_OBJECTS = node("snmpTargetObjects", &SNMP_TARGET_MIB, 1);
    /// Conformance information of this module.
    SNMP_TARGET_CONFORMANCE = node("snmpTargetConformance", &SNMP_TARGET_MIB, 3);

    /// A lock for managers that change targets.
    SNMP_TARGET_SPIN_LOCK = scalar("snmpTargetSpinLock", &SNMP_TARGET_OBJECTS, 1, tc(&TEST_AND_INCR), ReadWrite);
    /// Transport addresses that messages are sent to.
    SNMP_TARGET_ADDR_TABLE = table("snmpTargetAddrTable", &SNMP_TARGET_OBJECTS, 2);
    /// One address to which messages are sent.
    SNMP_TARGET_ADDR_ENTRY = row(
        "snmpTargetAddrEntry", &SNMP_TARGET_ADDR_TABLE, Index::Implied(&[&SNMP_TARGET_ADDR_NAME]));
    /// The name of the address.
    SNMP_TARGET_ADDR_NAME = column(
        "snmpTargetAddrName", &SNMP_TARGET_ADDR_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The transport domain of the address.
    SNMP_TARGET_ADDR_T_DOMAIN = column(
        "snmpTargetAddrTDomain", &SNMP_TARGET_ADDR_ENTRY, 2, tc(&T_DOMAIN), ReadCreate);
    /// The address, in the form of snmpTargetAddrTDomain.
    SNMP_TARGET_ADDR_T_ADDRESS = column(
        "snmpTargetAddrTAddress", &SNMP_TARGET_ADDR_ENTRY, 3, tc(&T_ADDRESS), ReadCreate);
    /// The response timeout, in hundredths of a second.
    SNMP_TARGET_ADDR_TIMEOUT = column(
        "snmpTargetAddrTimeout", &SNMP_TARGET_ADDR_ENTRY, 4, tc(&TIME_INTERVAL), ReadCreate).default(Number(1500));
    /// The maximum number of retransmissions if no response arrives.
    SNMP_TARGET_ADDR_RETRY_COUNT = column(
        "snmpTargetAddrRetryCount", &SNMP_TARGET_ADDR_ENTRY, 5, INTEGER32.limited(&[(0, 255)]), ReadCreate)
        .default(Number(3));
    /// The tags that select the address.
    SNMP_TARGET_ADDR_TAG_LIST = column(
        "snmpTargetAddrTagList", &SNMP_TARGET_ADDR_ENTRY, 6, tc(&SNMP_TAG_LIST), ReadCreate).default(Text(""));
    /// The row of snmpTargetParamsTable with the parameters of messages to the address.
    SNMP_TARGET_ADDR_PARAMS = column(
        "snmpTargetAddrParams", &SNMP_TARGET_ADDR_ENTRY, 7,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), ReadCreate);
    /// The storage type of the row.
    SNMP_TARGET_ADDR_STORAGE_TYPE = column(
        "snmpTargetAddrStorageType", &SNMP_TARGET_ADDR_ENTRY, 8, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with a transport domain, an address and
    /// parameters.
    SNMP_TARGET_ADDR_ROW_STATUS = column(
        "snmpTargetAddrRowStatus", &SNMP_TARGET_ADDR_ENTRY, 9, tc(&ROW_STATUS), ReadCreate);
    /// Parameters of messages: version, security model, name and level.
    SNMP_TARGET_PARAMS_TABLE = table("snmpTargetParamsTable", &SNMP_TARGET_OBJECTS, 3);
    /// One set of parameters.
    SNMP_TARGET_PARAMS_ENTRY = row(
        "snmpTargetParamsEntry", &SNMP_TARGET_PARAMS_TABLE, Index::Implied(&[&SNMP_TARGET_PARAMS_NAME]));
    /// The name of the parameters.
    SNMP_TARGET_PARAMS_NAME = column(
        "snmpTargetParamsName", &SNMP_TARGET_PARAMS_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The message processing model, which is the SNMP version.
    SNMP_TARGET_PARAMS_MP_MODEL = column(
        "snmpTargetParamsMPModel", &SNMP_TARGET_PARAMS_ENTRY, 2, tc(&SNMP_MESSAGE_PROCESSING_MODEL), ReadCreate);
    /// The security model of the messages.
    SNMP_TARGET_PARAMS_SECURITY_MODEL = column(
        "snmpTargetParamsSecurityModel", &SNMP_TARGET_PARAMS_ENTRY, 3,
        tc(&SNMP_SECURITY_MODEL).limited(POSITIVE), ReadCreate);
    /// The security name on whose behalf messages are sent.
    SNMP_TARGET_PARAMS_SECURITY_NAME = column(
        "snmpTargetParamsSecurityName", &SNMP_TARGET_PARAMS_ENTRY, 4, tc(&SNMP_ADMIN_STRING), ReadCreate);
    /// The security level: no authentication, authentication, or authentication and encryption.
    SNMP_TARGET_PARAMS_SECURITY_LEVEL = column(
        "snmpTargetParamsSecurityLevel", &SNMP_TARGET_PARAMS_ENTRY, 5, tc(&SNMP_SECURITY_LEVEL), ReadCreate);
    /// The storage type of the row.
    SNMP_TARGET_PARAMS_STORAGE_TYPE = column(
        "snmpTargetParamsStorageType", &SNMP_TARGET_PARAMS_ENTRY, 6, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with both models, a name and a level.
    SNMP_TARGET_PARAMS_ROW_STATUS = column(
        "snmpTargetParamsRowStatus", &SNMP_TARGET_PARAMS_ENTRY, 7, tc(&ROW_STATUS), ReadCreate);
    /// Messages dropped because their context is currently unavailable.
    SNMP_UNAVAILABLE_CONTEXTS = scalar(
        "snmpUnavailableContexts", &SNMP_TARGET_OBJECTS, 4, COUNTER32, ReadOnly);
    /// Messages dropped because their context is unknown.
    SNMP_UNKNOWN_CONTEXTS = scalar("snmpUnknownContexts", &SNMP_TARGET_OBJECTS, 5, COUNTER32, ReadOnly);

    /// Compliance statements.
    SNMP_TARGET_COMPLIANCES = node("snmpTargetCompliances", &SNMP_TARGET_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_TARGET_GROUPS = node("snmpTargetGroups", &SNMP_TARGET_CONFORMANCE, 2);
    /// Requirements for command responders.
    SNMP_TARGET_COMMAND_RESPONDER_COMPLIANCE = compliance(
        "snmpTargetCommandResponderCompliance", &SNMP_TARGET_COMPLIANCES, 1,
        &[&SNMP_TARGET_COMMAND_RESPONDER_GROUP], &[]);
    /// Objects of the targets of unconfirmed messages.
    SNMP_TARGET_BASIC_GROUP = group("snmpTargetBasicGroup", &SNMP_TARGET_GROUPS, 1, &[
        &SNMP_TARGET_SPIN_LOCK, &SNMP_TARGET_ADDR_T_DOMAIN, &SNMP_TARGET_ADDR_T_ADDRESS,
        &SNMP_TARGET_ADDR_TAG_LIST, &SNMP_TARGET_ADDR_PARAMS, &SNMP_TARGET_ADDR_STORAGE_TYPE,
        &SNMP_TARGET_ADDR_ROW_STATUS, &SNMP_TARGET_PARAMS_MP_MODEL, &SNMP_TARGET_PARAMS_SECURITY_MODEL,
        &SNMP_TARGET_PARAMS_SECURITY_NAME, &SNMP_TARGET_PARAMS_SECURITY_LEVEL,
        &SNMP_TARGET_PARAMS_STORAGE_TYPE, &SNMP_TARGET_PARAMS_ROW_STATUS,
    ]);
    /// Additional objects of the targets of confirmed messages.
    SNMP_TARGET_RESPONSE_GROUP = group("snmpTargetResponseGroup", &SNMP_TARGET_GROUPS, 2, &[
        &SNMP_TARGET_ADDR_TIMEOUT, &SNMP_TARGET_ADDR_RETRY_COUNT,
    ]);
    /// Counters of a command responder.
    SNMP_TARGET_COMMAND_RESPONDER_GROUP = group("snmpTargetCommandResponderGroup", &SNMP_TARGET_GROUPS, 3, &[
        &SNMP_UNAVAILABLE_CONTEXTS, &SNMP_UNKNOWN_CONTEXTS,
    ]);
}
