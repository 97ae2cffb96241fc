//! The reason why a transaction is refused, independent of the protocol that requested it.

mod tree;

use std::{borrow::Cow, fmt};

use portreeve_smi::ErrorStatus;
use portreeve_yang::{InstancePath, Schema};

/// The reason why a transaction is refused, and the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The part of the transaction that is at fault.
    pub at: Place,
    /// The kind of the fault, from which protocols derive their error codes.
    pub kind: RefusalKind,
    /// A name of the fault that programs can test, if its definition has one.
    pub app_tag: Option<Cow<'static, str>>,
    /// The fault in words, for logs and operators. Contains no values, because values can be keys.
    pub text: Cow<'static, str>,
    /// Further faults of the same transaction, which have no further ones themselves. Protocols
    /// with room for one error omit them.
    pub further: Vec<Refusal>,
}

/// The part of a transaction that is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The variable with this number, counted from 1.
    Variable(usize),
    /// The node at this path.
    Path(Box<DataPath>),
    /// The transaction as a whole.
    Transaction,
}

/// The path of a node of the data tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataPath {
    /// The path, whose numbers are valid for the schema of the [`Model`](crate::Model).
    pub path: InstancePath,
    /// The path with names, for logs.
    pub text: String,
    /// The number of the variable that refers to the node, if an SNMP request does so.
    pub variable: Option<usize>,
}

impl DataPath {
    /// Describes the path of a node in a schema.
    pub fn new(schema: &Schema, path: InstancePath) -> Self {
        let text = path.display(schema).to_string();
        Self { path, text, variable: None }
    }
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The requester may not change this object.
    AccessDenied,
    /// The requester may not change anything in this context.
    NotAuthorized,
    /// The object cannot be changed, or its value comes from the configuration file.
    NotWritable,
    /// The value has the wrong type.
    WrongType,
    /// The value has the wrong length.
    WrongLength,
    /// The value cannot be assigned to the object, whatever the values of other objects are.
    WrongValue,
    /// The instance can never exist.
    NoCreation,
    /// The instance does not exist now, and other objects would have to change first.
    InconsistentName,
    /// The value conflicts with other values.
    InconsistentValue,
    /// Memory or another resource is not available, or too many transactions wait.
    ResourceUnavailable,
    /// The change could not be made or could not be stored. Nothing has changed.
    CommitFailed,
    /// The change failed, and some of its effects could not be taken back.
    UndoFailed,
    /// A node to be created exists already.
    DataExists,
    /// A node that has to exist is missing.
    DataMissing,
    /// A constraint of the modules is not met.
    Invalid,
    /// The value or the data together are larger than a limit.
    TooBig,
    /// Another session has locked the configuration.
    InUse,
    /// Another transaction has changed the same nodes since this one was prepared.
    Conflict,
    /// An error of this program.
    Internal,
}

impl RefusalKind {
    /// Returns the error-status of a response to an SNMP request (RFC 3416 §4.2.5).
    pub fn error_status(self) -> ErrorStatus {
        match self {
            Self::AccessDenied => ErrorStatus::NoAccess,
            Self::NotAuthorized => ErrorStatus::AuthorizationError,
            Self::NotWritable => ErrorStatus::NotWritable,
            Self::WrongType => ErrorStatus::WrongType,
            Self::WrongLength => ErrorStatus::WrongLength,
            Self::WrongValue => ErrorStatus::WrongValue,
            Self::NoCreation => ErrorStatus::NoCreation,
            Self::InconsistentName => ErrorStatus::InconsistentName,
            Self::InconsistentValue | Self::DataExists | Self::DataMissing | Self::Invalid => {
                ErrorStatus::InconsistentValue
            }
            Self::ResourceUnavailable | Self::TooBig | Self::InUse | Self::Conflict => {
                ErrorStatus::ResourceUnavailable
            }
            Self::CommitFailed => ErrorStatus::CommitFailed,
            Self::UndoFailed => ErrorStatus::UndoFailed,
            Self::Internal => ErrorStatus::GenErr,
        }
    }
}

impl Refusal {
    /// Creates a refusal of the transaction as a whole.
    pub fn new(kind: RefusalKind, text: impl Into<Cow<'static, str>>) -> Self {
        Self { at: Place::Transaction, kind, app_tag: None, text: text.into(), further: Vec::new() }
    }

    /// Returns the refusal with the path of the node at fault.
    #[must_use]
    pub fn at_path(self, schema: &Schema, path: InstancePath) -> Self {
        Self { at: Place::Path(Box::new(DataPath::new(schema, path))), ..self }
    }

    /// Returns the refusal with the variable at fault, counted from 1. A more precise place that is
    /// already known is kept.
    #[must_use]
    pub fn at_variable(self, number: usize) -> Self {
        match self.at {
            Place::Transaction => Self { at: Place::Variable(number), ..self },
            Place::Path(mut path) => {
                path.variable.get_or_insert(number);
                Self { at: Place::Path(path), ..self }
            }
            at @ Place::Variable(_) => Self { at, ..self },
        }
    }

    /// Returns the number of the variable at fault, counted from 1, or 0 if it is not one variable.
    pub fn variable(&self) -> usize {
        match &self.at {
            Place::Variable(number) => *number,
            Place::Path(path) => path.variable.unwrap_or_default(),
            Place::Transaction => 0,
        }
    }
}

impl From<RefusalKind> for Refusal {
    /// A refusal whose text only describes its kind.
    fn from(kind: RefusalKind) -> Self {
        Self::new(
            kind,
            match kind {
                RefusalKind::AccessDenied => "no write access to this object",
                RefusalKind::NotAuthorized => "no access",
                RefusalKind::NotWritable => "the object cannot be changed",
                RefusalKind::WrongType => "the value has the wrong type",
                RefusalKind::WrongLength => "the value has the wrong length",
                RefusalKind::WrongValue => "the value is not allowed",
                RefusalKind::NoCreation => "the instance cannot exist",
                RefusalKind::InconsistentName => "the instance does not exist",
                RefusalKind::InconsistentValue => "the value conflicts with other values",
                RefusalKind::ResourceUnavailable => "a resource is not available",
                RefusalKind::CommitFailed => "the change could not be made",
                RefusalKind::UndoFailed => "the change failed and could not be taken back completely",
                RefusalKind::DataExists => "the node exists already",
                RefusalKind::DataMissing => "a node is missing",
                RefusalKind::Invalid => "a constraint is not met",
                RefusalKind::TooBig => "the data are larger than a limit",
                RefusalKind::InUse => "another session has locked the configuration",
                RefusalKind::Conflict => "another transaction has changed the same nodes",
                RefusalKind::Internal => "internal error",
            },
        )
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests;
