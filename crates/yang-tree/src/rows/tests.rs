use std::{cell::Cell, collections::BTreeMap, rc::Rc, sync::Arc};

use proptest::{prelude::*, test_runner::Config};

use super::{DifferenceItem, IsSame, MAX_NODE_ENTRIES, NotAscending, RowKey, SortedMap, node::Node};

#[derive(Clone, Debug)]
enum Step {
    Insert(u16, u32),
    Remove(u16),
    Change(u16, u32),
    InsertRun(u16, u16),
    RemoveRun(u16, u16),
    Snapshot,
}

fn steps(max: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..2000_u16, any::<u32>()).prop_map(|(key, value)| Step::Insert(key, value)),
        4 => (0..2000_u16).prop_map(Step::Remove),
        2 => (0..2000_u16, any::<u32>()).prop_map(|(key, value)| Step::Change(key, value)),
        2 => (0..2000_u16, 0..300_u16).prop_map(|(first, len)| Step::InsertRun(first, len)),
        2 => (0..2000_u16, 0..300_u16).prop_map(|(first, len)| Step::RemoveRun(first, len)),
        1 => Just(Step::Snapshot),
    ];
    prop::collection::vec(step, 0..max)
}

fn octets(key: u16) -> Vec<u8> {
    // Keys of both representations.
    if key.is_multiple_of(3) {
        format!("{key:05}, longer than the others").into()
    } else {
        format!("{key:05}").into()
    }
}

fn key(number: u16) -> RowKey {
    RowKey::from(&octets(number)[..])
}

type Model = BTreeMap<Vec<u8>, u32>;

fn run(map: &mut SortedMap<u32>, model: &mut Model, step: &Step) {
    match *step {
        Step::Insert(number, value) => {
            assert_eq!(map.insert(key(number), value), model.insert(octets(number), value));
        }
        Step::Remove(number) => assert_eq!(map.remove(&octets(number)), model.remove(&octets(number))),
        Step::Change(number, value) => {
            let changed = map.get_mut(&octets(number)).map(|current| *current = value);
            assert_eq!(changed, model.get_mut(&octets(number)).map(|current| *current = value));
        }
        Step::InsertRun(first, len) => (first..first + len).for_each(|number| {
            assert_eq!(map.insert(key(number), 1), model.insert(octets(number), 1));
        }),
        Step::RemoveRun(first, len) => (first..first + len).for_each(|number| {
            assert_eq!(map.remove(&octets(number)), model.remove(&octets(number)));
        }),
        Step::Snapshot => {}
    }
}

fn assert_equal(map: &SortedMap<u32>, model: &Model) {
    check_structure(map);
    assert_eq!(map.len(), model.len());
    let entries: Vec<_> = map.iter().map(|(key, value)| (key.as_octets().to_vec(), *value)).collect();
    assert_eq!(entries, model.clone().into_iter().collect::<Vec<_>>());
}

/// Checks the invariants of nodes, and that all leaf nodes are at the same depth.
fn check_structure<V>(map: &SortedMap<V>) {
    fn check<V>(node: &Node<V>, from: Option<&RowKey>, to: Option<&RowKey>) -> usize {
        assert!((1..=MAX_NODE_ENTRIES).contains(&node.len()), "{} entries", node.len());
        match node {
            Node::Leaf(entries) => {
                assert!(entries.is_sorted_by(|(one, _), (two, _)| one < two));
                assert!(entries.iter().all(|(key, _)| from <= Some(key) && to.is_none_or(|to| key < to)));
                1
            }
            Node::Inner(branches) => {
                assert!(branches.is_sorted_by(|one, two| one.first < two.first));
                let ends = branches.iter().skip(1).map(|branch| Some(&branch.first)).chain([to]);
                let depths: Vec<_> = branches
                    .iter()
                    .zip(ends)
                    .map(|(branch, to)| check(&branch.node, Some(&branch.first), to))
                    .collect();
                assert!(depths.iter().all(|depth| *depth == depths[0]));
                assert!(from <= Some(&branches[0].first));
                depths[0] + 1
            }
        }
    }
    match &map.root {
        None => assert_eq!(map.len(), 0),
        Some(root) => assert!(check(root, None, None) <= 12),
    }
}

