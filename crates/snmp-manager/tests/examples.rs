//! Runs every example against its own agent.

#![allow(clippy::unwrap_used, reason = "a test fails loudly")]
#![allow(dead_code, reason = "each example has its own main and uses only a part of the agent")]
#![allow(clippy::duplicate_mod, reason = "each example is a program with its own copy of the agent")]

#[path = "../examples/get.rs"]
mod get;
#[path = "../examples/poll_many.rs"]
mod poll_many;
#[path = "../examples/set.rs"]
mod set;
#[path = "../examples/v3.rs"]
mod v3;
#[path = "../examples/walk_table.rs"]
mod walk_table;

use portreeve_snmp_manager::{ErrorStatus, OwnedValue};

#[test]
fn get_example_reads_two_variables() {
    get::run(None, "public").unwrap();
}

#[test]
fn walk_table_example_reads_every_cell() {
    let rows = walk_table::run(None, "public").unwrap();
    assert_eq!(rows.len(), 40);
    let last = rows.get(&vec![40]).unwrap();
    assert_eq!(last.get(&2), Some(&OwnedValue::OctetString(b"port 40".to_vec())));
    assert_eq!(last.get(&10), Some(&OwnedValue::Counter32(40_000)));
}

#[test]
fn set_example_requires_writable_object_and_write_access() {
    assert_eq!(set::run(None, "private").unwrap(), Some(ErrorStatus::NotWritable));
    assert!(set::run(None, "public").unwrap_err().to_string().contains("noAccess"));
}

#[test]
fn poll_many_example_receives_all_responses() {
    assert_eq!(poll_many::run(&[]).unwrap(), 8);
}

#[test]
fn v3_example_reads_pass_phrases_from_file() {
    v3::run_with_own_agent().unwrap();
}
