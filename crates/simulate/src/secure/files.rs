//! Selects the key files: those that options specify, or those in the key directory.

use super::folder::{Certificates, KeyFolder, SshKeys};
use crate::{arguments::KeyOptions, error::CommandError};

/// Returns the paths of the files for TLS and DTLS.
pub(super) fn certificates(keys: &KeyOptions) -> Result<Certificates, CommandError> {
    let KeyOptions { certificate, key, authority, .. } = keys;
    if let (Some(certificate), Some(authority)) = (certificate, authority) {
        // If no key file is specified, the certificate file also contains the key.
        let key = key.as_ref().unwrap_or(certificate).clone();
        return Ok(Certificates { certificate: certificate.clone(), key, authority: authority.clone() });
    }
    if certificate.is_some() || key.is_some() || authority.is_some() {
        return Err(CommandError::new(INCOMPLETE_CERTIFICATES));
    }
    let folder = keys.folder.as_ref().ok_or_else(|| CommandError::new(MISSING_CERTIFICATES))?;
    KeyFolder::at(folder)?.certificates()
}

/// Returns the paths of the files for SSH.
pub(super) fn ssh_keys(keys: &KeyOptions) -> Result<SshKeys, CommandError> {
    let made = match (&keys.host_key, &keys.authorized_keys) {
        (Some(host_key), Some(authorized_keys)) => {
            let authorized_keys = std::path::absolute(authorized_keys)?;
            return Ok(SshKeys { host_key: host_key.clone(), authorized_keys });
        }
        (None, None) => keys.folder.as_ref().ok_or_else(|| CommandError::new(MISSING_SSH_KEYS))?,
        _ => return Err(CommandError::new(INCOMPLETE_SSH_KEYS)),
    };
    KeyFolder::at(made)?.ssh_keys()
}

const MISSING_CERTIFICATES: &str = "tls and dtls need certificates\n\
                              hint: --keys DIR creates them in DIR; --certificate, --key and --ca name existing ones";
const INCOMPLETE_CERTIFICATES: &str = "tls and dtls need a certificate and an authority for client certificates\n\
                          hint: --certificate, --key and --ca must be used together; or use only --keys DIR";
const MISSING_SSH_KEYS: &str = "ssh needs keys\n\
                           hint: --keys DIR creates them in DIR; --host-key and --authorized-keys name existing ones";
const INCOMPLETE_SSH_KEYS: &str = "ssh needs a host key and the authorized keys of clients\n\
                           hint: --host-key and --authorized-keys must be used together; or use only --keys DIR";
