//! Trust decisions: chains to an authority, pinned fingerprints, and revocation.
//!
//! The chain of a pinned certificate is verified as well, because a naming rule may refer to its
//! authority instead of the certificate itself.

mod error;

use std::{collections::BTreeSet, fmt, path::Path, sync::Arc, time::SystemTime};

use portreeve_channel::{CertificateFacts, CertificateIdentity, Fingerprint};
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, ServerName, TrustAnchor, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, EndEntityCert, ExpirationPolicy, KeyUsage, RevocationCheckDepth,
    RevocationOptionsBuilder, UnknownStatusPolicy, VerifiedPath, anchor_from_trusted_cert,
};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

pub use error::{TrustError, hint_for_alert};

use crate::{
    facts::{certificate_facts, has_short_rsa_key, max_path_len, may_sign_certificates},
    files::{FileError, read_pem},
    revocation::RevocationLists,
};

/// The authorities, pins and revocation lists by which one side verifies its peers.
#[derive(Debug, Default)]
pub struct Trust {
    authorities: Vec<TrustedAuthority>,
    pins: BTreeSet<Fingerprint>,
    dynamic_pins: Option<DynamicPins>,
    intermediates: Vec<CertificateDer<'static>>,
    revocations: RevocationLists,
}

impl Trust {
    /// Trusts the certificates that an authority in this PEM file has signed.
    ///
    /// # Errors
    /// If the file cannot be read or contains no usable certificates.
    pub fn add_authorities(&mut self, path: &Path) -> Result<(), FileError> {
        for der in read_pem::<CertificateDer<'static>>(path, "certificate")? {
            let anchor = anchor_from_trusted_cert(&der).map(|anchor| anchor.to_owned());
            let anchor = anchor.map_err(|error| FileError {
                path: path.to_owned(),
                cause: format!("not a usable authority certificate: {error}"),
                hint: "use the certificate of the authority that signed your peers' certificates",
            })?;
            self.authorities.push(TrustedAuthority {
                facts: certificate_facts(&der),
                max_path_len: max_path_len(&der),
                der,
                anchor,
            });
        }
        Ok(())
    }

    /// Adds intermediate certificates that peers need not send. They are not trusted by themselves.
    pub fn add_intermediates(&mut self, certificates: &[CertificateDer<'static>]) {
        self.intermediates.extend_from_slice(certificates);
    }

    /// Trusts the certificate with this fingerprint while it is valid, regardless of its issuer.
    pub fn pin(&mut self, fingerprint: Fingerprint) {
        self.pins.insert(fingerprint);
    }

    /// Trusts certificates for which `is_pinned` returns `true`, like [`pin`](Self::pin). It is
    /// called in every handshake, so its result may change over time.
    pub fn pin_if(&mut self, is_pinned: impl Fn(&CertificateFacts) -> bool + Send + Sync + 'static) {
        self.dynamic_pins = Some(DynamicPins(Box::new(is_pinned)));
    }

    /// Rejects certificates that a revocation list in this PEM file contains. This includes pinned
    /// certificates and authorities. An expired list remains in effect.
    ///
    /// # Errors
    /// If the file cannot be read or contains no usable revocation lists.
    pub fn add_revocations(&mut self, path: &Path) -> Result<(), FileError> {
        for der in read_pem::<CertificateRevocationListDer<'static>>(path, "revocation list")? {
            self.revocations.add(&der).map_err(|error| FileError {
                path: path.to_owned(),
                cause: format!("unusable revocation list: {error}"),
                hint: "expected an X.509 CRL of version 2, such as openssl ca -gencrl creates",
            })?;
        }
        Ok(())
    }

    /// Returns `true` if no certificate is trusted.
    pub fn is_empty(&self) -> bool {
        self.authorities.is_empty() && self.pins.is_empty() && self.dynamic_pins.is_none()
    }

    /// Verifies the chain that a peer presents, the leaf first. The caller must check that the peer
    /// holds the leaf's key.
    ///
    /// `name` is the expected server name, required for [`PeerRole::Server`] unless the certificate
    /// is pinned.
    ///
    /// # Errors
    /// The reason why the peer is not trusted.
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
        // Check for revocation before the search for a chain: the peer chooses the rest of the
        // chain, so it could make that search fail with a different error.
        if self.revocations.contain(leaf) {
            return Err(TrustError::Revoked);
        }
        // Handshakes with such a key fail in any case, but without this reason.
        if has_short_rsa_key(leaf) {
            return Err(TrustError::TooWeak);
        }
        let issuers = self.verify_chain(role, leaf, intermediates, now).map_err(|error| match error {
            TrustError::BadSignature if intermediates.iter().any(|issuer| has_short_rsa_key(issuer)) => {
                TrustError::TooWeak
            }
            other => other,
        });
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

    /// Returns `true` if a revocation list contains the certificate of this identity, or an issuer
    /// in its chain.
    pub fn is_revoked(&self, identity: &CertificateIdentity) -> bool {
        identity.chain().any(|certificate| {
            let (issuer, serial) = &certificate.issuer_and_serial;
            self.revocations.contain_serial(issuer, serial)
        })
    }

    /// Returns `true` if the certificate itself is pinned.
    fn is_pinned(&self, certificate: &CertificateFacts) -> bool {
        certificate.fingerprints.iter().any(|fingerprint| self.pins.contains(fingerprint))
            || self.dynamic_pins.as_ref().is_some_and(|DynamicPins(is_pinned)| is_pinned(certificate))
    }

    /// Searches for a chain to an authority; returns the issuers in it, the authority last.
    fn verify_chain(
        &self,
        role: PeerRole,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: SystemTime,
    ) -> Result<Vec<CertificateFacts>, TrustError> {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| TrustError::NotYetValid)?;
        let certificate = EndEntityCert::try_from(leaf)?;
        let authorities = self.authorities.iter().filter(|trusted| !self.revocations.contain(&trusted.der));
        let anchors: Vec<TrustAnchor<'_>> = authorities.map(|trusted| trusted.anchor.clone()).collect();
        // Our own intermediates come first, so that the search tries them before the peer's
        // intermediates can exhaust it.
        let intermediates: Vec<CertificateDer<'_>> =
            self.intermediates.iter().chain(intermediates).cloned().collect();
        let lists = self.revocations.for_webpki();
        let revocation = RevocationOptionsBuilder::new(&lists).ok().map(|options| {
            // Authorities without a revocation list remain usable when another authority has a
            // list.
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
            &intermediates,
            UnixTime::since_unix_epoch(now),
            usage,
            revocation,
            Some(&|path: &VerifiedPath<'_>| self.check_path(path)),
        )?;
        let intermediates =
            path.intermediate_certificates().filter_map(|issuer| certificate_facts(&issuer.der()));
        let anchor = self.authority_at(&path).and_then(|trusted| trusted.facts.clone());
        Ok(intermediates.chain(anchor).collect())
    }

    /// Checks what `webpki` does not: every revocation list, the keyUsage of intermediates, and the
    /// path length of the authority.
    fn check_path(&self, path: &VerifiedPath<'_>) -> Result<(), webpki::Error> {
        if path.intermediate_certificates().any(|issuer| self.revocations.contain(&issuer.der())) {
            return Err(webpki::Error::CertRevoked);
        }
        if !path.intermediate_certificates().all(|issuer| may_sign_certificates(&issuer.der())) {
            return Err(webpki::Error::EndEntityUsedAsCa);
        }
        let max_path_len = self.authority_at(path).and_then(|trusted| trusted.max_path_len);
        match max_path_len.and_then(|max| usize::try_from(max).ok()) {
            Some(max) if path.intermediate_certificates().count() > max => {
                Err(webpki::Error::PathLenConstraintViolated)
            }
            _ => Ok(()),
        }
    }

    /// Returns the authority at the end of a path.
    fn authority_at(&self, path: &VerifiedPath<'_>) -> Option<&TrustedAuthority> {
        self.authorities.iter().find(|trusted| trusted.anchor == *path.anchor())
    }
}

/// The role in which a peer presents a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeerRole {
    /// The peer is a client, which a server verifies.
    Client,
    /// The peer is a server, which a client verifies.
    Server,
}

/// A pin check that the caller supplies.
struct DynamicPins(Box<dyn Fn(&CertificateFacts) -> bool + Send + Sync>);

impl fmt::Debug for DynamicPins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DynamicPins")
    }
}

/// A trusted authority: its certificate, the facts in the certificate, and its trust anchor.
#[derive(Debug)]
struct TrustedAuthority {
    facts: Option<CertificateFacts>,
    /// The maximum number of authorities below it.
    max_path_len: Option<u32>,
    der: CertificateDer<'static>,
    anchor: TrustAnchor<'static>,
}

/// Checks the validity period of a pinned certificate.
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

/// The maximum number of intermediates that a peer may present. Real chains have fewer: a leaf, two
/// intermediates and a root are already a long chain.
const MAX_INTERMEDIATES: usize = 8;

#[cfg(test)]
mod tests;
