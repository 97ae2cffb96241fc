//! The attributes of data: operations, and places in lists that users order.

use std::borrow::Cow;

use portreeve_yang::{NodeId, NodeKind, Schema};
use portreeve_yang_tree::{Operation, Placement, RowKey, value_key};

use super::error::{AttributeOf, ReadReason};
use super::prefixes::ScopePrefixes;
use crate::xml::{Attribute, Name, Scope, Start};

/// The namespace of NETCONF (RFC 6241 §3.1).
pub const NETCONF_NAMESPACE: &str = "urn:ietf:params:xml:ns:netconf:base:1.0";

/// The namespace of YANG's attributes (RFC 7950 §7.8.6).
pub const YANG_NAMESPACE: &str = "urn:ietf:params:xml:ns:yang:1";

/// The attributes of an element.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    pub(super) operation: Option<Operation>,
    pub(super) placement: Option<Placement>,
}

/// Reads the attributes of the element of `node`.
pub(super) fn read_annotations(
    start: &Start<'_>,
    node: NodeId,
    schema: &Schema,
) -> Result<Annotations, ReadReason> {
    let mut annotations = Annotations::default();
    if start.attributes.is_empty() {
        return Ok(annotations);
    }
    let is_list = |node| is_user_ordered_list(node, schema);
    let is_leaf_list = |node| schema.leaf_list(node).is_some_and(|list| list.user_ordered);
    let (mut insert, mut anchor) = (None, None);
    for attribute in start.attributes.iter() {
        let bad = || bad_attribute(&attribute, start);
        match (attribute.name.namespace, attribute.name.local) {
            // Some clients write it without a prefix. To ignore it would turn a delete into a
            // merge.
            (NETCONF_NAMESPACE | "", "operation") => {
                let operation = operation(attribute.value).ok_or_else(bad)?;
                if annotations.operation.is_some_and(|other| other != operation) {
                    return Err(bad());
                }
                annotations.operation = Some(operation);
            }
            (YANG_NAMESPACE, "insert") if is_list(node) || is_leaf_list(node) => insert = Some(attribute),
            (YANG_NAMESPACE, "key") if is_list(node) => anchor = Some(attribute),
            (YANG_NAMESPACE, "value") if is_leaf_list(node) => anchor = Some(attribute),
            //= rfc7950#8.3.1-p6
            _ => {
                return Err(ReadReason::UnknownAttribute(attribute_of(attribute.name, start)));
            }
        }
    }
    //= rfc7950#8.3.1-p5
    let anchor_key = |attribute: Attribute<'_>| {
        let key = anchor_key(attribute.value, node, schema, start.scope);
        key.ok_or_else(|| bad_attribute(&attribute, start))
    };
    annotations.placement = match (insert, anchor) {
        (None, None) => None,
        (Some(insert), anchor) => Some(match (insert.value, anchor) {
            ("first", None) => Placement::First,
            ("last", None) => Placement::Last,
            ("before", Some(anchor)) => Placement::Before(anchor_key(anchor)?),
            ("after", Some(anchor)) => Placement::After(anchor_key(anchor)?),
            ("before" | "after", None) => {
                let local = if schema.type_of(node).is_some() { "value" } else { "key" };
                let attribute = Name { namespace: YANG_NAMESPACE, local };
                return Err(ReadReason::MissingAttribute(attribute_of(attribute, start)));
            }
            (_, None) => return Err(bad_attribute(&insert, start)),
            (_, Some(anchor)) => return Err(bad_attribute(&anchor, start)),
        }),
        (None, Some(anchor)) => return Err(bad_attribute(&anchor, start)),
    };
    Ok(annotations)
}

fn operation(value: &str) -> Option<Operation> {
    Some(match value {
        "merge" => Operation::Merge,
        "replace" => Operation::Replace,
        "create" => Operation::Create,
        "delete" => Operation::Delete,
        "remove" => Operation::Remove,
        _ => return None,
    })
}

fn is_user_ordered_list(node: NodeId, schema: &Schema) -> bool {
    matches!(&schema.node(node).kind, NodeKind::List(list) if list.user_ordered)
}

/// Returns the key of the entry that an attribute `key` or `value` names.
fn anchor_key(text: &str, node: NodeId, schema: &Schema, scope: Scope<'_>) -> Option<RowKey> {
    let prefixes = ScopePrefixes { schema, scope };
    if let Some(value_type) = schema.type_of(node) {
        return Some(value_key(&schema.canonical(value_type, text, &prefixes).ok()?));
    }
    let keys = schema.keys(node);
    let mut values: Vec<Option<Cow<'_, str>>> = vec![None; keys.len()];
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, value, after) = predicate(rest)?;
        rest = after.trim_start();
        // A name without a prefix is accepted: all keys have the module of their list.
        let local = match name.split_once(':') {
            Some((prefix, local)) => {
                let module =
                    scope.resolve(prefix).and_then(|namespace| schema.module_by_namespace(namespace));
                (module? == schema.node(node).module).then_some(local)?
            }
            None => name,
        };
        let index = keys.iter().position(|key| *schema.node(*key).name == *local)?;
        let value = schema.canonical(schema.type_of(*keys.get(index)?)?, value, &prefixes).ok()?;
        values.get_mut(index)?.replace(value).is_none().then_some(())?;
    }
    let values: Vec<_> = values.into_iter().collect::<Option<_>>()?;
    let key = schema.encode_key(node, values.iter().map(|value| &**value)).ok()?;
    Some(RowKey::from(&key[..]))
}

/// Divides `[name='value']` and the rest after it.
fn predicate(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once('=')?;
    let rest = rest.trim_start();
    let mark = rest.chars().next().filter(|mark| matches!(mark, '\'' | '"'))?;
    let (value, rest) = rest.get(1..)?.split_once(mark)?;
    Some((name.trim(), value, rest.trim_start().strip_prefix(']')?))
}

fn bad_attribute(attribute: &Attribute<'_>, start: &Start<'_>) -> ReadReason {
    ReadReason::BadAttribute(attribute_of(attribute.name, start))
}

fn attribute_of(attribute: Name<'_>, start: &Start<'_>) -> AttributeOf {
    AttributeOf { attribute: attribute.into(), element: start.name.into() }
}
