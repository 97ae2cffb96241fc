//! The open elements and the prefixes in scope (Namespaces in XML 1.0).

use super::names::{self, MAX_NAME};
use super::{Name, XML_NAMESPACE, XmlErrorReason};

/// Largest number of open elements.
pub const MAX_DEPTH: usize = 64;

/// Largest number of declared prefixes in scope. The default namespace counts as one.
pub const MAX_BINDINGS: usize = 64;

/// Longest namespace, in octets.
pub const MAX_NAMESPACE: usize = 1024;

/// The open elements, from the root to the innermost one, and their declarations of namespaces.
#[derive(Debug)]
pub(crate) struct Elements {
    open: Vec<Open>,
    /// The names of the open elements as written, with prefixes.
    names: String,
    bindings: Vec<Binding>,
    /// The prefixes and namespaces of the bindings.
    texts: String,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Start of its name in `names`, and length of its prefix including the colon.
    name: usize,
    prefix: usize,
    /// Index of its binding.
    namespace: Option<usize>,
    /// Index of the binding of the default namespace in it.
    default: Option<usize>,
    /// Number of bindings outside it.
    outer_bindings: usize,
}

/// A declared prefix: a part of `texts`.
#[derive(Clone, Copy, Debug)]
struct Binding {
    /// Start of the prefix, start of the namespace, and its end.
    start: usize,
    namespace: usize,
    end: usize,
}

/// The prefixes in scope at an element.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a>(&'a Elements);

impl Elements {
    pub(crate) fn new() -> Self {
        let mut elements =
            Self { open: Vec::new(), names: String::new(), bindings: Vec::new(), texts: String::new() };
        elements.push_binding("xml", XML_NAMESPACE);
        elements
    }

    /// Forgets everything, and releases memory that only large documents need.
    pub(crate) fn reset(&mut self) {
        self.open.clear();
        self.names.clear();
        self.close_bindings(1);
        self.names.shrink_to(MAX_IDLE_TEXT);
        self.texts.shrink_to(MAX_IDLE_TEXT);
    }

    /// Returns the number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Begins an element. Its namespaces are declared next, then its name is resolved.
    pub(crate) fn open(&mut self, name: &str) -> Result<(), XmlErrorReason> {
        self.check_depth()?;
        let (prefix, _) = split_name(name)?;
        self.push(name, if prefix.is_empty() { 0 } else { prefix.len() + 1 });
        Ok(())
    }

    /// Begins an element that declares no namespaces, and resolves its name, which has been checked
    /// and has no prefix.
    pub(crate) fn open_without_prefix(&mut self, name: &str) -> Result<(), XmlErrorReason> {
        self.check_depth()?;
        self.push(name, 0);
        Ok(())
    }

    fn check_depth(&self) -> Result<(), XmlErrorReason> {
        if self.open.len() < MAX_DEPTH { Ok(()) } else { Err(XmlErrorReason::DeepElement) }
    }

    /// Adds an element whose namespace is the default one.
    fn push(&mut self, name: &str, prefix: usize) {
        let default = self.open.last().and_then(|outer| outer.default);
        self.open.push(Open {
            name: self.names.len(),
            prefix,
            namespace: default,
            default,
            outer_bindings: self.bindings.len(),
        });
        self.names.push_str(name);
    }

    /// Declares a prefix in the innermost element. The prefix is empty for the default namespace.
    pub(crate) fn bind(&mut self, prefix: &str, namespace: &str) -> Result<(), XmlErrorReason> {
        let is_reserved = namespace == XMLNS_NAMESPACE || prefix == "xmlns";
        let is_wrong_xml = (prefix == "xml") != (namespace == XML_NAMESPACE);
        if is_reserved || is_wrong_xml || (namespace.is_empty() && !prefix.is_empty()) {
            return Err(XmlErrorReason::InvalidBinding);
        }
        let outer = self.open.last().map_or(0, |open| open.outer_bindings);
        if self.bindings.iter().skip(outer).any(|binding| self.prefix_of(*binding) == prefix) {
            return Err(XmlErrorReason::DuplicateAttribute);
        }
        if namespace.len() > MAX_NAMESPACE {
            return Err(XmlErrorReason::LongNamespace);
        }
        // The binding of `xml` does not count.
        if self.bindings.len() > MAX_BINDINGS {
            return Err(XmlErrorReason::ManyBindings);
        }
        self.push_binding(prefix, namespace);
        if let Some(open) = self.open.last_mut().filter(|_| prefix.is_empty()) {
            open.default = Some(self.bindings.len() - 1);
        }
        Ok(())
    }

