//! Finds the end of a piece of markup in octets that arrive one after the other.
//!
//! The markup is examined later, when it is complete. Here only its kind and its end are found, so
//! that it can be stored until then, and errors that would otherwise be found late.

use super::XmlErrorReason;

/// Longest tag or XML declaration, in octets.
pub const MAX_TAG: usize = 65_536;

/// Incomplete markup.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Markup {
    /// `<`.
    Less,
    /// `<!`, and the start of `--` or `[CDATA[`.
    Exclamation,
    /// `<?`, and the start of `xml` and a white space.
    Question,
    /// A tag or an XML declaration, and the quotation mark in which it is.
    Tag(Kind, Option<u8>),
}

/// A kind of markup.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    StartTag,
    EndTag,
    Declaration,
    /// The start of a comment.
    Comment,
    /// The start of a CDATA section.
    Section,
}

impl Markup {
    /// Takes the last octet of `markup`, which begins with `<`. Returns its kind if it is complete.
    pub(crate) fn push(&mut self, markup: &[u8]) -> Result<Option<Kind>, XmlErrorReason> {
        let Some(&octet) = markup.last() else { return Ok(None) };
        match *self {
            Self::Less => {
                *self = match octet {
                    b'!' => Self::Exclamation,
                    b'?' => Self::Question,
                    b'/' => Self::Tag(Kind::EndTag, None),
                    b'<' | b'>' => return Err(XmlErrorReason::InvalidTag),
                    _ => Self::Tag(Kind::StartTag, None),
                };
            }
            Self::Exclamation if markup == COMMENT => return Ok(Some(Kind::Comment)),
            Self::Exclamation if markup == SECTION => return Ok(Some(Kind::Section)),
            Self::Exclamation if COMMENT.starts_with(markup) || SECTION.starts_with(markup) => {}
            Self::Exclamation if octet == b'D' => return Err(XmlErrorReason::DocumentType),
            Self::Exclamation => return Err(XmlErrorReason::UnknownMarkup),
            Self::Question if DECLARATION.starts_with(markup) => {}
            Self::Question => match markup.strip_prefix(DECLARATION) {
                Some([b' ' | b'\t' | b'\r' | b'\n']) => *self = Self::Tag(Kind::Declaration, None),
                _ => return Err(XmlErrorReason::ProcessingInstruction),
            },
            Self::Tag(..) if markup.len() > MAX_TAG => return Err(XmlErrorReason::LongTag),
            Self::Tag(kind, quotation) => match (octet, quotation) {
                (b'<', _) => return Err(XmlErrorReason::InvalidTag),
                (b'>', None) => return Ok(Some(kind)),
                (b'"' | b'\'', None) => *self = Self::Tag(kind, Some(octet)),
                (mark, Some(open)) if mark == open => *self = Self::Tag(kind, None),
                _ => {}
            },
        }
        Ok(None)
    }
}

const COMMENT: &[u8] = b"<!--";
const SECTION: &[u8] = b"<![CDATA[";
const DECLARATION: &[u8] = b"<?xml";
