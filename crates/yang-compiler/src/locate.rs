//! Finds the statements of compiled nodes again, because libyang does not keep their places.
//!
//! A compiled node can come from a grouping or an augment of any module. If the texts contain
//! several statements that fit, the one whose ancestors have most names in common with the node's
//! is taken.

use std::{collections::HashMap, rc::Rc};

use crate::{
    Problem,
    files::ModuleFile,
    libyang::{Message, Module, Node, NodeKind},
    statement::Statement,
};

/// The statements of all files, by their arguments.
#[derive(Default)]
pub(crate) struct Locator {
    files: Vec<Rc<ModuleFile>>,
    /// Definitions of nodes and of typedefs, by keyword and name.
    definitions: HashMap<(&'static str, String), Vec<Place>>,
    /// The `must` and `when` statements, by keyword and expression without white space.
    constraints: HashMap<(&'static str, String), Vec<Place>>,
}

/// The place of a statement: the number of its file, and its number in this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    file: usize,
    statement: usize,
}

impl Locator {
    /// Creates a locator for all files that were read.
    pub(crate) fn new(files: Vec<Rc<ModuleFile>>) -> Self {
        let (mut definitions, mut constraints) = (HashMap::new(), HashMap::new());
        for (file, text) in files.iter().enumerate() {
            for (at, statement) in text.statements.all() {
                let place = Place { file, statement: at };
                let add = |map: &mut HashMap<_, Vec<_>>, keyword, argument| {
                    map.entry((keyword, argument)).or_default().push(place);
                };
                let is = |keyword: &&&str| **keyword == statement.keyword;
                if let Some(keyword) = DEFINITIONS.iter().find(is) {
                    add(&mut definitions, *keyword, statement.argument.clone());
                } else if let Some(keyword) = CONSTRAINTS.iter().find(is) {
                    add(&mut constraints, *keyword, without_space(&statement.argument));
                }
            }
        }
        Self { files, definitions, constraints }
    }

    /// Returns the file name and the line of a `must` or `when` statement that applies to a node.
    pub(crate) fn constraint(
        &self,
        node: Node<'_>,
        keyword: &'static str,
        expression: &str,
    ) -> Option<(String, u32)> {
        let places = self.constraints.get(&(keyword, without_space(expression)))?;
        let home = self.statement_of(node);
        let best = places.iter().max_by_key(|place| {
            let (file, statement) = self.get(**place)?;
            let parent = file.statements.parent(statement)?;
            let is_home = home == Some(Place { file: place.file, statement: parent.0 });
            let is_named = is_same_node(parent.1, node);
            Some((is_home, is_named, is_text_of(file, node.module()), std::cmp::Reverse(place.statement)))
        })?;
        let (file, statement) = self.get(*best)?;
        Some((file.file_name(), statement.line))
    }

    /// Returns the name of the module that defines the typedef of a node's type, or of a member of
    /// it.
    ///
    /// `outer` is the module of the typedef whose union has the type as a member.
    ///
    /// It is the module whose prefix the `type` statement has, if that statement can be found, or
    /// else a module with a typedef of this name: `outer`, the module of the node, one that it
    /// imports, or any other.
    pub(crate) fn typedef_module(
        &self,
        node: Node<'_>,
        typedef: &str,
        outer: Option<&str>,
    ) -> Option<String> {
        let stated = || {
            let (file, _) = self.get(self.statement_of(node)?)?;
            let mut below = vec![self.statement_of(node)?.statement];
            while let Some(at) = below.pop() {
                for (at, child) in file.statements.children(at).filter(|(_, child)| child.keyword == "type") {
                    let (prefix, name) = child.argument.split_once(':').unwrap_or(("", &child.argument));
                    if name == typedef {
                        let imported = file.statements.imported_module(prefix);
                        return imported.or_else(|| module_of(file)).map(str::to_owned);
                    }
                    below.push(at);
                }
            }
            None
        };
        let places = self.definitions.get(&("typedef", typedef.to_owned()))?;
        let modules = || places.iter().filter_map(|place| module_of(self.files.get(place.file)?));
        let one_of =
            |wanted: Option<&str>| modules().find(|module| Some(*module) == wanted).map(str::to_owned);
        let imported = || {
            let imports = node.module()?.imports();
            modules()
                .find(|module| imports.iter().any(|import| import.module.name() == *module))
                .map(str::to_owned)
        };
        one_of(outer)
            .or_else(stated)
            .or_else(|| one_of(node.module().map(Module::name)))
            .or_else(imported)
            .or_else(|| modules().next().map(str::to_owned))
    }

