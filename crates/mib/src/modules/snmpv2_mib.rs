//! The managed system and the SNMP entity (SNMPv2-MIB, RFC 3418).

use super::{
    snmpv2_smi::{MIB_2, SNMP_MODULES},
    snmpv2_tc::{DISPLAY_STRING, TEST_AND_INCR, TIME_STAMP},
};
use crate::{Module, define::*, object::Index};

/// Definitions of SNMPv2-MIB.
pub static MODULE: Module = Module {
    name: "SNMPv2-MIB",
    last_updated: "200210160000Z",
    reference: "RFC 3418",
    description: "The managed system and its SNMP entity.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// The managed system and its SNMP entity.
    SNMP_MIB = module_identity("snmpMIB", &SNMP_MODULES, 1);
    /// Objects of this module.
    SNMP_MIB_OBJECTS = node("snmpMIBObjects", &SNMP_MIB, 1);

    /// Objects of the managed system.
    SYSTEM = node("system", &MIB_2, 1);
    /// A description of the system: hardware, operating system, software.
    SYS_DESCR = scalar("sysDescr", &SYSTEM, 1, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadOnly);
    /// The identifier of the system type, below the manufacturer's enterprise number.
    SYS_OBJECT_ID = scalar("sysObjectID", &SYSTEM, 2, OBJECT_ID, ReadOnly);
    /// The time since the management part of the system was last restarted, in hundredths of a
    /// second.
    SYS_UP_TIME = scalar("sysUpTime", &SYSTEM, 3, TIME_TICKS, ReadOnly);
    /// The contact person for the system, and how to reach them.
    SYS_CONTACT = scalar("sysContact", &SYSTEM, 4, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadWrite);
    /// The name of the system; by convention its domain name.
    SYS_NAME = scalar("sysName", &SYSTEM, 5, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadWrite);
    /// The physical location of the system.
    SYS_LOCATION = scalar("sysLocation", &SYSTEM, 6, tc(&DISPLAY_STRING).limited(&[(0, 255)]), ReadWrite);
    /// The layers at which the system offers services, as a sum: each layer N adds 2 to the power
    /// of N - 1.
    SYS_SERVICES = scalar("sysServices", &SYSTEM, 7, INTEGER32.limited(&[(0, 127)]), ReadOnly);
    /// The time when sysORTable last changed.
    SYS_OR_LAST_CHANGE = scalar("sysORLastChange", &SYSTEM, 8, tc(&TIME_STAMP), ReadOnly);
    /// The MIB modules that the system supports.
    SYS_OR_TABLE = table("sysORTable", &SYSTEM, 9);
    /// One supported module.
    SYS_OR_ENTRY = row("sysOREntry", &SYS_OR_TABLE, Index::Objects(&[&SYS_OR_INDEX]));
    /// The index of the row.
    SYS_OR_INDEX = column("sysORIndex", &SYS_OR_ENTRY, 1, INTEGER32.limited(POSITIVE), NotAccessible);
    /// The identifier of the module or of a capability statement.
    SYS_OR_ID = column("sysORID", &SYS_OR_ENTRY, 2, OBJECT_ID, ReadOnly);
    /// A description of the module.
    SYS_OR_DESCR = column("sysORDescr", &SYS_OR_ENTRY, 3, tc(&DISPLAY_STRING), ReadOnly);
    /// The time when the row was added.
    SYS_OR_UP_TIME = column("sysORUpTime", &SYS_OR_ENTRY, 4, tc(&TIME_STAMP), ReadOnly);

    /// Counters of the SNMP entity.
    SNMP = node("snmp", &MIB_2, 11);
    /// Messages received from the transports.
    SNMP_IN_PKTS = scalar("snmpInPkts", &SNMP, 1, COUNTER32, ReadOnly);
    /// Messages passed to the transports.
    SNMP_OUT_PKTS = scalar("snmpOutPkts", &SNMP, 2, COUNTER32, ReadOnly).obsolete();
    /// Messages of an unsupported version.
    SNMP_IN_BAD_VERSIONS = scalar("snmpInBadVersions", &SNMP, 3, COUNTER32, ReadOnly);
    /// Messages with an unknown community.
    SNMP_IN_BAD_COMMUNITY_NAMES = scalar("snmpInBadCommunityNames", &SNMP, 4, COUNTER32, ReadOnly);
    /// Messages whose community does not allow the operation.
    SNMP_IN_BAD_COMMUNITY_USES = scalar("snmpInBadCommunityUses", &SNMP, 5, COUNTER32, ReadOnly);
    /// Messages that are not well-formed ASN.1 in BER.
    SNMP_IN_ASN_PARSE_ERRS = scalar("snmpInASNParseErrs", &SNMP, 6, COUNTER32, ReadOnly);
    /// Responses received with error-status tooBig.
    SNMP_IN_TOO_BIGS = scalar("snmpInTooBigs", &SNMP, 8, COUNTER32, ReadOnly).obsolete();
    /// Responses received with error-status noSuchName.
    SNMP_IN_NO_SUCH_NAMES = scalar("snmpInNoSuchNames", &SNMP, 9, COUNTER32, ReadOnly).obsolete();
    /// Responses received with error-status badValue.
    SNMP_IN_BAD_VALUES = scalar("snmpInBadValues", &SNMP, 10, COUNTER32, ReadOnly).obsolete();
    /// Responses received with error-status readOnly, which is a protocol error.
    SNMP_IN_READ_ONLYS = scalar("snmpInReadOnlys", &SNMP, 11, COUNTER32, ReadOnly).obsolete();
    /// Responses received with error-status genErr.
    SNMP_IN_GEN_ERRS = scalar("snmpInGenErrs", &SNMP, 12, COUNTER32, ReadOnly).obsolete();
    /// Objects read by requests.
    SNMP_IN_TOTAL_REQ_VARS = scalar("snmpInTotalReqVars", &SNMP, 13, COUNTER32, ReadOnly).obsolete();
    /// Objects changed by requests.
    SNMP_IN_TOTAL_SET_VARS = scalar("snmpInTotalSetVars", &SNMP, 14, COUNTER32, ReadOnly).obsolete();
    /// GetRequests processed.
    SNMP_IN_GET_REQUESTS = scalar("snmpInGetRequests", &SNMP, 15, COUNTER32, ReadOnly).obsolete();
    /// GetNextRequests processed.
    SNMP_IN_GET_NEXTS = scalar("snmpInGetNexts", &SNMP, 16, COUNTER32, ReadOnly).obsolete();
    /// SetRequests processed.
    SNMP_IN_SET_REQUESTS = scalar("snmpInSetRequests", &SNMP, 17, COUNTER32, ReadOnly).obsolete();
    /// Responses processed.
    SNMP_IN_GET_RESPONSES = scalar("snmpInGetResponses", &SNMP, 18, COUNTER32, ReadOnly).obsolete();
    /// Traps processed.
    SNMP_IN_TRAPS = scalar("snmpInTraps", &SNMP, 19, COUNTER32, ReadOnly).obsolete();
    /// Responses sent with error-status tooBig.
    SNMP_OUT_TOO_BIGS = scalar("snmpOutTooBigs", &SNMP, 20, COUNTER32, ReadOnly).obsolete();
    /// Responses sent with error-status noSuchName.
    SNMP_OUT_NO_SUCH_NAMES = scalar("snmpOutNoSuchNames", &SNMP, 21, COUNTER32, ReadOnly).obsolete();
    /// Responses sent with error-status badValue.
    SNMP_OUT_BAD_VALUES = scalar("snmpOutBadValues", &SNMP, 22, COUNTER32, ReadOnly).obsolete();
    /// Responses sent with error-status genErr.
    SNMP_OUT_GEN_ERRS = scalar("snmpOutGenErrs", &SNMP, 24, COUNTER32, ReadOnly).obsolete();
    /// GetRequests sent.
    SNMP_OUT_GET_REQUESTS = scalar("snmpOutGetRequests", &SNMP, 25, COUNTER32, ReadOnly).obsolete();
    /// GetNextRequests sent.
    SNMP_OUT_GET_NEXTS = scalar("snmpOutGetNexts", &SNMP, 26, COUNTER32, ReadOnly).obsolete();
    /// SetRequests sent.
    SNMP_OUT_SET_REQUESTS = scalar("snmpOutSetRequests", &SNMP, 27, COUNTER32, ReadOnly).obsolete();
    /// Responses sent.
    SNMP_OUT_GET_RESPONSES = scalar("snmpOutGetResponses", &SNMP, 28, COUNTER32, ReadOnly).obsolete();
    /// Traps sent.
    SNMP_OUT_TRAPS = scalar("snmpOutTraps", &SNMP, 29, COUNTER32, ReadOnly).obsolete();
    /// Enables or disables authenticationFailure notifications; survives restarts.
    SNMP_ENABLE_AUTHEN_TRAPS = scalar(
        "snmpEnableAuthenTraps", &SNMP, 30, enumeration(&[("enabled", 1), ("disabled", 2)]), ReadWrite);
    /// Confirmed requests dropped because even an empty response would have been too large.
    SNMP_SILENT_DROPS = scalar("snmpSilentDrops", &SNMP, 31, COUNTER32, ReadOnly);
    /// Confirmed requests dropped because a proxy could not forward them. Timeouts are not counted.
    SNMP_PROXY_DROPS = scalar("snmpProxyDrops", &SNMP, 32, COUNTER32, ReadOnly);

    /// Objects of every notification.
    SNMP_TRAP = node("snmpTrap", &SNMP_MIB_OBJECTS, 4);
    /// The identifier of a notification. It is the second variable of every notification.
    SNMP_TRAP_OID = scalar("snmpTrapOID", &SNMP_TRAP, 1, OBJECT_ID, AccessibleForNotify);
    /// The enterprise of a notification that was converted from an SNMPv1 trap. It is the last
    /// variable of the notification.
    SNMP_TRAP_ENTERPRISE = scalar("snmpTrapEnterprise", &SNMP_TRAP, 3, OBJECT_ID, AccessibleForNotify);
    /// The standard notifications.
    SNMP_TRAPS = node("snmpTraps", &SNMP_MIB_OBJECTS, 5);
    /// The entity has started and its configuration may have changed.
    COLD_START = notification("coldStart", &SNMP_TRAPS, 1, &[]);
    /// The entity has started with its configuration unchanged.
    WARM_START = notification("warmStart", &SNMP_TRAPS, 2, &[]);
    /// The entity has received a message that was not authenticated.
    AUTHENTICATION_FAILURE = notification("authenticationFailure", &SNMP_TRAPS, 5, &[]);
    /// Objects for coordination between managers.
    SNMP_SET = node("snmpSet", &SNMP_MIB_OBJECTS, 6);
    /// A lock with which managers coordinate their SETs.
    SNMP_SET_SERIAL_NO = scalar("snmpSetSerialNo", &SNMP_SET, 1, tc(&TEST_AND_INCR), ReadWrite);

    /// Conformance information of this module.
    SNMP_MIB_CONFORMANCE = node("snmpMIBConformance", &SNMP_MIB, 2);
    /// Compliance statements.
    SNMP_MIB_COMPLIANCES = node("snmpMIBCompliances", &SNMP_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_MIB_GROUPS = node("snmpMIBGroups", &SNMP_MIB_CONFORMANCE, 2);
    /// Requirements for SNMP entities before RFC 3418.
    SNMP_BASIC_COMPLIANCE = compliance(
        "snmpBasicCompliance", &SNMP_MIB_COMPLIANCES, 2,
        &[&SNMP_GROUP, &SNMP_SET_GROUP, &SYSTEM_GROUP, &SNMP_BASIC_NOTIFICATIONS_GROUP],
        &[&SNMP_COMMUNITY_GROUP],
    ).deprecated();
    /// Requirements for SNMP entities.
    SNMP_BASIC_COMPLIANCE_REV2 = compliance(
        "snmpBasicComplianceRev2", &SNMP_MIB_COMPLIANCES, 3,
        &[&SNMP_GROUP, &SNMP_SET_GROUP, &SYSTEM_GROUP, &SNMP_BASIC_NOTIFICATIONS_GROUP],
        &[&SNMP_COMMUNITY_GROUP, &SNMP_WARM_START_NOTIFICATION_GROUP],
    );
    /// The lock with which managers coordinate their SETs.
    SNMP_SET_GROUP = group("snmpSetGroup", &SNMP_MIB_GROUPS, 5, &[&SNMP_SET_SERIAL_NO]);
    /// Objects of the managed system.
    SYSTEM_GROUP = group("systemGroup", &SNMP_MIB_GROUPS, 6, &[
        &SYS_DESCR, &SYS_OBJECT_ID, &SYS_UP_TIME, &SYS_CONTACT, &SYS_NAME, &SYS_LOCATION, &SYS_SERVICES,
        &SYS_OR_LAST_CHANGE, &SYS_OR_ID, &SYS_OR_UP_TIME, &SYS_OR_DESCR,
    ]);
    /// Notifications of every entity.
    SNMP_BASIC_NOTIFICATIONS_GROUP = notification_group(
        "snmpBasicNotificationsGroup", &SNMP_MIB_GROUPS, 7, &[&COLD_START, &AUTHENTICATION_FAILURE]);
    /// Counters of every entity.
    SNMP_GROUP = group("snmpGroup", &SNMP_MIB_GROUPS, 8, &[
        &SNMP_IN_PKTS, &SNMP_IN_BAD_VERSIONS, &SNMP_IN_ASN_PARSE_ERRS, &SNMP_SILENT_DROPS, &SNMP_PROXY_DROPS,
        &SNMP_ENABLE_AUTHEN_TRAPS,
    ]);
    /// Counters of entities that accept communities.
    SNMP_COMMUNITY_GROUP = group("snmpCommunityGroup", &SNMP_MIB_GROUPS, 9, &[
        &SNMP_IN_BAD_COMMUNITY_NAMES, &SNMP_IN_BAD_COMMUNITY_USES,
    ]);
    /// Counters that are no longer needed.
    SNMP_OBSOLETE_GROUP = group("snmpObsoleteGroup", &SNMP_MIB_GROUPS, 10, &[
        &SNMP_OUT_PKTS, &SNMP_IN_TOO_BIGS, &SNMP_IN_NO_SUCH_NAMES, &SNMP_IN_BAD_VALUES, &SNMP_IN_READ_ONLYS,
        &SNMP_IN_GEN_ERRS, &SNMP_IN_TOTAL_REQ_VARS, &SNMP_IN_TOTAL_SET_VARS, &SNMP_IN_GET_REQUESTS,
        &SNMP_IN_GET_NEXTS, &SNMP_IN_SET_REQUESTS, &SNMP_IN_GET_RESPONSES, &SNMP_IN_TRAPS, &SNMP_OUT_TOO_BIGS,
        &SNMP_OUT_NO_SUCH_NAMES, &SNMP_OUT_BAD_VALUES, &SNMP_OUT_GEN_ERRS, &SNMP_OUT_GET_REQUESTS,
        &SNMP_OUT_GET_NEXTS, &SNMP_OUT_SET_REQUESTS, &SNMP_OUT_GET_RESPONSES, &SNMP_OUT_TRAPS,
    ]).obsolete();
    /// Notifications of entities that keep their configuration over restarts.
    SNMP_WARM_START_NOTIFICATION_GROUP = notification_group(
        "snmpWarmStartNotificationGroup", &SNMP_MIB_GROUPS, 11, &[&WARM_START]);
    /// Objects of entities that send notifications.
    SNMP_NOTIFICATION_GROUP = group("snmpNotificationGroup", &SNMP_MIB_GROUPS, 12, &[
        &SNMP_TRAP_OID, &SNMP_TRAP_ENTERPRISE,
    ]);
}
