use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Leafs;

proptest! {
    #[test]
    fn packed_leafs_agree_with_a_map(
        map in prop::collection::btree_map(prop_oneof![0..20_usize, 120..140_usize, 16_380..65_535_usize], ".{0,20}", 0..200),
        probes in prop::collection::vec(0..65_535_usize, 0..20),
    ) {
        let leafs = Leafs::pack(map.iter().map(|(slot, value)| (*slot, value.as_str())));
        prop_assert_eq!(leafs.len(), map.len());
        prop_assert_eq!(leafs.is_empty(), map.is_empty());
        prop_assert_eq!(leafs.octets(), map.values().map(String::len).sum::<usize>());
        let all: BTreeMap<_, _> = leafs.iter().map(|(slot, value)| (slot, value.to_owned())).collect();
        prop_assert_eq!(&all, &map);
        for probe in probes.iter().chain(map.keys()) {
            prop_assert_eq!(leafs.get(*probe), map.get(probe).map(String::as_str));
            let range: Vec<_> = leafs.range(5..*probe).map(|(slot, _)| slot).collect();
            prop_assert_eq!(range, map.keys().copied().filter(|slot| (5..*probe).contains(slot)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn equal_leafs_have_equal_allocations_and_others_differ() {
    let one = Leafs::pack([(1, "ab"), (2, "c")].into_iter());
    assert_eq!(one, Leafs::pack([(1, "ab"), (2, "c")].into_iter()));
    for other in
        [&[(1, "a"), (2, "bc")][..], &[(1, "ab"), (3, "c")], &[(1, "abc")], &[(1, "ab"), (2, "c"), (3, "")]]
    {
        assert_ne!(one, Leafs::pack(other.iter().copied()));
    }
}

#[test]
fn leaf_with_an_empty_value_differs_from_an_absent_leaf() {
    let leafs = Leafs::pack([(7, "")].into_iter());
    assert_eq!(leafs.get(7), Some(""));
    assert_eq!(leafs.get(6), None);
}

#[test]
fn long_values_are_found_after_one_another() {
    let (long, longer) = ("x".repeat(3_000_000), "y".repeat(20_000_000));
    let leafs = Leafs::pack([(0, &*long), (1, &*longer), (2, "z")].into_iter());
    assert_eq!((leafs.get(0), leafs.get(1), leafs.get(2)), (Some(&*long), Some(&*longer), Some("z")));
}
