//! Writes elements, attributes and texts.

use super::escape::{append_text, append_value};
use super::{NcName, XmlText};

/// Writes XML into a buffer, from which the caller takes the octets at any time.
///
/// An element without a prefix gets its namespace from a declaration of the default namespace,
/// which is written where the namespace differs from the one outside.
///
/// ```
/// use portreeve_yang_text::xml::{NcName, Writer, XmlText};
///
/// const RPC_REPLY: NcName<'_> = NcName::from_static("rpc-reply");
/// const MESSAGE_ID: NcName<'_> = NcName::from_static("message-id");
/// const OK: NcName<'_> = NcName::from_static("ok");
/// const NETCONF: XmlText<'_> = XmlText::from_static("urn:example");
///
/// let mut writer = Writer::new();
/// writer.start(NETCONF, RPC_REPLY).attribute(MESSAGE_ID, XmlText::new("<7>").unwrap());
/// writer.start(NETCONF, OK);
/// writer.end();
/// writer.end();
/// let expected = br#"<rpc-reply xmlns="urn:example" message-id="&lt;7&gt;"><ok/></rpc-reply>"#;
/// assert_eq!(writer.output(), expected);
/// ```
#[derive(Debug)]
pub struct Writer {
    out: Vec<u8>,
    /// The open elements, from the root to the innermost one.
    open: Vec<Open>,
    names: String,
    bindings: Vec<Binding>,
    /// True while `>` of the last start tag has not been written.
    is_in_tag: bool,
}

#[derive(Debug)]
struct Open {
    /// Start of its name in `names`.
    name: usize,
    /// Number of bindings outside it.
    outer_bindings: usize,
}

/// A declared prefix, which is empty for the default namespace.
#[derive(Debug)]
struct Binding {
    prefix: String,
    namespace: String,
}

/// A start tag to which attributes can be added.
#[derive(Debug)]
pub struct StartTag<'w> {
    writer: &'w mut Writer,
}

impl Writer {
    /// Creates a writer without output.
    #[must_use]
    pub fn new() -> Self {
        Self {
            out: Vec::new(),
            open: Vec::new(),
            names: String::new(),
            bindings: Vec::new(),
            is_in_tag: false,
        }
    }

    /// Begins an element in a namespace, which is empty for none.
    pub fn start(&mut self, namespace: XmlText<'_>, name: NcName<'_>) -> StartTag<'_> {
        self.begin(None, name);
        if self.namespace_of("").unwrap_or_default() != namespace.as_str() {
            self.bind("", namespace);
        }
        StartTag { writer: self }
    }

    /// Begins an element with a prefix, which the caller binds to the element's namespace next, or
    /// which is bound to it already.
    pub fn start_prefixed(&mut self, prefix: NcName<'_>, name: NcName<'_>) -> StartTag<'_> {
        self.begin(Some(prefix), name);
        StartTag { writer: self }
    }

    /// Appends a piece of a text to the innermost element.
    pub fn text(&mut self, text: XmlText<'_>) {
        if !text.as_str().is_empty() {
            self.end_tag();
            append_text(text.as_str(), &mut self.out);
        }
    }

    /// Ends the innermost element. Does nothing if no element is open.
    pub fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if std::mem::take(&mut self.is_in_tag) {
            self.out.extend_from_slice(b"/>");
        } else {
            self.out.extend_from_slice(b"</");
            self.out.extend_from_slice(self.names.get(open.name..).unwrap_or_default().as_bytes());
            self.out.push(b'>');
        }
        self.names.truncate(open.name);
        self.bindings.truncate(open.outer_bindings);
    }

    /// Writes an element that contains a text only.
    pub fn leaf(&mut self, namespace: XmlText<'_>, name: NcName<'_>, text: XmlText<'_>) {
        self.start(namespace, name);
        self.text(text);
        self.end();
    }

    /// Returns the number of open elements.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns the octets that have been written and not been taken. If the last call began an
    /// element, its `>` is not among them yet.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.out
    }

    /// Takes the octets of [`Self::output`] and leaves `replacement`, which is emptied, as buffer
    /// for the next ones.
    pub fn take_output(&mut self, mut replacement: Vec<u8>) -> Vec<u8> {
        replacement.clear();
        std::mem::replace(&mut self.out, replacement)
    }

    fn begin(&mut self, prefix: Option<NcName<'_>>, name: NcName<'_>) {
        self.end_tag();
        let start = self.names.len();
        self.open.push(Open { name: start, outer_bindings: self.bindings.len() });
        if let Some(prefix) = prefix {
            self.names.push_str(prefix.as_str());
            self.names.push(':');
        }
        self.names.push_str(name.as_str());
        self.out.push(b'<');
        self.out.extend_from_slice(self.names.get(start..).unwrap_or_default().as_bytes());
        self.is_in_tag = true;
    }

    fn end_tag(&mut self) {
        if std::mem::take(&mut self.is_in_tag) {
            self.out.push(b'>');
        }
    }

    /// Returns the namespace of a prefix in scope.
    fn namespace_of(&self, prefix: &str) -> Option<&str> {
        let binding = self.bindings.iter().rfind(|binding| binding.prefix == prefix);
        binding.map(|binding| binding.namespace.as_str())
    }

    fn bind(&mut self, prefix: &str, namespace: XmlText<'_>) {
        self.out.extend_from_slice(b" xmlns");
        if !prefix.is_empty() {
            self.out.push(b':');
            self.out.extend_from_slice(prefix.as_bytes());
        }
        append_quoted(namespace, &mut self.out);
        self.bindings.push(Binding { prefix: prefix.to_owned(), namespace: namespace.as_str().to_owned() });
    }

    /// Returns a prefix in scope for a namespace.
    fn prefix_of(&self, namespace: &str) -> Option<&str> {
        let mut bindings = self.bindings.iter().rev();
        let binding = bindings.find(|binding| {
            let is_match = binding.namespace == namespace && !binding.prefix.is_empty();
            is_match && self.namespace_of(&binding.prefix) == Some(namespace)
        });
        binding.map(|binding| binding.prefix.as_str())
    }
}

