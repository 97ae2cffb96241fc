//! The attributes of the start tag that was read last.

use super::elements::{Elements, split_name};
use super::{Name, XmlErrorReason};

/// Largest number of attributes of an element, including declarations of namespaces.
pub const MAX_ATTRIBUTES: usize = 64;

/// The attributes of an element other than declarations of namespaces.
#[derive(Debug, Default)]
pub(crate) struct AttributeList {
    records: Vec<Record>,
    /// The names as written and the values.
    pub(crate) texts: String,
}

/// The attributes of an element, in their order in the document.
#[derive(Clone, Copy, Debug)]
pub struct Attributes<'a> {
    list: &'a AttributeList,
    elements: &'a Elements,
}

/// An attribute.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Attribute<'a> {
    /// Its resolved name. An attribute without a prefix has no namespace.
    pub name: Name<'a>,
    /// Its prefix as written, which may be empty.
    pub prefix: &'a str,
    /// Its value, with references resolved and white space normalized (XML 1.0 §3.3.3).
    pub value: &'a str,
}

/// An attribute as parts of `texts`.
#[derive(Clone, Copy, Debug)]
struct Record {
    start: usize,
    /// Length of the prefix including the colon.
    prefix: usize,
    value: usize,
    end: usize,
    namespace: Option<usize>,
}

impl AttributeList {
    /// Removes all attributes.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.texts.clear();
    }

    /// Removes all attributes, and releases memory that only large tags need.
    pub(crate) fn reset(&mut self) {
        self.clear();
        self.texts.shrink_to(MAX_IDLE_TEXT);
        self.records.shrink_to(MAX_IDLE_RECORDS);
    }

    /// Adds an attribute whose name and value are the parts of `texts` from `start` and `value`.
    pub(crate) fn push(&mut self, start: usize, value: usize) -> Result<(), XmlErrorReason> {
        let name = self.texts.get(start..value).unwrap_or_default();
        let (prefix, _) = split_name(name)?;
        let prefix = if prefix.is_empty() { 0 } else { prefix.len() + 1 };
        self.records.push(Record { start, prefix, value, end: self.texts.len(), namespace: None });
        Ok(())
    }

    /// Resolves the prefixes of all attributes and checks that no two have one name.
    pub(crate) fn resolve(&mut self, elements: &Elements) -> Result<(), XmlErrorReason> {
        let Self { records, texts } = self;
        for record in records.iter_mut().filter(|record| record.prefix > 0) {
            let prefix = texts.get(record.start..record.start + record.prefix - 1).unwrap_or_default();
            record.namespace = Some(elements.find(prefix).ok_or(XmlErrorReason::UnboundPrefix)?);
        }
        // At most 64 names are compared with one another. Namespaces can be long and equal, so that
        // they are compared last.
        for (index, record) in self.records.iter().enumerate() {
            let name = self.name(record, elements);
            let is_same = |other: &Record| {
                let other = self.name(other, elements);
                other.local == name.local && other.namespace == name.namespace
            };
            if self.records.iter().take(index).any(is_same) {
                return Err(XmlErrorReason::DuplicateAttribute);
            }
        }
        Ok(())
    }

    /// Returns the attributes with the names that `elements` resolves.
    pub(crate) fn view<'a>(&'a self, elements: &'a Elements) -> Attributes<'a> {
        Attributes { list: self, elements }
    }

    /// Returns the number of bytes that are allocated.
    #[cfg(test)]
    pub(crate) fn capacity(&self) -> usize {
        self.texts.capacity() + self.records.capacity() * size_of::<Record>()
    }

    fn name<'a>(&'a self, record: &Record, elements: &'a Elements) -> Name<'a> {
        let local = self.texts.get(record.start + record.prefix..record.value).unwrap_or_default();
        Name { namespace: elements.namespace(record.namespace), local }
    }
}

impl<'a> Attributes<'a> {
    /// Returns the attributes in their order.
    pub fn iter(self) -> impl Iterator<Item = Attribute<'a>> {
        self.list.records.iter().map(move |record| {
            let prefix = record.start..(record.start + record.prefix).saturating_sub(1);
            Attribute {
                name: self.list.name(record, self.elements),
                prefix: self.list.texts.get(prefix).unwrap_or_default(),
                value: self.list.texts.get(record.value..record.end).unwrap_or_default(),
            }
        })
    }

    /// Returns the value of the attribute with this name. The namespace of an attribute without a
    /// prefix is empty.
    #[must_use]
    pub fn get(self, namespace: &str, local: &str) -> Option<&'a str> {
        let name = Name { namespace, local };
        self.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }

    /// Returns the number of attributes.
    #[must_use]
    pub fn len(self) -> usize {
        self.list.records.len()
    }

    /// Returns true if there are no attributes.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.list.records.is_empty()
    }
}

/// Memory that may remain allocated between documents.
const MAX_IDLE_TEXT: usize = 1024;
const MAX_IDLE_RECORDS: usize = 8;
