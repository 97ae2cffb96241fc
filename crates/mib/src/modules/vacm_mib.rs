//! The access rights of users (SNMP-VIEW-BASED-ACM-MIB, RFC 3415).

use super::{
    framework_mib::{SNMP_ADMIN_STRING, SNMP_SECURITY_LEVEL, SNMP_SECURITY_MODEL},
    snmpv2_smi::SNMP_MODULES,
    snmpv2_tc::{ROW_STATUS, STORAGE_TYPE, TEST_AND_INCR},
};
use crate::{
    Module,
    define::*,
    object::{DefaultValue::*, Index},
};

/// Definitions of SNMP-VIEW-BASED-ACM-MIB.
pub static MODULE: Module = Module {
    name: "SNMP-VIEW-BASED-ACM-MIB",
    last_updated: "200210160000Z",
    reference: "RFC 3415",
    description: "The View-based Access Control Model: contexts, groups, access and views.",
    conventions: &[],
    objects: OBJECTS,
};

objects! {
    /// The View-based Access Control Model.
    SNMP_VACM_MIB = module_identity("snmpVacmMIB", &SNMP_MODULES, 16);
    /// Objects of this module.
    VACM_MIB_OBJECTS = node("vacmMIBObjects", &SNMP_VACM_MIB, 1);
    /// Conformance information of this module.
    VACM_MIB_CONFORMANCE = node("vacmMIBConformance", &SNMP_VACM_MIB, 2);

    /// The contexts of this engine.
    VACM_CONTEXT_TABLE = table("vacmContextTable", &VACM_MIB_OBJECTS, 1);
    /// One context of this engine.
    VACM_CONTEXT_ENTRY = row("vacmContextEntry", &VACM_CONTEXT_TABLE, Index::Objects(&[&VACM_CONTEXT_NAME]));
    /// The name of the context; empty for the default context.
    VACM_CONTEXT_NAME = column(
        "vacmContextName", &VACM_CONTEXT_ENTRY, 1, tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadOnly);

    /// Maps security models and security names to groups.
    VACM_SECURITY_TO_GROUP_TABLE = table("vacmSecurityToGroupTable", &VACM_MIB_OBJECTS, 2);
    /// The group of one security name under one security model.
    VACM_SECURITY_TO_GROUP_ENTRY = row(
        "vacmSecurityToGroupEntry", &VACM_SECURITY_TO_GROUP_TABLE,
        Index::Objects(&[&VACM_SECURITY_MODEL, &VACM_SECURITY_NAME]));
    /// The security model; any(0) is not allowed.
    VACM_SECURITY_MODEL = column(
        "vacmSecurityModel", &VACM_SECURITY_TO_GROUP_ENTRY, 1,
        tc(&SNMP_SECURITY_MODEL).limited(POSITIVE), NotAccessible);
    /// The security name that the row maps to a group.
    VACM_SECURITY_NAME = column(
        "vacmSecurityName", &VACM_SECURITY_TO_GROUP_ENTRY, 2,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The name of the group.
    VACM_GROUP_NAME = column(
        "vacmGroupName", &VACM_SECURITY_TO_GROUP_ENTRY, 3,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), ReadCreate);
    /// The storage type of the row.
    VACM_SECURITY_TO_GROUP_STORAGE_TYPE = column(
        "vacmSecurityToGroupStorageType", &VACM_SECURITY_TO_GROUP_ENTRY, 4, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row. It can become active only with a group.
    VACM_SECURITY_TO_GROUP_STATUS = column(
        "vacmSecurityToGroupStatus", &VACM_SECURITY_TO_GROUP_ENTRY, 5, tc(&ROW_STATUS), ReadCreate);

    /// The views of groups, by context, security model and security level.
    VACM_ACCESS_TABLE = table("vacmAccessTable", &VACM_MIB_OBJECTS, 4);
    /// The views of one group for one context, security model and security level.
    VACM_ACCESS_ENTRY = row("vacmAccessEntry", &VACM_ACCESS_TABLE, Index::Objects(&[
        &VACM_GROUP_NAME, &VACM_ACCESS_CONTEXT_PREFIX, &VACM_ACCESS_SECURITY_MODEL, &VACM_ACCESS_SECURITY_LEVEL,
    ]));
    /// The name of the context, or a prefix of it.
    VACM_ACCESS_CONTEXT_PREFIX = column(
        "vacmAccessContextPrefix", &VACM_ACCESS_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), NotAccessible);
    /// The security model; 0 stands for any.
    VACM_ACCESS_SECURITY_MODEL = column(
        "vacmAccessSecurityModel", &VACM_ACCESS_ENTRY, 2, tc(&SNMP_SECURITY_MODEL), NotAccessible);
    /// The minimum security level.
    VACM_ACCESS_SECURITY_LEVEL = column(
        "vacmAccessSecurityLevel", &VACM_ACCESS_ENTRY, 3, tc(&SNMP_SECURITY_LEVEL), NotAccessible);
    /// The part of the context name that must equal vacmAccessContextPrefix: all of it (exact) or
    /// only its beginning (prefix).
    VACM_ACCESS_CONTEXT_MATCH = column(
        "vacmAccessContextMatch", &VACM_ACCESS_ENTRY, 4, enumeration(&[("exact", 1), ("prefix", 2)]), ReadCreate)
        .default(Label("exact"));
    /// The name of the view for read access; empty if the group cannot read.
    VACM_ACCESS_READ_VIEW_NAME = column(
        "vacmAccessReadViewName", &VACM_ACCESS_ENTRY, 5,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadCreate).default(Octets(&[]));
    /// The name of the view for write access; empty if the group cannot write.
    VACM_ACCESS_WRITE_VIEW_NAME = column(
        "vacmAccessWriteViewName", &VACM_ACCESS_ENTRY, 6,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadCreate).default(Octets(&[]));
    /// The name of the view for notifications; empty if the group receives none.
    VACM_ACCESS_NOTIFY_VIEW_NAME = column(
        "vacmAccessNotifyViewName", &VACM_ACCESS_ENTRY, 7,
        tc(&SNMP_ADMIN_STRING).limited(&[(0, 32)]), ReadCreate).default(Octets(&[]));
    /// The storage type of the row.
    VACM_ACCESS_STORAGE_TYPE = column(
        "vacmAccessStorageType", &VACM_ACCESS_ENTRY, 8, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row.
    VACM_ACCESS_STATUS = column("vacmAccessStatus", &VACM_ACCESS_ENTRY, 9, tc(&ROW_STATUS), ReadCreate);

    /// Objects of views.
    VACM_MIB_VIEWS = node("vacmMIBViews", &VACM_MIB_OBJECTS, 5);
    /// A lock for managers that change views.
    VACM_VIEW_SPIN_LOCK = scalar("vacmViewSpinLock", &VACM_MIB_VIEWS, 1, tc(&TEST_AND_INCR), ReadWrite);
    /// The families of subtrees that make up each view.
    VACM_VIEW_TREE_FAMILY_TABLE = table("vacmViewTreeFamilyTable", &VACM_MIB_VIEWS, 2);
    /// One family of subtrees in one view.
    VACM_VIEW_TREE_FAMILY_ENTRY = row(
        "vacmViewTreeFamilyEntry", &VACM_VIEW_TREE_FAMILY_TABLE,
        Index::Objects(&[&VACM_VIEW_TREE_FAMILY_VIEW_NAME, &VACM_VIEW_TREE_FAMILY_SUBTREE]));
    /// The name of the view.
    VACM_VIEW_TREE_FAMILY_VIEW_NAME = column(
        "vacmViewTreeFamilyViewName", &VACM_VIEW_TREE_FAMILY_ENTRY, 1,
        tc(&SNMP_ADMIN_STRING).limited(&[(1, 32)]), NotAccessible);
    /// The subtree. vacmViewTreeFamilyMask can make parts of it wildcards.
    VACM_VIEW_TREE_FAMILY_SUBTREE = column(
        "vacmViewTreeFamilySubtree", &VACM_VIEW_TREE_FAMILY_ENTRY, 2, OBJECT_ID, NotAccessible);
    /// One bit per sub-identifier; 0 makes it a wildcard. A short mask is extended with ones.
    VACM_VIEW_TREE_FAMILY_MASK = column(
        "vacmViewTreeFamilyMask", &VACM_VIEW_TREE_FAMILY_ENTRY, 3, OCTETS.limited(&[(0, 16)]), ReadCreate)
        .default(Octets(&[]));
    /// Includes the family in the view or excludes it.
    VACM_VIEW_TREE_FAMILY_TYPE = column(
        "vacmViewTreeFamilyType", &VACM_VIEW_TREE_FAMILY_ENTRY, 4,
        enumeration(&[("included", 1), ("excluded", 2)]), ReadCreate)
        .default(Label("included"));
    /// The storage type of the row.
    VACM_VIEW_TREE_FAMILY_STORAGE_TYPE = column(
        "vacmViewTreeFamilyStorageType", &VACM_VIEW_TREE_FAMILY_ENTRY, 5, tc(&STORAGE_TYPE), ReadCreate)
        .default(Label("nonVolatile"));
    /// The status of the row.
    VACM_VIEW_TREE_FAMILY_STATUS = column(
        "vacmViewTreeFamilyStatus", &VACM_VIEW_TREE_FAMILY_ENTRY, 6, tc(&ROW_STATUS), ReadCreate);

    /// Compliance statements.
    VACM_MIB_COMPLIANCES = node("vacmMIBCompliances", &VACM_MIB_CONFORMANCE, 1);
    /// Conformance groups.
    VACM_MIB_GROUPS = node("vacmMIBGroups", &VACM_MIB_CONFORMANCE, 2);
    /// Requirements for engines with VACM.
    VACM_MIB_COMPLIANCE = compliance("vacmMIBCompliance", &VACM_MIB_COMPLIANCES, 1, &[&VACM_BASIC_GROUP], &[]);
    /// All objects of this module.
    VACM_BASIC_GROUP = group("vacmBasicGroup", &VACM_MIB_GROUPS, 1, &[
        &VACM_CONTEXT_NAME, &VACM_GROUP_NAME, &VACM_SECURITY_TO_GROUP_STORAGE_TYPE,
        &VACM_SECURITY_TO_GROUP_STATUS, &VACM_ACCESS_CONTEXT_MATCH, &VACM_ACCESS_READ_VIEW_NAME,
        &VACM_ACCESS_WRITE_VIEW_NAME, &VACM_ACCESS_NOTIFY_VIEW_NAME, &VACM_ACCESS_STORAGE_TYPE,
        &VACM_ACCESS_STATUS, &VACM_VIEW_SPIN_LOCK, &VACM_VIEW_TREE_FAMILY_MASK, &VACM_VIEW_TREE_FAMILY_TYPE,
        &VACM_VIEW_TREE_FAMILY_STORAGE_TYPE, &VACM_VIEW_TREE_FAMILY_STATUS,
    ]);
}
