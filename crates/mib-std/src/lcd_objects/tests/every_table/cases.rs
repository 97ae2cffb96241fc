//! The tables under test, and sample rows.

use portreeve_mib::{
    Access, Object,
    modules::{
        community_mib::*, notification_mib::*, target_mib::*, tls_tm_mib::*, transport_address_mib::*,
        usm_mib::*, vacm_mib::*,
    },
};
use portreeve_smi::{OwnedValue, Value};

use super::super::agent::*;
use crate::tables::TABLES;

/// A table, one of its rows, and the columns that the row requires.
pub(super) struct TableCase {
    pub(super) status: &'static Object,
    pub(super) storage: &'static Object,
    pub(super) index: Vec<u32>,
    pub(super) required: Vec<(&'static Object, OwnedValue)>,
}

pub(super) fn cases() -> Vec<TableCase> {
    let text = |text: &str| OwnedValue::OctetString(text.into());
    let oid = |object: &Object| OwnedValue::ObjectId(portreeve_smi::Oid::new(&object.oid()).unwrap());
    vec![
        TableCase {
            status: &VACM_SECURITY_TO_GROUP_STATUS,
            storage: &VACM_SECURITY_TO_GROUP_STORAGE_TYPE,
            index: [vec![3], counted(b"ops")].concat(),
            required: vec![(&VACM_GROUP_NAME, text("operators"))],
        },
        TableCase {
            status: &VACM_ACCESS_STATUS,
            storage: &VACM_ACCESS_STORAGE_TYPE,
            index: [counted(b"operators"), counted(b""), vec![0, 3]].concat(),
            required: vec![],
        },
        TableCase {
            status: &VACM_VIEW_TREE_FAMILY_STATUS,
            storage: &VACM_VIEW_TREE_FAMILY_STORAGE_TYPE,
            index: [counted(b"all"), vec![2, 1, 3]].concat(),
            required: vec![],
        },
        TableCase {
            status: &SNMP_COMMUNITY_STATUS,
            storage: &SNMP_COMMUNITY_STORAGE_TYPE,
            index: implied(b"c1"),
            required: vec![
                (&SNMP_COMMUNITY_NAME, text("public")),
                (&SNMP_COMMUNITY_SECURITY_NAME, text("guest")),
            ],
        },
        TableCase {
            status: &SNMP_TARGET_ADDR_ROW_STATUS,
            storage: &SNMP_TARGET_ADDR_STORAGE_TYPE,
            index: implied(b"nms"),
            required: vec![
                (&SNMP_TARGET_ADDR_T_DOMAIN, oid(&TRANSPORT_DOMAIN_UDP_IPV4)),
                (&SNMP_TARGET_ADDR_T_ADDRESS, OwnedValue::OctetString(vec![192, 0, 2, 1, 0, 162])),
                (&SNMP_TARGET_ADDR_PARAMS, text("p")),
            ],
        },
        TableCase {
            status: &SNMP_TARGET_PARAMS_ROW_STATUS,
            storage: &SNMP_TARGET_PARAMS_STORAGE_TYPE,
            index: implied(b"p"),
            required: vec![
                (&SNMP_TARGET_PARAMS_MP_MODEL, OwnedValue::Integer(3)),
                (&SNMP_TARGET_PARAMS_SECURITY_MODEL, OwnedValue::Integer(3)),
                (&SNMP_TARGET_PARAMS_SECURITY_NAME, text("ops")),
                (&SNMP_TARGET_PARAMS_SECURITY_LEVEL, OwnedValue::Integer(3)),
            ],
        },
        TableCase {
            status: &SNMP_NOTIFY_ROW_STATUS,
            storage: &SNMP_NOTIFY_STORAGE_TYPE,
            index: implied(b"n"),
            required: vec![],
        },
        TableCase {
            status: &SNMP_NOTIFY_FILTER_PROFILE_ROW_STATUS,
            storage: &SNMP_NOTIFY_FILTER_PROFILE_STOR_TYPE,
            index: implied(b"p"),
            required: vec![(&SNMP_NOTIFY_FILTER_PROFILE_NAME, text("f"))],
        },
        TableCase {
            status: &SNMP_NOTIFY_FILTER_ROW_STATUS,
            storage: &SNMP_NOTIFY_FILTER_STORAGE_TYPE,
            index: [counted(b"f"), vec![1, 3, 6]].concat(),
            required: vec![],
        },
        TableCase {
            status: &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
            storage: &SNMP_TLSTM_CERT_TO_TSN_STORAGE_TYPE,
            index: vec![u32::MAX],
            required: vec![(&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, fingerprint())],
        },
        TableCase {
            status: &SNMP_TLSTM_PARAMS_ROW_STATUS,
            storage: &SNMP_TLSTM_PARAMS_STORAGE_TYPE,
            index: implied(b"p"),
            required: vec![(&SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT, fingerprint())],
        },
        TableCase {
            status: &SNMP_TLSTM_ADDR_ROW_STATUS,
            storage: &SNMP_TLSTM_ADDR_STORAGE_TYPE,
            index: implied(b"nms"),
            required: vec![],
        },
        TableCase {
            status: &USM_USER_STATUS,
            storage: &USM_USER_STORAGE_TYPE,
            index: user_index("new"),
            required: vec![(&USM_USER_CLONE_FROM, template_pointer())],
        },
    ]
}

/// Returns an agent that has one user without keys. New users can be cloned from it without further
/// key changes.
pub(super) fn agent() -> TestAgent {
    let mut agent = TestAgent::new();
    agent.change(|tables| {
        let mut template = user("template");
        (template.columns.auth, template.columns.privacy) = (None, None);
        tables.insert(template);
    });
    agent
}

/// Returns a SHA-256 hash as SnmpTLSFingerprint.
fn fingerprint() -> OwnedValue {
    OwnedValue::OctetString([&[4][..], &[0x5a; 32]].concat())
}

fn template_pointer() -> OwnedValue {
    let name = name_of(&USM_USER_SECURITY_NAME, &user_index("template"));
    OwnedValue::ObjectId(portreeve_smi::Oid::new(&name).unwrap())
}

impl TableCase {
    pub(super) fn status<'a>(&'a self, value: Value<'a>) -> Variable<'a> {
        (self.status, &self.index, value)
    }

    pub(super) fn with_required<'a>(&'a self, value: Value<'a>) -> Vec<Variable<'a>> {
        let required =
            self.required.iter().map(|(object, value)| (*object, &self.index[..], value.as_value()));
        required.chain([self.status(value)]).collect()
    }

    pub(super) fn columns(&self) -> Vec<&'static Object> {
        let table = TABLES.iter().find(|table| table.objects().contains(&self.status)).unwrap();
        table.objects()
    }

    pub(super) fn writable_columns(&self) -> Vec<&'static Object> {
        self.columns().into_iter().filter(|column| column.max_access() == Access::ReadCreate).collect()
    }
}

#[test]
fn test_cases_cover_every_table() {
    assert_eq!(cases().len(), TABLES.len());
}
