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
fn attributes_and_prefixes_count_as_parts() {
    let attributes: String = (0..63).map(|number| format!(" a{number}=''")).collect();
    let elements = |count: usize| format!("<a{attributes}/>").repeat(count);
    assert!(parse(&elements(MAX_FILTER_NODES / 64)).is_ok());
    assert_eq!(parse(&elements(MAX_FILTER_NODES / 64 + 1)).unwrap_err().tag.as_str(), "too-big");

    let declarations: String = (0..60).map(|number| format!(" xmlns:p{number}='urn:p'")).collect();
    let names: String = (0..60).map(|number| format!("p{number}:x ")).collect();
    let elements = |count: usize| format!("<b{declarations}>{}</b>", format!("<a>{names}</a>").repeat(count));
    assert!(parse(&elements(MAX_FILTER_NODES / 61)).is_ok());
    assert_eq!(parse(&elements(MAX_FILTER_NODES / 61 + 1)).unwrap_err().tag.as_str(), "too-big");
}

#[test]
fn value_of_many_colons_has_each_prefix_once() {
    let text = "a:b:c:".repeat(MAX_FILTER_OCTETS / 6 - 10);
    let filter = parse(&format!("<x xmlns:a='urn:a' xmlns:b='urn:b'>{text}</x>")).unwrap();
    assert_eq!(filter.nodes[0].content.as_ref().unwrap().prefixes.len(), 2);
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
fn steps_that_lead_to_output_do_not_count() {
    let tree = list(2000);
    let run = |content: &str| {
        let filter = parse(&format!("<l xmlns='urn:l'>{content}</l>")).unwrap();
        let mut walk = FilterWalk::with_max_steps(filter, &tree, 1000).unwrap();
        loop {
            match walk.next_selection(&tree) {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    };
    assert!(run("<e><k/></e>"), "each entry is part of the output");
    assert!(run("<e><k/><v>1</v></e>"), "each entry is part of the output");
    assert!(!run("<e><k/><v>2</v></e>"), "no entry is part of the output");
}

/// Runs a walk, and returns the number of pauses and the maximum number of calls of the tree
/// between them.
fn pauses(tree: &TestTree, content: &str) -> (usize, usize) {
    let mut walk = FilterWalk::new(parse(content).unwrap(), tree).unwrap();
    let (mut pauses, mut most) = (0, 0);
    loop {
        tree.calls.set(0);
        let selection = walk.next_selection(tree).unwrap();
        most = most.max(tree.calls.get());
        match selection {
            Some(Selection::Pause) => pauses += 1,
            Some(_) => {}
            None => return (pauses, most),
        }
    }
}

#[test]
fn walk_pauses_while_it_compares_the_values_of_one_leaf_list() {
    let values: String = (0..30_000).map(|number| format!("<v>{number}</v>")).collect();
    let tree = TestTree::new(&format!("<l xmlns='urn:l'><w>1</w>{values}</l>"), &[]);
    let (count, most) = pauses(&tree, "<l xmlns='urn:l'><v>x</v><w/></l>");
    assert!((2..10).contains(&count) && most <= 10_010, "{count} pauses, {most} calls");
}

#[test]
fn walk_pauses_while_it_looks_up_entries() {
    // Each of 100 entries of the outer list has 500 look-ups.
    let entries: String = (0..100).map(|key| format!("<o><k>{key}</k><e><k>1</k></e></o>")).collect();
    let tree = TestTree::new(&format!("<l xmlns='urn:l'>{entries}</l>"), &["k"]);
    let wanted = "<e><k>x</k></e>".repeat(500);
    let (count, most) = pauses(&tree, &format!("<l xmlns='urn:l'><o>{wanted}</o></l>"));
    assert!((4..20).contains(&count) && most <= 10_010, "{count} pauses, {most} calls");
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