proptest! {
    #![proptest_config(Config::with_cases(64))]
    #[test]
    fn map_agrees_with_btreemap_after_any_steps(steps in steps(60)) {
        let (mut map, mut model) = (SortedMap::new(), Model::new());
        let mut snapshots = Vec::new();
        for step in &steps {
            run(&mut map, &mut model, step);
            check_structure(&map);
            if matches!(step, Step::Snapshot) {
                snapshots.push((map.clone(), model.clone()));
            }
        }
        assert_equal(&map, &model);
        for (map, model) in &snapshots {
            assert_equal(map, model);
        }
    }

    #[test]
    fn seeking_agrees_with_btreemap(steps in steps(20), probe in 0..2100_u16) {
        let (mut map, mut model) = (SortedMap::new(), Model::new());
        steps.iter().for_each(|step| run(&mut map, &mut model, step));
        let probe = octets(probe);
        let expected = |entry: Option<(&Vec<u8>, &u32)>| entry.map(|(key, value)| (key.clone(), *value));
        let found = |entry: Option<(&RowKey, &u32)>| entry.map(|(key, value)| (key.as_octets().to_vec(), *value));
        prop_assert_eq!(map.get(&probe), model.get(&probe));
        prop_assert_eq!(found(map.first()), expected(model.first_key_value()));
        prop_assert_eq!(found(map.last()), expected(model.last_key_value()));
        prop_assert_eq!(found(map.last_before(&probe)), expected(model.range(..probe.clone()).next_back()));
        prop_assert_eq!(map.starting_at(&probe).count(), model.range(probe.clone()..).count());
        prop_assert_eq!(found(map.starting_at(&probe).next()), expected(model.range(probe.clone()..).next()));
        model.remove(&probe);
        prop_assert_eq!(found(map.next_after(&probe)), expected(model.range(probe.clone()..).next()));
        prop_assert_eq!(map.after(&probe).count(), model.range(probe..).count());
    }

    #[test]
    fn entry_after_a_prefix_agrees_with_a_search(
        keys in prop::collection::btree_set(prop::collection::vec(prop::sample::select(&[0, 1, 254, 255][..]), 0..4), 0..60),
        prefix in prop::collection::vec(prop::sample::select(&[0, 1, 254, 255][..]), 0..4),
    ) {
        let map = SortedMap::from_ascending(keys.iter().map(|key| (RowKey::from(&key[..]), 1))).unwrap();
        let expected = keys.iter().find(|key| **key > prefix && !key.starts_with(&prefix));
        let found = map.after_all_with(&prefix).map(|(key, _)| key.as_octets().to_vec());
        prop_assert_eq!(found.as_ref(), expected);
    }

    #[test]
    fn differences_agree_with_comparison_of_all_entries(common in steps(20), one in steps(10), two in steps(10)) {
        let (mut before, mut before_model) = (SortedMap::new(), Model::new());
        common.iter().for_each(|step| run(&mut before, &mut before_model, step));
        let (mut after, mut after_model) = (before.clone(), before_model.clone());
        one.iter().for_each(|step| run(&mut before, &mut before_model, step));
        two.iter().for_each(|step| run(&mut after, &mut after_model, step));
        let found: Vec<_> = before
            .differences(&after)
            .map(|DifferenceItem { key, before, after }| (key.as_octets().to_vec(), before.copied(), after.copied()))
            .collect();
        let mut keys: Vec<_> = before_model.keys().chain(after_model.keys()).cloned().collect();
        keys.sort();
        keys.dedup();
        let expected: Vec<_> = keys
            .into_iter()
            .map(|key| { let (one, two) = (before_model.get(&key), after_model.get(&key)); (key.clone(), one.copied(), two.copied()) })
            .filter(|(_, one, two)| one != two)
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn built_map_equals_inserted_map(numbers in prop::collection::btree_set(0..60_000_u16, 0..3000)) {
        let mut inserted = SortedMap::new();
        let model: Model = numbers.iter().map(|number| (octets(*number), 7)).collect();
        numbers.iter().for_each(|number| { inserted.insert(key(*number), 7); });
        let built = SortedMap::from_ascending(model.keys().map(|key| (RowKey::from(&key[..]), 7))).unwrap();
        assert_equal(&built, &model);
        assert_equal(&inserted, &model);
        prop_assert_eq!(built, inserted);
    }
}

impl IsSame for u32 {
    fn is_same(&self, other: &Self) -> bool {
        self == other
    }
}

fn filled(numbers: impl IntoIterator<Item = u16>) -> SortedMap<u32> {
    let mut map = SortedMap::new();
    numbers.into_iter().for_each(|number| {
        map.insert(number_key(number), u32::from(number));
    });
    map
}

fn number_key(number: u16) -> RowKey {
    RowKey::from(&number.to_be_bytes()[..])
}

/// Returns the addresses of all nodes.
fn nodes<V>(map: &SortedMap<V>) -> Vec<*const Node<V>> {
    fn add<V>(node: &Arc<Node<V>>, all: &mut Vec<*const Node<V>>) {
        all.push(Arc::as_ptr(node));
        if let Node::Inner(branches) = node.as_ref() {
            branches.iter().for_each(|branch| add(&branch.node, all));
        }
    }
    let mut all = Vec::new();
    map.root.iter().for_each(|root| add(root, &mut all));
    all
}

impl<V> SortedMap<V> {
    /// Returns true if most nodes are those of another map.
    pub(crate) fn shares_nodes_with(&self, other: &Self) -> bool {
        let (mine, others) = (nodes(self), nodes(other));
        mine.iter().filter(|node| others.contains(node)).count() * 2 > mine.len()
    }
}

#[test]
fn building_fails_for_equal_and_descending_keys_at_each_boundary() {
    for fault in [1_u16, 31, 32, 33, 63, 64, 1024, 1025] {
        for faulty in [fault - 1, fault.saturating_sub(2)] {
            let numbers = (0..fault).chain([faulty]);
            let built = SortedMap::from_ascending(numbers.map(|number| (number_key(number), ())));
            assert_eq!(built.err(), Some(NotAscending), "{faulty} after {}", fault - 1);
        }
    }
}

#[test]
fn ascending_insertion_fills_the_nodes() {
    let numbers = 0..32_000;
    let map = filled(numbers);
    assert_eq!(nodes(&map).len(), 1000 + 32 + 1);
}

#[test]
fn descending_insertion_fills_half_of_the_nodes() {
    let map = filled((0..32_000).rev());
    check_structure(&map);
    assert!(nodes(&map).len() <= 2150, "{} nodes", nodes(&map).len());
}

#[test]
fn change_of_a_shared_map_copies_one_node_of_each_level() {
    let before = filled(0..32_000);
    for change in [
        (|map| assert!(map.insert(number_key(5000), 1).is_some())) as fn(&mut SortedMap<u32>),
        |map| assert!(map.remove(&5000_u16.to_be_bytes()).is_some()),
        |map| *map.get_mut(&5000_u16.to_be_bytes()).unwrap() += 1,
    ] {
        let mut after = before.clone();
        change(&mut after);
        let old = nodes(&before);
        let copied = nodes(&after).into_iter().filter(|node| !old.contains(node)).count();
        assert_eq!(copied, 3);
        assert_eq!(before, filled(0..32_000));
    }
}

#[test]
fn change_of_an_unshared_map_copies_nothing() {
    let mut map = filled((0..20_000).map(|number| number * 2));
    let before = nodes(&map);
    // The nodes are full, and a removed entry makes room for the next.
    map.remove(&10_000_u16.to_be_bytes());
    map.insert(number_key(10_000), 1);
    *map.get_mut(&10_002_u16.to_be_bytes()).unwrap() += 1;
    assert_eq!(nodes(&map), before);
}

#[test]
fn removal_of_an_absent_key_copies_nothing() {
    let before = filled((0..2000).map(|number| number * 2));
    let mut after = before.clone();
    assert_eq!(after.remove(&101_u16.to_be_bytes()), None);
    assert!(after.get_mut(&101_u16.to_be_bytes()).is_none());
    assert!(after.is_same_version(&before));
}

#[test]
fn node_that_becomes_empty_is_removed_when_it_has_no_neighbour() {
    // The last node of each level has a single entry or branch.
    for len in [1, 33, 1025, 2049, 32_769] {
        let mut map = filled(0..len);
        assert!(map.remove(number_key(len - 1).as_octets()).is_some());
        check_structure(&map);
        assert_eq!(map.last().map(|(_, value)| *value), len.checked_sub(2).map(u32::from), "{len} entries");
    }
}

#[test]
fn map_becomes_flat_again_when_its_entries_are_removed() {
    let mut map = filled(0..32_000);
    for number in (0..32_000).filter(|number| number % 1000 != 0) {
        map.remove(number_key(number).as_octets());
    }
    check_structure(&map);
    assert_eq!(map.len(), 32);
    assert!(nodes(&map).len() <= 5, "{} nodes", nodes(&map).len());
    (0..32).for_each(|number| assert!(map.remove(&(number * 1000_u16).to_be_bytes()).is_some()));
    assert!(map.is_empty() && map.root.is_none());
}

#[test]
fn differences_examine_only_nodes_that_are_not_shared() {
    #[derive(Clone)]
    struct Counted(u32, Rc<Cell<u32>>);
    impl IsSame for Counted {
        fn is_same(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            self.0 == other.0
        }
    }
    let compared = Rc::new(Cell::new(0));
    let mut before = SortedMap::new();
    (0..32_000_u16).for_each(|number| drop(before.insert(number_key(number), Counted(0, compared.clone()))));
    let mut after = before.clone();
    after.get_mut(&5000_u16.to_be_bytes()).unwrap().0 = 1;
    // Splits a node, so that the nodes after it are at other positions.
    after.insert(RowKey::from(&[10, 10, 1][..]), Counted(0, compared.clone()));
    // A map of another height.
    let mut short = SortedMap::new();
    short.insert(number_key(3), Counted(0, compared.clone()));
    assert_eq!(before.differences(&after).count(), 2);
    assert!(compared.get() <= 4 * 32, "{} comparisons", compared.get());
    assert_eq!(before.differences(&short).count(), 31_999);
    assert_eq!(short.differences(&before).count(), 31_999);
}

#[test]
fn keys_compare_as_their_octets_at_the_limit_of_short_keys() {
    let octets: Vec<Vec<u8>> =
        (20..26).flat_map(|len| [vec![1; len], vec![2; len]]).chain([vec![]]).collect();
    for one in &octets {
        assert_eq!(RowKey::from(&one[..]).as_octets(), &one[..]);
        for two in &octets {
            assert_eq!(RowKey::from(&one[..]).cmp(&RowKey::from(&two[..])), one.cmp(two));
            assert_eq!(RowKey::from(&one[..]) == RowKey::from(&two[..]), one == two);
        }
    }
}
