//! Errors of data in XML, with the terms of RFC 6241, Appendix A.

use std::error::Error;
use std::fmt;

use portreeve_yang::{InstancePath, Schema, ValueError};
use portreeve_yang_tree::{EditError, EditReason};

/// Data that does not fit the schema or cannot be edited in this way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReadError {
    /// The reason.
    pub reason: ReadReason,
    /// The instance at fault. For an element or attribute that is not known, its parent.
    pub path: InstancePath,
}

/// A reason for refusing data.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ReadReason {
    /// The namespace of an element is not that of a module.
    UnknownNamespace {
        /// The name of the element.
        element: Box<str>,
        /// The namespace.
        namespace: Box<str>,
    },
    /// The schema has no such node there. Contains the name of the element.
    UnknownElement(Box<str>),
    /// An attribute that has no meaning for the node.
    UnknownAttribute {
        /// The name of the attribute.
        attribute: Box<str>,
        /// The name of the element.
        element: Box<str>,
    },
    /// An attribute that another one requires is missing.
    MissingAttribute {
        /// The name of the attribute.
        attribute: Box<str>,
        /// The name of the element.
        element: Box<str>,
    },
    /// An attribute with a wrong value, or that another one excludes.
    BadAttribute {
        /// The name of the attribute.
        attribute: Box<str>,
        /// The name of the element.
        element: Box<str>,
    },
    /// A text in a node that is not a leaf. Contains the name of the element.
    MixedContent(Box<str>),
    /// The text is not a value of the type.
    InvalidValue(ValueError),
    /// The text is longer than any value of the type.
    LongValue,
    /// The node is of a kind that cannot be edited.
    Unsupported,
    /// The editor refuses the edit.
    Edit(EditReason),
}

impl ReadError {
    /// Returns the error-tag (RFC 6241, Appendix A; RFC 7950 §8.3.1 and §15).
    #[must_use]
    pub fn error_tag(&self) -> &'static str {
        match &self.reason {
            ReadReason::UnknownNamespace { .. } => "unknown-namespace",
            ReadReason::UnknownElement(_) => "unknown-element",
            ReadReason::UnknownAttribute { .. } => "unknown-attribute",
            ReadReason::MissingAttribute { .. } => "missing-attribute",
            ReadReason::BadAttribute { .. } => "bad-attribute",
            ReadReason::MixedContent(_) => "bad-element",
            ReadReason::InvalidValue(_) => "invalid-value",
            ReadReason::LongValue => "too-big",
            ReadReason::Unsupported => "operation-not-supported",
            ReadReason::Edit(reason) => match reason {
                EditReason::DataExists => "data-exists",
                EditReason::DataMissing => "data-missing",
                EditReason::MissingKey(_) => "missing-element",
                EditReason::KeyRemoved | EditReason::UnknownAnchor | EditReason::NotUserOrdered => {
                    "bad-attribute"
                }
                EditReason::KeysNotFirst
                | EditReason::Duplicate
                | EditReason::TwoCases(_)
                | EditReason::NotConfiguration => "bad-element",
                EditReason::MissingValue | EditReason::InvalidKey => "invalid-value",
                EditReason::NotAChild => "unknown-element",
                EditReason::RowTooLarge => "too-big",
            },
        }
    }

    /// Returns the error-app-tag, if the schema or RFC 7950 §15 defines one.
    #[must_use]
    pub fn app_tag(&self) -> Option<&str> {
        match &self.reason {
            ReadReason::InvalidValue(error) => error.app_tag.as_deref(),
            ReadReason::Edit(EditReason::UnknownAnchor) => Some("missing-instance"),
            _ => None,
        }
    }

    /// Returns the `bad-element` of the error-info.
    #[must_use]
    pub fn bad_element<'a>(&'a self, schema: &'a Schema) -> Option<&'a str> {
        match &self.reason {
            ReadReason::UnknownNamespace { element, .. }
            | ReadReason::UnknownElement(element)
            | ReadReason::UnknownAttribute { element, .. }
            | ReadReason::MissingAttribute { element, .. }
            | ReadReason::BadAttribute { element, .. }
            | ReadReason::MixedContent(element) => Some(element),
            ReadReason::Edit(EditReason::MissingKey(key)) => Some(&schema.node(*key).name),
            ReadReason::Edit(_)
                if matches!(self.error_tag(), "bad-element" | "bad-attribute" | "unknown-element") =>
            {
                Some(&schema.node(self.path.node()).name)
            }
            _ => None,
        }
    }

    /// Returns the `bad-attribute` of the error-info.
    #[must_use]
    pub fn bad_attribute(&self) -> Option<&str> {
        match &self.reason {
            ReadReason::UnknownAttribute { attribute, .. }
            | ReadReason::MissingAttribute { attribute, .. }
            | ReadReason::BadAttribute { attribute, .. } => Some(attribute),
            ReadReason::Edit(EditReason::KeyRemoved) => Some("operation"),
            ReadReason::Edit(EditReason::UnknownAnchor | EditReason::NotUserOrdered) => Some("insert"),
            _ => None,
        }
    }

    /// Returns the `bad-namespace` of the error-info.
    #[must_use]
    pub fn bad_namespace(&self) -> Option<&str> {
        match &self.reason {
            ReadReason::UnknownNamespace { namespace, .. } => Some(namespace),
            _ => None,
        }
    }
}

impl From<EditError> for ReadError {
    fn from(error: EditError) -> Self {
        Self { reason: ReadReason::Edit(error.reason), path: error.path }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            ReadReason::UnknownNamespace { namespace, .. } => {
                write!(f, "no module has the namespace {namespace:?}")
            }
            ReadReason::UnknownElement(element) => write!(f, "no node {element:?} is defined here"),
            ReadReason::UnknownAttribute { attribute, .. } => write!(f, "unknown attribute {attribute:?}"),
            ReadReason::MissingAttribute { attribute, .. } => write!(f, "missing attribute {attribute:?}"),
            ReadReason::BadAttribute { attribute, .. } => {
                write!(f, "wrong value or use of attribute {attribute:?}")
            }
            ReadReason::MixedContent(element) => write!(f, "text in {element:?}, which is not a leaf"),
            ReadReason::InvalidValue(error) => error.fmt(f),
            ReadReason::LongValue => f.write_str("the value is too long"),
            ReadReason::Unsupported => f.write_str("nodes of this kind cannot be edited"),
            ReadReason::Edit(reason) => reason.fmt(f),
        }
    }
}

impl Error for ReadError {}
