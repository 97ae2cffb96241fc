//! The start tag of a reply, which repeats the attributes of its request (RFC 6241 §4.1 and §4.2).

use portreeve_yang_text::xml::{NcName, Start, Writer, XmlText};

use crate::names::{NETCONF, NETCONF_TEXT};

#[cfg(test)]
mod tests;

/// The start tag of an `rpc-reply`.
///
/// The default value has no attributes. It serves for a message whose `rpc` element could not be
/// read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyTag {
    /// The declared prefixes with their namespaces. The prefix of the default namespace is empty.
    bindings: Vec<(Box<str>, Box<str>)>,
    attributes: Vec<ReplyAttribute>,
    /// The prefix of the `rpc` element.
    prefix: Box<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct ReplyAttribute {
    prefix: Box<str>,
    namespace: Box<str>,
    local: Box<str>,
    value: Box<str>,
}

impl ReplyTag {
    /// Copies the declarations and attributes of an `rpc` element. The tokenizer limits their size.
    #[must_use]
    pub fn of_request(rpc: Start<'_>) -> Self {
        let attributes = rpc.attributes.iter().map(|attribute| ReplyAttribute {
            prefix: attribute.prefix.into(),
            namespace: attribute.name.namespace.into(),
            local: attribute.name.local.into(),
            value: attribute.value.into(),
        });
        Self {
            bindings: rpc.scope.bindings().map(|(prefix, name)| (prefix.into(), name.into())).collect(),
            attributes: attributes.collect(),
            prefix: rpc.prefix.into(),
        }
    }

    /// Copies the attributes of a root element that is not an `rpc` element of NETCONF, but has its
    /// name: a client that forgets the namespace finds its message-id in the error.
    #[must_use]
    pub fn of_other_root(root: Start<'_>) -> Self {
        Self { bindings: Vec::new(), prefix: "".into(), ..Self::of_request(root) }
    }

    /// Writes the start tag. The caller writes the content, and ends the element.
    ///
    /// The reply has no prefix, unless the request declares another default namespace.
    pub fn write(&self, writer: &mut Writer) {
        let default = self.bindings.iter().find(|(prefix, _)| prefix.is_empty());
        let has_other_default = default.is_some_and(|(_, namespace)| **namespace != *NETCONF);
        let mut start = match NcName::new(&self.prefix) {
            Some(prefix) if has_other_default => writer.start_prefixed(prefix, RPC_REPLY),
            _ => writer.start(NETCONF_TEXT, RPC_REPLY),
        };
        //= rfc6241#4.1-p2
        for (prefix, namespace) in &self.bindings {
            let prefix = NcName::new(prefix);
            if let Some(namespace) = XmlText::new(namespace).filter(|_| prefix.is_some() || has_other_default)
            {
                start.bind(prefix, namespace);
            }
        }
        // The tokenizer has checked names and values, so that nothing is omitted.
        for attribute in &self.attributes {
            let (Some(local), Some(value)) = (NcName::new(&attribute.local), XmlText::new(&attribute.value))
            else {
                continue;
            };
            match (NcName::new(&attribute.prefix), XmlText::new(&attribute.namespace)) {
                (Some(prefix), Some(namespace)) => start.qualified_attribute(namespace, prefix, local, value),
                _ => start.attribute(local, value),
            };
        }
    }
}

const RPC_REPLY: NcName<'_> = NcName::from_static("rpc-reply");
