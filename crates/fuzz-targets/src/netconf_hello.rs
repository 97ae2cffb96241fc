//! Arbitrary octets as the hello of a NETCONF client.

use portreeve_netconf_message::hello::{
    ClientHello, HelloReader, MAX_CAPABILITIES, MAX_CAPABILITY, write_hello,
};

/// Checks that the result is the same regardless of how reads split the hello, that capabilities
/// are within their limits, and that they survive being written and read back.
pub fn netconf_hello(octets: &[u8]) {
    let whole = read(octets, octets.len());
    for piece in [1, 5] {
        assert_eq!(read(octets, piece), whole, "{octets:?}");
    }
    let Some(hello) = whole else { return };
    assert!(hello.capabilities.len() <= MAX_CAPABILITIES);
    assert!(hello.capabilities.iter().all(|uri| !uri.is_empty() && uri.len() <= MAX_CAPABILITY));
    let written = String::from_utf8(write_hello(&hello.capabilities, 1)).expect("XML is UTF-8");
    // This server's hello differs from a client's by the session-id only.
    let as_client = written.replace("<session-id>1</session-id>", "");
    assert_eq!(read(as_client.as_bytes(), 100), Some(hello));
}

fn read(octets: &[u8], piece: usize) -> Option<ClientHello> {
    let mut reader = HelloReader::default();
    for piece in octets.chunks(piece.max(1)) {
        reader.push(piece).ok()?;
    }
    reader.finish().ok()
}
