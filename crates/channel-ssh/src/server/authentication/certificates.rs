//! Checks OpenSSH user certificates (PROTOCOL.certkeys).

use std::path::Path;

use portreeve_channel::SshProof;
use portreeve_sys::open_file;
use russh::keys::{Certificate, PublicKey, ssh_key::certificate::CertType};

use super::{LoginAttempt, LoginRefusalReason};
use crate::keys::{self, AddressList, KeyData, KeyFileError};

/// Public keys of trusted certificate authorities.
#[derive(Clone, Debug, Default)]
pub struct Authorities(Vec<KeyData>);

impl Authorities {
    /// Reads public keys, one per line, in the format of `TrustedUserCAKeys`.
    ///
    /// # Errors
    /// Fails if the file cannot be read or a line is not a public key.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let key_file_error = |problem: String| KeyFileError::new(path, problem);
        let file = open_file(path).map_err(|error| key_file_error(error.to_string()))?;
        let text = keys::read_text(file, MAX_FILE_LEN).map_err(|error| key_file_error(error.to_string()))?;
        let mut authorities = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = PublicKey::from_openssh(line)
                .map_err(|_| key_file_error(format!("line {number}: not a supported public key")))?;
            if keys::is_short_rsa(key.key_data()) {
                return Err(key_file_error(format!("line {number}: the RSA key is shorter than 2048 bits")));
            }
            authorities.0.push(key.key_data().clone());
        }
        Ok(authorities)
    }

    /// Creates the list from keys in memory.
    pub fn new(keys: impl IntoIterator<Item = KeyData>) -> Self {
        Self(keys.into_iter().collect())
    }

    /// Returns true if no authority is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, key: &KeyData) -> bool {
        self.0.contains(key)
    }
}

/// Decides if a certificate of a trusted authority may log in. It must contain one of `principals`;
/// a certificate without principals is accepted only with `allow_no_principals`.
pub(super) fn authorize(
    certificate: &Certificate,
    attempt: LoginAttempt<'_>,
    principals: &[String],
    allow_no_principals: bool,
    now: u64,
) -> Result<(), LoginRefusalReason> {
    if certificate.cert_type() != CertType::User {
        return Err(LoginRefusalReason::CertificateHostType);
    }
    if now < certificate.valid_after() || now >= certificate.valid_before() {
        return Err(LoginRefusalReason::CertificateExpired);
    }
    let named = certificate.valid_principals();
    let is_named = if named.is_empty() {
        allow_no_principals
    } else {
        named.iter().any(|name| principals.contains(name))
    };
    if !is_named {
        return Err(LoginRefusalReason::CertificatePrincipal);
    }
    for (name, value) in certificate.critical_options().iter() {
        match name.as_str() {
            "source-address" => match AddressList::parse_networks(value) {
                Ok(networks) if networks.contains(attempt.address) => {}
                _ => return Err(LoginRefusalReason::CertificateSource),
            },
            "force-command" => return Err(LoginRefusalReason::CertificateCommand),
            _ => return Err(LoginRefusalReason::CertificateOption),
        }
    }
    Ok(())
}

/// Returns the identity that the certificate proves.
pub(super) fn proof(certificate: &Certificate) -> SshProof {
    SshProof::Certificate {
        key: keys::fingerprint(certificate.public_key()),
        key_id: certificate.key_id().to_owned(),
        serial: certificate.serial(),
        authority: keys::fingerprint(certificate.signature_key()),
    }
}

/// Maximum size in bytes of a file of authorities.
const MAX_FILE_LEN: u64 = 1 << 20;
