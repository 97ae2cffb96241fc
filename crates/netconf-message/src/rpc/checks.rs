//! Checks of names and attributes.

use portreeve_yang_text::xml::{Attributes, Name, Start};

use crate::names::{NETCONF, QualifiedName};
use crate::rpc_error::{ErrorType, RpcError};

/// Checks the attributes of `filter`. Subtree filters need no `type` (RFC 6241 §7.1).
pub(super) fn check_filter(start: Start<'_>) -> Result<(), RpcError> {
    for attribute in start.attributes.iter() {
        let is_own = attribute.name.namespace.is_empty() || attribute.name.namespace == NETCONF;
        let is_type = is_own && attribute.name.local == "type";
        let is_select = is_own && attribute.name.local == "select";
        //= rfc6241#7.1-p1
        if is_type && attribute.value != "subtree" {
            let (name, element) = (attribute.name.into(), start.name.into());
            return Err(RpcError::bad_attribute(ErrorType::Protocol, name, element)
                .with_message("only filters of the type subtree are supported"));
        }
        // With another type, `select` follows or precedes the attribute that is refused.
        if !(is_type || is_select && has_other_type(start.attributes)) {
            return Err(unknown_attribute(attribute.name, start.name));
        }
    }
    Ok(())
}

fn has_other_type(attributes: Attributes<'_>) -> bool {
    let value = attributes.get("", "type").or_else(|| attributes.get(NETCONF, "type"));
    value.is_some_and(|value| value != "subtree")
}

/// Checks that an element has no attributes.
pub(super) fn refuse_attributes(start: Start<'_>) -> Result<(), RpcError> {
    let first = start.attributes.iter().next();
    first.map_or(Ok(()), |attribute| Err(unknown_attribute(attribute.name, start.name)))
}

fn unknown_attribute(attribute: Name<'_>, element: Name<'_>) -> RpcError {
    RpcError::unknown_attribute(ErrorType::Protocol, attribute.into(), element.into())
}

/// Returns the error for an element that is not expected: its namespace is unknown, or its name.
pub(super) fn unexpected(namespace: &str, name: Name<'_>) -> RpcError {
    match name.namespace == namespace {
        true => RpcError::unknown_element(ErrorType::Protocol, name.into()),
        false => RpcError::unknown_namespace(ErrorType::Protocol, name.into()),
    }
}

/// Returns the name of the attribute.
pub(super) fn message_id() -> QualifiedName {
    QualifiedName { namespace: "".into(), local: "message-id".into() }
}
