//! A tree read from XML. Its kinds are the paths that occur in it.

use std::cell::Cell;
use std::cmp::Ordering;

use portreeve_yang_text::xml::{Event, Tokenizer};

use crate::filter::{AttributeMatch, ContentMatch, DataTree};

/// A data tree. The root is node 0.
pub(super) struct TestTree {
    kinds: Vec<Kind>,
    nodes: Vec<Node>,
    /// Names of elements that are the key of their parent.
    keys: &'static [&'static str],
    /// Number of calls of `next_child` and `find_entry`.
    pub(super) calls: Cell<usize>,
}

struct Kind {
    namespace: String,
    name: String,
    parent: Option<usize>,
}

#[derive(Default)]
struct Node {
    kind: Option<usize>,
    text: String,
    attributes: Vec<(String, String, String)>,
    children: Vec<usize>,
}

impl TestTree {
    /// Reads the content of a document. Keys come first in the order of kinds.
    pub(super) fn new(content: &str, keys: &'static [&'static str]) -> Self {
        let mut tree = Self { kinds: Vec::new(), nodes: vec![Node::default()], keys, calls: Cell::new(0) };
        let document = format!("<data>{content}</data>");
        let (mut tokenizer, mut octets, mut open) = (Tokenizer::new(), document.as_bytes(), vec![]);
        while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
            match event {
                Event::Start(_) if open.is_empty() => open.push(0),
                Event::Start(start) => {
                    let parent = *open.last().unwrap();
                    let kind = tree.kind(tree.nodes[parent].kind, start.name.namespace, start.name.local);
                    let attributes = start.attributes.iter().map(|attribute| {
                        let name = attribute.name;
                        (name.namespace.to_owned(), name.local.to_owned(), attribute.value.to_owned())
                    });
                    let node = Node { kind: Some(kind), attributes: attributes.collect(), ..Node::default() };
                    open.push(tree.nodes.len());
                    let index = tree.nodes.len();
                    tree.nodes[parent].children.push(index);
                    tree.nodes.push(node);
                }
                Event::Text(text) => tree.nodes[*open.last().unwrap()].text += text.trim(),
                Event::End(_) => {
                    open.pop();
                }
            }
        }
        tree
    }

    fn kind(&mut self, parent: Option<usize>, namespace: &str, name: &str) -> usize {
        let is_same = |kind: &Kind| kind.parent == parent && kind.namespace == namespace && kind.name == name;
        self.kinds.iter().position(is_same).unwrap_or_else(|| {
            self.kinds.push(Kind { namespace: namespace.to_owned(), name: name.to_owned(), parent });
            self.kinds.len() - 1
        })
    }

    fn name_of(&self, node: usize) -> &str {
        self.nodes[node].kind.map_or("", |kind| &self.kinds[kind].name)
    }

    pub(super) fn start(&self, node: usize) -> String {
        format!("<{}>", self.name_of(node))
    }

    pub(super) fn end(&self, node: usize) -> String {
        format!("</{}>", self.name_of(node))
    }

    /// Returns the nodes below `node` for which `is_selected` is true, by kinds.
    pub(super) fn print(&self, node: usize, is_selected: &dyn Fn(usize) -> bool) -> String {
        let mut text = if node == 0 { String::new() } else { self.start(node) + &self.nodes[node].text };
        for kind in self.child_kinds(self.nodes[node].kind) {
            for child in self.children(node).iter().filter(|child| self.nodes[**child].kind == Some(kind)) {
                if is_selected(*child) {
                    text += &self.print(*child, is_selected);
                }
            }
        }
        if node == 0 { text } else { text + &self.end(node) }
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.nodes[node].children
    }

    pub(super) fn text(&self, node: usize) -> &str {
        &self.nodes[node].text
    }

    /// Returns the namespace and the name of a node.
    pub(super) fn full_name(&self, node: usize) -> (&str, &str) {
        let kind = &self.kinds[self.nodes[node].kind.unwrap()];
        (&kind.namespace, &kind.name)
    }

    pub(super) fn is_key_node(&self, node: usize) -> bool {
        self.keys.contains(&self.name_of(node))
    }

    fn key_of(&self, entry: usize) -> &str {
        let key = self.children(entry).iter().find(|child| self.is_key_node(**child));
        key.map_or("", |key| self.text(*key))
    }
}

impl DataTree for TestTree {
    type Kind = usize;
    type Node = usize;
    type Value = String;

    fn root(&self) -> usize {
        0
    }

    fn child_kinds(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let mut kinds: Vec<_> =
            (0..self.kinds.len()).filter(|kind| self.kinds[*kind].parent == parent).collect();
        kinds.sort_by_key(|kind| !self.is_key(*kind));
        kinds.into_iter()
    }

    fn namespace(&self, kind: usize) -> &str {
        &self.kinds[kind].namespace
    }

    fn name(&self, kind: usize) -> &str {
        &self.kinds[kind].name
    }

    fn is_key(&self, kind: usize) -> bool {
        self.keys.contains(&self.kinds[kind].name.as_str())
    }

    fn value(&self, kind: usize, content: ContentMatch<'_>) -> Option<String> {
        let is_leaf = !self.kinds.iter().any(|other| other.parent == Some(kind));
        // A prefix that is bound stands for its namespace.
        let value = match content.text().split_once(':') {
            Some((prefix, rest)) => format!("{{{}}}{rest}", content.resolve(prefix)?),
            None => content.text().to_owned(),
        };
        is_leaf.then_some(value)
    }

    fn next_child(&self, parent: &usize, kind: usize, previous: Option<&usize>) -> Option<usize> {
        self.calls.set(self.calls.get() + 1);
        let children = self.children(*parent);
        let first = previous.map_or(0, |previous| children.partition_point(|child| child <= previous));
        children[first..].iter().copied().find(|child| self.nodes[*child].kind == Some(kind))
    }

    fn find_entry(&self, parent: &usize, list: usize, keys: &[(usize, &String)]) -> Option<usize> {
        self.calls.set(self.calls.get() + 1);
        let [(_, key)] = keys else { panic!("{keys:?}") };
        let mut entries = self.children(*parent).iter().copied();
        entries.find(|entry| self.nodes[*entry].kind == Some(list) && self.key_of(*entry) == **key)
    }

    fn compare_entries(&self, one: &usize, other: &usize) -> Ordering {
        one.cmp(other)
    }

    fn is_equal(&self, leaf: &usize, value: &String) -> bool {
        self.text(*leaf) == value
    }

    fn has_attribute(&self, node: &usize, attribute: AttributeMatch<'_>) -> bool {
        let wanted = (attribute.namespace, attribute.local, attribute.value);
        let mut attributes = self.nodes[*node].attributes.iter();
        attributes.any(|(namespace, local, value)| (&**namespace, &**local, &**value) == wanted)
    }
}
