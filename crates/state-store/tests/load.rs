//! The tree after a restart, with the same modules and with others.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod support;

use std::fs;

use portreeve_datastore::{DurableLog, StateRecord, TransactionRecords, Tree, TreeChange};
use portreeve_state_store::{StateLog, load};
use portreeve_store::Store;
use portreeve_yang::{NodeKind, SchemaBuilder, Type, TypeKind};
use support::{Stair, TempDir};

/// Makes `text-0` a leaf of another type, and `text-1` mandatory.
fn change_types(builder: &mut SchemaBuilder, stair: &Stair) {
    let boolean = builder.add_type(Type::new(TypeKind::Boolean));
    builder.node_mut(stair.leaf(0)).unwrap().kind = NodeKind::leaf(boolean);
}

fn require_second_text(builder: &mut SchemaBuilder, stair: &Stair) {
    match &mut builder.node_mut(stair.leaf(1)).unwrap().kind {
        NodeKind::Leaf(leaf) => leaf.mandatory = true,
        _ => panic!("not a leaf"),
    }
}

#[test]
fn tree_is_the_same_after_changes_and_restarts() {
    let directory = TempDir::new("same");
    let stair = Stair::new();
    let mut expected = Tree::new();
    for number in 1..=3 {
        let mut state = stair.open(&directory.0);
        assert!(state.tree() == expected);
        let many = stair.tree(number, 50 * number, "text");
        let one = stair.with_text(&many, 7, 2, "changed");
        state.commit(many).unwrap();
        state.commit(one.clone()).unwrap();
        expected = one;
    }
    let mut state = stair.open(&directory.0);
    assert!(state.tree() == expected && state.set_aside.is_empty());
    state.commit(Tree::new()).unwrap();
    drop(state);
    assert!(stair.open(&directory.0).tree() == Tree::new());
}

#[test]
fn large_trees_are_the_same_after_snapshots() {
    let directory = TempDir::new("snapshots");
    let stair = Stair::new();
    let mut state = stair.open(&directory.0);
    for number in 0..8 {
        state.commit(stair.tree(number, 1000, &format!("{number:100}"))).unwrap();
    }
    assert!(state.coordinator.log_mut().commit_group(vec![]).is_ok());
    drop(state);
    assert!(directory.0.join("state.snapshot").exists());
    assert!(stair.open(&directory.0).tree() == stair.tree(7, 1000, &format!("{:100}", 7)));
}

#[test]
fn leafs_of_another_type_are_set_aside_and_restored() {
    let directory = TempDir::new("types");
    let stair = Stair::new();
    let tree = stair.tree(1, 3, "text");
    stair.open(&directory.0).commit(tree.clone()).unwrap();

    let changed = Stair::with(change_types);
    for (start, reported) in [(1, 3), (2, 0)] {
        let state = changed.open(&directory.0);
        assert_eq!(state.set_aside.len(), reported, "start {start}: {:?}", state.set_aside);
        assert_eq!(state.tree().size().leafs, tree.size().leafs - 3, "start {start}");
        assert_eq!(changed.numbers(&state.tree()), (1, 3));
    }
    let mut state = changed.open(&directory.0);
    state.commit(changed.with_text(&state.tree(), 0, 5, "newer")).unwrap();
    drop(state);

    let state = stair.open(&directory.0);
    assert!(state.tree() == stair.with_text(&tree, 0, 5, "newer"), "the leafs are restored");
    drop(state);
    assert!(stair.open(&directory.0).tree() == stair.with_text(&tree, 0, 5, "newer"));
}

#[test]
fn entries_that_are_not_valid_any_more_are_set_aside_and_restored() {
    let directory = TempDir::new("valid");
    let stair = Stair::new();
    let tree = stair.tree(1, 3, "text");
    let without = stair.without_text(&tree, 2, 1);
    stair.open(&directory.0).commit(without.clone()).unwrap();
    let changed = Stair::with(require_second_text);
    let state = changed.open(&directory.0);
    assert_eq!(state.set_aside, ["/stair:step/text-1: a mandatory node is missing"]);
    assert!(state.tree() == changed.without_step(&tree, 2), "only the entry is set aside");
    drop(state);
    assert!(changed.open(&directory.0).set_aside.is_empty());
    assert!(stair.open(&directory.0).tree() == without);
}

#[test]
fn all_entries_that_are_not_valid_any_more_are_set_aside() {
    let directory = TempDir::new("many");
    let stair = Stair::new();
    let mut tree = Tree::new();
    for step in 0..10_200 {
        tree = stair.with_text(&tree, step, 0, "text");
    }
    let tree = stair.with_text(&tree, 10_200, 1, "text");
    stair.open(&directory.0).commit(tree.clone()).unwrap();
    let changed = Stair::with(require_second_text);
    let state = changed.open(&directory.0);
    assert_eq!((state.set_aside.len(), changed.steps(&state.tree())), (10_200, vec!["10200".to_owned()]));
    drop(state);
    assert!(stair.open(&directory.0).tree() == tree);
}

