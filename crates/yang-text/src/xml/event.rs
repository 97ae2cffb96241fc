//! Events of the tokenizer.

use super::{Attributes, Scope};

/// A part of a document.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The start tag of an element.
    Start(Start<'a>),
    /// A piece of a text, never empty. One text can be divided into any number of pieces, and a
    /// comment does not end it. References are resolved, and line ends are line feeds.
    Text(&'a str),
    /// The end of the innermost open element, also of an empty one.
    End(End<'a>),
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The resolved name of the element.
    pub name: Name<'a>,
    /// The prefix of the element as written, which may be empty.
    pub prefix: &'a str,
    /// The attributes other than declarations of namespaces.
    pub attributes: Attributes<'a>,
    /// The prefixes in scope, including those that this tag declares.
    pub scope: Scope<'a>,
}

/// The end of an element.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The resolved name of the element.
    pub name: Name<'a>,
    /// The prefixes in scope in the element.
    pub scope: Scope<'a>,
}

/// A name with its namespace.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Name<'a> {
    /// The namespace, empty for none.
    pub namespace: &'a str,
    /// The name without its prefix.
    pub local: &'a str,
}

/// A name with its namespace, for errors.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OwnedName {
    /// The namespace, empty for none.
    pub namespace: Box<str>,
    /// The name without its prefix.
    pub local: Box<str>,
}

impl From<Name<'_>> for OwnedName {
    fn from(name: Name<'_>) -> Self {
        Self { namespace: name.namespace.into(), local: name.local.into() }
    }
}
