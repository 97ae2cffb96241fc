//! Arbitrary octets as a subtree filter, applied to a fixed tree.

use std::cmp::Ordering;

use portreeve_netconf_message::filter::{
    ContentMatch, DataTree, Filter, FilterBuilder, FilterWalk, Selection,
};
use portreeve_yang_text::xml::{Event, Tokenizer};

/// Checks that a filter is the same regardless of how reads split it, that each selected node is
/// part of the tree and selected once, and that all ends match their starts.
pub fn subtree_filter(octets: &[u8]) {
    let document = [b"<filter xmlns:a='urn:a'>", octets, b"</filter>"].concat();
    let whole = parse(&document, document.len());
    assert_eq!(parse(&document, 1), whole, "{octets:?}");
    let Some(filter) = whole else { return };
    let is_empty = filter.is_empty();
    let Ok(mut walk) = FilterWalk::new(filter, &Tree) else { return };
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    while let Ok(Some(selection)) = walk.next_selection(&Tree) {
        let node = match selection {
            Selection::Open(node) | Selection::Whole(node) => node,
            Selection::Close => {
                open.pop().expect("each end has a start");
                continue;
            }
            Selection::Pause => continue,
        };
        assert!(!seen.contains(&node), "{node:?} is selected twice: {octets:?}");
        assert_eq!(node.parent(), open.last().copied().or(Some(ROOT)), "{octets:?}");
        seen.push(node);
        if matches!(selection, Selection::Open(_)) {
            open.push(node);
        }
    }
    assert!(open.is_empty(), "{octets:?}");
    assert!(!is_empty || seen.is_empty(), "an empty filter selects nothing");
}

fn parse(document: &[u8], piece: usize) -> Option<Filter> {
    let (mut tokenizer, mut builder) = (Tokenizer::new(), FilterBuilder::default());
    for mut octets in document.chunks(piece) {
        while let Some(event) = tokenizer.next_event(&mut octets).ok()? {
            match event {
                Event::Start(start) => builder.start(start).ok()?,
                Event::Text(text) => builder.text(text).ok()?,
                Event::End(end) => builder.end(end.scope).ok()?,
            }
        }
    }
    tokenizer.finish().ok()?;
    Some(builder.finish())
}

/// A tree with a container `filter`, in which is a list `e` with the key `k`, a leaf `v`, and a
/// container `c` with a leaf `v`. The list has nine entries, and exists in two namespaces.
struct Tree;

/// A node: its kind, and the number of its list entry.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node(usize, u8);

/// The namespaces, names and parents of the kinds.
const KINDS: [(&str, &str, Option<usize>); 8] = [
    ("", "filter", None),
    ("urn:a", "e", Some(0)),
    ("urn:a", "k", Some(1)),
    ("urn:a", "v", Some(1)),
    ("urn:a", "c", Some(1)),
    ("urn:a", "v", Some(4)),
    ("urn:b", "e", Some(0)),
    ("urn:b", "k", Some(6)),
];

const ROOT: Node = Node(KINDS.len(), 0);
const LISTS: [usize; 2] = [1, 6];
const KEYS: [usize; 2] = [2, 7];
const LEAFS: [usize; 4] = [2, 3, 5, 7];
const ENTRIES: u8 = 9;

impl Node {
    fn parent(self) -> Option<Node> {
        let parent = KINDS.get(self.0)?.2;
        let Some(kind) = parent else { return Some(ROOT) };
        Some(Node(kind, if LISTS.contains(&self.0) { 0 } else { self.1 }))
    }

    fn value(self) -> String {
        match self.0 {
            3 => (self.1 % 2).to_string(),
            _ => self.1.to_string(),
        }
    }
}

impl DataTree for Tree {
    type Kind = usize;
    type Node = Node;
    type Value = String;

    fn root(&self) -> Node {
        ROOT
    }

    fn child_kinds(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        (0..KINDS.len()).filter(move |kind| KINDS[*kind].2 == parent)
    }

    fn namespace(&self, kind: usize) -> &str {
        KINDS[kind].0
    }

    fn name(&self, kind: usize) -> &str {
        KINDS[kind].1
    }

    fn is_key(&self, kind: usize) -> bool {
        KEYS.contains(&kind)
    }

    fn value(&self, kind: usize, content: ContentMatch<'_>) -> Option<String> {
        LEAFS.contains(&kind).then(|| content.text().to_owned())
    }

    fn next_child(&self, parent: &Node, kind: usize, previous: Option<&Node>) -> Option<Node> {
        let is_list = LISTS.contains(&kind);
        match previous {
            Some(previous) if is_list && previous.1 + 1 < ENTRIES => Some(Node(kind, previous.1 + 1)),
            Some(_) => None,
            None => Some(Node(kind, if is_list { 0 } else { parent.1 })),
        }
    }

    fn find_entry(&self, _parent: &Node, list: usize, keys: &[(usize, &String)]) -> Option<Node> {
        let [(key, value)] = keys else { panic!("{keys:?}") };
        assert!(KEYS.contains(key));
        let number =
            value.parse().ok().filter(|number: &u8| *number < ENTRIES && number.to_string() == **value)?;
        Some(Node(list, number))
    }

    fn compare_entries(&self, one: &Node, other: &Node) -> Ordering {
        one.1.cmp(&other.1)
    }

    fn is_equal(&self, leaf: &Node, value: &String) -> bool {
        leaf.value() == *value
    }
}
