//! Values as XML: short ones at once, long ones in parts.

use std::sync::Arc;

use portreeve_yang::{NodeId, Schema, TypeId, TypeKind};
use portreeve_yang_tree::Row;

use super::{WriteError, start};
use crate::xml::{NcName, Writer, XmlText};

/// Longest value that is written at once, in octets.
pub(super) const VALUE_PART: usize = 8 << 10;

/// The rest of a value whose element has begun.
pub(super) struct LongValue {
    source: Source,
    /// Number of octets that have been written.
    written: usize,
}

/// A long value.
enum Source {
    /// The leaf in this slot. The row is shared, so that the value is not copied.
    Leaf(Arc<Row>, usize),
    /// A text that is in no row: an entry of a leaf-list, or a value with prefixes.
    Text(String),
}

impl LongValue {
    /// Writes the next part. Returns true after the last one, which ends the element.
    pub(super) fn write_part(&mut self, writer: &mut Writer) -> bool {
        let value = match &self.source {
            Source::Leaf(row, slot) => row.leaf(*slot).unwrap_or_default(),
            Source::Text(text) => text,
        };
        let rest = value.get(self.written..).unwrap_or_default();
        // The characters were checked before the element was begun: a check of the rest for each
        // part would take quadratic time.
        let (part, rest) = XmlText::of_checked(rest).split_at_most(VALUE_PART);
        writer.text(part);
        self.written += part.as_str().len();
        let is_complete = rest.as_str().is_empty();
        if is_complete {
            writer.end();
        }
        is_complete
    }
}

/// Writes a leaf of a row, or its start tag if the value is long.
pub(super) fn begin_leaf(
    writer: &mut Writer,
    schema: &Schema,
    node: NodeId,
    row: &Arc<Row>,
) -> Result<Option<LongValue>, WriteError> {
    let Some((slot, value)) = schema.slot(node).and_then(|slot| Some((slot, row.leaf(slot)?))) else {
        return Ok(None);
    };
    begin(writer, schema, node, value, || Source::Leaf(Arc::clone(row), slot))
}

/// Writes a value of a leaf or leaf-list, or its start tag if the value is long.
pub(super) fn begin_value(
    writer: &mut Writer,
    schema: &Schema,
    node: NodeId,
    value: &str,
) -> Result<Option<LongValue>, WriteError> {
    begin(writer, schema, node, value, || Source::Text(value.to_owned()))
}

fn begin(
    writer: &mut Writer,
    schema: &Schema,
    node: NodeId,
    value: &str,
    source: impl FnOnce() -> Source,
) -> Result<Option<LongValue>, WriteError> {
    if value.len() <= VALUE_PART {
        write_leaf(writer, schema, node, value)?;
        return Ok(None);
    }
    let source = match type_with_names(schema, node, value) {
        Some(value_type) => Source::Text(start_with_names(writer, schema, node, value_type, value)?),
        None => {
            XmlText::new(value).ok_or(WriteError::InvalidValue(node))?;
            start(writer, schema, node)?;
            source()
        }
    };
    Ok(Some(LongValue { source, written: 0 }))
}

/// Writes a leaf or an entry of a leaf-list with a canonical value, at once.
///
/// # Errors
/// If the name or the value is not one of XML.
pub fn write_leaf(writer: &mut Writer, schema: &Schema, node: NodeId, value: &str) -> Result<(), WriteError> {
    let invalid = WriteError::InvalidValue(node);
    match type_with_names(schema, node, value) {
        None => {
            let text = XmlText::new(value).ok_or(invalid)?;
            start(writer, schema, node)?;
            writer.text(text);
        }
        Some(value_type) => {
            let text = start_with_names(writer, schema, node, value_type, value)?;
            writer.text(XmlText::new(&text).ok_or(invalid)?);
        }
    }
    writer.end();
    Ok(())
}

/// Begins the element of a value that names modules. Declares their prefixes there, and returns the
/// value with these prefixes.
fn start_with_names(
    writer: &mut Writer,
    schema: &Schema,
    node: NodeId,
    value_type: TypeId,
    value: &str,
) -> Result<String, WriteError> {
    XmlText::new(value).ok_or(WriteError::InvalidValue(node))?;
    let mut tag = start(writer, schema, node)?;
    let mut prefixes = Vec::new();
    for module in schema.modules_in_value(value_type, value) {
        let (namespace, prefix) = (&schema.module(module).namespace, schema.unique_prefix(module));
        let invalid = WriteError::InvalidName(node);
        let namespace = XmlText::new(namespace).ok_or(invalid)?;
        prefixes.push((module, tag.declare(namespace, NcName::new(prefix).ok_or(invalid)?)));
    }
    let prefix_of = |module| {
        let found = prefixes.iter().find(|(other, _)| *other == module);
        found.map_or("", |(_, prefix)| prefix.as_str())
    };
    let mut text = String::new();
    schema.write_value(value_type, value, &prefix_of, &mut text);
    // Prefixes have no characters that XML cannot hold.
    Ok(text)
}

/// Returns the type of a value that contains names of modules; `None` if it contains none.
fn type_with_names(schema: &Schema, node: NodeId, value: &str) -> Option<TypeId> {
    let value_type = schema.type_of(node)?;
    let has_names =
        |kind: &TypeKind| matches!(kind, TypeKind::Identityref { .. } | TypeKind::InstanceIdentifier { .. });
    let is_with_names = match &schema.value_type(value_type).kind {
        TypeKind::Leafref { .. } | TypeKind::Union { .. } => {
            // Each name has its module before a colon.
            let member = value.contains(':').then(|| schema.member_type(value_type, value)).flatten();
            member.is_some_and(|member| has_names(&schema.value_type(member).kind))
        }
        kind => has_names(kind),
    };
    is_with_names.then_some(value_type)
}
