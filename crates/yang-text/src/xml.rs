//! XML 1.0 with namespaces, limited to the part that NETCONF needs.
//!
//! ```text
//! octets, in any pieces ── Tokenizer ──▶ start, text, end …
//! start, text, end …    ── Writer    ──▶ octets, taken in pieces
//! ```
//! The encoding is UTF-8. A document type declaration and processing instructions are errors, so
//! that there are no entities other than the five of XML, and no default attributes. Comments are
//! skipped, and CDATA sections are texts.
//!
//! All limits are constants of this module, and an input that exceeds one is an error. The length
//! of a text is not limited, because a text is never stored: it is passed on as it arrives.

mod attributes;
mod declaration;
mod elements;
mod error;
mod escape;
mod event;
mod markup;
mod names;
mod position;
mod references;
mod start_tag;
mod text;
mod tokenizer;
mod writer;

pub use attributes::{Attribute, Attributes, MAX_ATTRIBUTES};
pub use elements::{MAX_BINDINGS, MAX_DEPTH, MAX_NAMESPACE, Scope};
pub use error::{XmlError, XmlErrorReason};
pub use event::{End, Event, Name, OwnedName, Start};
pub use markup::MAX_TAG;
pub use names::{MAX_NAME, NcName};
pub use position::Position;
pub use text::XmlText;
pub use tokenizer::Tokenizer;
pub use writer::{StartTag, Writer};

/// The namespace to which the prefix `xml` is always bound.
pub const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";
