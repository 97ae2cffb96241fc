//! The certificate that this engine presents to a target over TLS or DTLS.

use std::path::Path;

use portreeve_channel::Fingerprint;
use portreeve_lcd::{Lcd, Name, TlsParamsKey};
use portreeve_x509::{Credentials, certificate_facts};

use super::DestinationError;
use crate::SessionCredentials;

/// A certificate file and its private key.
pub(super) type CertificateFiles<'c> = (Option<&'c Path>, Option<&'c Path>);

/// Returns the files of the certificate for a target with these parameters. A row of
/// snmpTlstmParamsTable requires one with its fingerprint; without a row, the target's own
/// certificate precedes that of the agent.
//= rfc6353#5.3.1-2
pub(super) fn select<'c>(
    lcd: &Lcd,
    params_name: &Name,
    own: &'c SessionCredentials,
    of_agent: &'c SessionCredentials,
) -> Result<CertificateFiles<'c>, DestinationError> {
    let key = TlsParamsKey { params_name: params_name.clone() };
    let required = lcd.tables().tls_params.get(&key).filter(|row| row.is_active());
    let required = required.map(|row| &row.client_fingerprint).filter(|octets| !octets.is_empty());
    let candidates = [own, of_agent].into_iter().filter(|one| one.certificate.is_some());
    let chosen = match required {
        None => candidates.into_iter().next(),
        Some(octets) => {
            let required = Fingerprint::from_octets(octets).map_err(|_| DestinationError::NoCertificate)?;
            let found = candidates.into_iter().find(|one| has_fingerprint(one, &required));
            Some(found.ok_or(DestinationError::NoCertificate)?)
        }
    };
    Ok(chosen.map_or((None, None), |one| (one.certificate.as_deref(), one.key.as_deref())))
}

fn has_fingerprint(credentials: &SessionCredentials, required: &Fingerprint) -> bool {
    let Some(certificate) = &credentials.certificate else { return false };
    // Without a separate key file, the certificate file contains the key as well.
    let key = credentials.key.as_ref().unwrap_or(certificate);
    let loaded = Credentials::load(certificate, key);
    let facts = loaded.ok().and_then(|loaded| certificate_facts(loaded.chain().first()?));
    facts.is_some_and(|facts| facts.fingerprints.contains(required))
}
