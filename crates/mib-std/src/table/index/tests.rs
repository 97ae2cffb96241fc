use portreeve_lcd::{AccessKey, CommunityKey, GroupKey, Name, NotifyFilterKey, UserKey, ViewFamilyKey};
use portreeve_mib::modules::{community_mib::*, notification_mib::*, usm_mib::*, vacm_mib::*};
use portreeve_smi::{SecurityLevel, SecurityModel};

use super::*;

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

fn arcs_of<K: RowKey>(row: &Object, key: &K) -> Vec<u32> {
    let mut arcs = Vec::new();
    write_arcs(row, key, |arc| arcs.push(arc));
    arcs
}

fn assert_round_trip<K: RowKey + PartialEq + std::fmt::Debug>(row: &Object, key: K, arcs: &[u32]) {
    assert_eq!(*arcs_of(row, &key), *arcs);
    assert_eq!(key_of::<K>(row, arcs), Some(key));
    for cut in 0..arcs.len() {
        // Truncated arcs are usually invalid. If only the implied part is shorter, they are the
        // valid index of a different key.
        if let Some(shorter) = key_of::<K>(row, &arcs[..cut]) {
            assert_eq!(*arcs_of(row, &shorter), arcs[..cut]);
        }
    }
}

#[test]
fn row_keys_are_converted_to_arcs_of_index_clause_and_back() {
    let user = UserKey { engine_id: "8000000001".parse().unwrap(), name: name("ab") };
    assert_round_trip(&USM_USER_ENTRY, user, &[5, 128, 0, 0, 0, 1, 2, 97, 98]);
    let group = GroupKey { model: SecurityModel::TSM, security_name: name("ab") };
    assert_round_trip(&VACM_SECURITY_TO_GROUP_ENTRY, group, &[4, 2, 97, 98]);
    let access = AccessKey {
        group_name: name("g"),
        context_prefix: name(""),
        model: SecurityModel::ANY,
        level: SecurityLevel::AuthPriv,
    };
    assert_round_trip(&VACM_ACCESS_ENTRY, access, &[1, 103, 0, 0, 3]);
    let family = ViewFamilyKey { view_name: name("v"), subtree: "1.3.4294967295".parse().unwrap() };
    assert_round_trip(&VACM_VIEW_TREE_FAMILY_ENTRY, family, &[1, 118, 3, 1, 3, u32::MAX]);
    assert_round_trip(&SNMP_COMMUNITY_ENTRY, CommunityKey { index: name("ab") }, &[97, 98]);
    let filter = NotifyFilterKey { profile_name: name("f"), subtree: "1.3".parse().unwrap() };
    assert_round_trip(&SNMP_NOTIFY_FILTER_ENTRY, filter, &[1, 102, 1, 3]);
}

#[test]
fn augmenting_row_uses_index_of_augmented_row() {
    let key = portreeve_lcd::TargetAddressKey { name: name("nms") };
    assert_round_trip(&SNMP_TARGET_ADDR_EXT_ENTRY, key, &[110, 109, 115]);
}

#[test]
fn invalid_index_arcs_are_not_converted_to_a_row_key() {
    let group = |arcs: &[u32]| key_of::<GroupKey>(&VACM_SECURITY_TO_GROUP_ENTRY, arcs);
    assert!(group(&[3, 1, 97]).is_some());
    for arcs in [
        &[][..],
        &[3],
        &[3, 0],
        &[3, 2, 97],
        &[3, 1, 97, 0],
        &[3, 1, 256],
        &[3, u32::MAX, 97],
        &[0, 1, 97],
        &[u32::MAX, 1, 97],
        &[3, 33],
    ] {
        assert_eq!(group(arcs), None, "{arcs:?}");
    }
    let long: Vec<u32> = [3, 33].into_iter().chain([97; 33]).collect();
    assert_eq!(group(&long), None, "a name has at most 32 octets");
    let zeros: Vec<u32> = [5, 0, 0, 0, 0, 0, 1, 97].to_vec();
    assert_eq!(key_of::<UserKey>(&USM_USER_ENTRY, &zeros), None, "an engine ID is never all zero");
}
