//! Paths of instances, and their texts.

use std::{
    borrow::Cow,
    fmt::{self, Write},
};

use crate::{ModuleId, NodeId, Schema};

/// The path of an instance in data. The path without steps is that of the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct InstancePath {
    steps: Vec<PathStep>,
}

/// A step of an instance path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The data node, operation or notification. Choices, cases, input and output have no steps.
    pub node: NodeId,
    /// The entry, if the node is a list or leaf-list and the path is that of one entry.
    pub entry: Entry,
}

/// The entry of a list or leaf-list in a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The node as a whole.
    #[default]
    All,
    /// The entry with these canonical values of the key leafs, in the order of the `key` statement.
    Keys(Vec<Box<str>>),
    /// The entry of a leaf-list with this canonical value.
    Value(Box<str>),
    /// The entry with this number, counted from 1, of a list without keys or of a leaf-list of
    /// state.
    Position(u32),
}

impl InstancePath {
    /// Creates the path of the root.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the steps, beginning at the root.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// Returns the node of the last step, or the root.
    pub fn node(&self) -> NodeId {
        self.steps.last().map_or(NodeId::ROOT, |step| step.node)
    }

    /// Appends a step.
    pub fn push(&mut self, node: NodeId, entry: Entry) {
        self.steps.push(PathStep { node, entry });
    }

    /// Removes the last step and returns it; `None` for the root.
    pub fn pop(&mut self) -> Option<PathStep> {
        self.steps.pop()
    }

    /// Returns the canonical text of an instance-identifier, with module names (RFC 7951 §6.11).
    pub fn canonical(&self, schema: &Schema) -> String {
        PathText { path: self, schema, form: Form::Canonical }.to_string()
    }

    /// Returns the path in the form of RFC 7951 for logs and messages. Control characters in values
    /// are escaped, so that a value cannot forge a log line.
    pub fn display<'a>(&'a self, schema: &'a Schema) -> impl fmt::Display + 'a {
        PathText { path: self, schema, form: Form::Message }
    }

    /// Returns the path as XPath, as the `error-path` of RFC 6241 §4.3 has it. Each name has the
    /// prefix of [`Schema::unique_prefix`]; [`InstancePath::modules`] lists the modules to declare.
    pub fn xpath<'a>(&'a self, schema: &'a Schema) -> impl fmt::Display + 'a {
        PathText { path: self, schema, form: Form::XPath }
    }

    /// Returns the modules whose names or prefixes the path contains, each of them once.
    pub fn modules(&self, schema: &Schema) -> Vec<ModuleId> {
        let mut modules: Vec<ModuleId> = Vec::new();
        for step in &self.steps {
            modules.push(schema.node(step.node).module);
            let mut add_value = |leaf, value: &str| {
                if let Some(value_type) = schema.type_of(leaf) {
                    modules.extend(schema.modules_in_value(value_type, value));
                }
            };
            match &step.entry {
                Entry::All | Entry::Position(_) => {}
                Entry::Keys(values) => {
                    for (key, value) in schema.keys(step.node).iter().zip(values) {
                        add_value(*key, value);
                    }
                }
                Entry::Value(value) => add_value(step.node, value),
            }
            modules.extend(schema.keys(step.node).iter().map(|key| schema.node(*key).module));
        }
        modules.sort_unstable();
        modules.dedup();
        modules
    }
}

impl Schema {
    /// Returns the path of a node in the schema for messages: with choices and cases, and with the
    /// name of the module where it changes. `/` is the root.
    pub fn schema_path(&self, id: NodeId) -> String {
        self.definitions.describe(id)
    }
}

/// The form of a path's text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Module names where the module changes.
    Canonical,
    /// The same, with control characters escaped.
    Message,
    /// Prefixes at each name.
    XPath,
}

struct PathText<'a> {
    path: &'a InstancePath,
    schema: &'a Schema,
    form: Form,
}

impl fmt::Display for PathText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = &self.path.steps;
        if steps.is_empty() {
            return f.write_char('/');
        }
        let mut parent = None;
        for step in steps {
            f.write_char('/')?;
            self.write_name(f, step.node, parent)?;
            let module = self.schema.node(step.node).module;
            match &step.entry {
                Entry::All => {}
                Entry::Keys(values) => {
                    for (key, value) in self.schema.keys(step.node).iter().zip(values) {
                        f.write_char('[')?;
                        self.write_name(f, *key, Some(module))?;
                        f.write_char('=')?;
                        self.write_literal(f, *key, value)?;
                        f.write_char(']')?;
                    }
                }
                Entry::Value(value) => {
                    f.write_str("[.=")?;
                    self.write_literal(f, step.node, value)?;
                    f.write_char(']')?;
                }
                Entry::Position(position) => write!(f, "[{position}]")?,
            }
            parent = Some(module);
        }
        Ok(())
    }
}

impl PathText<'_> {
    fn write_name(&self, f: &mut fmt::Formatter<'_>, id: NodeId, parent: Option<ModuleId>) -> fmt::Result {
        let node = self.schema.node(id);
        if self.form == Form::XPath {
            write!(f, "{}:", self.schema.unique_prefix(node.module))?;
        } else if parent != Some(node.module) {
            write!(f, "{}:", self.schema.module(node.module).name)?;
        }
        f.write_str(&node.name)
    }

    /// Writes a value of a leaf or leaf-list as a string literal of XPath 1.0, which has no
    /// escapes. A value with both quotes is a call of `concat`: RFC 7950 §14 has no form for it.
    fn write_literal(&self, f: &mut fmt::Formatter<'_>, leaf: NodeId, value: &str) -> fmt::Result {
        let value = &*self.value(leaf, value);
        if !value.contains('\'') {
            self.write_quoted(f, value, '\'')
        } else if !value.contains('"') {
            self.write_quoted(f, value, '"')
        } else {
            f.write_str("concat(")?;
            for (index, part) in value.split('\'').enumerate() {
                if index > 0 {
                    f.write_str(",\"'\",")?;
                }
                self.write_quoted(f, part, '\'')?;
            }
            f.write_char(')')
        }
    }

    /// Returns a canonical value in the form of the path. XML has prefixes in the names of
    /// identities.
    fn value<'v>(&self, leaf: NodeId, canonical: &'v str) -> Cow<'v, str> {
        match self.schema.type_of(leaf) {
            Some(value_type) if self.form == Form::XPath => {
                let mut value = String::new();
                let prefix_of = |module| self.schema.unique_prefix(module);
                self.schema.write_value(value_type, canonical, &prefix_of, &mut value);
                Cow::Owned(value)
            }
            _ => Cow::Borrowed(canonical),
        }
    }

    fn write_quoted(&self, f: &mut fmt::Formatter<'_>, text: &str, quote: char) -> fmt::Result {
        f.write_char(quote)?;
        for character in text.chars() {
            if self.form == Form::Message && character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        f.write_char(quote)
    }
}

#[cfg(test)]
mod tests;
