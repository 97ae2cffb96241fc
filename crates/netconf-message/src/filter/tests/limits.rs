use super::tree::TestTree;
use super::{parse, select, walk};
use crate::filter::{FilterWalk, MAX_FILTER_NODES, MAX_FILTER_OCTETS, Selection};

#[test]
fn filter_has_a_maximum_number_of_elements() {
    let most = "<a/>".repeat(MAX_FILTER_NODES);
    assert!(parse(&most).is_ok());
    assert_eq!(parse(&format!("{most}<a/>")).unwrap_err().tag.as_str(), "too-big");
}

#[test]
fn filter_has_a_maximum_number_of_octets() {
    let text = |length: usize| format!("<a>{}</a>", "x".repeat(length));
    assert!(parse(&text(MAX_FILTER_OCTETS - 1)).is_ok());
    assert_eq!(parse(&text(MAX_FILTER_OCTETS)).unwrap_err().tag.as_str(), "too-big");
    let attribute = format!("<a b='{}'/>", "x".repeat(60_000));
    assert_eq!(parse(&attribute.repeat(18)).unwrap_err().tag.as_str(), "too-big");
}

#[test]
fn namespaces_are_stored_once() {
    let namespace = "x".repeat(1000);
    let inner = "<a/>".repeat(MAX_FILTER_NODES - 1);
    assert!(parse(&format!("<b xmlns='{namespace}'>{inner}</b>")).is_ok());
}

/// Returns a list of `count` entries with a key and a leaf.
fn list(count: usize) -> TestTree {
    let entries: String = (0..count).map(|index| format!("<e><k>{index}</k><v>1</v></e>")).collect();
    TestTree::new(&format!("<l xmlns='urn:l'>{entries}</l>"), &["k"])
}

#[test]
fn entries_with_keys_are_looked_up() {
    let tree = list(2000);
    let wanted: String = (0..100).map(|index| format!("<e><k>{}</k><v/></e>", index * 20)).collect();
    let output = select(&tree, &format!("<l xmlns='urn:l'>{wanted}</l>"));
    assert_eq!(output.matches("<e>").count(), 100);
    // One look-up for each filter node, and a few calls for each entry that is found.
    assert!(tree.calls.get() < 1500, "{} calls", tree.calls.get());
}

#[test]
fn walk_with_too_many_steps_is_refused() {
    let tree = list(1000);
    // Each of 6000 filter nodes has to be compared with each entry.
    let wanted = "<e><v>2</v></e>".repeat(6_000);
    let filter = parse(&format!("<l xmlns='urn:l'>{wanted}</l>")).unwrap();
    assert!(walk(&tree, filter).is_err());
}

#[test]
fn walk_pauses_while_nothing_is_selected() {
    let tree = list(10_000);
    let filter = parse("<l xmlns='urn:l'><e><v>2</v></e></l>").unwrap();
    let mut walk = FilterWalk::new(filter, &tree).unwrap();
    assert_eq!(walk.next_selection(&tree), Ok(Some(Selection::Pause)));
    let mut pauses = 1;
    while let Some(selection) = walk.next_selection(&tree).unwrap() {
        assert_eq!(selection, Selection::Pause);
        pauses += 1;
    }
    assert!((2..10).contains(&pauses), "{pauses} pauses");
    assert_eq!(walk.next_selection(&tree), Ok(None));
}
