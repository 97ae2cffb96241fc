use portreeve_smi::{SecurityLevel, SecurityModel};

use super::AllowedWeaknesses;
use crate::{
    AccessKey, AccessRow, CertToNameKey, CertToNameRow, CommunityKey, CommunityRow, StorageType, Tables,
};

#[test]
fn review_l2_weakness_check_applies_only_to_rows_made_by_set() {
    let (none, all) = (AllowedWeaknesses::default(), AllowedWeaknesses::ALL);
    let community = CommunityRow::new(CommunityKey { index: (*b"c").into() });
    let access = AccessRow::new(AccessKey {
        group_name: (*b"g").into(),
        context_prefix: (*b"").into(),
        model: SecurityModel::ANY,
        level: SecurityLevel::NoAuthNoPriv,
    });
    for (storage, is_effective) in [(StorageType::NonVolatile, false), (StorageType::ReadOnly, true)] {
        let (community, access) =
            (community.clone().into_active(storage), access.clone().into_active(storage));
        let level = SecurityLevel::NoAuthNoPriv;
        assert_eq!(none.allow_community(&community), is_effective);
        assert_eq!(none.allow_access(&access, SecurityModel::USM, level), is_effective);
        assert!(all.allow_community(&community) && all.allow_access(&access, SecurityModel::USM, level));
        // The setting for USM users without authentication does not apply to other models.
        for model in [SecurityModel::SNMP_V2C, SecurityModel::TSM] {
            assert!(none.allow_access(&access, model, level));
        }
        assert!(none.allow_access(&access, SecurityModel::USM, SecurityLevel::AuthNoPriv));
    }
}

#[test]
fn review_l2_sha1_certificate_rules_made_by_set_need_allowed_weakness() {
    let mut tables = Tables::default();
    for (priority, algorithm, storage) in
        [(1, 2, StorageType::NonVolatile), (2, 2, StorageType::ReadOnly), (3, 4, StorageType::NonVolatile)]
    {
        let mut row = CertToNameRow::new(CertToNameKey { priority });
        row.columns.fingerprint = [algorithm, 0x5a].into();
        tables.insert(row.into_active(storage));
    }
    let priorities =
        |tables: &Tables| tables.certificate_rules().map(|row| row.key.priority).collect::<Vec<_>>();
    assert_eq!(priorities(&tables), [2, 3]);
    tables.allowed_weaknesses.sha = true;
    assert_eq!(priorities(&tables), [1, 2, 3]);
}
