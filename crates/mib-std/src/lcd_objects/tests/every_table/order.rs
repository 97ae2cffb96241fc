//! Rows are visited in the lexicographical order of their index arcs.

use super::{super::agent::*, cases::*};
use portreeve_mib::modules::{notification_mib::*, tls_tm_mib::*, usm_mib::*, vacm_mib::*};

/// Returns indexes of a table, in no order, whose parts have different lengths.
fn indexes(case: &TableCase) -> Vec<Vec<u32>> {
    let counted_names = NAMES.map(counted);
    let oids = [&[1, 3][..], &[2], &[1, 3, 6], &[1, 4]];
    let status = case.status;
    if *status == VACM_SECURITY_TO_GROUP_STATUS {
        combine(&[&[vec![3], vec![1]], &counted_names])
    } else if *status == VACM_ACCESS_STATUS {
        combine(&[
            &counted_names,
            &[counted(b"zz"), counted(b""), counted(b"aaa")],
            &[vec![3, 3], vec![0, 1]],
        ])
    } else if *status == VACM_VIEW_TREE_FAMILY_STATUS {
        let counted_oids = oids.map(|oid| [&[oid.len() as u32], oid].concat());
        combine(&[&counted_names, &counted_oids])
    } else if *status == SNMP_NOTIFY_FILTER_ROW_STATUS {
        combine(&[&counted_names, &oids.map(<[u32]>::to_vec)])
    } else if *status == SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS {
        [5, u32::MAX, 1, 256].map(|priority| vec![priority]).to_vec()
    } else if *status == USM_USER_STATUS {
        let engines = [&[0x80, 0, 0, 1, 2, 3][..], &[0x80, 0, 0, 9, 1], &[0x80, 0, 0, 1, 1, 0, 9]];
        combine(&[&engines.map(counted), &counted_names])
    } else {
        NAMES.map(implied).to_vec()
    }
}

/// Returns all indexes that consist of one of the first parts, one of the second parts, and so on.
fn combine(parts: &[&[Vec<u32>]]) -> Vec<Vec<u32>> {
    let extend = |indexes: Vec<Vec<u32>>, parts: &&[Vec<u32>]| {
        indexes.iter().flat_map(|index| parts.iter().map(|part| [&index[..], part].concat())).collect()
    };
    parts.iter().fold(vec![vec![]], extend)
}

const NAMES: [&[u8]; 5] = [b"b", b"aaa", b"zz", b"a", b"za"];

#[test]
fn getnext_returns_first_row_in_order_of_index_arcs_after_any_arcs() {
    for case in cases() {
        let mut agent = agent();
        let mut rows = indexes(&case);
        for index in &rows {
            agent.set(&[(case.status, index, CREATE_AND_WAIT)]).unwrap();
        }
        rows.extend(
            agent.walk(case.status).into_iter().filter(|index| !rows.contains(index)).collect::<Vec<_>>(),
        );
        rows.sort();
        assert_eq!(agent.walk(case.status), rows, "{}", case.status.name);
        for index in &rows {
            assert!(agent.get(case.status, index).is_some(), "{}: {index:?}", case.status.name);
        }
        let cut = rows.iter().flat_map(|index| (0..=index.len()).map(|length| index[..length].to_vec()));
        for after in cut {
            let changed = |change: fn(&mut u32)| {
                let mut after = after.clone();
                after.last_mut().into_iter().for_each(change);
                after
            };
            let lower = changed(|arc| *arc = arc.saturating_sub(1));
            let higher = changed(|arc| *arc = arc.saturating_add(1));
            let longer = [&after[..], &[0]].concat();
            for after in [&after, &lower, &higher, &longer] {
                let expected = rows.iter().find(|index| *index > after);
                assert_eq!(
                    agent.next(case.status, after).as_ref(),
                    expected,
                    "{} {after:?}",
                    case.status.name
                );
                assert_eq!(agent.get(case.status, after).is_some(), rows.contains(after));
            }
        }
    }
}