    /// Returns a message of libyang with its place.
    ///
    /// `failed` is the file that libyang was parsing when it reported the message.
    pub(crate) fn problem(&self, message: &Message, failed: Option<&ModuleFile>) -> Problem {
        let text = message.text.trim_end_matches(['.', ' ']).to_owned();
        if let (Some(line), Some(file)) = (message.line, failed) {
            return Problem::at_line(&file.path, u32::try_from(line).unwrap_or(0), text);
        }
        let place = message.schema_path.as_deref().and_then(|path| self.place_of_path(path));
        let place = place.or_else(|| self.place_of_import(&text));
        match place.and_then(|place| self.get(place)) {
            Some((file, statement)) => Problem::at_line(&file.path, statement.line, text),
            None => match failed {
                Some(file) => Problem::in_file(&file.path, text),
                None => Problem::new(text),
            },
        }
    }

    /// Returns the file name and the line of a node's statement.
    pub(crate) fn place(&self, node: Node<'_>) -> Option<(String, u32)> {
        let (file, statement) = self.get(self.statement_of(node)?)?;
        Some((file.file_name(), statement.line))
    }

    /// Returns a problem of a compiled node with its place.
    pub(crate) fn problem_at(&self, node: Node<'_>, text: &str) -> Problem {
        let text = format!("{}: {text}", node.name());
        match self.statement_of(node).and_then(|place| self.get(place)) {
            Some((file, statement)) => Problem::at_line(&file.path, statement.line, text),
            None => Problem::new(text),
        }
    }

    /// Returns a problem of the first definition whose name begins like this.
    pub(crate) fn problem_at_definition(
        &self,
        keyword: &str,
        name: &str,
        text: &dyn std::fmt::Display,
    ) -> Option<Problem> {
        let is_it = |(known, argument): &&(&str, String)| *known == keyword && argument.starts_with(name);
        let places = self.definitions.keys().find(is_it).and_then(|key| self.definitions.get(key))?;
        let (file, statement) = self.get(*places.first()?)?;
        Some(Problem::at_line(&file.path, statement.line, text.to_string()))
    }

    /// Returns a problem of a module.
    pub(crate) fn problem_in_module(&self, name: &str, text: &dyn std::fmt::Display) -> Option<Problem> {
        let file = self.files.iter().find(|file| file.name().is_some_and(|known| known.starts_with(name)))?;
        let line = file.statements.root()?.line;
        Some(Problem::at_line(&file.path, line, text.to_string()))
    }

    /// Returns the statement of the deepest node in a schema path of libyang, such as
    /// `/mod:box/mod:{uses='x'}/mod:leaf`.
    fn place_of_path(&self, path: &str) -> Option<Place> {
        let (mut module, mut names) = (None, Vec::new());
        // Slashes in quotes belong to the argument of a step such as `{augment='/m:box'}`.
        let mut is_quoted = false;
        let steps = path.split(|letter| {
            is_quoted ^= letter == '\'';
            letter == '/' && !is_quoted
        });
        for step in steps.filter(|step| !step.is_empty()) {
            let (prefix, name) = step.split_once(':').unwrap_or(("", step));
            if !prefix.is_empty() && !prefix.contains('{') {
                module = Some(prefix);
            }
            let inner = name.split_once("='").map(|(_, name)| name.trim_end_matches("'}"));
            names.push(inner.unwrap_or(name));
        }
        for depth in (1..=names.len()).rev() {
            let (Some(name), Some(above)) = (names.get(depth - 1), names.get(..depth - 1)) else { continue };
            let named = |keyword: &&'static str| self.definitions.get(&(*keyword, (*name).to_owned()));
            let places = DEFINITIONS.iter().filter_map(named).flatten();
            let best = places.max_by_key(|place| {
                let (file, statement) = self.get(**place)?;
                let in_module = module.is_some() && module_of(file) == module;
                let common = common_ancestors(file, statement, above.iter().rev().copied())?;
                Some((in_module, common, std::cmp::Reverse((place.file, place.statement))))
            });
            if best.is_some() {
                return best.copied();
            }
        }
        None
    }

    /// Returns the `import` or `include` statement of a module whose name is quoted in a message.
    fn place_of_import(&self, text: &str) -> Option<Place> {
        let name = text.split('"').nth(1)?;
        let named = |keyword| self.definitions.get(&(keyword, name.to_owned()));
        ["import", "include"].into_iter().find_map(named)?.first().copied()
    }

