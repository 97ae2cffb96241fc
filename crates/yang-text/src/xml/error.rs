//! Errors of the tokenizer.

use std::error::Error;
use std::fmt;

use super::{MAX_ATTRIBUTES, MAX_BINDINGS, MAX_DEPTH, MAX_NAME, MAX_NAMESPACE, MAX_TAG, Position};

/// The place at which a document is not well-formed or exceeds a limit. It is final: the rest of
/// the document cannot be read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct XmlError {
    /// Position of the octet at which the error was found. For the end of the input, the position
    /// of the token that is not complete.
    pub position: Position,
    /// The reason.
    pub reason: XmlErrorReason,
}

/// A reason for refusing a document.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum XmlErrorReason {
    /// Octets that are not UTF-8.
    InvalidUtf8,
    /// A character that XML does not allow (XML 1.0 §2.2), written itself or as a reference.
    InvalidCharacter,
    /// An XML declaration that is malformed, not at the start, or names another encoding or
    /// version.
    InvalidDeclaration,
    /// A document type declaration.
    DocumentType,
    /// A processing instruction.
    ProcessingInstruction,
    /// `<!` that begins neither a comment nor a CDATA section.
    UnknownMarkup,
    /// `--` in a comment.
    HyphensInComment,
    /// `]]>` in a text.
    SectionEndInText,
    /// A text or CDATA section outside the root element.
    TextOutsideRoot,
    /// A second root element.
    SecondRoot,
    /// A name that is empty, has a character that names do not allow, or has more than one colon.
    InvalidName,
    /// A name longer than [`MAX_NAME`].
    LongName,
    /// A tag that is malformed.
    InvalidTag,
    /// A tag longer than [`MAX_TAG`].
    LongTag,
    /// Elements nested deeper than [`MAX_DEPTH`].
    DeepElement,
    /// An end tag that does not match the start tag.
    MismatchedEnd,
    /// More than [`MAX_ATTRIBUTES`] attributes of an element.
    ManyAttributes,
    /// Two attributes of an element with one name.
    DuplicateAttribute,
    /// A prefix that is not bound to a namespace.
    UnboundPrefix,
    /// A declaration of a namespace that XML does not allow: of the prefixes `xml` or `xmlns` or of
    /// their namespaces, or of a prefix without a namespace.
    InvalidBinding,
    /// A namespace longer than [`MAX_NAMESPACE`].
    LongNamespace,
    /// More than [`MAX_BINDINGS`] declared prefixes in scope.
    ManyBindings,
    /// A malformed reference, or a reference to an entity other than the five of XML.
    InvalidReference,
    /// The end of the input within the document.
    UnexpectedEnd,
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position, self.reason)
    }
}

impl Error for XmlError {}

impl fmt::Display for XmlErrorReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidUtf8 => "octets are not UTF-8",
            Self::InvalidCharacter => "character is not allowed in XML",
            Self::InvalidDeclaration => {
                "invalid XML declaration: expected <?xml version=\"1.0\" encoding=\"UTF-8\"?> before the root element"
            }
            Self::DocumentType => "a document type declaration is not allowed",
            Self::ProcessingInstruction => "a processing instruction is not allowed",
            Self::UnknownMarkup => "expected a comment or a CDATA section after \"<!\"",
            Self::HyphensInComment => "\"--\" is not allowed in a comment",
            Self::SectionEndInText => "\"]]>\" is not allowed in a text",
            Self::TextOutsideRoot => "text outside the root element",
            Self::SecondRoot => "second root element",
            Self::InvalidName => "invalid name",
            Self::LongName => return write!(f, "name is longer than {MAX_NAME} octets"),
            Self::InvalidTag => "invalid tag",
            Self::LongTag => return write!(f, "tag is longer than {MAX_TAG} octets"),
            Self::DeepElement => return write!(f, "elements are nested deeper than {MAX_DEPTH}"),
            Self::MismatchedEnd => "end tag does not match the start tag",
            Self::ManyAttributes => return write!(f, "more than {MAX_ATTRIBUTES} attributes"),
            Self::DuplicateAttribute => "duplicate attribute",
            Self::UnboundPrefix => "prefix is not bound to a namespace",
            Self::InvalidBinding => "invalid declaration of a namespace",
            Self::LongNamespace => return write!(f, "namespace is longer than {MAX_NAMESPACE} octets"),
            Self::ManyBindings => return write!(f, "more than {MAX_BINDINGS} prefixes in scope"),
            Self::InvalidReference => "invalid reference: expected a character, amp, lt, gt, quot or apos",
            Self::UnexpectedEnd => "unexpected end of the document",
        })
    }
}
