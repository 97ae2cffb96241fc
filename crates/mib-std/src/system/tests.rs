use portreeve_mib::{LookupResult, ServedObjects, modules};

use super::*;

fn served(now: Timestamp) -> ServedObjects {
    let objects = SystemObjects::new(Timestamp::from_secs(1), modules::ALL);
    let mut served = ServedObjects::new(vec![Box::new(objects)]).unwrap();
    served.begin(&Arc::default(), now);
    served
}

fn name(object: &Object, index: &[u32]) -> OidBuf {
    let mut name = object.oid();
    name.extend(index).unwrap();
    name
}

#[test]
fn sys_up_time_counts_hundredths_of_a_second_and_wraps_to_zero() {
    let at = |now| match served(now).get(&name(&SYS_UP_TIME, &[0])) {
        LookupResult::Value(Value::TimeTicks(ticks)) => ticks,
        other => panic!("{other:?}"),
    };
    assert_eq!(at(Timestamp::from_micros(1_019_999)), 1);
    assert_eq!(at(Timestamp::from_secs(0)), 0);
    // TimeTicks wrap after 2³² hundredths of a second, which are 497.1 days.
    assert_eq!(at(Timestamp::from_micros(1_000_000 + (1 << 32) * 10_000)), 0);
}

#[test]
fn sys_or_table_lists_every_supported_module_with_its_identity() {
    let mut served = served(Timestamp::from_secs(2));
    let leaf = served.leaf_of(&SYS_OR_ID.oid()).unwrap();
    let (mut at, mut rows) = (SYS_OR_ID.oid(), 0);
    loop {
        let after = at.clone();
        match served.next_in_leaf(leaf, &after, &mut at) {
            LookupResult::Value(Value::ObjectId(id)) => assert!(id.to_buf().starts_with(&[1, 3, 6, 1])),
            LookupResult::NoSuchInstance => break,
            other => panic!("{other:?}"),
        }
        rows += 1;
        assert_eq!(at[..], name(&SYS_OR_ID, &[rows])[..]);
    }
    assert!(rows > 10);
    for object in [&SYS_OR_DESCR, &SYS_OR_UP_TIME] {
        assert!(matches!(served.get(&name(object, &[rows])), LookupResult::Value(_)));
        assert_eq!(served.get(&name(object, &[rows + 1])), LookupResult::NoSuchInstance);
        assert_eq!(served.get(&name(object, &[0])), LookupResult::NoSuchInstance);
    }
}