#[test]
fn order_of_a_list_that_users_order_since_a_change_of_the_modules_is_stored() {
    let directory = TempDir::new("order");
    let stair = Stair::new();
    stair.open(&directory.0).commit(stair.tree(1, 3, "text")).unwrap();
    let changed = Stair::with(|builder, stair| match &mut builder.node_mut(stair.list).unwrap().kind {
        NodeKind::List(list) => list.user_ordered = true,
        _ => panic!("not a list"),
    });
    let mut state = changed.open(&directory.0);
    assert_eq!(changed.steps(&state.tree()), ["0", "1", "2"]);
    state.commit(changed.with_step_after(&state.tree(), 1, 2)).unwrap();
    drop(state);
    assert_eq!(changed.steps(&changed.open(&directory.0).tree()), ["0", "2", "1"]);
}

#[test]
fn changes_are_refused_while_a_mandatory_node_of_the_top_level_is_missing() {
    let directory = TempDir::new("mandatory");
    let stair = Stair::with(|builder, stair| match &mut builder.node_mut(stair.number).unwrap().kind {
        NodeKind::Leaf(leaf) => leaf.mandatory = true,
        _ => panic!("not a leaf"),
    });
    let mut state = stair.open(&directory.0);
    assert!(state.tree() == Tree::new() && state.set_aside.is_empty());
    let other = stair.with_text(&state.tree(), 1, 1, "text");
    let refusal = state.commit_unchecked(other).unwrap_err();
    assert_eq!(refusal.text, "a mandatory node is missing");
    state.commit_unchecked(stair.tree(1, 2, "text")).unwrap();
}

/// The tree of an agent whose modules are missing at a start is not lost.
#[test]
fn data_of_missing_modules_are_set_aside_and_restored() {
    let directory = TempDir::new("missing");
    let stair = Stair::new();
    let tree = stair.tree(4, 20, "text");
    stair.open(&directory.0).commit(tree.clone()).unwrap();
    let empty = Stair::without_modules();
    let state = empty.open(&directory.0);
    assert_eq!(state.set_aside.len(), 21);
    assert!(state.tree() == Tree::new());
    drop(state);
    assert!(stair.open(&directory.0).tree() == tree);
}

/// A reload can change the tree without records. The next change is stored with everything that it
/// is based on.
#[test]
fn log_stores_the_difference_to_what_it_has_stored() {
    let directory = TempDir::new("difference");
    let stair = Stair::new();
    let (mut store, _) = Store::open(&directory.0).unwrap();
    let loaded = load(&mut store, &stair.model);
    let mut log = StateLog::new(store.into_writer().unwrap(), Some(loaded.stored));
    let before = stair.tree(1, 2, "never stored");
    let after = stair.with_text(&before, 1, 1, "stored");
    let record = StateRecord { key: b"other".to_vec(), value: None };
    let change = TreeChange { before, after: after.clone() };
    let records = TransactionRecords { records: vec![record], tree: Some(change) };
    log.commit_group(vec![records, TransactionRecords::default()]).unwrap();
    drop(log);
    assert!(stair.open(&directory.0).tree() == after);
}

#[test]
fn agent_without_data_tree_keeps_its_records_and_refuses_changes() {
    let directory = TempDir::new("without");
    let stair = Stair::new();
    let tree = stair.tree(1, 2, "text");
    stair.open(&directory.0).commit(tree.clone()).unwrap();
    let mut log = StateLog::new(Store::open(&directory.0).unwrap().0.into_writer().unwrap(), None);
    let change = TreeChange { before: Tree::new(), after: tree.clone() };
    let records = TransactionRecords { records: vec![], tree: Some(change) };
    assert_eq!(log.commit_group(vec![records]).unwrap_err().durable, 0);
    drop(log);
    assert!(stair.open(&directory.0).tree() == tree);
}

/// A power cut or a full disk at the start: what was set aside is written with the next change.
#[test]
fn failed_changes_of_the_start_are_written_with_the_next_change() {
    let directory = TempDir::new("pending");
    let stair = Stair::new();
    let tree = stair.tree(1, 3, "text");
    stair.open(&directory.0).commit(tree.clone()).unwrap();
    let changed = Stair::with(change_types);
    // A directory in the place of the new log makes the write fail.
    let log = directory.0.join("state.log");
    let saved = fs::read(&log).unwrap();
    let (mut store, _) = Store::open(&directory.0).unwrap();
    fs::remove_file(&log).unwrap();
    fs::create_dir(&log).unwrap();
    let loaded = load(&mut store, &changed.model);
    fs::remove_dir(&log).unwrap();
    fs::write(&log, saved).unwrap();
    let after = changed.with_text(&loaded.tree, 1, 1, "later");
    let change = TreeChange { before: loaded.tree, after };
    let mut log = StateLog::new(store.into_writer().unwrap(), Some(loaded.stored));
    log.commit_group(vec![TransactionRecords { records: vec![], tree: Some(change) }]).unwrap();
    drop(log);
    assert!(stair.open(&directory.0).tree() == stair.with_text(&tree, 1, 1, "later"));
}
