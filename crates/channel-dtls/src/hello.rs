//! Parser for a ClientHello (RFC 6347 §4.2, RFC 9147 §5.3), as far as needed to respond without
//! keeping state and to select the version.
//!
//! The input is unauthenticated. The parser borrows, allocates nothing, and reads each octet at
//! most once.

/// A ClientHello that is complete in one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientHello<'d> {
    /// The record's sequence number, which the response repeats (RFC 6347 §4.2.1).
    pub sequence: [u8; 6],
    /// The version and the random, which precede the session id.
    pub version_and_random: &'d [u8],
    /// The field legacy_session_id.
    pub session_id: &'d [u8],
    /// The DTLS 1.2 cookie; empty in a first hello, and always in DTLS 1.3.
    pub cookie: &'d [u8],
    /// The cipher suites and compression methods, each list preceded by its length.
    pub algorithms: &'d [u8],
    /// The versions that the client offers.
    pub versions: OfferedVersions,
}

/// The versions that a client offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfferedVersions {
    /// `true` if the client offers DTLS 1.2.
    pub dtls12: bool,
    /// `true` if the client offers DTLS 1.3.
    pub dtls13: bool,
}

impl<'d> ClientHello<'d> {
    /// Parses the first record of a datagram. Returns `None` if the record is not a ClientHello, if
    /// the ClientHello is fragmented, or if its lengths are not consistent.
    pub fn parse(datagram: &'d [u8]) -> Option<Self> {
        let mut rest = Reader(datagram);
        let [HANDSHAKE, DTLS, _, 0, 0, sequence @ ..] = *rest.array::<11>()? else { return None };
        let mut record = Reader(rest.vector16()?);
        if record.0.len() > MAX_RECORD_LEN {
            return None;
        }
        let [CLIENT_HELLO, l2, l1, l0, _, _, 0, 0, 0, f2, f1, f0] = *record.array::<12>()? else {
            return None;
        };
        if [l2, l1, l0] != [f2, f1, f0] || record.0.len() != be_length(&[l2, l1, l0]) {
            return None;
        }
        let mut body = record;
        let version_and_random = body.take(2 + 32)?;
        let [DTLS, newest, ..] = *version_and_random else { return None };
        // A client without the extension supported_versions offers this version and the older ones.
        // In DTLS, the newer version has the lower number.
        let legacy = OfferedVersions { dtls12: newest <= DTLS12[1], dtls13: false };
        let session = body.vector8()?;
        let cookie = body.vector8()?;
        let algorithms = {
            let from = body.0;
            body.vector16()?;
            body.vector8()?;
            from.get(..from.len() - body.0.len())?
        };
        let versions = if body.0.is_empty() { legacy } else { supported_versions(body.vector16()?, legacy)? };
        Some(Self { sequence, version_and_random, session_id: session, cookie, algorithms, versions })
    }
}

/// Returns `true` if a server's datagram requests a proof of the client's address: a
/// HelloVerifyRequest of DTLS 1.2, or a HelloRetryRequest of 1.3.
fn is_cookie_request(datagram: &[u8]) -> bool {
    let mut rest = Reader(datagram);
    let Some([HANDSHAKE, DTLS, _, 0, 0, ..]) = rest.array::<13>() else { return false };
    match rest.array::<12>() {
        Some([HELLO_VERIFY_REQUEST, ..]) => true,
        Some([SERVER_HELLO, ..]) => rest.array::<34>().is_some_and(|begin| begin.ends_with(&RETRY_RANDOM)),
        _ => false,
    }
}

/// The kind of a datagram received in response to a first hello, as its first octets show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstResponse {
    /// A request to prove the client's address.
    CookieRequest,
    /// A record that a server may send.
    Record,
    /// A ClientHello, which servers never send.
    ClientHello,
    /// A datagram that is not DTLS.
    NotDtls,
}

impl FirstResponse {
    /// Classifies a datagram by its first record.
    pub fn classify(datagram: &[u8]) -> Self {
        match datagram {
            _ if is_cookie_request(datagram) => Self::CookieRequest,
            [HANDSHAKE, DTLS, _, 0, 0, ..] if datagram.get(RECORD_HEADER_LEN) == Some(&CLIENT_HELLO) => {
                Self::ClientHello
            }
            [CHANGE_CIPHER_SPEC..=HEARTBEAT, DTLS, 0xfd | 0xff, ..] => Self::Record,
            // An encrypted record of DTLS 1.3 (RFC 9147 §4).
            [first, ..] if first & 0b1110_0000 == 0b0010_0000 => Self::Record,
            _ => Self::NotDtls,
        }
    }
}

/// Returns the versions in the supported_versions extension (RFC 8446 §4.2.1), or `legacy` without
/// that extension.
fn supported_versions(extensions: &[u8], legacy: OfferedVersions) -> Option<OfferedVersions> {
    let mut rest = Reader(extensions);
    let mut found = legacy;
    while !rest.0.is_empty() {
        let kind = *rest.array::<2>()?;
        let mut content = Reader(rest.vector16()?);
        if kind == SUPPORTED_VERSIONS {
            let versions = content.vector8()?;
            let has = |wanted: [u8; 2]| versions.chunks_exact(2).any(|version| version == wanted);
            found = OfferedVersions { dtls12: has(DTLS12), dtls13: has(DTLS13) };
        }
    }
    Some(found)
}

/// The octets that have not been read yet.
#[derive(Clone, Copy)]
struct Reader<'d>(&'d [u8]);

impl<'d> Reader<'d> {
    fn take(&mut self, count: usize) -> Option<&'d [u8]> {
        let (octets, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(octets)
    }

    fn array<const N: usize>(&mut self) -> Option<&'d [u8; N]> {
        let (octets, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(octets)
    }

    /// Reads a vector with a length of one octet.
    fn vector8(&mut self) -> Option<&'d [u8]> {
        let count = be_length(self.array::<1>()?);
        self.take(count)
    }

    /// Reads a vector with a length of two octets.
    fn vector16(&mut self) -> Option<&'d [u8]> {
        let count = be_length(self.array::<2>()?);
        self.take(count)
    }
}

/// Decodes a length in network byte order, of at most three octets.
fn be_length(octets: &[u8]) -> usize {
    octets.iter().fold(0, |length, octet| length << 8 | usize::from(*octet))
}

/// Record and handshake types, and versions (RFC 6347 §4.1, RFC 9147 §5.3).
const HANDSHAKE: u8 = 22;
const CHANGE_CIPHER_SPEC: u8 = 20;
const HEARTBEAT: u8 = 24;
/// The length of a record header in octets.
const RECORD_HEADER_LEN: usize = 13;
const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;
const HELLO_VERIFY_REQUEST: u8 = 3;
/// The random that makes a ServerHello a HelloRetryRequest (RFC 8446 §4.1.3): the SHA-256 of
/// "HelloRetryRequest".
const RETRY_RANDOM: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
    0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];
const DTLS: u8 = 0xfe;
const DTLS12: [u8; 2] = [DTLS, 0xfd];
const DTLS13: [u8; 2] = [DTLS, 0xfc];
const SUPPORTED_VERSIONS: [u8; 2] = [0, 43];
/// The maximum length of a record's content (RFC 6347 §4.1).
const MAX_RECORD_LEN: usize = 1 << 14;

#[cfg(test)]
mod tests;
