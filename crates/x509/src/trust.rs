//! Whom to trust: a chain to an authority, or a pinned fingerprint; and who is revoked.
//!
//! Both are looked at, because what a pinned certificate's authority is called by a rule counts as well as what the
//! certificate itself is called.

mod error;

use std::{collections::BTreeSet, fmt, path::Path, sync::Arc, time::SystemTime};

use portreeve_channel::{CertificateFacts, CertificateIdentity, Fingerprint};
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, ServerName, TrustAnchor, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, CertRevocationList, EndEntityCert, ExpirationPolicy, KeyUsage,
    OwnedCertRevocationList, RevocationCheckDepth, RevocationOptionsBuilder, UnknownStatusPolicy,
    anchor_from_trusted_cert,
};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

pub use error::{TrustError, hint_for_alert};

use crate::{
    facts::certificate_facts,
    files::{FileError, read_pem},
};

/// Whom one side of a connection trusts on the other.
#[derive(Debug, Default)]
pub struct Trust {
    authorities: Vec<TrustedAuthority>,
    pins: BTreeSet<Fingerprint>,
    dynamic_pins: Option<DynamicPins>,
    revocations: Vec<CertRevocationList<'static>>,
}

impl Trust {
    /// Trusts everybody for whom an authority of this PEM file vouches.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn add_authorities(&mut self, path: &Path) -> Result<(), FileError> {
        for der in read_pem::<CertificateDer<'static>>(path, "certificate")? {
            let anchor = anchor_from_trusted_cert(&der).map(|anchor| anchor.to_owned());
            let anchor = anchor.map_err(|error| FileError {
                path: path.to_owned(),
                cause: format!("a certificate that can be no authority: {error}"),
                hint: "name the certificate of the authority that signed your peers' certificates",
            })?;
            self.authorities.push(TrustedAuthority { facts: certificate_facts(&der), anchor });
        }
        Ok(())
    }

    /// Trusts the holder of the certificate with this fingerprint, whoever signed it, while it is valid.
    pub fn pin(&mut self, fingerprint: Fingerprint) {
        self.pins.insert(fingerprint);
    }

    /// Trusts the holder of a certificate that is pinned elsewhere, as [`pin`](Self::pin) does: `is_pinned` is asked in
    /// every handshake, so that it may change its mind.
    pub fn pin_if(&mut self, is_pinned: impl Fn(&CertificateFacts) -> bool + Send + Sync + 'static) {
        self.dynamic_pins = Some(DynamicPins(Box::new(is_pinned)));
    }

    /// Trusts nobody whom a revocation list of this PEM file names. A list that has expired goes on to count.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn add_revocations(&mut self, path: &Path) -> Result<(), FileError> {
        for der in read_pem::<CertificateRevocationListDer<'static>>(path, "revocation list")? {
            let list = OwnedCertRevocationList::from_der(&der).map_err(|error| FileError {
                path: path.to_owned(),
                cause: format!("a revocation list that cannot be used: {error}"),
                hint: "expected an X.509 CRL of version 2, as openssl ca -gencrl makes it",
            })?;
            self.revocations.push(list.into());
        }
        Ok(())
    }

    /// Whether nobody at all is trusted.
    pub fn is_empty(&self) -> bool {
        self.authorities.is_empty() && self.pins.is_empty() && self.dynamic_pins.is_none()
    }

    /// Judges the chain that a peer presents, its leaf first. That the peer holds the leaf's key is proven elsewhere.
    ///
    /// `name` is the server's, to be given for [`PeerRole::Server`]; a pinned certificate needs none.
    ///
    /// # Errors
    /// Why the peer is not trusted.
    pub fn verify(
        &self,
        role: PeerRole,
        chain: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
        now: SystemTime,
    ) -> Result<Arc<CertificateIdentity>, TrustError> {
        let (leaf, intermediates) = chain.split_first().ok_or(TrustError::NoCertificate)?;
        if intermediates.len() > MAX_INTERMEDIATES {
            return Err(TrustError::ChainTooLong);
        }
        let facts = certificate_facts(leaf).ok_or(TrustError::Malformed)?;
        let issuers = self.verify_chain(role, leaf, intermediates, now);
        if self.is_pinned(&facts) {
            check_validity(leaf, now)?;
            return match issuers {
                Err(TrustError::Revoked) => Err(TrustError::Revoked),
                issuers => {
                    Ok(Arc::new(CertificateIdentity { leaf: facts, issuers: issuers.unwrap_or_default() }))
                }
            };
        }
        let issuers = issuers?;
        //= rfc6353#5.3.1-5
        if role == PeerRole::Server {
            let name = name.ok_or(TrustError::NameMismatch)?;
            EndEntityCert::try_from(leaf)?.verify_is_valid_for_subject_name(name)?;
        }
        Ok(Arc::new(CertificateIdentity { leaf: facts, issuers }))
    }

    /// Whether the certificate is trusted by itself.
    fn is_pinned(&self, certificate: &CertificateFacts) -> bool {
        certificate.fingerprints.iter().any(|fingerprint| self.pins.contains(fingerprint))
            || self.dynamic_pins.as_ref().is_some_and(|DynamicPins(is_pinned)| is_pinned(certificate))
    }

    /// Looks for a chain to an authority; returns those that it goes through, the authority last.
    fn verify_chain(
        &self,
        role: PeerRole,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: SystemTime,
    ) -> Result<Vec<CertificateFacts>, TrustError> {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| TrustError::NotYetValid)?;
        let certificate = EndEntityCert::try_from(leaf)?;
        let anchors: Vec<TrustAnchor<'_>> =
            self.authorities.iter().map(|trusted| trusted.anchor.clone()).collect();
        let lists: Vec<&CertRevocationList<'_>> = self.revocations.iter().collect();
        let revocation = RevocationOptionsBuilder::new(&lists).ok().map(|options| {
            // Authorities without a list of their own are not made unusable by another's list.
            options
                .with_depth(RevocationCheckDepth::Chain)
                .with_status_policy(UnknownStatusPolicy::Allow)
                .with_expiration_policy(ExpirationPolicy::Ignore)
                .build()
        });
        let usage = match role {
            PeerRole::Client => KeyUsage::client_auth(),
            PeerRole::Server => KeyUsage::server_auth(),
        };
        let path = certificate.verify_for_usage(
            ALL_VERIFICATION_ALGS,
            &anchors,
            intermediates,
            UnixTime::since_unix_epoch(now),
            usage,
            revocation,
            None,
        )?;
        let between = path.intermediate_certificates().filter_map(|issuer| certificate_facts(&issuer.der()));
        let anchor = self.authorities.iter().find(|trusted| trusted.anchor == *path.anchor());
        let anchor = anchor.and_then(|trusted| trusted.facts.clone());
        Ok(between.chain(anchor).collect())
    }
}

