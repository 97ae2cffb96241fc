//! Errors in replies (RFC 6241 §4.3 and Appendix A).

mod data;
mod write;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::names::QualifiedName;

/// An `rpc-error` element.
///
/// The constructors set the `error-info` that Appendix A of RFC 6241 demands of their tag. Errors
/// about the data of a datastore have the type [`ErrorType::Application`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpcError {
    /// The layer at which the error was found.
    pub error_type: ErrorType,
    /// The error condition.
    pub tag: ErrorTag,
    /// The severity.
    pub severity: Severity,
    /// The condition within a data model or this implementation.
    pub app_tag: Option<Cow<'static, str>>,
    /// The element or data node with the error.
    pub path: Option<Box<ErrorPath>>,
    /// A description for people, in English.
    pub message: Option<Cow<'static, str>>,
    /// Details for programs, in the order of the reply.
    pub info: Vec<ErrorInfo>,
}

impl RpcError {
    /// Creates an error without details.
    #[must_use]
    pub fn new(error_type: ErrorType, tag: ErrorTag) -> Self {
        Self {
            error_type,
            tag,
            severity: Severity::Error,
            app_tag: None,
            path: None,
            message: None,
            info: Vec::new(),
        }
    }

    /// An attribute that an element must have is missing.
    #[must_use]
    pub fn missing_attribute(
        error_type: ErrorType,
        attribute: QualifiedName,
        element: QualifiedName,
    ) -> Self {
        Self::about_attribute(error_type, ErrorTag::MissingAttribute, attribute, element)
    }

    /// The value of an attribute is wrong.
    #[must_use]
    pub fn bad_attribute(error_type: ErrorType, attribute: QualifiedName, element: QualifiedName) -> Self {
        Self::about_attribute(error_type, ErrorTag::BadAttribute, attribute, element)
    }

    /// An element has an attribute that it cannot have.
    #[must_use]
    pub fn unknown_attribute(
        error_type: ErrorType,
        attribute: QualifiedName,
        element: QualifiedName,
    ) -> Self {
        Self::about_attribute(error_type, ErrorTag::UnknownAttribute, attribute, element)
    }

    /// An element is missing.
    #[must_use]
    pub fn missing_element(error_type: ErrorType, element: QualifiedName) -> Self {
        Self::about_element(error_type, ErrorTag::MissingElement, element)
    }

    /// The content of an element is wrong.
    #[must_use]
    pub fn bad_element(error_type: ErrorType, element: QualifiedName) -> Self {
        Self::about_element(error_type, ErrorTag::BadElement, element)
    }

    /// An element is not known where it is.
    #[must_use]
    pub fn unknown_element(error_type: ErrorType, element: QualifiedName) -> Self {
        Self::about_element(error_type, ErrorTag::UnknownElement, element)
    }

    /// The namespace of an element is not known.
    #[must_use]
    pub fn unknown_namespace(error_type: ErrorType, element: QualifiedName) -> Self {
        let namespace = element.namespace.clone();
        let mut error = Self::about_element(error_type, ErrorTag::UnknownNamespace, element);
        error.info.push(ErrorInfo::BadNamespace(namespace));
        error
    }

    /// A lock is held by the session `owner`, or by something else than a session if that is 0.
    #[must_use]
    pub fn lock_denied(owner: u32) -> Self {
        let mut error = Self::new(ErrorType::Protocol, ErrorTag::LockDenied);
        error.info.push(ErrorInfo::SessionId(owner));
        error
    }

    /// A message is not well-formed XML. Must not be sent to peers that know `:base:1.0` only.
    #[must_use]
    pub fn malformed_message() -> Self {
        Self::new(ErrorType::Rpc, ErrorTag::MalformedMessage)
    }

    /// Sets the description.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets the condition within a data model.
    #[must_use]
    pub fn with_app_tag(mut self, app_tag: impl Into<Cow<'static, str>>) -> Self {
        self.app_tag = Some(app_tag.into());
        self
    }

    /// Sets the path.
    #[must_use]
    pub fn with_path(mut self, path: ErrorPath) -> Self {
        self.path = Some(Box::new(path));
        self
    }

    //= rfc6241#A-p1
    fn about_attribute(
        error_type: ErrorType,
        tag: ErrorTag,
        attribute: QualifiedName,
        element: QualifiedName,
    ) -> Self {
        let mut error = Self::new(error_type, tag);
        error.info = vec![ErrorInfo::BadAttribute(attribute), ErrorInfo::BadElement(element)];
        error
    }

