//! The Secure Shell Transport Model (SNMP-SSH-TM-MIB, RFC 5592).

use super::snmpv2_smi::{MIB_2, SNMP_DOMAINS};
use crate::{Module, define::*};

/// Definitions of SNMP-SSH-TM-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-SSH-TM-MIB",
    last_updated: "200906090000Z",
    reference: "RFC 5592",
    description: "The Secure Shell Transport Model: its counters and its address format.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// A host and a port, optionally preceded by a user: user@host:5161, user@192.0.2.1:5161,
    /// `[2001:db8::1]:5161`.
    SNMP_SSH_ADDRESS = convention("SnmpSSHAddress", OCTETS.limited(&[(1, 255)])).hint("1a");
}

objects! {
    /// The Secure Shell Transport Model.
    SNMP_SSHTM_MIB = module_identity("snmpSshtmMIB", &MIB_2, 189);
    /// SNMP over Secure Shell; addresses are SnmpSSHAddress.
    SNMP_SSH_DOMAIN = identity("snmpSSHDomain", &SNMP_DOMAINS, 7);
    /// Notifications of this module; there are none.
    SNMP_SSHTM_NOTIFICATIONS = node("snmpSshtmNotifications", &SNMP_SSHTM_MIB, 0);
    /// Objects of this module.
    SNMP_SSHTM_OBJECTS = node("snmpSshtmObjects", &SNMP_SSHTM_MIB, 1);
    /// Conformance information of this module.
    SNMP_SSHTM_CONFORMANCE = node("snmpSshtmConformance", &SNMP_SSHTM_MIB, 2);

    /// Counters of sessions.
    SNMP_SSHTM_SESSION = node("snmpSshtmSession", &SNMP_SSHTM_OBJECTS, 1);
    /// Attempts of this engine to open a session as a client.
    SNMP_SSHTM_SESSION_OPENS = scalar("snmpSshtmSessionOpens", &SNMP_SSHTM_SESSION, 1, COUNTER32, ReadOnly);
    /// Attempts of this engine to close a session.
    SNMP_SSHTM_SESSION_CLOSES = scalar("snmpSshtmSessionCloses", &SNMP_SSHTM_SESSION, 2, COUNTER32, ReadOnly);
    /// Sessions that could not be opened.
    SNMP_SSHTM_SESSION_OPEN_ERRORS = scalar(
        "snmpSshtmSessionOpenErrors", &SNMP_SSHTM_SESSION, 3, COUNTER32, ReadOnly);
    /// Sessions that ended because the user could not be authenticated.
    SNMP_SSHTM_SESSION_USER_AUTH_FAILURES = scalar(
        "snmpSshtmSessionUserAuthFailures", &SNMP_SSHTM_SESSION, 4, COUNTER32, ReadOnly);
    /// Sessions that ended because no channel could be opened.
    SNMP_SSHTM_SESSION_NO_CHANNELS = scalar(
        "snmpSshtmSessionNoChannels", &SNMP_SSHTM_SESSION, 5, COUNTER32, ReadOnly);
    /// Sessions that ended because the subsystem could not be reached.
    SNMP_SSHTM_SESSION_NO_SUBSYSTEMS = scalar(
        "snmpSshtmSessionNoSubsystems", &SNMP_SSHTM_SESSION, 6, COUNTER32, ReadOnly);
    /// Messages not sent because their session no longer existed.
    SNMP_SSHTM_SESSION_NO_SESSIONS = scalar(
        "snmpSshtmSessionNoSessions", &SNMP_SSHTM_SESSION, 7, COUNTER32, ReadOnly);
    /// Messages not sent because the security model supplied incomplete session data.
    SNMP_SSHTM_SESSION_INVALID_CACHES = scalar(
        "snmpSshtmSessionInvalidCaches", &SNMP_SSHTM_SESSION, 8, COUNTER32, ReadOnly);

    /// Compliance statements.
    SNMP_SSHTM_COMPLIANCES = node("snmpSshtmCompliances", &SNMP_SSHTM_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_SSHTM_GROUPS = node("snmpSshtmGroups", &SNMP_SSHTM_CONFORMANCE, 2);
    /// Requirements for engines with the Secure Shell Transport Model.
    SNMP_SSHTM_COMPLIANCE = compliance(
        "snmpSshtmCompliance", &SNMP_SSHTM_COMPLIANCES, 1, &[&SNMP_SSHTM_GROUP], &[]);
    /// The counters of sessions.
    SNMP_SSHTM_GROUP = group("snmpSshtmGroup", &SNMP_SSHTM_GROUPS, 2, &[
        &SNMP_SSHTM_SESSION_OPENS, &SNMP_SSHTM_SESSION_CLOSES, &SNMP_SSHTM_SESSION_OPEN_ERRORS,
        &SNMP_SSHTM_SESSION_USER_AUTH_FAILURES, &SNMP_SSHTM_SESSION_NO_CHANNELS,
        &SNMP_SSHTM_SESSION_NO_SUBSYSTEMS, &SNMP_SSHTM_SESSION_NO_SESSIONS,
        &SNMP_SSHTM_SESSION_INVALID_CACHES,
    ]);
}
