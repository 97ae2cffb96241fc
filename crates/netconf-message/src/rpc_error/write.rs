//! Writes errors.

use portreeve_yang_text::xml::{NcName, Writer, XmlText};

use super::{ErrorInfo, ErrorPath, RpcError};
use crate::names::{NETCONF, NETCONF_TEXT, QualifiedName, YANG};

impl RpcError {
    /// Writes the `rpc-error` element.
    ///
    /// Characters that XML cannot contain are replaced by U+FFFD, so that an error is never lost.
    //= rfc6241#4.3-p1
    pub fn write(&self, writer: &mut Writer) {
        writer.start(NETCONF_TEXT, RPC_ERROR);
        leaf(writer, ERROR_TYPE, self.error_type.as_str());
        leaf(writer, ERROR_TAG, self.tag.as_str());
        leaf(writer, ERROR_SEVERITY, self.severity.as_str());
        if let Some(app_tag) = &self.app_tag {
            leaf(writer, ERROR_APP_TAG, app_tag);
        }
        if let Some(path) = &self.path {
            write_path(writer, NETCONF_TEXT, ERROR_PATH, path);
        }
        if let Some(message) = &self.message {
            let mut start = writer.start(NETCONF_TEXT, ERROR_MESSAGE);
            start.qualified_attribute(XML, XML_PREFIX, LANG, ENGLISH);
            write_text(writer, message);
            writer.end();
        }
        if !self.info.is_empty() {
            writer.start(NETCONF_TEXT, ERROR_INFO);
            for info in &self.info {
                write_info(writer, info);
            }
            writer.end();
        }
        writer.end();
    }
}

fn write_info(writer: &mut Writer, info: &ErrorInfo) {
    match info {
        ErrorInfo::BadAttribute(name) => write_name(writer, BAD_ATTRIBUTE, name),
        ErrorInfo::BadElement(name) => write_name(writer, BAD_ELEMENT, name),
        ErrorInfo::BadNamespace(namespace) => leaf(writer, BAD_NAMESPACE, namespace),
        ErrorInfo::SessionId(id) => leaf(writer, SESSION_ID, &id.to_string()),
        ErrorInfo::NonUnique(path) => write_path(writer, YANG_TEXT, NON_UNIQUE, path),
        ErrorInfo::MissingChoice(name) => {
            writer.start(YANG_TEXT, MISSING_CHOICE);
            write_text(writer, name);
            writer.end();
        }
    }
}

/// Writes an element with a qualified name as its value, which has the type QName (RFC 6241
/// Appendix B). A name of the NETCONF namespace needs no prefix, because that is the default one.
fn write_name(writer: &mut Writer, element: NcName<'static>, name: &QualifiedName) {
    let mut start = writer.start(NETCONF_TEXT, element);
    let namespace = XmlText::new(&name.namespace).filter(|_| *name.namespace != *NETCONF);
    let prefix = match namespace {
        Some(namespace) if !name.namespace.is_empty() => Some(start.declare(namespace, NAME_PREFIX)),
        _ => None,
    };
    if let Some(prefix) = prefix {
        write_text(writer, &prefix);
        write_text(writer, ":");
    }
    write_text(writer, &name.local);
    writer.end();
}

fn write_path(writer: &mut Writer, namespace: XmlText<'_>, element: NcName<'static>, path: &ErrorPath) {
    let mut start = writer.start(namespace, element);
    for (prefix, namespace) in &path.prefixes {
        if let (Some(prefix), Some(namespace)) = (NcName::new(prefix), XmlText::new(namespace)) {
            start.bind(Some(prefix), namespace);
        }
    }
    write_text(writer, &path.xpath);
    writer.end();
}

fn leaf(writer: &mut Writer, name: NcName<'static>, text: &str) {
    writer.start(NETCONF_TEXT, name);
    write_text(writer, text);
    writer.end();
}

/// Writes a text with U+FFFD for each character that XML cannot contain.
fn write_text(writer: &mut Writer, text: &str) {
    if let Some(text) = XmlText::new(text) {
        writer.text(text);
        return;
    }
    let replacement = XmlText::new("\u{fffd}").unwrap_or_default();
    let mut octets = [0; 4];
    for c in text.chars() {
        let c: &str = c.encode_utf8(&mut octets);
        writer.text(XmlText::new(c).unwrap_or(replacement));
    }
}

const RPC_ERROR: NcName<'_> = NcName::from_static("rpc-error");
const ERROR_TYPE: NcName<'_> = NcName::from_static("error-type");
const ERROR_TAG: NcName<'_> = NcName::from_static("error-tag");
const ERROR_SEVERITY: NcName<'_> = NcName::from_static("error-severity");
const ERROR_APP_TAG: NcName<'_> = NcName::from_static("error-app-tag");
const ERROR_PATH: NcName<'_> = NcName::from_static("error-path");
const ERROR_MESSAGE: NcName<'_> = NcName::from_static("error-message");
const ERROR_INFO: NcName<'_> = NcName::from_static("error-info");
const BAD_ATTRIBUTE: NcName<'_> = NcName::from_static("bad-attribute");
const BAD_ELEMENT: NcName<'_> = NcName::from_static("bad-element");
const BAD_NAMESPACE: NcName<'_> = NcName::from_static("bad-namespace");
const SESSION_ID: NcName<'_> = NcName::from_static("session-id");
const NON_UNIQUE: NcName<'_> = NcName::from_static("non-unique");
const MISSING_CHOICE: NcName<'_> = NcName::from_static("missing-choice");
const LANG: NcName<'_> = NcName::from_static("lang");
const XML_PREFIX: NcName<'_> = NcName::from_static("xml");
/// Preferred prefix of names of other namespaces.
const NAME_PREFIX: NcName<'_> = NcName::from_static("bad");
const XML: XmlText<'_> = XmlText::from_static(portreeve_yang_text::xml::XML_NAMESPACE);
const YANG_TEXT: XmlText<'_> = XmlText::from_static(YANG);
const ENGLISH: XmlText<'_> = XmlText::from_static("en");
