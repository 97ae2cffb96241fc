//! The targets of notifications (SNMP-NOTIFICATION-MIB, RFC 3413).

use super::{
    framework_mib::SNMP_ADMIN_STRING,
    snmpv2_smi::SNMP_MODULES,
    snmpv2_tc::{ROW_STATUS, STORAGE_TYPE},
    target_mib::{
        SNMP_TAG_VALUE, SNMP_TARGET_BASIC_GROUP, SNMP_TARGET_PARAMS_NAME, SNMP_TARGET_RESPONSE_GROUP,
    },
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of SNMP-NOTIFICATION-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-NOTIFICATION-MIB",
    last_updated: "200210140000Z",
    reference: "RFC 3413",
    description: "The targets of notifications, and notification filters.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// Receivers of notifications.
    SNMP_NOTIFICATION_MIB = module_identity("snmpNotificationMIB", &SNMP_MODULES, 13);
    /// Objects of this module.
    SNMP_NOTIFY_OBJECTS = node("snmpNotifyObjects", &SNMP_NOTIFICATION_MIB, 1);
    /// Conformance information of this module.
    SNMP_NOTIFY_CONFORMANCE = node("snmpNotifyConformance", &SNMP_NOTIFICATION_MIB, 3);

    /// Groups of targets that receive notifications.
    SNMP_NOTIFY_TABLE = table("snmpNotifyTable", &SNMP_NOTIFY_OBJECTS, 1);
    /// One group of targets.
    SNMP_NOTIFY_ENTRY = row("snmpNotifyEntry", &SNMP_NOTIFY_TABLE, Index::Implied(&[&SNMP_NOTIFY_NAME]));
    /// The name of the group.
    SNMP_NOTIFY_NAME = column(
        "snmpNotifyName", &SNMP_NOTIFY_ENTRY, 1, tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The tag that selects target addresses; an empty tag selects none.
    SNMP_NOTIFY_TAG = column("snmpNotifyTag", &SNMP_NOTIFY_ENTRY, 2, tc(&SNMP_TAG_VALUE), ReadCreate)
        .default(Text(""));
    /// The type of notification: traps are unconfirmed, informs are confirmed.
    SNMP_NOTIFY_TYPE = column(
        "snmpNotifyType", &SNMP_NOTIFY_ENTRY, 3, enumeration(&[("trap", 1), ("inform", 2)]), ReadCreate)
        .default(Label("trap"));
    /// The storage type of the row.
    SNMP_NOTIFY_STORAGE_TYPE = column(
        "snmpNotifyStorageType", &SNMP_NOTIFY_ENTRY, 4, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row.
    SNMP_NOTIFY_ROW_STATUS = column("snmpNotifyRowStatus", &SNMP_NOTIFY_ENTRY, 5, tc(&ROW_STATUS), ReadCreate);
    /// Assigns filters to target parameters.
    SNMP_NOTIFY_FILTER_PROFILE_TABLE = table("snmpNotifyFilterProfileTable", &SNMP_NOTIFY_OBJECTS, 2);
    /// The filter of one set of target parameters.
    SNMP_NOTIFY_FILTER_PROFILE_ENTRY = row(
        "snmpNotifyFilterProfileEntry", &SNMP_NOTIFY_FILTER_PROFILE_TABLE,
        Index::Implied(&[&SNMP_TARGET_PARAMS_NAME]));
    /// The name of the filter in snmpNotifyFilterTable.
    SNMP_NOTIFY_FILTER_PROFILE_NAME = column(
        "snmpNotifyFilterProfileName", &SNMP_NOTIFY_FILTER_PROFILE_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), ReadCreate);
    /// The storage type of the row.
    SNMP_NOTIFY_FILTER_PROFILE_STOR_TYPE = column(
        "snmpNotifyFilterProfileStorType", &SNMP_NOTIFY_FILTER_PROFILE_ENTRY, 2, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with a filter name.
    SNMP_NOTIFY_FILTER_PROFILE_ROW_STATUS = column(
        "snmpNotifyFilterProfileRowStatus", &SNMP_NOTIFY_FILTER_PROFILE_ENTRY, 3, tc(&ROW_STATUS), ReadCreate);
    /// Filters: families of subtrees that include or exclude notifications and their objects.
    SNMP_NOTIFY_FILTER_TABLE = table("snmpNotifyFilterTable", &SNMP_NOTIFY_OBJECTS, 3);
    /// One family of subtrees in one filter.
    SNMP_NOTIFY_FILTER_ENTRY = row(
        "snmpNotifyFilterEntry", &SNMP_NOTIFY_FILTER_TABLE,
        Index::Implied(&[&SNMP_NOTIFY_FILTER_PROFILE_NAME, &SNMP_NOTIFY_FILTER_SUBTREE]));
    /// The subtree. snmpNotifyFilterMask can make parts of it wildcards.
    SNMP_NOTIFY_FILTER_SUBTREE = column(
        "snmpNotifyFilterSubtree", &SNMP_NOTIFY_FILTER_ENTRY, 1, OBJECT_ID, NotAccessible);
    /// One bit per sub-identifier; 0 makes it a wildcard. A short mask is extended with ones.
    SNMP_NOTIFY_FILTER_MASK = column(
        "snmpNotifyFilterMask", &SNMP_NOTIFY_FILTER_ENTRY, 2, OCTETS.limited(&[(0, 16)]), ReadCreate)
        .default(Octets(&[]));
    /// Includes or excludes the family.
    SNMP_NOTIFY_FILTER_TYPE = column(
        "snmpNotifyFilterType", &SNMP_NOTIFY_FILTER_ENTRY, 3,
        enumeration(&[("included", 1), ("excluded", 2)]), ReadCreate)
        .default(Label("included"));
    /// The storage type of the row.
    SNMP_NOTIFY_FILTER_STORAGE_TYPE = column(
        "snmpNotifyFilterStorageType", &SNMP_NOTIFY_FILTER_ENTRY, 4, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row.
    SNMP_NOTIFY_FILTER_ROW_STATUS = column(
        "snmpNotifyFilterRowStatus", &SNMP_NOTIFY_FILTER_ENTRY, 5, tc(&ROW_STATUS), ReadCreate);

    /// Compliance statements.
    SNMP_NOTIFY_COMPLIANCES = node("snmpNotifyCompliances", &SNMP_NOTIFY_CONFORMANCE, 1);
    /// Conformance groups.
    SNMP_NOTIFY_GROUPS = node("snmpNotifyGroups", &SNMP_NOTIFY_CONFORMANCE, 2);
    /// Requirements for originators of traps without filters.
    SNMP_NOTIFY_BASIC_COMPLIANCE = compliance(
        "snmpNotifyBasicCompliance", &SNMP_NOTIFY_COMPLIANCES, 1,
        &[&SNMP_TARGET_BASIC_GROUP, &SNMP_NOTIFY_GROUP], &[]);
    /// Requirements for originators of traps with filters.
    SNMP_NOTIFY_BASIC_FILTERS_COMPLIANCE = compliance(
        "snmpNotifyBasicFiltersCompliance", &SNMP_NOTIFY_COMPLIANCES, 2,
        &[&SNMP_TARGET_BASIC_GROUP, &SNMP_NOTIFY_GROUP, &SNMP_NOTIFY_FILTER_GROUP], &[]);
    /// Requirements for originators of traps and informs with filters.
    SNMP_NOTIFY_FULL_COMPLIANCE = compliance(
        "snmpNotifyFullCompliance", &SNMP_NOTIFY_COMPLIANCES, 3,
        &[&SNMP_TARGET_BASIC_GROUP, &SNMP_TARGET_RESPONSE_GROUP, &SNMP_NOTIFY_GROUP, &SNMP_NOTIFY_FILTER_GROUP],
        &[]);
    /// Objects of the groups of targets.
    SNMP_NOTIFY_GROUP = group("snmpNotifyGroup", &SNMP_NOTIFY_GROUPS, 1, &[
        &SNMP_NOTIFY_TAG, &SNMP_NOTIFY_TYPE, &SNMP_NOTIFY_STORAGE_TYPE, &SNMP_NOTIFY_ROW_STATUS,
    ]);
    /// Objects of the filters.
    SNMP_NOTIFY_FILTER_GROUP = group("snmpNotifyFilterGroup", &SNMP_NOTIFY_GROUPS, 2, &[
        &SNMP_NOTIFY_FILTER_PROFILE_NAME, &SNMP_NOTIFY_FILTER_PROFILE_STOR_TYPE,
        &SNMP_NOTIFY_FILTER_PROFILE_ROW_STATUS, &SNMP_NOTIFY_FILTER_MASK, &SNMP_NOTIFY_FILTER_TYPE,
        &SNMP_NOTIFY_FILTER_STORAGE_TYPE, &SNMP_NOTIFY_FILTER_ROW_STATUS,
    ]);
}
