//! The reasons why a text is not a value.

use std::fmt;

use crate::ErrorStatements;

/// The reason why a text is not a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueReason {
    /// The text is not a number.
    NotANumber,
    /// The number is not within the range of the type.
    OutOfRange,
    /// The number has more digits after the point than the type.
    TooManyFractionDigits,
    /// The number of characters or octets is not one that the type permits.
    InvalidLength,
    /// A control character or noncharacter is in a string.
    InvalidCharacter,
    /// A pattern refuses the string.
    PatternMismatch,
    /// A pattern of the type cannot be compiled.
    UnusablePattern,
    /// The text is neither `true` nor `false`.
    NotBoolean,
    /// The enumeration has no such name.
    UnknownEnum,
    /// The bits have no such name.
    UnknownBit,
    /// A bit is named twice.
    DuplicateBit,
    /// The text is not base64.
    NotBase64,
    /// The text of an empty leaf is not empty.
    NotEmpty,
    /// No member of the union accepts the text.
    NoMember,
    /// A prefix stands for no module of the schema.
    UnknownPrefix,
    /// The module has no such identity, or is not implemented.
    UnknownIdentity,
    /// The identity is not derived from all bases of the type.
    NotDerived,
    /// The text is not an instance identifier.
    NotAPath,
    /// A name in an instance identifier has no prefix.
    MissingPrefix,
    /// The schema has no node of this name there.
    UnknownNode,
    /// A predicate does not fit its node: an unknown or duplicate key, a position in a list with
    /// keys, or a predicate at a container or leaf.
    InvalidPredicate,
    /// A list entry is named without all of its keys, or an entry of a leaf-list without its value.
    MissingKey,
    /// Too many leafrefs and unions are within one another.
    TooDeep,
}

impl ValueReason {
    /// Returns the reason as text for an error message.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotANumber => "not a number",
            Self::OutOfRange => "number out of range",
            Self::TooManyFractionDigits => "too many digits after the decimal point",
            Self::InvalidLength => "invalid length",
            Self::InvalidCharacter => "string with a control character or noncharacter",
            Self::PatternMismatch => "string does not match the pattern of its type",
            Self::UnusablePattern => "the pattern of the type cannot be compiled",
            Self::NotBoolean => "neither \"true\" nor \"false\"",
            Self::UnknownEnum => "not a name of the enumeration",
            Self::UnknownBit => "not a list of bit names",
            Self::DuplicateBit => "bit named twice",
            Self::NotBase64 => "not base64",
            Self::NotEmpty => "value of an empty leaf",
            Self::NoMember => "not a value of any member of the union",
            Self::UnknownPrefix => "unknown namespace prefix",
            Self::UnknownIdentity => "unknown identity",
            Self::NotDerived => "identity is not derived from the base of the type",
            Self::NotAPath => "not an instance identifier",
            Self::MissingPrefix => "node name without a namespace prefix in an instance identifier",
            Self::UnknownNode => "unknown node in an instance identifier",
            Self::InvalidPredicate => "invalid predicate in an instance identifier",
            Self::MissingKey => "key missing in an instance identifier",
            Self::TooDeep => "too many types within one another",
        }
    }
}

/// The error of a text that is not a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// The reason.
    pub reason: ValueReason,
    /// The `error-app-tag` of the restriction that refuses the value. RFC 7950 defines none for a
    /// restriction without this statement.
    pub app_tag: Option<Box<str>>,
    /// The `error-message` of the restriction that refuses the value.
    pub message: Option<Box<str>>,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.as_deref().unwrap_or(self.reason.as_str()))
    }
}

impl std::error::Error for ValueError {}

/// A [`ValueError`] that borrows the texts of the schema: a union discards those of its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refusal<'s> {
    pub(super) reason: ValueReason,
    /// The statements of the restriction that refuses the value.
    pub(super) statements: Option<&'s ErrorStatements>,
}

impl From<ValueReason> for Refusal<'_> {
    fn from(reason: ValueReason) -> Self {
        Self { reason, statements: None }
    }
}

impl From<Refusal<'_>> for ValueError {
    fn from(refusal: Refusal<'_>) -> Self {
        let statements = refusal.statements.cloned().unwrap_or_default();
        Self { reason: refusal.reason, app_tag: statements.app_tag, message: statements.message }
    }
}
