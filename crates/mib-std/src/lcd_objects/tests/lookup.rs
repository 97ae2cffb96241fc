//! Tests GET and GETNEXT lookups of instances.

use std::time::Instant;

use portreeve_lcd::{GroupKey, GroupRow, StorageType, Tables};
use portreeve_mib::modules::{community_mib::SNMP_COMMUNITY_NAME, vacm_mib::*};
use portreeve_smi::SecurityModel;

use super::agent::*;
use crate::table::index::VISITED_ROWS;

fn agent_with_groups(count: u32) -> TestAgent {
    let mut tables = Tables::default();
    for number in 0..count {
        let security_name = format!("user{number}").into_bytes().into();
        let mut row = GroupRow::new(GroupKey { model: SecurityModel::USM, security_name });
        row.columns.group_name = b"group"[..].into();
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    TestAgent::with(tables)
}

#[test]
fn rows_are_sorted_by_arcs_of_index_and_not_by_text() {
    let mut agent = TestAgent::new();
    for name in ["b", "aaa", "zz"] {
        let index = [vec![3], counted(name.as_bytes())].concat();
        agent.set(&[(&VACM_SECURITY_TO_GROUP_STATUS, &index, CREATE_AND_WAIT)]).unwrap();
    }
    let expected = ["b", "zz", "aaa"].map(|name| [vec![3], counted(name.as_bytes())].concat());
    assert_eq!(agent.walk(&VACM_SECURITY_TO_GROUP_STATUS), expected);
}

#[test]
fn walk_of_column_skips_rows_that_have_no_value_for_it() {
    let mut agent = agent_with_groups(3);
    for name in ["aaaaa", "user11", "zzzzzz"] {
        let index = [vec![3], counted(name.as_bytes())].concat();
        agent.set(&[(&VACM_SECURITY_TO_GROUP_STATUS, &index, CREATE_AND_WAIT)]).unwrap();
    }
    assert_eq!(agent.walk(&VACM_GROUP_NAME).len(), 3);
    assert_eq!(agent.walk(&VACM_SECURITY_TO_GROUP_STATUS).len(), 6);
}

#[test]
fn empty_table_does_not_contain_instances() {
    assert_eq!(TestAgent::new().walk(&SNMP_COMMUNITY_NAME), [[0_u32; 0]; 0]);
}

#[test]
fn lookup_with_invalid_index_does_not_find_instance() {
    let mut agent = agent_with_groups(3);
    for index in [vec![], vec![3], vec![3, 5], [vec![3], counted(b"user1"), vec![0]].concat()] {
        assert_eq!(agent.get(&VACM_GROUP_NAME, &index), None, "{index:?}");
    }
}

#[test]
fn table_walk_time_is_linear_in_number_of_rows() {
    let time = |count| {
        let mut agent = agent_with_groups(count);
        agent.walk(&VACM_SECURITY_TO_GROUP_STATUS);
        let runs = (0..5).map(|_| {
            let start = Instant::now();
            assert_eq!(agent.walk(&VACM_GROUP_NAME).len(), count as usize);
            start.elapsed()
        });
        runs.min().unwrap()
    };
    // The second table has ten times as many rows. A quadratic walk would take a hundred times as
    // long; a factor of 40 allows for a busy machine.
    assert!((0..10).any(|_| time(10_000) < time(1000) * 40));
}

/// The work is counted and not measured: rows whose index is compared or returned.
#[test]
fn first_lookup_after_change_of_large_table_visits_few_rows() {
    let mut agent = agent_with_groups(25_002);
    // The last row: a search from the start would visit all others.
    let new = [vec![3], counted(b"zzzzzzzzz")].concat();
    for (status, found) in [(CREATE_AND_WAIT, true), (DESTROY, false)] {
        agent.set(&[(&VACM_SECURITY_TO_GROUP_STATUS, &new, status)]).unwrap();
        let visited = |agent: &mut TestAgent, lookup: &dyn Fn(&mut TestAgent) -> bool, expected| {
            let before = VISITED_ROWS.get();
            assert_eq!(lookup(agent), expected);
            VISITED_ROWS.get() - before
        };
        // 25 002 is less than 2¹⁵; the chunks of the table can cost some more comparisons.
        let get = |agent: &mut TestAgent| agent.get(&VACM_SECURITY_TO_GROUP_STATUS, &new).is_some();
        assert!(visited(&mut agent, &get, found) <= 20);
        let next = |agent: &mut TestAgent| agent.next(&VACM_GROUP_NAME, &new).is_some();
        assert!(visited(&mut agent, &next, false) <= 20);
    }
}