    /// Returns the statement that has most probably become a node.
    fn statement_of(&self, node: Node<'_>) -> Option<Place> {
        let keyword = node_keyword(node)?;
        let places = self.definitions.get(&(keyword, node.name().to_owned()))?;
        let ancestors: Vec<_> = std::iter::successors(node.parent(), |node| node.parent())
            .filter(|node| !matches!(node.kind(), Some(NodeKind::Input | NodeKind::Output)))
            .map(Node::name)
            .collect();
        let score = |place: &&Place| {
            let (file, statement) = self.get(**place)?;
            let common = common_ancestors(file, statement, ancestors.iter().copied())?;
            Some((common, is_text_of(file, node.module()), std::cmp::Reverse((place.file, place.statement))))
        };
        places.iter().filter(|place| score(place).is_some()).max_by_key(score).copied()
    }

    fn get(&self, place: Place) -> Option<(&ModuleFile, &Statement)> {
        let file = self.files.get(place.file)?;
        Some((file, file.statements.get(place.statement)?))
    }
}

/// Returns true if a statement defines a node of this name.
fn is_same_node(statement: &Statement, node: Node<'_>) -> bool {
    statement.argument == node.name() && Some(&*statement.keyword) == node_keyword(node)
}

/// Returns the number of nodes above a statement in its text, if each of them is an ancestor of the
/// node with these names. Both begin with the parent. An ancestor of the node without a
/// statement, such as an implicit case, is skipped.
fn common_ancestors<'a>(
    file: &ModuleFile,
    statement: &Statement,
    mut names: impl Iterator<Item = &'a str>,
) -> Option<usize> {
    let mut common = 0;
    let mut above = file.statements.parent(statement);
    while let Some((_, statement)) = above {
        let argument = &*statement.argument;
        let steps: Vec<_> = match &*statement.keyword {
            "augment" => argument.rsplit('/').map(str::trim).filter(|step| !step.is_empty()).collect(),
            keyword if NAMED.contains(&keyword) => vec![argument],
            _ => Vec::new(),
        };
        for step in steps {
            let wanted = step.rsplit(':').next().unwrap_or_default();
            if !PARTS.contains(&wanted) {
                names.by_ref().find(|name| *name == wanted)?;
                common += 1;
            }
        }
        above = file.statements.parent(statement);
    }
    Some(common)
}

/// Returns true if a file contains a module or one of its submodules.
fn is_text_of(file: &ModuleFile, module: Option<Module<'_>>) -> bool {
    module.is_some_and(|module| module_of(file) == Some(module.name()))
}

/// Returns the name of the module whose text, or part of it, is in a file.
fn module_of(file: &ModuleFile) -> Option<&str> {
    file.statements.header("belongs-to").or_else(|| file.name())
}

fn node_keyword(node: Node<'_>) -> Option<&'static str> {
    Some(match node.kind()? {
        NodeKind::Container => "container",
        NodeKind::Choice => "choice",
        NodeKind::Case => "case",
        NodeKind::Leaf => "leaf",
        NodeKind::LeafList => "leaf-list",
        NodeKind::List => "list",
        NodeKind::AnyXml => "anyxml",
        NodeKind::AnyData => "anydata",
        NodeKind::Rpc => "rpc",
        NodeKind::Action => "action",
        NodeKind::Notification => "notification",
        NodeKind::Input | NodeKind::Output => return None,
    })
}

fn without_space(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_whitespace()).collect()
}

/// Statements whose argument is the name of a node.
const NAMED: [&str; 11] = [
    "container",
    "list",
    "leaf",
    "leaf-list",
    "choice",
    "case",
    "anydata",
    "anyxml",
    "rpc",
    "action",
    "notification",
];

/// The parts of operations, whose statements have no names.
const PARTS: [&str; 2] = ["input", "output"];

/// Statements that are looked up by their argument.
const DEFINITIONS: [&str; 20] = [
    "container",
    "list",
    "leaf",
    "leaf-list",
    "choice",
    "case",
    "anydata",
    "anyxml",
    "rpc",
    "action",
    "notification",
    "typedef",
    "grouping",
    "uses",
    "augment",
    "refine",
    "deviation",
    "identity",
    "import",
    "include",
];

const CONSTRAINTS: [&str; 2] = ["must", "when"];
