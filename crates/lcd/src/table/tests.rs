use std::collections::BTreeMap;

use super::*;
use crate::{Group, samples::group};

fn content(table: &Table<Group>) -> Vec<(Vec<u8>, Vec<u8>)> {
    table.iter().map(|row| (row.key.security_name.to_vec(), row.group_name.to_vec())).collect()
}

/// Random changes give the same rows as a map, and clones keep the rows that they had.
#[test]
fn table_contains_same_rows_as_map_after_random_changes() {
    let (mut table, mut map) = (Table::<Group>::default(), BTreeMap::new());
    let mut clones = Vec::new();
    let mut random = 1_u64;
    for step in 0..20_000_u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (choice, number) = (random >> 33, (random >> 40) % 1500);
        // Phases of growth and of shrinking, so that chunks are split and emptied.
        let inserts = if (step / 5000) % 2 == 0 { 3 } else { 1 };
        let row = group(&format!("{number:04}"), &step.to_string());
        if choice % 4 < inserts {
            map.insert(row.key.security_name.to_vec(), row.group_name.to_vec());
            table.insert(Arc::new(row));
        } else {
            map.remove(&row.key.security_name.to_vec());
            table.remove(&row.key);
        }
        if step % 1000 == 0 {
            clones.push((table.clone(), map.clone()));
        }
        let key = group(&format!("{:04}", number / 2), "").key;
        assert_eq!(
            table.get(&key).map(|row| row.group_name.to_vec()),
            map.get(&key.security_name.to_vec()).cloned()
        );
        assert_eq!((table.len(), table.is_empty()), (map.len(), map.is_empty()));
    }
    clones.push((table, map));
    for (table, map) in clones {
        assert_eq!(content(&table), map.into_iter().collect::<Vec<_>>());
        assert_eq!(table.iter().len(), table.iter().count());
        assert!(table.chunks.iter().all(|chunk| (1..=MAX_CHUNK_ROWS).contains(&chunk.len())));
    }
}

#[test]
fn change_after_clone_copies_only_the_chunk_of_the_row() {
    let mut table = Table::<Group>::default();
    (0..2000).for_each(|number| table.insert(Arc::new(group(&format!("{number:04}"), "a"))));
    let before = table.clone();
    assert!(table.is_same(&before));
    table.insert(Arc::new(group("1000", "b")));
    table.remove(&group("absent", "").key);
    assert!(!table.is_same(&before));
    let copied = table.chunks.iter().zip(before.chunks.iter()).filter(|(new, old)| !Arc::ptr_eq(new, old));
    assert_eq!(copied.count(), 1);
}

#[test]
fn rows_starting_at_a_key_are_found_with_few_comparisons() {
    let mut table = Table::<Group>::default();
    let all: Vec<_> = (0..25_002).map(|number| group(&format!("{number:05}"), "a")).collect();
    all.iter().for_each(|row| table.insert(Arc::new(row.clone())));
    for start in [0, 1, 127, 128, 12_345, 25_001, 25_002] {
        let comparisons = std::cell::Cell::new(0);
        let precedes = |key: &crate::GroupKey| {
            comparisons.set(comparisons.get() + 1);
            all.get(start).is_none_or(|first| *key < first.key)
        };
        let found: Vec<_> = table.starting_at(precedes).map(|row| row.key.clone()).collect();
        assert!(found.iter().eq(all[start..].iter().map(|row| &row.key)), "{start}");
        assert!(comparisons.get() <= 20, "{}", comparisons.get());
    }
    assert_eq!(Table::<Group>::default().starting_at(|_| true).count(), 0);
}
