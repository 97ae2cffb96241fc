use std::collections::HashSet;

use portreeve_mib::{Base, LookupResult, ServedObjects};
use portreeve_smi::Timestamp;

use super::*;

#[test]
fn every_counter_is_exposed_once_under_its_own_name() {
    let exposed: HashSet<Counter> = COUNTERS.iter().map(|(_, counter)| *counter).collect();
    assert_eq!(exposed.len(), COUNTERS.len());
    for (object, counter) in COUNTERS {
        assert!(object.name.eq_ignore_ascii_case(&format!("{counter:?}")), "{} {counter:?}", object.name);
        assert_eq!(object.syntax().unwrap().base, Base::Counter32);
    }
    for counter in Counter::ALL {
        assert!(exposed.contains(&counter), "{counter:?} is not exposed");
    }
}

#[test]
fn counter_value_is_sum_over_all_workers() {
    let statistics = Statistics::new(2);
    statistics.recorder(0).add(Counter::SnmpInPkts, 2);
    statistics.recorder(1).add(Counter::SnmpInPkts, 3);
    let mut served = ServedObjects::new(vec![Box::new(CounterObjects::new(statistics))]).unwrap();
    served.begin(&Arc::default(), Timestamp::ZERO);
    let mut name = SNMP_IN_PKTS.oid();
    assert_eq!(served.get(&name), LookupResult::NoSuchInstance);
    name.push(0).unwrap();
    assert_eq!(served.get(&name), LookupResult::Value(Value::Counter32(5)));
}
