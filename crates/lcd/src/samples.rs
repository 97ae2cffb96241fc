//! Sample rows for tests.

use std::sync::Arc;

use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel, SecurityModel};

use crate::*;

pub(crate) fn name(text: &str) -> Name {
    text.as_bytes().into()
}

pub(crate) fn engine_id() -> EngineId {
    "8000000005706f7274".parse().unwrap()
}

pub(crate) fn user(user_name: &str) -> UserRow {
    let mut row = UserRow::new(UserKey { engine_id: engine_id(), name: name(user_name) });
    row.columns.auth = Some(Arc::new(Credential {
        protocol: "1.3.6.1.6.3.10.1.1.5".parse().unwrap(),
        key: Secret::new(vec![0xa5; 32]),
    }));
    row.into_active(StorageType::NonVolatile)
}

pub(crate) fn group(security_name: &str, group_name: &str) -> GroupRow {
    let mut row = GroupRow::new(GroupKey { model: SecurityModel::USM, security_name: name(security_name) });
    row.columns.group_name = name(group_name);
    row.into_active(StorageType::NonVolatile)
}

/// Returns tables with one row in every table.
pub(crate) fn one_of_each() -> Tables {
    let mut tables = Tables::default();
    tables.insert(user("ops"));
    tables.insert(group("ops", "operators"));
    let storage = StorageType::NonVolatile;
    let access = AccessRow::new(AccessKey {
        group_name: name("operators"),
        context_prefix: name(""),
        model: SecurityModel::ANY,
        level: SecurityLevel::AuthPriv,
    });
    tables.insert(access.into_active(storage));
    let family =
        ViewFamilyRow::new(ViewFamilyKey { view_name: name("all"), subtree: "1.3".parse().unwrap() });
    tables.insert(family.into_active(storage));
    let mut community = CommunityRow::new(CommunityKey { index: name("c1") });
    community.columns.name = name("public");
    community.columns.context_engine_id = Some(engine_id());
    tables.insert(community.into_active(storage));
    let mut address = TargetAddressRow::new(TargetAddressKey { name: name("nms") });
    address.columns.tag_list = name(" alarms  polls");
    tables.insert(address.into_active(storage));
    tables.insert(TargetParamsRow::new(TargetParamsKey { name: name("p") }).into_active(storage));
    tables.insert(NotifyRow::new(NotifyKey { name: name("n") }).into_active(storage));
    let profile = NotifyFilterProfileRow::new(NotifyFilterProfileKey { params_name: name("p") });
    tables.insert(profile.into_active(storage));
    let filter =
        NotifyFilterRow::new(NotifyFilterKey { profile_name: name("f"), subtree: "1.3".parse().unwrap() });
    tables.insert(filter.into_active(storage));
    let mut rule = CertToNameRow::new(CertToNameKey { priority: u32::MAX });
    rule.columns.fingerprint = [&[4][..], &[0x5a; 32]].concat().into();
    rule.columns.map_type = "1.3.6.1.2.1.198.1.1.6".parse().unwrap();
    tables.insert(rule.into_active(storage));
    tables.insert(TlsParamsRow::new(TlsParamsKey { params_name: name("p") }).into_active(storage));
    tables.insert(TlsAddressRow::new(TlsAddressKey { address_name: name("nms") }).into_active(storage));
    tables.scalars.sys_contact = TextScalar::set(name("hostmaster"));
    tables.scalars.set_serial_no = TestAndIncr::new(41);
    tables
}
