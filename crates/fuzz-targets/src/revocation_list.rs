//! OpenSSH's binary lists of revoked keys (KRL).

use portreeve_channel_ssh::keys::{Certificate, RevokedKeys};

/// Checks that a list is parsed or rejected, and that the result for a key does not change if an
/// unknown, non-critical section follows.
pub fn revocation_list(octets: &[u8]) {
    // Adds the magic string, because the fuzzer would hardly ever generate it.
    let mut list = [b"SSHKRL\n\0", octets].concat();
    let Ok(revoked) = RevokedKeys::parse(&list) else { return };
    let certificate =
        Certificate::from_openssh(CERTIFICATE).expect("the certificate was created by ssh-keygen");
    let revoked_before =
        (revoked.contains_key(certificate.public_key()), revoked.contains_certificate(&certificate));
    list.extend(EXTENSION);
    let longer = RevokedKeys::parse(&list).expect("the additional section is valid");
    assert_eq!(
        (longer.contains_key(certificate.public_key()), longer.contains_certificate(&certificate)),
        revoked_before
    );
}

/// A certificate with the serial number 5002 and the key ID "lost laptop".
const CERTIFICATE: &str = include_str!("revocation_list/certificate.pub");

/// An extension section that is not critical and has neither name nor content.
const EXTENSION: [u8; 14] = [255, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0];
