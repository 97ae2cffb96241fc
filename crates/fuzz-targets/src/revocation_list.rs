//! OpenSSH's binary lists of revoked keys.

use portreeve_channel_ssh::keys::{Certificate, RevokedKeys};

/// Promises: any octets are a list or are refused, and a list can be asked; what void it makes stays void when a part follows
/// that may be passed over.
pub fn revocation_list(octets: &[u8]) {
    // With the word that such lists begin with, so that it need not be found out first.
    let mut list = [b"SSHKRL\n\0", octets].concat();
    let Ok(revoked) = RevokedKeys::parse(&list) else { return };
    let certificate = Certificate::from_openssh(CERTIFICATE).expect("ssh-keygen has made it");
    let void = (revoked.has_key(certificate.public_key()), revoked.has_certificate(&certificate));
    list.extend(EXTENSION);
    let longer = RevokedKeys::parse(&list).expect("nothing is wrong with what follows");
    assert_eq!((longer.has_key(certificate.public_key()), longer.has_certificate(&certificate)), void);
}

/// Number 5002, "lost laptop".
const CERTIFICATE: &str = include_str!("revocation_list/certificate.pub");

/// Of no name and no content, and not critical.
const EXTENSION: [u8; 14] = [255, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0];
