//! Paths of leafrefs (RFC 7950 section 9.9.2).

use crate::libyang::{Node, NodeKind, Prefixes};

/// A path with its names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedPath<'c> {
    /// The number of data nodes to go up from the leaf; `None` stands for the root.
    pub(crate) up: Option<u16>,
    /// The data nodes on the way down, the last of which is the target.
    pub(crate) steps: Vec<ResolvedStep<'c>>,
}

/// A data node on the way down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedStep<'c> {
    pub(crate) node: Node<'c>,
    pub(crate) predicates: Vec<ResolvedPredicate<'c>>,
}

/// A condition `[key = current()/../…]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolvedPredicate<'c> {
    pub(crate) key: Node<'c>,
    pub(crate) up: u16,
    pub(crate) steps: Vec<Node<'c>>,
}

/// Resolves the path of a leafref that a leaf has; `None` if it does not lead to a node.
pub(crate) fn resolve<'c>(leaf: Node<'c>, path: &str, prefixes: &Prefixes<'c>) -> Option<ResolvedPath<'c>> {
    let resolver = Resolver { leaf, prefixes };
    let mut input = Input { rest: path };
    let mut steps = Vec::new();
    let (up, mut at) = if input.accept("/") {
        (None, None)
    } else {
        let (up, at) = resolver.go_up(&mut input)?;
        (Some(up), at)
    };
    loop {
        let node = resolver.child(at, input.name()?)?;
        let mut predicates = Vec::new();
        while input.accept("[") {
            predicates.push(resolver.predicate(&mut input, node)?);
        }
        steps.push(ResolvedStep { node, predicates });
        at = Some(node);
        if !input.accept("/") {
            break;
        }
    }
    input.is_empty().then_some(ResolvedPath { up, steps })
}

struct Resolver<'c, 'p> {
    leaf: Node<'c>,
    prefixes: &'p Prefixes<'c>,
}

impl<'c> Resolver<'c, '_> {
    /// Reads `../` as often as it occurs, and returns the number and the node that it leads to,
    /// which is `None` for the root.
    fn go_up(&self, input: &mut Input<'_>) -> Option<(u16, Option<Node<'c>>)> {
        let (mut up, mut at) = (0_u16, Some(self.leaf));
        while input.accept("..") {
            input.accept("/").then_some(())?;
            up = up.checked_add(1)?;
            at = data_parent(at?);
        }
        (up > 0).then_some((up, at))
    }

    /// Reads a condition after its opening bracket.
    fn predicate(&self, input: &mut Input<'_>, list: Node<'c>) -> Option<ResolvedPredicate<'c>> {
        let key = self.child(Some(list), input.name()?)?;
        for token in ["=", "current", "(", ")", "/"] {
            input.accept(token).then_some(())?;
        }
        let (up, mut at) = self.go_up(input)?;
        let mut steps = Vec::new();
        loop {
            let node = self.child(at, input.name()?)?;
            steps.push(node);
            at = Some(node);
            if !input.accept("/") {
                break;
            }
        }
        input.accept("]").then_some(ResolvedPredicate { key, up, steps })
    }

    /// Returns the data node of this name below another one, or at the top level.
    fn child(&self, parent: Option<Node<'c>>, (prefix, name): (Option<&str>, &str)) -> Option<Node<'c>> {
        let module = match (self.prefixes.module(prefix), prefix) {
            (Some(module), _) => module,
            (None, Some(_)) => return None,
            (None, None) => self.leaf.module()?,
        };
        let mut candidates = match parent {
            Some(parent) => parent.children(),
            None => module.nodes(),
        };
        while let Some(node) = candidates.pop() {
            match node.kind()? {
                NodeKind::Choice | NodeKind::Case => candidates.extend(node.children()),
                NodeKind::Input | NodeKind::Output => {
                    let is_own = is_within(self.leaf, node);
                    candidates.extend(node.children().into_iter().filter(|_| is_own));
                }
                _ if node.name() == name && node.module() == Some(module) => return Some(node),
                _ => {}
            }
        }
        None
    }
}

/// Returns the parent in data. The input and output of an operation stand for the operation.
fn data_parent(node: Node<'_>) -> Option<Node<'_>> {
    let mut parent = node.parent()?;
    if matches!(node.kind(), Some(NodeKind::Input | NodeKind::Output)) {
        parent = parent.parent()?;
    }
    while matches!(parent.kind(), Some(NodeKind::Choice | NodeKind::Case)) {
        parent = parent.parent()?;
    }
    Some(parent)
}

fn is_within(node: Node<'_>, ancestor: Node<'_>) -> bool {
    std::iter::successors(Some(node), |node| node.parent()).any(|node| node == ancestor)
}

struct Input<'p> {
    rest: &'p str,
}

impl<'p> Input<'p> {
    /// Reads a token if it is the next one. White space before it is skipped.
    fn accept(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads a name with or without a prefix.
    fn name(&mut self) -> Option<(Option<&'p str>, &'p str)> {
        let text = self.rest.trim_start();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-.:".contains(letter);
        let (name, rest) =
            text.split_at_checked(text.find(|letter| !is_part(letter)).unwrap_or(text.len()))?;
        self.rest = rest;
        match name.split_once(':') {
            Some((prefix, name)) => Some((Some(prefix), name)),
            None if name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') => {
                Some((None, name))
            }
            None => None,
        }
    }

    fn is_empty(&self) -> bool {
        self.rest.trim_start().is_empty()
    }
}