    fn about_element(error_type: ErrorType, tag: ErrorTag, element: QualifiedName) -> Self {
        let mut error = Self::new(error_type, tag);
        error.info = vec![ErrorInfo::BadElement(element)];
        error
    }
}

/// The layer at which an error was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorType {
    /// The secure transport.
    Transport,
    /// The messages.
    Rpc,
    /// The operations.
    Protocol,
    /// The content of datastores.
    Application,
}

impl ErrorType {
    /// Returns the text of `error-type`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transport => "transport",
            Self::Rpc => "rpc",
            Self::Protocol => "protocol",
            Self::Application => "application",
        }
    }
}

/// The severity of an error. RFC 6241 defines no tag with severity `warning`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The request failed.
    Error,
    /// The request succeeded, but something is worth knowing.
    Warning,
}

impl Severity {
    /// Returns the text of `error-severity`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// An error condition of RFC 6241 Appendix A. The obsolete `partial-operation` is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorTag {
    /// The request needs a resource that is in use.
    InUse,
    /// A parameter has an unacceptable value.
    InvalidValue,
    /// The request or its response is too large.
    TooBig,
    /// An attribute is missing.
    MissingAttribute,
    /// The value of an attribute is wrong.
    BadAttribute,
    /// An attribute is unexpected.
    UnknownAttribute,
    /// An element is missing.
    MissingElement,
    /// The content of an element is wrong.
    BadElement,
    /// An element is unexpected.
    UnknownElement,
    /// A namespace is unexpected.
    UnknownNamespace,
    /// The user has no right to the operation or the data.
    AccessDenied,
    /// The lock is held by another session.
    LockDenied,
    /// Resources are insufficient.
    ResourceDenied,
    /// A change could not be rolled back.
    RollbackFailed,
    /// The data to be created exist.
    DataExists,
    /// The data to be deleted or changed do not exist.
    DataMissing,
    /// The operation is not supported.
    OperationNotSupported,
    /// The operation failed for another reason.
    OperationFailed,
    /// The message is not well-formed XML.
    MalformedMessage,
}

impl ErrorTag {
    /// All conditions, in the order of the appendix.
    pub const ALL: [Self; 19] = [
        Self::InUse,
        Self::InvalidValue,
        Self::TooBig,
        Self::MissingAttribute,
        Self::BadAttribute,
        Self::UnknownAttribute,
        Self::MissingElement,
        Self::BadElement,
        Self::UnknownElement,
        Self::UnknownNamespace,
        Self::AccessDenied,
        Self::LockDenied,
        Self::ResourceDenied,
        Self::RollbackFailed,
        Self::DataExists,
        Self::DataMissing,
        Self::OperationNotSupported,
        Self::OperationFailed,
        Self::MalformedMessage,
    ];

    /// Returns the text of `error-tag`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InUse => "in-use",
            Self::InvalidValue => "invalid-value",
            Self::TooBig => "too-big",
            Self::MissingAttribute => "missing-attribute",
            Self::BadAttribute => "bad-attribute",
            Self::UnknownAttribute => "unknown-attribute",
            Self::MissingElement => "missing-element",
            Self::BadElement => "bad-element",
            Self::UnknownElement => "unknown-element",
            Self::UnknownNamespace => "unknown-namespace",
            Self::AccessDenied => "access-denied",
            Self::LockDenied => "lock-denied",
            Self::ResourceDenied => "resource-denied",
            Self::RollbackFailed => "rollback-failed",
            Self::DataExists => "data-exists",
            Self::DataMissing => "data-missing",
            Self::OperationNotSupported => "operation-not-supported",
            Self::OperationFailed => "operation-failed",
            Self::MalformedMessage => "malformed-message",
        }
    }
}

/// A path to a data node or to an element of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorPath {
    /// The XPath expression, for example `/if:interfaces/if:interface[if:name='eth0']`.
    pub xpath: String,
    /// The prefixes in the expression, each once, with their namespaces.
    pub prefixes: Vec<(String, String)>,
}

/// An element of `error-info`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorInfo {
    /// The name of the attribute that is wrong or missing.
    BadAttribute(QualifiedName),
    /// The name of the element that is wrong or missing, or has the wrong attribute.
    BadElement(QualifiedName),
    /// The namespace that is not known.
    BadNamespace(Box<str>),
    /// The session that holds a lock; 0 if it is held by something else.
    SessionId(u32),
    /// The path of a leaf that violates a `unique` statement (RFC 7950 §15.1).
    NonUnique(ErrorPath),
    /// The name of the choice that has no case (RFC 7950 §15.6).
    MissingChoice(Box<str>),
}
