use std::time::Duration;

use portreeve_mib::{LookupResult, LookupToken, ServedObjects};
use portreeve_smi::{Oid, OidBuf, OwnedValue, Timestamp};

use super::*;
use crate::{
    Collector, RefreshPolicy,
    machine::{MachineCollect, instrumentations, recorded::RecordedMachine},
};

const REFRESH: RefreshPolicy = RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(1) };

fn collector() -> Collector<Machine> {
    let collect = MachineCollect::new(RecordedMachine::default());
    Collector::start(collect, REFRESH, || Timestamp::ZERO, |_, _| {}).unwrap()
}

fn served() -> ServedObjects {
    ServedObjects::new(instrumentations(&collector())).unwrap()
}

fn value(object: &Object, index: &[u32]) -> Option<OwnedValue> {
    let mut name = object.oid();
    name.extend(index).unwrap();
    match served().get(&name) {
        LookupResult::Value(value) => Some(value.into()),
        LookupResult::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn hr_storage_table_lists_memory_before_file_systems() {
    let mut served = served();
    let (mut after, mut name, mut found) = (Vec::new(), OidBuf::new(), Vec::new());
    let leaf = LEAVES.iter().position(|(leaf, _)| **leaf == HR_STORAGE_INDEX).unwrap();
    while let LookupResult::Value(value) = served.next_in_leaf(leaf, &after, &mut name) {
        let Value::Integer(number) = value else { panic!("{value:?}") };
        found.push(number);
        after = name.to_vec();
    }
    assert_eq!(found, [1, 3, 6, 7, 8, 10, 31, 32, 33]);
}

#[test]
fn file_system_is_exposed_as_storage_with_type_size_and_usage() {
    let integer = |number| Some(OwnedValue::Integer(number));
    assert_eq!(value(&HR_STORAGE_DESCR, &[31]), Some(OwnedValue::OctetString(b"/".to_vec())));
    assert_eq!(value(&HR_STORAGE_ALLOCATION_UNITS, &[31]), integer(4096));
    assert_eq!(value(&HR_STORAGE_SIZE, &[31]), integer(66_053_021));
    assert_eq!(value(&HR_STORAGE_USED, &[31]), integer(10_173_345));
    let kind = |object: &Object| Some(OwnedValue::ObjectId(Oid::new(object.arcs()).unwrap()));
    assert_eq!(value(&HR_STORAGE_TYPE, &[31]), kind(&HR_STORAGE_FIXED_DISK));
    assert_eq!(value(&HR_STORAGE_TYPE, &[32]), kind(&HR_STORAGE_RAM_DISK));
    assert_eq!(value(&HR_STORAGE_USED, &[34]), None);
}

#[test]
fn memory_processor_and_uptime_values_match_recorded_machine() {
    let integer = |number| Some(OwnedValue::Integer(number));
    assert_eq!(value(&HR_MEMORY_SIZE, &[0]), integer(24_684_092));
    assert_eq!(value(&HR_STORAGE_USED, &[1]), integer(6_912_312));
    assert_eq!(value(&HR_STORAGE_USED, &[3]), integer(7_412_312));
    assert_eq!(value(&HR_STORAGE_USED, &[10]), integer(500_000));
    assert_eq!(value(&HR_DEVICE_DESCR, &[196_609]), Some(OwnedValue::OctetString(b"A Processor".to_vec())));
    // The load is unknown, because no earlier read exists for comparison.
    assert_eq!(value(&HR_PROCESSOR_LOAD, &[196_609]), None);
    assert_eq!(value(&HR_SYSTEM_UPTIME, &[0]), Some(OwnedValue::TimeTicks(1_308_474)));
    assert_eq!(value(&HR_SYSTEM_UPTIME, &[1]), None);
}
