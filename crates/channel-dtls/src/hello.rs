//! Parser for a ClientHello (RFC 6347 §4.2, RFC 9147 §5.3), as far as needed to respond without
//! keeping state and to select the version.
//!
//! A ClientHello that is longer than the client's datagrams arrives in fragments (RFC 6347 §4.2.3).
//! The first fragment is enough if it contains the cookie; other fragments are not parsed here.
//!
//! The input is unauthenticated. The parser borrows, allocates nothing, and reads each octet at
//! most once.

/// A ClientHello that is complete in one record, or the first fragment of one.
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
    /// The versions that the client offers; `None` if a later fragment contains them.
    pub versions: Option<OfferedVersions>,
    /// The length of the record in octets, with its header.
    pub record_len: usize,
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
    /// it is a fragment without the complete cookie, or if its lengths are not consistent.
    pub fn parse(datagram: &'d [u8]) -> Option<Self> {
        let mut rest = Reader(datagram);
        let [HANDSHAKE, DTLS, _, 0, 0, sequence @ ..] = *rest.array::<11>()? else { return None };
        let mut record = Reader(rest.vector16()?);
        let record_len = datagram.len() - rest.0.len();
        let [CLIENT_HELLO, l2, l1, l0, _, _, 0, 0, 0, f2, f1, f0] = *record.array::<12>()? else {
            return None;
        };
        let (length, fragment_len) = (be_length(&[l2, l1, l0]), be_length(&[f2, f1, f0]));
        if length > MAX_HELLO_LEN || fragment_len > length || record.0.len() != fragment_len {
            return None;
        }
        let mut body = record;
        let version_and_random = body.take(2 + 32)?;
        let [DTLS, newest, ..] = *version_and_random else { return None };
        let session_id = body.vector8()?;
        let cookie = body.vector8()?;
        // A client without the extension supported_versions offers this version and the older ones.
        // In DTLS, the newer version has the lower number.
        let legacy = OfferedVersions { dtls12: newest <= DTLS12[1], dtls13: false };
        let versions = if fragment_len == length {
            Some(offered_versions(body, legacy)?)
        } else if legacy.dtls12 {
            versions_in_fragment(body)
        } else {
            Some(legacy)
        };
        Some(Self { sequence, version_and_random, session_id, cookie, versions, record_len })
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

/// Returns the versions that a complete ClientHello offers. `body` begins after the cookie.
fn offered_versions(mut body: Reader<'_>, legacy: OfferedVersions) -> Option<OfferedVersions> {
    skip_algorithms(&mut body)?;
    if body.0.is_empty() {
        return Some(legacy);
    }
    let mut extensions = Reader(body.vector16()?);
    let mut found = legacy;
    while !extensions.0.is_empty() {
        let (kind, content) = extensions.extension()?;
        if kind == SUPPORTED_VERSIONS {
            found = listed_versions(content)?;
        }
    }
    Some(found)
}

/// Returns the versions that a ClientHello offers, if its first fragment shows them. An extension
/// that only DTLS 1.3 has shows that the client offers that version.
fn versions_in_fragment(mut body: Reader<'_>) -> Option<OfferedVersions> {
    skip_algorithms(&mut body)?;
    body.array::<2>()?;
    loop {
        if { body }.array() == Some(&KEY_SHARE) {
            return Some(OfferedVersions { dtls12: true, dtls13: true });
        }
        let (kind, content) = body.extension()?;
        if kind == SUPPORTED_VERSIONS {
            return listed_versions(content);
        }
    }
}

/// Skips the cipher suites and the compression methods.
fn skip_algorithms(body: &mut Reader<'_>) -> Option<()> {
    body.vector16()?;
    body.vector8()?;
    Some(())
}

/// Returns the versions in the extension supported_versions (RFC 8446 §4.2.1).
fn listed_versions(content: &[u8]) -> Option<OfferedVersions> {
    let versions = Reader(content).vector8()?;
    let has = |wanted: [u8; 2]| versions.chunks_exact(2).any(|version| version == wanted);
    Some(OfferedVersions { dtls12: has(DTLS12), dtls13: has(DTLS13) })
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

    /// Reads an extension; returns its type and content.
    fn extension(&mut self) -> Option<([u8; 2], &'d [u8])> {
        Some((*self.array::<2>()?, self.vector16()?))
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
/// Types of extensions (RFC 8446 §4.2).
const SUPPORTED_VERSIONS: [u8; 2] = [0, 43];
const KEY_SHARE: [u8; 2] = [0, 51];
/// The maximum length of a ClientHello: what fits in one record (RFC 6347 §4.1).
const MAX_HELLO_LEN: usize = 1 << 14;

#[cfg(test)]
mod tests;
