//! Writes the hello of this server.

use portreeve_yang_text::xml::{NcName, Writer, XmlText};

use crate::names::NETCONF_TEXT;

/// Returns the hello of a server (RFC 6241 §8.1).
///
/// A capability that contains characters XML cannot hold is omitted.
pub fn write_hello(capabilities: impl IntoIterator<Item = impl AsRef<str>>, session_id: u32) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.start(NETCONF_TEXT, HELLO);
    writer.start(NETCONF_TEXT, CAPABILITIES);
    for capability in capabilities {
        if let Some(capability) = XmlText::new(capability.as_ref()) {
            writer.leaf(NETCONF_TEXT, CAPABILITY, capability);
        }
    }
    writer.end();
    //= rfc6241#8.1-p3
    writer.leaf(NETCONF_TEXT, SESSION_ID, XmlText::new(&session_id.to_string()).unwrap_or_default());
    writer.end();
    [DECLARATION, writer.output()].concat()
}

const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const HELLO: NcName<'_> = NcName::from_static("hello");
const CAPABILITIES: NcName<'_> = NcName::from_static("capabilities");
const CAPABILITY: NcName<'_> = NcName::from_static("capability");
const SESSION_ID: NcName<'_> = NcName::from_static("session-id");
