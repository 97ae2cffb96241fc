use super::order_of_round;

#[test]
fn order_contains_every_variant_exactly_once() {
    for count in [0, 1, 2, 7, 100] {
        let mut order = order_of_round(1, "walk", 3, count);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..count), "{count}");
    }
}

#[test]
fn same_seed_gives_same_order() {
    assert_eq!(order_of_round(42, "walk", 3, 50), order_of_round(42, "walk", 3, 50));
}

#[test]
fn order_differs_between_seeds_rounds_and_experiments() {
    let order = order_of_round(42, "walk", 3, 50);
    assert_ne!(order, order_of_round(43, "walk", 3, 50));
    assert_ne!(order, order_of_round(42, "walk", 4, 50));
    assert_ne!(order, order_of_round(42, "memory", 3, 50));
}

#[test]
fn every_variant_is_first_in_some_round() {
    let first: std::collections::BTreeSet<usize> =
        (0..200).filter_map(|round| order_of_round(7, "walk", round, 8).first().copied()).collect();
    assert_eq!(first.len(), 8);
}
