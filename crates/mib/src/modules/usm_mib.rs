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
    /// Changes a key without revealing it: a random value, then the new key XORed with hashes of
    /// the old key and the random value.
    KEY_CHANGE = convention("KeyChange", OCTETS);
}

objects! {
    /// The User-based Security Model.
    SNMP_USM_MIB = module_identity("snmpUsmMIB", &SNMP_MODULES, 15);
    /// Objects of this module.
    USM_MIB_OBJECTS = node("usmMIBObjects", &SNMP_USM_MIB, 1);
    /// Conformance information of this module.
    USM_MIB_CONFORMANCE = node("usmMIBConformance", &SNMP_USM_MIB, 2);

    /// The identifier for messages without authentication.
    USM_NO_AUTH_PROTOCOL = identity("usmNoAuthProtocol", &SNMP_AUTH_PROTOCOLS, 1);
    /// The authentication protocol HMAC-MD5-96.
    USM_HMAC_MD5_AUTH_PROTOCOL = identity("usmHMACMD5AuthProtocol", &SNMP_AUTH_PROTOCOLS, 2);
    /// The authentication protocol HMAC-SHA-96.
    USM_HMAC_SHA_AUTH_PROTOCOL = identity("usmHMACSHAAuthProtocol", &SNMP_AUTH_PROTOCOLS, 3);
    /// The identifier for messages without encryption.
    USM_NO_PRIV_PROTOCOL = identity("usmNoPrivProtocol", &SNMP_PRIV_PROTOCOLS, 1);
    /// The privacy protocol CBC-DES.
    USM_DES_PRIV_PROTOCOL = identity("usmDESPrivProtocol", &SNMP_PRIV_PROTOCOLS, 2);

    /// Counters of the User-based Security Model.
    USM_STATS = node("usmStats", &USM_MIB_OBJECTS, 1);
    /// Packets dropped because their securityLevel is unknown or not available to the user.
    USM_STATS_UNSUPPORTED_SEC_LEVELS = scalar(
        "usmStatsUnsupportedSecLevels", &USM_STATS, 1, COUNTER32, ReadOnly);
    /// Packets dropped because they are outside this engine's time window.
    USM_STATS_NOT_IN_TIME_WINDOWS = scalar("usmStatsNotInTimeWindows", &USM_STATS, 2, COUNTER32, ReadOnly);
    /// Packets dropped because their user is unknown.
    USM_STATS_UNKNOWN_USER_NAMES = scalar("usmStatsUnknownUserNames", &USM_STATS, 3, COUNTER32, ReadOnly);
    /// Packets dropped because their engineID is unknown.
    USM_STATS_UNKNOWN_ENGINE_IDS = scalar("usmStatsUnknownEngineIDs", &USM_STATS, 4, COUNTER32, ReadOnly);
    /// Packets dropped because their digest is wrong.
    USM_STATS_WRONG_DIGESTS = scalar("usmStatsWrongDigests", &USM_STATS, 5, COUNTER32, ReadOnly);
    /// Packets dropped because they cannot be decrypted.
    USM_STATS_DECRYPTION_ERRORS = scalar("usmStatsDecryptionErrors", &USM_STATS, 6, COUNTER32, ReadOnly);

    /// Objects of users.
    USM_USER = node("usmUser", &USM_MIB_OBJECTS, 2);
    /// A lock for managers that change users.
    USM_USER_SPIN_LOCK = scalar("usmUserSpinLock", &USM_USER, 1, tc(&TEST_AND_INCR), ReadWrite);
    /// Users of this engine, and users with which it sends requests to other engines.
    USM_USER_TABLE = table("usmUserTable", &USM_USER, 2);
    /// One user at one engine.
    USM_USER_ENTRY = row("usmUserEntry", &USM_USER_TABLE, Index::Objects(&[&USM_USER_ENGINE_ID, &USM_USER_NAME]));
    /// The engine that is authoritative for the user: this engine if the user sends requests to it.
    USM_USER_ENGINE_ID = column("usmUserEngineID", &USM_USER_ENTRY, 1, tc(&SNMP_ENGINE_ID_TC), NotAccessible);
    /// The name of the user in messages.
    USM_USER_NAME = column(
        "usmUserName", &USM_USER_ENTRY, 2, tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The name of the user for access control; equal to usmUserName.
    USM_USER_SECURITY_NAME = column(
        "usmUserSecurityName", &USM_USER_ENTRY, 3, tc(&SNMP_ADMIN_STRING), ReadOnly);
    /// The row from which a new user's protocols and keys are cloned; always read as zeroDotZero.
    USM_USER_CLONE_FROM = column("usmUserCloneFrom", &USM_USER_ENTRY, 4, tc(&ROW_POINTER), ReadCreate);
    /// The authentication protocol of the user; may be reset to none.
    USM_USER_AUTH_PROTOCOL = column(
        "usmUserAuthProtocol", &USM_USER_ENTRY, 5, tc(&AUTONOMOUS_TYPE), ReadCreate)
        .default(DefaultValue::Object(&USM_NO_AUTH_PROTOCOL));
    /// Changes the authentication key; always read as empty.
    USM_USER_AUTH_KEY_CHANGE = column(
        "usmUserAuthKeyChange", &USM_USER_ENTRY, 6, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// Changes the requester's own authentication key; always read as empty.
    USM_USER_OWN_AUTH_KEY_CHANGE = column(
        "usmUserOwnAuthKeyChange", &USM_USER_ENTRY, 7, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// The privacy protocol of the user; may be reset to none.
    USM_USER_PRIV_PROTOCOL = column(
        "usmUserPrivProtocol", &USM_USER_ENTRY, 8, tc(&AUTONOMOUS_TYPE), ReadCreate)
        .default(DefaultValue::Object(&USM_NO_PRIV_PROTOCOL));
    /// Changes the privacy key; always read as empty.
    USM_USER_PRIV_KEY_CHANGE = column(
        "usmUserPrivKeyChange", &USM_USER_ENTRY, 9, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// Changes the requester's own privacy key; always read as empty.
    USM_USER_OWN_PRIV_KEY_CHANGE = column(
        "usmUserOwnPrivKeyChange", &USM_USER_ENTRY, 10, tc(&KEY_CHANGE), ReadCreate).default(Octets(&[]));
    /// A value that a manager writes together with a key change, to verify later that the change
    /// took effect.
    USM_USER_PUBLIC = column("usmUserPublic", &USM_USER_ENTRY, 11, OCTETS.limited(&[(0, 32)]), ReadCreate)
        .default(Octets(&[]));
    /// The storage type of the row.
    USM_USER_STORAGE_TYPE = column("usmUserStorageType", &USM_USER_ENTRY, 12, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only after keys have been cloned and changed.
    USM_USER_STATUS = column("usmUserStatus", &USM_USER_ENTRY, 13, tc(&ROW_STATUS), ReadCreate);

    /// Compliance statements.
    USM_MIB_COMPLIANCES = node("usmMIBCompliances", &USM_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    USM_MIB_GROUPS = node("usmMIBGroups", &USM_MIB_CONFORMANCE, 2);
    /// Requirements for engines with USM.
    USM_MIB_COMPLIANCE = compliance("usmMIBCompliance", &USM_MIB_COMPLIANCES, 1, &[&USM_MIB_BASIC_GROUP], &[]);
    /// Objects of the counters and users.
    USM_MIB_BASIC_GROUP = group("usmMIBBasicGroup", &USM_MIB_GROUPS, 1, &[
        &USM_STATS_UNSUPPORTED_SEC_LEVELS, &USM_STATS_NOT_IN_TIME_WINDOWS, &USM_STATS_UNKNOWN_USER_NAMES,
        &USM_STATS_UNKNOWN_ENGINE_IDS, &USM_STATS_WRONG_DIGESTS, &USM_STATS_DECRYPTION_ERRORS,
        &USM_USER_SPIN_LOCK, &USM_USER_SECURITY_NAME, &USM_USER_CLONE_FROM, &USM_USER_AUTH_PROTOCOL,
        &USM_USER_AUTH_KEY_CHANGE, &USM_USER_OWN_AUTH_KEY_CHANGE, &USM_USER_PRIV_PROTOCOL,
        &USM_USER_PRIV_KEY_CHANGE, &USM_USER_OWN_PRIV_KEY_CHANGE, &USM_USER_PUBLIC, &USM_USER_STORAGE_TYPE,
        &USM_USER_STATUS,
    ]);
}
