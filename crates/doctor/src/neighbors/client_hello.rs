//! ClientHello messages of TLS and DTLS (RFC 5246 §7.4.1.2, RFC 6347 §4.2.2), complete enough that
//! a server replies. No handshake follows.

/// Returns a ClientHello of TLS 1.2 in a record.
pub(super) fn tls() -> Vec<u8> {
    let body = body([3, 3], false);
    let message = [&[CLIENT_HELLO][..], &length24(&body), &body].concat();
    [&[HANDSHAKE, 3, 1][..], &length16(&message), &message].concat()
}

/// Returns a ClientHello of DTLS 1.2 in a record.
pub(super) fn dtls() -> Vec<u8> {
    let body = body([254, 253], true);
    let length = length24(&body);
    let message = [&[CLIENT_HELLO][..], &length, &[0, 0, 0, 0, 0], &length, &body].concat();
    [&[HANDSHAKE, 254, 253, 0, 0, 0, 0, 0, 0, 0, 0][..], &length16(&message), &message].concat()
}

fn body(version: [u8; 2], has_cookie: bool) -> Vec<u8> {
    let mut body = version.to_vec();
    // The field `random` may be constant, because no secret depends on it.
    body.extend([0x5a; 32]);
    // The session ID is empty.
    body.push(0);
    if has_cookie {
        body.push(0);
    }
    body.extend(length16(&SUITES));
    body.extend(SUITES);
    // The only compression method is null.
    body.extend([1, 0]);
    body.extend(length16(&EXTENSIONS));
    body.extend(EXTENSIONS);
    body
}

fn length16(octets: &[u8]) -> [u8; 2] {
    u16::try_from(octets.len()).unwrap_or(u16::MAX).to_be_bytes()
}

fn length24(octets: &[u8]) -> [u8; 3] {
    let [_, high, middle, low] = u32::try_from(octets.len()).unwrap_or(u32::MAX).to_be_bytes();
    [high, middle, low]
}

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
/// The cipher suites: AES-GCM with ephemeral keys, for ECDSA and RSA certificates.
const SUITES: [u8; 8] = [0xc0, 0x2b, 0xc0, 0x2f, 0xc0, 0x2c, 0xc0, 0x30];
/// The extensions, one per line. supported_groups contains P-256, P-384 and X25519.
/// ec_point_formats contains uncompressed. signature_algorithms contains ECDSA with SHA-256 and
/// SHA-384, and RSA (PKCS #1 and PSS) with SHA-256.
#[rustfmt::skip]
const EXTENSIONS: [u8; 32] = [
    0, 10, 0, 8, 0, 6, 0, 23, 0, 24, 0, 29,
    0, 11, 0, 2, 1, 0,
    0, 13, 0, 10, 0, 8, 4, 3, 5, 3, 4, 1, 8, 4,
];