    /// Resolves the prefix of the innermost element.
    pub(crate) fn resolve_name(&mut self) -> Result<(), XmlErrorReason> {
        let namespace = match self.innermost_prefix() {
            "" => self.open.last().and_then(|open| open.default),
            prefix => Some(self.find(prefix).ok_or(XmlErrorReason::UnboundPrefix)?),
        };
        if let Some(open) = self.open.last_mut() {
            open.namespace = namespace;
        }
        Ok(())
    }

    /// Returns true if an element is open and `name` is its name with the prefix.
    pub(crate) fn is_innermost(&self, name: &[u8]) -> bool {
        !self.open.is_empty() && self.innermost_name().as_bytes() == name
    }

    /// Returns the name of the innermost element as written, with its prefix.
    pub(crate) fn innermost_name(&self) -> &str {
        let start = self.open.last().map_or(0, |open| open.name);
        self.names.get(start..).unwrap_or_default()
    }

    /// Returns the prefix of the innermost element.
    pub(crate) fn innermost_prefix(&self) -> &str {
        let length = self.open.last().map_or(0, |open| open.prefix);
        self.innermost_name().get(..length.saturating_sub(1)).unwrap_or_default()
    }

    /// Returns the resolved name of the innermost element.
    pub(crate) fn innermost(&self) -> Name<'_> {
        let (prefix, namespace) = self.open.last().map_or((0, None), |open| (open.prefix, open.namespace));
        Name {
            namespace: self.namespace(namespace),
            local: self.innermost_name().get(prefix..).unwrap_or_default(),
        }
    }

    /// Ends the innermost element.
    pub(crate) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.names.truncate(open.name);
            self.close_bindings(open.outer_bindings);
        }
    }

    /// Returns the index of the innermost binding of `prefix`.
    pub(crate) fn find(&self, prefix: &str) -> Option<usize> {
        self.bindings.iter().rposition(|binding| self.prefix_of(*binding) == prefix)
    }

    /// Returns the namespace of a binding, which is empty for none.
    pub(crate) fn namespace(&self, binding: Option<usize>) -> &str {
        let binding = binding.and_then(|index| self.bindings.get(index));
        binding.and_then(|binding| self.texts.get(binding.namespace..binding.end)).unwrap_or_default()
    }

    /// Returns the scope of the innermost element.
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope(self)
    }

    /// Returns the number of bytes that are allocated.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.names.capacity()
            + self.texts.capacity()
            + self.open.capacity() * size_of::<Open>()
            + self.bindings.capacity() * size_of::<Binding>()
    }

    fn push_binding(&mut self, prefix: &str, namespace: &str) {
        let start = self.texts.len();
        self.texts.push_str(prefix);
        let middle = self.texts.len();
        self.texts.push_str(namespace);
        self.bindings.push(Binding { start, namespace: middle, end: self.texts.len() });
    }

    fn close_bindings(&mut self, outer: usize) {
        if let Some(first) = self.bindings.get(outer) {
            self.texts.truncate(first.start);
            self.bindings.truncate(outer);
        }
    }

    fn prefix_of(&self, binding: Binding) -> &str {
        self.texts.get(binding.start..binding.namespace).unwrap_or_default()
    }
}

impl<'a> Scope<'a> {
    /// Returns the namespace that is bound to `prefix`. The empty prefix stands for the default
    /// namespace. Returns `None` if the prefix is not bound, or if there is no default namespace.
    #[must_use]
    pub fn resolve(self, prefix: &str) -> Option<&'a str> {
        Some(self.0.namespace(self.0.find(prefix))).filter(|namespace| !namespace.is_empty())
    }

    /// Returns all prefixes in scope with their namespaces. The default namespace has an empty
    /// prefix. The prefix `xml` is not among them.
    pub fn bindings(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let bindings = self.0.bindings.iter().enumerate().skip(1);
        bindings.filter_map(move |(index, binding)| {
            let prefix = self.0.prefix_of(*binding);
            let namespace = self.0.namespace(Some(index));
            let is_visible = self.0.find(prefix) == Some(index) && !namespace.is_empty() && prefix != "xml";
            is_visible.then_some((prefix, namespace))
        })
    }
}

/// Divides a name into its prefix, which may be empty, and the rest.
pub(crate) fn split_name(name: &str) -> Result<(&str, &str), XmlErrorReason> {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => {
            names::check(prefix)?;
            (prefix, local)
        }
        None => ("", name),
    };
    names::check(local)?;
    if name.len() > MAX_NAME {
        return Err(XmlErrorReason::LongName);
    }
    Ok((prefix, local))
}

/// The namespace of declarations of namespaces, which cannot be bound.
const XMLNS_NAMESPACE: &str = "http://www.w3.org/2000/xmlns/";

/// Memory that texts may occupy between documents, in bytes.
const MAX_IDLE_TEXT: usize = 1024;