impl StartTag<'_> {
    /// Adds an attribute without a namespace. The caller adds each name once.
    pub fn attribute(&mut self, name: NcName<'_>, value: XmlText<'_>) -> &mut Self {
        self.append(None, name, value)
    }

    /// Adds an attribute in a namespace, which is not empty. The caller adds each name once.
    pub fn qualified_attribute(
        &mut self,
        namespace: XmlText<'_>,
        preferred_prefix: NcName<'_>,
        name: NcName<'_>,
        value: XmlText<'_>,
    ) -> &mut Self {
        let prefix = self.declare(namespace, preferred_prefix);
        self.append(Some(&prefix), name, value)
    }

    /// Declares this prefix, also if the namespace has another one. `None` stands for the default
    /// namespace. The caller declares each prefix once in an element.
    pub fn bind(&mut self, prefix: Option<NcName<'_>>, namespace: XmlText<'_>) -> &mut Self {
        self.writer.bind(prefix.map_or("", NcName::as_str), namespace);
        self
    }

    /// Returns a prefix for a namespace, which is not empty. Declares one if none is in scope:
    /// `preferred_prefix`, with a number if it stands for another namespace, or another one if XML
    /// reserves it.
    pub fn declare(&mut self, namespace: XmlText<'_>, preferred_prefix: NcName<'_>) -> String {
        if namespace.as_str() == super::XML_NAMESPACE {
            return "xml".to_owned();
        }
        if let Some(prefix) = self.writer.prefix_of(namespace.as_str()) {
            return prefix.to_owned();
        }
        let preferred = match preferred_prefix.as_str() {
            reserved if is_reserved(reserved) => "ns",
            preferred => preferred,
        };
        let is_free = |prefix: &str| self.writer.namespace_of(prefix).is_none();
        let numbered = (1_u64..).map(|number| format!("{preferred}{number}"));
        let mut prefixes = std::iter::once(preferred.to_owned()).chain(numbered);
        // The number of bindings is finite, so that one of the numbers is free.
        let prefix = prefixes.find(|prefix| is_free(prefix)).unwrap_or_default();
        self.writer.bind(&prefix, namespace);
        prefix
    }

    fn append(&mut self, prefix: Option<&str>, name: NcName<'_>, value: XmlText<'_>) -> &mut Self {
        let out = &mut self.writer.out;
        out.push(b' ');
        if let Some(prefix) = prefix {
            out.extend_from_slice(prefix.as_bytes());
            out.push(b':');
        }
        out.extend_from_slice(name.as_str().as_bytes());
        append_quoted(value, out);
        self
    }
}

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

fn append_quoted(value: XmlText<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"=\"");
    append_value(value.as_str(), out);
    out.push(b'"');
}

/// Returns true for prefixes that XML reserves (Namespaces in XML 1.0 §3).
fn is_reserved(prefix: &str) -> bool {
    prefix.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"))
}

#[cfg(test)]
mod tests;