/// What a certificate is presented for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeerRole {
    /// By a client, to a server.
    Client,
    /// By a server, to a client.
    Server,
}

/// Pins that change.
struct DynamicPins(Box<dyn Fn(&CertificateFacts) -> bool + Send + Sync>);

impl fmt::Debug for DynamicPins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DynamicPins")
    }
}

/// An authority: what stands in its certificate, and as it is looked for.
#[derive(Debug)]
struct TrustedAuthority {
    facts: Option<CertificateFacts>,
    anchor: TrustAnchor<'static>,
}

/// A pinned certificate is trusted for as long as it says.
fn check_validity(der: &[u8], now: SystemTime) -> Result<(), TrustError> {
    let (_, certificate) = X509Certificate::from_der(der).map_err(|_| TrustError::Malformed)?;
    let now = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| TrustError::NotYetValid)?;
    let now = i64::try_from(now.as_secs()).map_err(|_| TrustError::Expired)?;
    if now < certificate.validity().not_before.timestamp() {
        Err(TrustError::NotYetValid)
    } else if now > certificate.validity().not_after.timestamp() {
        Err(TrustError::Expired)
    } else {
        Ok(())
    }
}

/// A leaf, two authorities between and the root is long already.
const MAX_INTERMEDIATES: usize = 8;

#[cfg(test)]
mod tests;
