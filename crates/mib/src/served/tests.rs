use portreeve_smi::SecurityModel;

use super::*;
use crate::modules::{
    if_mib::{IF_DESCR, IF_ENTRY, IF_INDEX, IF_NAME},
    snmpv2_mib::{SYS_DESCR, SYS_NAME, SYSTEM},
};

/// A module with fixed instances, each with its leaf, index and value.
struct FixedInstances {
    objects: Vec<&'static Object>,
    instances: Vec<(usize, Vec<u32>, i32)>,
}

impl FixedInstances {
    fn boxed(objects: &[&'static Object], instances: &[(usize, &[u32], i32)]) -> Box<dyn Instrumentation> {
        let mut instances: Vec<_> =
            instances.iter().map(|(leaf, index, value)| (*leaf, index.to_vec(), *value)).collect();
        instances.sort();
        Box::new(Self { objects: objects.to_vec(), instances })
    }
}

impl Instrumentation for FixedInstances {
    fn objects(&self) -> Vec<&'static Object> {
        self.objects.clone()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let found = self.instances.iter().find(|(at, own, _)| *at == leaf && own == index);
        found.map_or(Lookup::Absent, |(_, _, value)| Lookup::Value(Value::Integer(*value)))
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let found = self.instances.iter().find(|(at, own, _)| *at == leaf && own.as_slice() > after);
        let Some((_, index, value)) = found else { return Lookup::Absent };
        name.extend(index).unwrap();
        Lookup::Value(Value::Integer(*value))
    }
}

/// Returns a system group, and two columns that another module lists in reverse order.
fn served() -> ServedObjects {
    let interfaces = FixedInstances::boxed(
        &[&IF_NAME, &IF_DESCR, &IF_INDEX],
        &[(1, &[1], 11), (1, &[3], 13), (2, &[1], 21), (2, &[3], 23)],
    );
    let system = FixedInstances::boxed(&[&SYS_NAME, &SYS_DESCR], &[(0, &[0], 5), (1, &[0], 1)]);
    ServedObjects::new(vec![interfaces, system]).unwrap()
}

fn walk(served: &mut ServedObjects, from: &[u32]) -> Vec<(String, i32)> {
    let mut seen = Vec::new();
    let mut name = OidBuf::from_arcs(from).unwrap();
    let mut leaf = served.first_leaf_after(from);
    while leaf < served.leaf_count() {
        let mut next = OidBuf::new();
        match served.next_in_leaf(leaf, &name, &mut next) {
            LookupResult::Value(Value::Integer(value)) => {
                name = next;
                seen.push((portreeve_smi::display_arcs(&name).to_string(), value));
            }
            LookupResult::NoSuchInstance => leaf += 1,
            other => panic!("{other:?}"),
        }
    }
    seen
}

#[test]
fn instances_of_all_modules_are_ordered_by_name() {
    let all = [
        ("1.3.6.1.2.1.1.1.0", 1),
        ("1.3.6.1.2.1.1.5.0", 5),
        ("1.3.6.1.2.1.2.2.1.1.1", 21),
        ("1.3.6.1.2.1.2.2.1.1.3", 23),
        ("1.3.6.1.2.1.2.2.1.2.1", 11),
        ("1.3.6.1.2.1.2.2.1.2.3", 13),
    ];
    let expected = |from: usize| -> Vec<(String, i32)> {
        all[from..].iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    };
    let mut served = served();
    let cases: &[(&[u32], usize)] = &[
        (&[], 0),
        (&[1, 3], 0),
        (SYS_DESCR.arcs(), 0),
        (&[1, 3, 6, 1, 2, 1, 1, 1, 0], 1),
        (&[1, 3, 6, 1, 2, 1, 1, 1, 0, 0], 1),
        (&[1, 3, 6, 1, 2, 1, 1, 3, 0], 1),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 1], 3),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 2], 3),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, u32::MAX], 4),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 3], 6),
        (&[2], 6),
    ];
    for (from, first) in cases {
        assert_eq!(walk(&mut served, from), expected(*first), "after {from:?}");
    }
}

#[test]
fn unknown_object_and_unknown_instance_are_distinguished() {
    let mut served = served();
    assert_eq!(served.get(&[1, 3, 6, 1, 2, 1, 1, 5, 0]), LookupResult::Value(Value::Integer(5)));
    assert_eq!(served.get(&[1, 3, 6, 1, 2, 1, 1, 5, 1]), LookupResult::NoSuchInstance);
    assert_eq!(served.get(SYS_NAME.arcs()), LookupResult::NoSuchInstance);
    for unknown in
        [&[][..], &[1], SYSTEM.arcs(), &[1, 3, 6, 1, 2, 1, 1, 4, 0], &[2, 5], &[1, 3, 6, 1, 2, 1, 1, 6]]
    {
        assert_eq!(served.get(unknown), LookupResult::NoSuchObject, "{unknown:?}");
    }
}

#[test]
fn leaf_lookups_return_object_definition_oid_and_serving_module() {
    let served = served();
    let leaf = served.leaf_of(&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 7]).unwrap();
    assert_eq!(served.leaf_object(leaf), Some(&IF_INDEX));
    assert_eq!(served.leaf_oid(leaf), Some(IF_INDEX.arcs()));
    assert_eq!(served.owner(leaf), Some((0, 2)));
    assert_eq!(served.leaf_object(served.leaf_count()), None);
    assert_eq!(served.owner(served.leaf_count()), None);
}

