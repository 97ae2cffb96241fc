//! Users and their keys (SNMP-USER-BASED-SM-MIB, RFC 3414).

use super::{
    framework_mib::{SNMP_ADMIN_STRING, SNMP_AUTH_PROTOCOLS, SNMP_ENGINE_ID_TC, SNMP_PRIV_PROTOCOLS},
    snmpv2_smi::SNMP_MODULES,
    snmpv2_tc::{AUTONOMOUS_TYPE, ROW_POINTER, ROW_STATUS, STORAGE_TYPE, TEST_AND_INCR},
};
use crate::{
    Module,
    define::*,
    object::{
        DefaultValue::{self, *},
        Index,
    },
};

/// Definitions of SNMP-USER-BASED-SM-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-USER-BASED-SM-MIB",
    last_updated: "200210160000Z",
    reference: "RFC 3414",
    description: "The User-based Security Model: users, keys and counters.",
    conventions: CONVENTIONS,
    objects: OBJECTS,
};

conventions! {
    /// Changes a key without showing it: a random value, then the new key xor-ed with hashes of the old key and the
    /// random value.
    KEY_CHANGE = convention("KeyChange", OCTETS);
}

objects! {
    /// The User-based Security Model.
    SNMP_USM_MIB = module_identity("snmpUsmMIB", &SNMP_MODULES, 15);
    /// Objects of this module.
    USM_MIB_OBJECTS = node("usmMIBObjects", &SNMP_USM_MIB, 1);
    /// Conformance to this module.
    USM_MIB_CONFORMANCE = node("usmMIBConformance", &SNMP_USM_MIB, 2);

    /// No authentication.
    USM_NO_AUTH_PROTOCOL = identity("usmNoAuthProtocol", &SNMP_AUTH_PROTOCOLS, 1);
    /// HMAC-MD5-96.
    USM_HMAC_MD5_AUTH_PROTOCOL = identity("usmHMACMD5AuthProtocol", &SNMP_AUTH_PROTOCOLS, 2);
    /// HMAC-SHA-96.
    USM_HMAC_SHA_AUTH_PROTOCOL = identity("usmHMACSHAAuthProtocol", &SNMP_AUTH_PROTOCOLS, 3);
    /// No encryption.
    USM_NO_PRIV_PROTOCOL = identity("usmNoPrivProtocol", &SNMP_PRIV_PROTOCOLS, 1);
    /// CBC-DES.
    USM_DES_PRIV_PROTOCOL = identity("usmDESPrivProtocol", &SNMP_PRIV_PROTOCOLS, 2);

    /// Counters.
    USM_STATS = node("usmStats", &USM_MIB_OBJECTS, 1);
    /// Packets dropped because their securityLevel is unknown or the user cannot have it.
    USM_STATS_UNSUPPORTED_SEC_LEVELS = scalar(
        "usmStatsUnsupportedSecLevels", &USM_STATS, 1, COUNTER32, ReadOnly);
    /// Packets dropped because they are outside this engine's time window.
    USM_STATS_NOT_IN_TIME_WINDOWS = scalar("usmStatsNotInTimeWindows", &USM_STATS, 2, COUNTER32, ReadOnly);
    /// Packets dropped because their user is unknown here.
    USM_STATS_UNKNOWN_USER_NAMES = scalar("usmStatsUnknownUserNames", &USM_STATS, 3, COUNTER32, ReadOnly);
    /// Packets dropped because their engineID is unknown here.
    USM_STATS_UNKNOWN_ENGINE_IDS = scalar("usmStatsUnknownEngineIDs", &USM_STATS, 4, COUNTER32, ReadOnly);
    /// Packets dropped because their digest is not what it should be.
    USM_STATS_WRONG_DIGESTS = scalar("usmStatsWrongDigests", &USM_STATS, 5, COUNTER32, ReadOnly);
    /// Packets dropped because they cannot be decrypted.
    USM_STATS_DECRYPTION_ERRORS = scalar("usmStatsDecryptionErrors", &USM_STATS, 6, COUNTER32, ReadOnly);

    /// Users.
    USM_USER = node("usmUser", &USM_MIB_OBJECTS, 2);
    /// A lock for managers that change users.
    USM_USER_SPIN_LOCK = scalar("usmUserSpinLock", &USM_USER, 1, tc(&TEST_AND_INCR), ReadWrite);
    /// Users of this engine, and its own names at other engines.
    USM_USER_TABLE = table("usmUserTable", &USM_USER, 2);
    /// One user at one engine.
    USM_USER_ENTRY = row("usmUserEntry", &USM_USER_TABLE, Index::Objects(&[&USM_USER_ENGINE_ID, &USM_USER_NAME]));
    /// The engine that is authoritative for the user: this one where the user sends requests to us.
    USM_USER_ENGINE_ID = column("usmUserEngineID", &USM_USER_ENTRY, 1, tc(&SNMP_ENGINE_ID_TC), NotAccessible);
    /// The user's name in messages.
    USM_USER_NAME = column(
        "usmUserName", &USM_USER_ENTRY, 2, tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The user's name for access control; the same as usmUserName.
    USM_USER_SECURITY_NAME = column(
        "usmUserSecurityName", &USM_USER_ENTRY, 3, tc(&SNMP_ADMIN_STRING), ReadOnly);
    /// The row whose protocols and keys a new user starts with; reads as zeroDotZero.
    USM_USER_CLONE_FROM = column("usmUserCloneFrom", &USM_USER_ENTRY, 4, tc(&ROW_POINTER), ReadCreate);
    /// How the user's messages are authenticated; may be set back to none.
    USM_USER_AUTH_PROTOCOL = column(
        "usmUserAuthProtocol", &USM_USER_ENTRY, 5, tc(&AUTONOMOUS_TYPE), ReadCreate)
        .default(DefaultValue::Object(&USM_NO_AUTH_PROTOCOL));
    /// Changes the authentication key; reads as empty.
    USM_USER_AUTH_KEY_CHANGE = column(
        "usmUserAuthKeyChange", &USM_USER_ENTRY, 6, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// Changes the requester's own authentication key; reads as empty.
    USM_USER_OWN_AUTH_KEY_CHANGE = column(
        "usmUserOwnAuthKeyChange", &USM_USER_ENTRY, 7, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// How the user's messages are encrypted; may be set back to none.
    USM_USER_PRIV_PROTOCOL = column(
        "usmUserPrivProtocol", &USM_USER_ENTRY, 8, tc(&AUTONOMOUS_TYPE), ReadCreate)
        .default(DefaultValue::Object(&USM_NO_PRIV_PROTOCOL));
    /// Changes the privacy key; reads as empty.
    USM_USER_PRIV_KEY_CHANGE = column(
        "usmUserPrivKeyChange", &USM_USER_ENTRY, 9, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// Changes the requester's own privacy key; reads as empty.
    USM_USER_OWN_PRIV_KEY_CHANGE = column(
        "usmUserOwnPrivKeyChange", &USM_USER_ENTRY, 10, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// A value that a manager writes with a key change, to see later whether the change took place.
    USM_USER_PUBLIC = column("usmUserPublic", &USM_USER_ENTRY, 11, OCTETS.limited(&[(0, 32)]), ReadCreate)
        .default(Octets(&[]));
    /// How the row is kept.
    USM_USER_STORAGE_TYPE = column("usmUserStorageType", &USM_USER_ENTRY, 12, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The row's life; active needs keys that have been cloned and changed.
    USM_USER_STATUS = column("usmUserStatus", &USM_USER_ENTRY, 13, tc(&ROW_STATUS), ReadCreate);

    /// Statements of conformance.
    USM_MIB_COMPLIANCES = node("usmMIBCompliances", &USM_MIB_CONFORMANCE, 1);
    /// Units of conformance.
    USM_MIB_GROUPS = node("usmMIBGroups", &USM_MIB_CONFORMANCE, 2);
    /// What an engine with USM has to show.
    USM_MIB_COMPLIANCE = compliance("usmMIBCompliance", &USM_MIB_COMPLIANCES, 1, &[&USM_MIB_BASIC_GROUP], &[]);
    /// Counters and users.
    USM_MIB_BASIC_GROUP = group("usmMIBBasicGroup", &USM_MIB_GROUPS, 1, &[
        &USM_STATS_UNSUPPORTED_SEC_LEVELS, &USM_STATS_NOT_IN_TIME_WINDOWS, &USM_STATS_UNKNOWN_USER_NAMES,
        &USM_STATS_UNKNOWN_ENGINE_IDS, &USM_STATS_WRONG_DIGESTS, &USM_STATS_DECRYPTION_ERRORS,
        &USM_USER_SPIN_LOCK, &USM_USER_SECURITY_NAME, &USM_USER_CLONE_FROM, &USM_USER_AUTH_PROTOCOL,
        &USM_USER_AUTH_KEY_CHANGE, &USM_USER_OWN_AUTH_KEY_CHANGE, &USM_USER_PRIV_PROTOCOL,
        &USM_USER_PRIV_KEY_CHANGE, &USM_USER_OWN_PRIV_KEY_CHANGE, &USM_USER_PUBLIC, &USM_USER_STORAGE_TYPE,
        &USM_USER_STATUS,
    ]);
}
