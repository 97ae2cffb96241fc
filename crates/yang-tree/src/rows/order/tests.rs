use proptest::prelude::*;

use super::{Order, Place, RowKey, UnknownAnchor};

fn key(number: u16) -> RowKey {
    RowKey::from(&number.to_be_bytes()[..])
}

/// A place by the number of its anchor.
fn place(kind: u8, anchor: &[u8; 2]) -> Place<'_> {
    match kind {
        0 => Place::First,
        1 => Place::Last,
        2 => Place::Before(anchor),
        _ => Place::After(anchor),
    }
}

/// Does in a list of numbers what the order must do.
fn place_in_model(model: &mut Vec<u16>, number: u16, kind: u8, anchor: u16) -> bool {
    if kind >= 2 && !model.contains(&anchor) {
        return false;
    }
    if kind >= 2 && anchor == number {
        return true;
    }
    model.retain(|other| *other != number);
    let at = |model: &[u16]| model.iter().position(|other| *other == anchor).unwrap();
    let position = match kind {
        0 => 0,
        1 => model.len(),
        2 => at(model),
        _ => at(model) + 1,
    };
    model.insert(position, number);
    true
}

fn sequence(order: &Order) -> Vec<u16> {
    order.iter().map(|key| u16::from_be_bytes(key.as_octets().try_into().unwrap())).collect()
}

/// Checks that both maps of an order contain the same.
fn check(order: &Order) {
    assert_eq!(order.keys.len(), order.positions.len());
    for (position, key) in &order.keys {
        assert_eq!(
            order.position(key.as_octets()).map(u64::to_be_bytes).as_ref().map(|p| &p[..]),
            Some(position.as_octets())
        );
    }
}

proptest! {
    #[test]
    fn order_agrees_with_a_list_after_any_placements(
        steps in prop::collection::vec((0..40_u16, 0..5_u8, 0..40_u16), 0..200),
    ) {
        let (mut order, mut model) = (Order::default(), Vec::new());
        for (number, kind, anchor) in steps {
            if kind == 4 {
                prop_assert_eq!(order.remove(&number.to_be_bytes()).is_some(), model.contains(&number));
                model.retain(|other| *other != number);
                continue;
            }
            let placed = order.place(key(number), place(kind, &anchor.to_be_bytes()));
            prop_assert_eq!(placed.is_ok(), place_in_model(&mut model, number, kind, anchor));
        }
        check(&order);
        prop_assert_eq!(sequence(&order), model);
    }

    #[test]
    fn restored_positions_keep_the_sequence(steps in prop::collection::vec((0..40_u16, 0..4_u8, 0..40_u16), 0..100)) {
        let mut order = Order::default();
        for (number, kind, anchor) in steps {
            let _ = order.place(key(number), place(kind, &anchor.to_be_bytes()));
        }
        let mut restored = Order::default();
        // In the sequence of keys, as records are stored.
        for (key, position) in order.positions() {
            restored.restore(key.clone(), *position);
        }
        prop_assert!(restored.is_same_sequence(&order));
    }
}

/// Inserts each number at a place that depends on the one before, as clients do that build a list
/// from its end, at its start, after a fixed entry, before a fixed entry, or alternately around
/// the entry before, which leaves the smallest distances.
#[test]
fn few_positions_change_for_each_insertion_in_any_sequence() {
    const KEYS: u16 = 4000;
    for (name, kind) in
        [("last", 0), ("first", 1), ("after", 2), ("before", 3), ("alternately", 4), ("run", 5)]
    {
        let (mut order, mut changed) = (Order::default(), 0);
        order.place(key(0), Place::Last).unwrap();
        order.place(key(1), Place::Last).unwrap();
        for number in 2..KEYS {
            let previous = (number - 1).to_be_bytes();
            let before = order.positions().clone();
            let at = match kind {
                0 => Place::Last,
                1 => Place::First,
                2 => Place::After(&[0, 0]),
                3 => Place::Before(&[0, 1]),
                4 if number % 2 == 0 => Place::Before(&previous),
                4 => Place::After(&previous),
                _ if number == 2 => Place::After(&[0, 0]),
                _ => Place::After(&previous),
            };
            order.place(key(number), at).unwrap();
            changed += before.differences(order.positions()).count();
        }
        check(&order);
        assert_eq!(order.len(), usize::from(KEYS));
        let average = changed / usize::from(KEYS);
        assert!(average <= 24, "{name}: {average} positions for each insertion");
    }
}

#[test]
fn placement_is_rejected_without_anchor() {
    let mut order = Order::default();
    assert_eq!(order.place(key(1), Place::Before(&[0, 2])), Err(UnknownAnchor));
    assert_eq!(order.place(key(1), Place::After(&[0, 1])), Err(UnknownAnchor));
    assert!(order.is_empty());
}

#[test]
fn restored_keys_with_equal_positions_are_all_kept() {
    for position in [0, 1, u64::MAX - 1, u64::MAX] {
        let mut order = Order::default();
        (0..100).for_each(|number| order.restore(key(number), position));
        check(&order);
        assert_eq!(order.len(), 100, "at {position}");
    }
}

#[test]
fn entry_is_appended_after_the_only_one_of_a_node_was_removed() {
    let mut order = Order::default();
    (0..1025).for_each(|number| order.place(key(number), Place::Last).unwrap());
    order.remove(key(1024).as_octets());
    order.place(key(2000), Place::Last).unwrap();
    check(&order);
    assert_eq!(sequence(&order), (0..1024).chain([2000]).collect::<Vec<_>>());
}

#[test]
fn order_that_changes_leaves_its_clone_unchanged() {
    let mut order = Order::default();
    (0..100).for_each(|number| order.place(key(number), Place::Last).unwrap());
    let before = order.clone();
    assert!(before.is_same_version(&order));
    order.place(key(5), Place::First).unwrap();
    assert!(!before.is_same_version(&order) && !before.is_same_sequence(&order));
    assert_eq!(sequence(&before), (0..100).collect::<Vec<_>>());
    assert_eq!(order.after(&[0, 98]).unwrap().count(), 1);
    assert_eq!(order.after(&[0, 5]).unwrap().next(), Some(&key(0)));
}

#[test]
fn key_that_is_at_its_place_already_does_not_make_a_new_version() {
    let mut order = Order::default();
    (0..3).for_each(|number| order.place(key(number), Place::Last).unwrap());
    let before = order.clone();
    for (number, place) in [
        (0, Place::First),
        (2, Place::Last),
        (1, Place::Before(&[0, 2])),
        (1, Place::After(&[0, 0])),
        (1, Place::After(&[0, 1])),
    ] {
        order.place(key(number), place).unwrap();
        assert!(order.is_same_version(&before), "{place:?}");
    }
}

#[test]
fn position_that_is_taken_is_not_given_to_another_key() {
    let mut order = Order::default();
    for (number, position) in [(1, u64::MAX), (2, u64::MAX), (3, 7), (4, 7), (5, 8), (4, 8)] {
        order.put(key(number), position);
        check(&order);
    }
    assert_eq!(order.len(), 5);
    let mut all = sequence(&order);
    all.sort_unstable();
    assert_eq!(all, [1, 2, 3, 4, 5]);
}
