//! Errors of data in XML.

use std::error::Error;
use std::fmt;

use portreeve_yang::{InstancePath, ValueError};
use portreeve_yang_tree::{EditError, EditReason};

use super::MAX_VALUE;
use crate::xml::OwnedName;

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
    UnknownNamespace(OwnedName),
    /// The schema has no such node there.
    UnknownElement(OwnedName),
    /// An attribute that has no meaning for the node.
    UnknownAttribute(AttributeOf),
    /// An attribute that another one requires is missing.
    MissingAttribute(AttributeOf),
    /// An attribute with a wrong value, or that another one excludes.
    BadAttribute(AttributeOf),
    /// A text beside elements in a container, a list entry, or the element with all data. The path
    /// is that of the node.
    MixedContent,
    /// The text is not a value of the type.
    InvalidValue(ValueError),
    /// The value is longer than [`MAX_VALUE`](super::MAX_VALUE), although its type allows it.
    LongValue,
    /// The node is anydata or anyxml, which cannot be edited.
    Unsupported,
    /// The leaf is the RowStatus of its list, which exists in SNMP only.
    RowStatus,
    /// The editor refuses the edit.
    Edit(EditReason),
}

/// An attribute of an element.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AttributeOf {
    /// The attribute.
    pub attribute: OwnedName,
    /// The element.
    pub element: OwnedName,
}

impl From<EditError> for ReadError {
    fn from(error: EditError) -> Self {
        Self { reason: ReadReason::Edit(error.reason), path: error.path }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            ReadReason::UnknownNamespace(element) => {
                write!(f, "no module has the namespace {:?}", element.namespace)
            }
            ReadReason::UnknownElement(element) => {
                write!(f, "no node {:?} is defined here", element.local)
            }
            ReadReason::UnknownAttribute(of) => write!(f, "unknown attribute {:?}", of.attribute.local),
            ReadReason::MissingAttribute(of) => write!(f, "missing attribute {:?}", of.attribute.local),
            ReadReason::BadAttribute(of) => {
                write!(f, "wrong value or use of attribute {:?}", of.attribute.local)
            }
            ReadReason::MixedContent => f.write_str("text beside elements, in a node that is not a leaf"),
            ReadReason::InvalidValue(error) => error.fmt(f),
            ReadReason::LongValue => write!(f, "the value is longer than {MAX_VALUE} octets"),
            ReadReason::RowStatus => {
                f.write_str("the RowStatus exists in SNMP only: create or delete the list entry instead")
            }
            ReadReason::Unsupported => f.write_str("anydata and anyxml are not supported"),
            ReadReason::Edit(reason) => reason.fmt(f),
        }
    }
}

impl Error for ReadError {}
