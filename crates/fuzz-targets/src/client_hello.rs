//! Arbitrary octets as the first datagram of a DTLS client.

use portreeve_channel_dtls::hello::ClientHello;

/// Checks that the parts of a hello do not overlap, and that octets after its record do not change
/// the result.
pub fn client_hello(octets: &[u8]) {
    let Some(hello) = ClientHello::parse(octets) else { return };
    assert_eq!(hello.version_and_random.len(), 34);
    let parts = [hello.version_and_random, hello.session_id, hello.cookie];
    assert!(parts.iter().map(|part| part.len()).sum::<usize>() <= octets.len() - RECORD_AND_MESSAGE_HEADER);
    assert!(hello.record_len <= octets.len());
    assert!(hello.session_id.len() <= 255 && hello.cookie.len() <= 255);
    let mut longer = octets.to_vec();
    longer.extend_from_slice(&[0xff; 7]);
    assert_eq!(ClientHello::parse(&longer), Some(hello));
}

const RECORD_AND_MESSAGE_HEADER: usize = 13 + 12;
