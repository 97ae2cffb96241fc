use portreeve_smi::{EngineBoots, EngineId};

use super::*;

fn engine_values(boots: Option<EngineBoots>) -> [Option<i32>; 4] {
    let engine_id: EngineId = "8000000001020304".parse().unwrap();
    let started = Timestamp::from_secs(100);
    let mut objects = EngineObjects::new(LocalEngine { engine_id, boots, started, max_message_size: 65_507 });
    objects.begin(&Arc::default(), Timestamp::from_secs(142));
    [0, 1, 2, 3].map(|leaf| match objects.get(leaf, &[0]) {
        Lookup::Value(Value::Integer(number)) => Some(number),
        Lookup::Value(Value::OctetString(octets)) => {
            assert_eq!(octets, engine_id.as_bytes());
            None
        }
        other => panic!("{other:?}"),
    })
}

#[test]
fn snmp_engine_group_returns_boots_time_and_maximum_message_size() {
    assert_eq!(engine_values(EngineBoots::new(7)), [None, Some(7), Some(42), Some(65_507)]);
}

#[test]
fn engine_boots_are_at_maximum_without_durable_storage() {
    assert_eq!(engine_values(None)[1], Some(i32::MAX));
}
