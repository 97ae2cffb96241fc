//! Instance identifiers (RFC 7950 §9.13, and its rule `instance-identifier` in §14).

use std::borrow::Cow;
use std::fmt::Write;

use crate::{Entry, InstancePath, ModuleId, NodeId, NodeKind, Schema, TypeId};

use super::names::push_qualified;
use super::{ModuleNames, Reader, Refusal, ValueError, ValueReason};

impl Schema {
    /// Parses a canonical instance identifier.
    ///
    /// # Errors
    /// The text is not an instance identifier, or the schema has no such node.
    pub fn instance_identifier(&self, canonical: &str) -> Result<InstancePath, ValueError> {
        let names = ModuleNames::new(self);
        Ok(read(&Reader::new(self, &names), canonical)?)
    }
}

/// The way in which names are written.
#[derive(Clone, Copy)]
pub(super) enum Style<'a, 'p> {
    /// With the name of the module, where it is not the one of the parent.
    Canonical,
    /// With a prefix before each name.
    Xml(&'a dyn Fn(ModuleId) -> &'p str),
}

/// Returns the canonical text of a path. Borrows the given text if it is canonical.
pub(super) fn canonical<'t>(
    schema: &Schema,
    path: &InstancePath,
    text: &'t str,
) -> Result<Cow<'t, str>, ValueReason> {
    let canonical = write(schema, path, Style::Canonical)?;
    Ok(if canonical == text { Cow::Borrowed(text) } else { Cow::Owned(canonical) })
}

/// Returns the text of a path in a style.
pub(super) fn write(
    schema: &Schema,
    path: &InstancePath,
    style: Style<'_, '_>,
) -> Result<String, ValueReason> {
    let mut writer = Writer { schema, style, output: String::new() };
    let mut parent = None;
    for step in path.steps() {
        writer.output.push('/');
        writer.name(step.node, parent);
        parent = Some(schema.node(step.node).module);
        match &step.entry {
            Entry::All => {}
            Entry::Keys(values) => {
                for (key, value) in schema.keys(step.node).iter().zip(values) {
                    writer.output.push('[');
                    writer.name(*key, parent);
                    writer.value(*key, value)?;
                    writer.output.push(']');
                }
            }
            Entry::Value(value) => {
                writer.output.push_str("[.");
                writer.value(step.node, value)?;
                writer.output.push(']');
            }
            Entry::Position(position) => {
                // Writing to a string cannot fail.
                let _ = write!(writer.output, "[{position}]");
            }
        }
    }
    Ok(writer.output)
}

struct Writer<'a, 'p> {
    schema: &'a Schema,
    style: Style<'a, 'p>,
    output: String,
}

impl Writer<'_, '_> {
    fn name(&mut self, node: NodeId, parent: Option<ModuleId>) {
        let node = self.schema.node(node);
        let prefix = match self.style {
            Style::Canonical if parent == Some(node.module) => "",
            Style::Canonical => &*self.schema.module(node.module).name,
            Style::Xml(prefix_of) => prefix_of(node.module),
        };
        push_qualified(prefix, &node.name, &mut self.output);
    }

    fn value(&mut self, leaf: NodeId, value: &str) -> Result<(), ValueReason> {
        let mut text = String::new();
        match (self.style, self.schema.type_of(leaf)) {
            (Style::Xml(prefix_of), Some(value_type)) => {
                self.schema.write_value(value_type, value, prefix_of, &mut text);
            }
            _ => text.push_str(value),
        }
        let quote = match (text.contains('\''), text.contains('"')) {
            (false, _) => '\'',
            (true, false) => '"',
            // XPath has no escapes, so that no literal can contain both.
            (true, true) => return Err(ValueReason::NotAPath),
        };
        self.output.push('=');
        self.output.push(quote);
        self.output.push_str(&text);
        self.output.push(quote);
        Ok(())
    }
}

/// Parses an instance identifier with the prefixes of its document.
///
/// A key can be an instance identifier itself. At most three are within one another, because there
/// are two kinds of quotes and no escapes.
pub(super) fn read<'s>(reader: &Reader<'s>, text: &str) -> Result<InstancePath, Refusal<'s>> {
    let mut parser = Parser { reader, rest: text };
    let mut path = InstancePath::new();
    while !parser.rest.is_empty() {
        parser.expect("/")?;
        let node = parser.node(path.node(), path.steps().is_empty())?;
        path.push(node, parser.predicates(node)?);
    }
    if path.steps().is_empty() {
        return Err(ValueReason::NotAPath.into());
    }
    Ok(path)
}

struct Parser<'r, 's, 't> {
    reader: &'r Reader<'s>,
    rest: &'t str,
}

