use std::time::Duration;

use portreeve_mib::{LookupResult, LookupToken, ServedObjects};
use portreeve_smi::{OwnedValue, Timestamp};

use super::*;
use crate::{
    Collector, RefreshPolicy,
    machine::{MachineCollect, instrumentations, recorded::RecordedMachine},
};

const REFRESH: RefreshPolicy = RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(1) };

fn value(object: &Object, index: &[u32]) -> Option<OwnedValue> {
    let collect = MachineCollect::new(RecordedMachine::default());
    let collector = Collector::start(collect, REFRESH, || Timestamp::ZERO, |_, _| {}).unwrap();
    let mut served = ServedObjects::new(instrumentations(&collector)).unwrap();
    let mut name = object.oid();
    name.extend(index).unwrap();
    match served.get(&name) {
        LookupResult::Value(value) => Some(value.into()),
        LookupResult::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn disk_values_match_recorded_file_systems() {
    let integer = |number| Some(OwnedValue::Integer(number));
    let unsigned = |number| Some(OwnedValue::Gauge32(number));
    assert_eq!(value(&DSK_PATH, &[1]), Some(OwnedValue::OctetString(b"/".to_vec())));
    assert_eq!(value(&DSK_TOTAL, &[1]), integer(264_212_084));
    assert_eq!(value(&DSK_AVAIL, &[1]), integer(54_807_884));
    assert_eq!(value(&DSK_USED, &[1]), integer(40_693_380));
    assert_eq!(value(&DSK_PERCENT, &[1]), integer(15));
    assert_eq!(value(&DSK_PERCENT_NODE, &[1]), integer(25));
    // The size in kibibytes exceeds 31 bits, so the maximum is returned.
    assert_eq!(value(&DSK_TOTAL, &[3]), integer(i32::MAX));
    assert_eq!((value(&DSK_TOTAL_HIGH, &[3]), value(&DSK_TOTAL_LOW, &[3])), (unsigned(1024), unsigned(0)));
    assert_eq!(value(&DSK_TOTAL, &[4]), None);
}

#[test]
fn memory_load_and_processor_values_match_recorded_machine() {
    let counter = |number| Some(OwnedValue::Counter32(number));
    assert_eq!(value(&MEM_TOTAL_FREE, &[0]), Some(OwnedValue::Integer(19_271_780)));
    assert_eq!(value(&LA_LOAD, &[2]), Some(OwnedValue::OctetString(b"0.07".to_vec())));
    assert_eq!(value(&LA_LOAD_INT, &[3]), Some(OwnedValue::Integer(1250)));
    // The value is 12.5 in single precision.
    let float = OwnedValue::Opaque(vec![0x9f, 0x78, 4, 0x41, 0x48, 0, 0]);
    assert_eq!(value(&LA_LOAD_FLOAT, &[3]), Some(float));
    assert_eq!(value(&SS_CPU_RAW_SYSTEM, &[0]), counter(223_325 + 5 + 41_525));
    // The object contains the low half of a 64-bit counter.
    assert_eq!(value(&SS_RAW_CONTEXTS, &[0]), counter(97_347_858));
    assert_eq!(value(&SS_CPU_NUM_CPUS, &[0]), Some(OwnedValue::Integer(2)));
}