#[test]
fn leaf_lookup_does_not_depend_on_lookups_before() {
    let served = served();
    let names: [&[u32]; 7] = [
        &[],
        SYSTEM.arcs(),
        SYS_NAME.arcs(),
        &[1, 3, 6, 1, 2, 1, 1, 5, 0],
        &[1, 3, 6, 1, 2, 1, 1, 6],
        IF_INDEX.arcs(),
        &[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 7],
    ];
    let leaves = names.map(|name| self::served().leaf_of(name));
    for (first, after) in names.into_iter().flat_map(|first| names.map(|after| (first, after))) {
        let _ = served.leaf_of(first);
        let expected = names.iter().position(|name| *name == after).and_then(|index| leaves[index]);
        assert_eq!(served.leaf_of(after), expected, "{after:?} after {first:?}");
    }
}

#[test]
fn modules_that_serve_same_or_nested_objects_are_rejected() {
    let twice = ServedObjects::new(vec![
        FixedInstances::boxed(&[&SYS_NAME], &[]),
        FixedInstances::boxed(&[&SYS_NAME], &[]),
    ]);
    assert_eq!(twice.err().unwrap().to_string(), "sysName is implemented twice, or is below sysName");
    let below = ServedObjects::new(vec![
        FixedInstances::boxed(&[&IF_DESCR], &[]),
        FixedInstances::boxed(&[&IF_ENTRY], &[]),
    ]);
    assert_eq!(below.err().unwrap().to_string(), "ifDescr is implemented twice, or is below ifEntry");
    let whole = ServedObjects::new(vec![
        Box::new(SubtreeInstances { visible: true }),
        FixedInstances::boxed(&[&SYS_NAME], &[]),
    ]);
    assert_eq!(whole.err().unwrap().to_string(), "sysName is implemented twice, or is below sysName");
    assert_eq!(ServedObjects::new(Vec::new()).unwrap().leaf_count(), 0);
}

/// A module with two instances of undefined objects below 1.3.6.1.4. It has none in context `b`.
struct SubtreeInstances {
    visible: bool,
}

impl Instrumentation for SubtreeInstances {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&SYS_NAME]
    }

    fn subtrees(&self) -> Vec<Oid> {
        vec!["1.3.6.1.4".parse().unwrap()]
    }

    fn enter_context(&mut self, context_name: &[u8]) {
        self.visible = context_name != b"b";
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        match (leaf, index) {
            (1, [1, arc @ (7 | 9), 0]) if self.visible => Lookup::Value(Value::Integer(*arc as i32)),
            (1, [1, 7 | 9, ..]) => Lookup::Absent,
            _ => Lookup::Unknown,
        }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let found =
            [7, 9].into_iter().find(|arc| leaf == 1 && self.visible && [1, *arc, 0].as_slice() > after);
        let Some(arc) = found else { return Lookup::Absent };
        name.extend(&[1, arc, 0]).unwrap();
        Lookup::Value(Value::Integer(arc as i32))
    }
}

#[test]
fn walk_includes_instances_of_undefined_subtree_in_name_order() {
    let mut served = ServedObjects::new(vec![
        Box::new(SubtreeInstances { visible: true }),
        FixedInstances::boxed(&[&SYS_DESCR, &IF_INDEX], &[(0, &[0], 1), (1, &[1], 21)]),
    ])
    .unwrap();
    let all = [
        ("1.3.6.1.2.1.1.1.0", 1),
        ("1.3.6.1.2.1.2.2.1.1.1", 21),
        ("1.3.6.1.4.1.7.0", 7),
        ("1.3.6.1.4.1.9.0", 9),
    ];
    let expected = all.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(walk(&mut served, &[]), expected);
    assert_eq!(walk(&mut served, &[1, 3, 6, 1, 4, 1, 7, 0]), expected[3..]);
    assert_eq!(served.get(&[1, 3, 6, 1, 4, 1, 9, 0]), LookupResult::Value(Value::Integer(9)));
    assert_eq!(served.get(&[1, 3, 6, 1, 4, 1, 9, 1]), LookupResult::NoSuchInstance);
    assert_eq!(served.get(&[1, 3, 6, 1, 4, 1, 8, 0]), LookupResult::NoSuchObject);
    assert_eq!(served.leaf_object(served.leaf_count() - 1), None);
    assert_eq!(served.owner(served.leaf_count() - 1), Some((0, 1)));
    served.enter_context(b"b");
    assert_eq!(walk(&mut served, &[]), expected[..2]);
}

#[test]
fn draft_is_none_for_read_only_or_unknown_module() {
    let mut served = served();
    let model = Arc::new(portreeve_datastore::Model::empty());
    let proposed = ProposedState::new(Arc::default(), model, Timestamp::default());
    let requester = Requester { security_model: SecurityModel::SNMP_V2C, security_name: b"ops" };
    for module in [0, 9] {
        assert!(served.draft(module, &proposed, requester).is_none());
    }
}
