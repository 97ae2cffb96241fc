//! Reads a complete start tag: its name, its attributes and its declarations of namespaces
//! (XML 1.0 §3.1, Namespaces in XML 1.0 §5 and §6).

use super::XmlErrorReason;
use super::attributes::{AttributeList, MAX_ATTRIBUTES};
use super::elements::Elements;
use super::names;
use super::references::{self, MAX_REFERENCE};
use super::text::is_character;

/// An error in a tag, at a number of octets after its start.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct TagError {
    pub(crate) offset: usize,
    pub(crate) reason: XmlErrorReason,
}

/// The part of a tag that has not been read.
pub(crate) struct TagReader<'a> {
    rest: &'a str,
    /// Number of octets before it in the tag.
    offset: usize,
}

/// An attribute as written.
pub(crate) struct RawAttribute<'a> {
    pub(crate) name: &'a str,
    pub(crate) name_offset: usize,
    pub(crate) value: &'a str,
    pub(crate) value_offset: usize,
}

/// Opens the element of `tag`, which begins with `<` and ends with `>`. Returns true if the element
/// is empty.
pub(crate) fn open(
    tag: &str,
    elements: &mut Elements,
    attributes: &mut AttributeList,
) -> Result<bool, TagError> {
    let inner = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix('>')).unwrap_or_default();
    let (inner, is_empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
    let mut reader = TagReader::new(inner, 1);
    let name = reader.take_name();
    elements.open(name).map_err(|reason| TagError { offset: 0, reason })?;
    attributes.clear();
    let mut count = 0;
    while let Some(raw) = reader.attribute()? {
        count += 1;
        let at_name = |reason| TagError { offset: raw.name_offset, reason };
        if count > MAX_ATTRIBUTES {
            return Err(at_name(XmlErrorReason::ManyAttributes));
        }
        let start = attributes.texts.len();
        attributes.texts.push_str(raw.name);
        let value = attributes.texts.len();
        append_value(raw.value, &mut attributes.texts)
            .map_err(|error| TagError { offset: raw.value_offset + error.offset, ..error })?;
        let prefix = match raw.name {
            "xmlns" => Some(""),
            name => name.strip_prefix("xmlns:"),
        };
        match prefix {
            Some(prefix) => {
                let is_default = raw.name == "xmlns";
                let namespace = attributes.texts.get(value..).unwrap_or_default();
                declare(prefix, is_default, namespace, elements).map_err(at_name)?;
                attributes.texts.truncate(start);
            }
            None => attributes.push(start, value).map_err(at_name)?,
        }
    }
    elements.resolve_name().map_err(|reason| TagError { offset: 0, reason })?;
    attributes.resolve(elements).map_err(|reason| TagError { offset: 0, reason })?;
    Ok(is_empty)
}

impl<'a> TagReader<'a> {
    /// Creates a reader of the part of a tag that begins `offset` octets after its start.
    pub(crate) fn new(rest: &'a str, offset: usize) -> Self {
        Self { rest, offset }
    }

    /// Takes the octets up to white space or `=`.
    pub(crate) fn take_name(&mut self) -> &'a str {
        let end = self.rest.find(|c| is_space(c) || c == '=').unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Takes an attribute and the white space before it. Returns `None` at the end.
    pub(crate) fn attribute(&mut self) -> Result<Option<RawAttribute<'a>>, TagError> {
        let has_space = self.skip_space();
        if self.rest.is_empty() {
            return Ok(None);
        }
        if !has_space {
            return Err(self.error());
        }
        let name_offset = self.offset;
        let name = self.take_name();
        self.skip_space();
        if self.take(1) != "=" {
            return Err(self.error());
        }
        self.skip_space();
        let mark = match self.take(1) {
            "\"" => '"',
            "'" => '\'',
            _ => return Err(self.error()),
        };
        let value_offset = self.offset;
        let Some(end) = self.rest.find(mark) else { return Err(self.error()) };
        let value = self.take(end);
        self.take(1);
        Ok(Some(RawAttribute { name, name_offset, value, value_offset }))
    }

    fn skip_space(&mut self) -> bool {
        let end = self.rest.find(|c| !is_space(c)).unwrap_or(self.rest.len());
        !self.take(end).is_empty()
    }

    /// Takes `count` octets, or none if a character does not end there.
    fn take(&mut self, count: usize) -> &'a str {
        let Some((head, tail)) = self.rest.split_at_checked(count) else { return "" };
        self.offset += count;
        self.rest = tail;
        head
    }

    fn error(&self) -> TagError {
        TagError { offset: self.offset, reason: XmlErrorReason::InvalidTag }
    }
}

/// Returns true for the white space of XML.
pub(crate) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Declares a prefix, which is empty for the default namespace only.
fn declare(
    prefix: &str,
    is_default: bool,
    namespace: &str,
    elements: &mut Elements,
) -> Result<(), XmlErrorReason> {
    if !is_default {
        names::check(prefix)?;
    }
    elements.bind(prefix, namespace)
}

/// Appends a value with its references resolved and white space normalized (XML 1.0 §3.3.3).
fn append_value(value: &str, texts: &mut String) -> Result<(), TagError> {
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let offset = value.len() - rest.len();
        let (c, length) = match c {
            '\r' if rest.starts_with("\r\n") => (' ', 2),
            c if is_space(c) => (' ', 1),
            '&' => resolve_first(rest).map_err(|reason| TagError { offset, reason })?,
            c if is_character(c) => (c, c.len_utf8()),
            _ => return Err(TagError { offset, reason: XmlErrorReason::InvalidCharacter }),
        };
        texts.push(c);
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(())
}

/// Returns the character of the reference with which `text` begins, and its length.
fn resolve_first(text: &str) -> Result<(char, usize), XmlErrorReason> {
    let end = text.bytes().take(MAX_REFERENCE).position(|octet| octet == b';');
    let reference = end.and_then(|end| text.as_bytes().get(1..end));
    let c = references::resolve(reference.ok_or(XmlErrorReason::InvalidReference)?)?;
    Ok((c, end.unwrap_or(0) + 1))
}
