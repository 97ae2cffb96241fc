//! Namespaces of the protocol, and names with their namespaces.

use portreeve_yang_text::xml::{Name, OwnedName, XmlText};

/// The namespace of NETCONF messages and operations (RFC 6241 §3.1).
pub const NETCONF: &str = "urn:ietf:params:xml:ns:netconf:base:1.0";

/// The namespace of `get-schema` (RFC 6022 §5).
pub const NETCONF_MONITORING: &str = "urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring";

/// The namespace of the `with-defaults` parameter (RFC 6243 §5).
pub const WITH_DEFAULTS: &str = "urn:ietf:params:xml:ns:yang:ietf-netconf-with-defaults";

/// The namespace of the contents of `error-info` that YANG defines (RFC 7950 §15).
pub const YANG: &str = "urn:ietf:params:xml:ns:yang:1";

/// [`NETCONF`] as the text of a declaration.
pub(crate) const NETCONF_TEXT: XmlText<'static> = XmlText::from_static(NETCONF);

/// A name of an element or attribute with its namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QualifiedName {
    /// The namespace, empty for none.
    pub namespace: Box<str>,
    /// The name without a prefix.
    pub local: Box<str>,
}

impl QualifiedName {
    /// Creates the name of an element of the NETCONF namespace, or of an attribute without a
    /// namespace that such an element has.
    #[must_use]
    pub fn netconf(local: &str) -> Self {
        Self { namespace: NETCONF.into(), local: local.into() }
    }
}

impl From<Name<'_>> for QualifiedName {
    fn from(name: Name<'_>) -> Self {
        Self { namespace: name.namespace.into(), local: name.local.into() }
    }
}

impl From<OwnedName> for QualifiedName {
    fn from(name: OwnedName) -> Self {
        Self { namespace: name.namespace, local: name.local }
    }
}
