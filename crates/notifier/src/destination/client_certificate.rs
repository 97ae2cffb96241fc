//! The certificate that this engine presents to a target over TLS or DTLS.

use std::path::PathBuf;

use portreeve_channel::Fingerprint;
use portreeve_lcd::{Lcd, Name, TlsParamsKey};
use portreeve_x509::{Credentials, certificate_facts};

use super::DestinationError;
use crate::SessionCredentials;

/// The certificate for a target. Two of them are compared without reading any file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClientCertificate {
    /// The fingerprint that the certificate must have.
    required: Option<Fingerprint>,
    /// The certificates of which the first one that has the fingerprint is used.
    candidates: Vec<CertificateFiles>,
}

/// A certificate file and its private key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CertificateFiles {
    pub(crate) certificate: PathBuf,
    /// Without a separate key file, the certificate file contains the key as well.
    pub(crate) key: Option<PathBuf>,
}

impl ClientCertificate {
    /// Returns the certificate for a target with these parameters. A row of snmpTlstmParamsTable
    /// requires one with its fingerprint; without a row, the target's own certificate precedes that
    /// of the agent.
    //= rfc6353#5.3.1-2
    pub(super) fn of(
        lcd: &Lcd,
        params_name: &Name,
        own: &SessionCredentials,
        of_agent: &SessionCredentials,
    ) -> Result<Self, DestinationError> {
        let key = TlsParamsKey { params_name: params_name.clone() };
        let required = lcd.tables().tls_params.get(&key).filter(|row| row.is_active());
        let required = required.map(|row| &row.client_fingerprint).filter(|octets| !octets.is_empty());
        let required = required.map(|octets| Fingerprint::from_octets(octets)).transpose();
        let required = required.map_err(|_| DestinationError::NoCertificate)?;
        let mut candidates: Vec<_> = [own, of_agent].into_iter().filter_map(CertificateFiles::of).collect();
        // A target without a section has the credentials of the agent as its own.
        candidates.dedup();
        if required.is_none() {
            candidates.truncate(1);
        }
        Ok(Self { required, candidates })
    }

    /// Returns the certificate if it is known without reading the files.
    pub(crate) fn known(&self) -> Option<Option<&CertificateFiles>> {
        self.required.is_none().then(|| self.candidates.first())
    }

    /// Reads the files, and returns the certificate with the required fingerprint. Their file
    /// system may block the thread.
    pub(crate) fn find(&self) -> Result<Option<&CertificateFiles>, DestinationError> {
        let Some(required) = &self.required else { return Ok(self.candidates.first()) };
        let found = self.candidates.iter().find(|files| files.has_fingerprint(required));
        found.map(Some).ok_or(DestinationError::NoCertificate)
    }

    /// Returns the files of all candidates.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.candidates.iter().flat_map(|files| [Some(&files.certificate), files.key.as_ref()]).flatten()
    }
}

impl CertificateFiles {
    fn of(credentials: &SessionCredentials) -> Option<Self> {
        Some(Self { certificate: credentials.certificate.clone()?, key: credentials.key.clone() })
    }

    fn has_fingerprint(&self, required: &Fingerprint) -> bool {
        let loaded = Credentials::load(&self.certificate, self.key.as_ref().unwrap_or(&self.certificate));
        let facts = loaded.ok().and_then(|loaded| certificate_facts(loaded.chain().first()?));
        facts.is_some_and(|facts| facts.fingerprints.contains(required))
    }
}
