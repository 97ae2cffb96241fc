//! A filter selects what a direct reading of RFC 6241 §6 selects, in any tree.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::tree::TestTree;
use super::{parse, walk};

/// An element of a filter or of data. Containers are "a" and "c", "e" is a list with the key "k",
/// and the others are leafs.
#[derive(Clone, Debug)]
struct Element {
    namespace: u8,
    name: &'static str,
    text: Option<u8>,
    children: Vec<Element>,
}

impl Element {
    fn is_leaf(&self) -> bool {
        matches!(self.name, "k" | "v" | "w")
    }

    fn print(&self) -> String {
        let namespace = if self.namespace == 0 { String::new() } else { format!("urn:{}", self.namespace) };
        let text = self.text.map(|text| text.to_string()).unwrap_or_default();
        let children: String = self.children.iter().map(Self::print).collect();
        format!("<{0} xmlns='{namespace}'>{text}{children}</{0}>", self.name)
    }
}

fn elements(
    names: &'static [&'static str],
    namespaces: std::ops::Range<u8>,
) -> impl Strategy<Value = Vec<Element>> {
    let element = (namespaces.clone(), proptest::sample::select(names), proptest::option::of(1..4_u8));
    let leaf =
        element.prop_map(|(namespace, name, text)| Element { namespace, name, text, children: vec![] });
    let element = leaf.prop_recursive(3, 40, 6, move |inner| {
        let name = proptest::sample::select(&["a", "c", "e"][..]);
        (namespaces.clone(), name, proptest::collection::vec(inner, 0..6))
            .prop_map(|(namespace, name, children)| Element { namespace, name, text: None, children })
    });
    proptest::collection::vec(element, 0..5)
}

/// Makes elements valid data: leafs have one value, and entries of a list one key.
fn as_data(elements: Vec<Element>) -> Vec<Element> {
    let mut entries = [0, 0];
    let mut seen = BTreeSet::new();
    let mut data = Vec::new();
    for mut element in elements {
        element.namespace = element.namespace.max(1);
        if element.name == "k" || element.name != "e" && !seen.insert((element.namespace, element.name)) {
            continue;
        }
        match element.name {
            "v" | "w" => element.text = Some(element.text.unwrap_or(1)),
            _ => {
                element.text = None;
                element.children = as_data(element.children);
            }
        }
        if element.name == "e" {
            let count = &mut entries[usize::from(element.namespace - 1)];
            *count += 1;
            let namespace = element.namespace;
            let key = Element { namespace, name: "k", text: Some(*count), children: vec![] };
            element.children.insert(0, key);
        }
        data.push(element);
    }
    data
}

/// Adds the nodes below `node` that the sibling set `filter` selects.
fn oracle(tree: &TestTree, node: usize, filter: &[&Element], selected: &mut BTreeSet<usize>) {
    let matches = |element: &Element, child: usize| {
        let (namespace, name) = tree.full_name(child);
        element.name == name && (element.namespace == 0 || namespace == format!("urn:{}", element.namespace))
    };
    let has_value =
        |child: usize, text: u8| tree.children(child).is_empty() && tree.text(child) == text.to_string();
    let contents: Vec<_> = filter.iter().filter_map(|element| Some((element, element.text?))).collect();
    let is_true = |element: &Element, text: u8| {
        tree.children(node).iter().any(|child| matches(element, *child) && has_value(*child, text))
    };
    if filter.is_empty() || !contents.iter().all(|(element, text)| is_true(element, *text)) {
        return;
    }
    if contents.len() == filter.len() {
        for child in tree.children(node) {
            select_all(tree, *child, selected);
        }
        if node != 0 {
            selected.insert(node);
        }
        return;
    }
    for element in filter {
        for child in tree.children(node).iter().copied().filter(|child| matches(element, *child)) {
            match element.text {
                Some(text) if !has_value(child, text) => {}
                Some(_) => select_all(tree, child, selected),
                None if element.children.is_empty() => select_all(tree, child, selected),
                None => oracle(tree, child, &element.children.iter().collect::<Vec<_>>(), selected),
            }
        }
    }
}

fn select_all(tree: &TestTree, node: usize, selected: &mut BTreeSet<usize>) {
    selected.insert(node);
    for child in tree.children(node) {
        select_all(tree, *child, selected);
    }
}

/// Prints the selected nodes, those that contain them, and their keys.
fn print(tree: &TestTree, selected: &BTreeSet<usize>) -> String {
    fn contains(tree: &TestTree, node: usize, selected: &BTreeSet<usize>) -> bool {
        selected.contains(&node) || tree.children(node).iter().any(|child| contains(tree, *child, selected))
    }
    // A key is printed if its entry is.
    tree.print(0, &|node| contains(tree, node, selected) || tree.is_key_node(node))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn selected_nodes_are_those_of_the_oracle(
        data in elements(&["a", "c", "e", "v", "w"], 1..3).prop_map(as_data),
        filter in elements(&["a", "c", "e", "k", "v", "w"], 0..3),
    ) {
        let tree = TestTree::new(&data.iter().map(Element::print).collect::<String>(), &["k"]);
        let mut filter = filter;
        for element in &mut filter {
            remove_mixed(element);
        }
        let text: String = filter.iter().map(Element::print).collect();
        let mut selected = BTreeSet::new();
        let top: Vec<usize> = tree.children(0).to_vec();
        for namespace in 1..3_u8 {
            let of_namespace = filter.iter().filter(|element| [0, namespace].contains(&element.namespace));
            let set: Vec<_> = of_namespace.collect();
            let mut found = BTreeSet::new();
            let part: Vec<Element> =
                data.iter().filter(|element| element.namespace == namespace).cloned().collect();
            // The sibling set sees only the data of its namespace.
            let alone = TestTree::new(&part.iter().map(Element::print).collect::<String>(), &["k"]);
            oracle(&alone, 0, &set, &mut found);
            // Nodes have the same order in both trees.
            let numbers = top.iter().filter(|node| tree.full_name(**node).0 == format!("urn:{namespace}"));
            let mut map = vec![0];
            for node in numbers {
                collect(&tree, *node, &mut map);
            }
            selected.extend(found.into_iter().map(|node| map[node]));
        }
        let expected = print(&tree, &selected);
        prop_assert_eq!(walk(&tree, parse(&text).unwrap()).unwrap(), expected, "{}", text);
    }
}

fn collect(tree: &TestTree, node: usize, into: &mut Vec<usize>) {
    into.push(node);
    for child in tree.children(node) {
        collect(tree, *child, into);
    }
}

/// Removes text beside elements, which filters cannot have.
fn remove_mixed(element: &mut Element) {
    if !element.children.is_empty() {
        element.text = None;
    }
    element.children.iter_mut().for_each(remove_mixed);
    if element.is_leaf() {
        element.children.clear();
    }
}