impl<'s, 't> Parser<'_, 's, 't> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), ValueReason> {
        if self.take(token) { Ok(()) } else { Err(ValueReason::NotAPath) }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// Takes all characters up to the next one that is not part of a name.
    fn name(&mut self) -> Result<&'t str, ValueReason> {
        let is_end = |character: char| !character.is_alphanumeric() && !['_', '-', '.'].contains(&character);
        let (name, rest) = self
            .rest
            .split_at_checked(self.rest.find(is_end).unwrap_or(self.rest.len()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or(ValueReason::NotAPath)?;
        self.rest = rest;
        Ok(name)
    }

    /// Takes the name of a data node and finds the node.
    fn node(&mut self, parent: NodeId, is_first: bool) -> Result<NodeId, ValueReason> {
        let schema = self.reader.schema;
        let first = self.name()?;
        let (module, name) = if self.take(":") {
            (self.reader.prefixes.module(first).ok_or(ValueReason::UnknownPrefix)?, self.name()?)
        } else if self.reader.prefixes.inherits_modules() && !is_first {
            (schema.node(parent).module, first)
        } else {
            return Err(ValueReason::MissingPrefix);
        };
        schema.data_child(parent, module, name).ok_or(ValueReason::UnknownNode)
    }

    /// Takes all predicates of a node.
    fn predicates(&mut self, node: NodeId) -> Result<Entry, Refusal<'s>> {
        let schema = self.reader.schema;
        match &schema.node(node).kind {
            NodeKind::List(list) if !list.keys.is_empty() => self.keys(node, &list.keys),
            NodeKind::List(_) => {
                self.open(ValueReason::MissingKey)?;
                let position = self.position()?;
                self.close()?;
                Ok(Entry::Position(position))
            }
            NodeKind::LeafList(leaf_list) => {
                self.open(ValueReason::MissingKey)?;
                if !self.take(".") {
                    return Err(ValueReason::InvalidPredicate.into());
                }
                let value = self.equal_value(leaf_list.value_type)?;
                self.close()?;
                Ok(Entry::Value(value))
            }
            _ if self.rest.starts_with('[') => Err(ValueReason::InvalidPredicate.into()),
            _ => Ok(Entry::All),
        }
    }

    fn keys(&mut self, list: NodeId, keys: &[NodeId]) -> Result<Entry, Refusal<'s>> {
        let mut values: Vec<Option<Box<str>>> = vec![None; keys.len()];
        for _ in keys {
            self.open(ValueReason::MissingKey)?;
            if self.rest.starts_with(|first: char| first == '.' || first.is_ascii_digit()) {
                return Err(ValueReason::InvalidPredicate.into());
            }
            let node = self.node(list, false)?;
            let place = keys.iter().position(|key| *key == node).and_then(|index| values.get_mut(index));
            let place = place.filter(|value| value.is_none()).ok_or(ValueReason::InvalidPredicate)?;
            let value_type = self.reader.schema.type_of(node).ok_or(ValueReason::InvalidPredicate)?;
            *place = Some(self.equal_value(value_type)?);
            self.close()?;
        }
        // Each of them has a value now, because none has two.
        Ok(Entry::Keys(values.into_iter().flatten().collect()))
    }

    /// Takes the bracket that opens a predicate.
    fn open(&mut self, missing: ValueReason) -> Result<(), ValueReason> {
        if !self.take("[") {
            return Err(if self.rest.is_empty() || self.rest.starts_with('/') {
                missing
            } else {
                ValueReason::NotAPath
            });
        }
        self.skip_space();
        Ok(())
    }

    /// Takes the bracket that closes the last predicate of a node, or one before another.
    fn close(&mut self) -> Result<(), ValueReason> {
        self.skip_space();
        self.expect("]")
    }

    /// Takes an equals sign and a literal, which is a value of this type.
    fn equal_value(&mut self, value_type: TypeId) -> Result<Box<str>, Refusal<'s>> {
        self.skip_space();
        self.expect("=")?;
        self.skip_space();
        let quote = self.rest.chars().next().filter(|quote| ['\'', '"'].contains(quote));
        let quote = quote.ok_or(ValueReason::NotAPath)?;
        let literal = self.rest.strip_prefix(quote).and_then(|rest| rest.split_once(quote));
        let (literal, rest) = literal.ok_or(ValueReason::NotAPath)?;
        self.rest = rest;
        Ok(self.reader.value(value_type, literal)?.into())
    }

    fn position(&mut self) -> Result<u32, ValueReason> {
        let end = self.rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        if digits.is_empty() || digits.starts_with('0') {
            return Err(ValueReason::InvalidPredicate);
        }
        digits.parse().map_err(|_| ValueReason::InvalidPredicate)
    }
}
