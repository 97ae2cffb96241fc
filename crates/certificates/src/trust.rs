//! Whom to trust: a chain to an authority, or a pinned fingerprint; and who is revoked.

use std::{collections::BTreeSet, fmt, path::Path, sync::Arc, time::SystemTime};

use portreeve_channel::{CertificateIdentity, Fingerprint, HashAlgorithm};
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, ServerName, TrustAnchor, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, CertRevocationList, EndEntityCert, ExpirationPolicy, KeyUsage,
    OwnedCertRevocationList, RevocationCheckDepth, RevocationOptionsBuilder, UnknownStatusPolicy,
    anchor_from_trusted_cert,
};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

use crate::{
    facts::{certificate_facts, fingerprint},
    files::{FileProblem, read_pem},
};

/// Whom one side of a connection trusts on the other.
#[derive(Debug, Default)]
pub struct Trust {
    authorities: Vec<Authority>,
    pins: BTreeSet<Fingerprint>,
    revocations: Vec<CertRevocationList<'static>>,
}

impl Trust {
    /// Trusts everybody for whom an authority of this PEM file vouches.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn add_authorities(&mut self, path: &Path) -> Result<(), FileProblem> {
        for der in read_pem::<CertificateDer<'static>>(path, "certificate")? {
            let anchor = anchor_from_trusted_cert(&der).map(|anchor| anchor.to_owned());
            let anchor = anchor.map_err(|error| FileProblem {
                path: path.to_owned(),
                found: format!("a certificate that can be no authority: {error}"),
                cure: "name the certificate of the authority that signed your peers' certificates",
            })?;
            self.authorities.push(Authority { der, anchor });
        }
        Ok(())
    }

    /// Trusts the holder of the certificate with this fingerprint, whoever signed it, while it is valid.
    pub fn pin(&mut self, fingerprint: Fingerprint) {
        self.pins.insert(fingerprint);
    }

    /// Trusts nobody whom a revocation list of this PEM file names. A list that has expired goes on to count.
    ///
    /// # Errors
    /// For a file that cannot be read or has something else in it.
    pub fn add_revocations(&mut self, path: &Path) -> Result<(), FileProblem> {
        for der in read_pem::<CertificateRevocationListDer<'static>>(path, "revocation list")? {
            let list = OwnedCertRevocationList::from_der(&der).map_err(|error| FileProblem {
                path: path.to_owned(),
                found: format!("a revocation list that cannot be used: {error}"),
                cure: "expected an X.509 CRL of version 2, as openssl ca -gencrl makes it",
            })?;
            self.revocations.push(list.into());
        }
        Ok(())
    }

    /// Whether nobody at all is trusted.
    pub fn is_empty(&self) -> bool {
        self.authorities.is_empty() && self.pins.is_empty()
    }

    /// Whether the certificate with this fingerprint is trusted by itself.
    pub fn has_pinned(&self, der: &[u8]) -> bool {
        let mut algorithms: Vec<HashAlgorithm> = self.pins.iter().map(Fingerprint::algorithm).collect();
        algorithms.dedup();
        algorithms.into_iter().any(|algorithm| self.pins.contains(&fingerprint(algorithm, der)))
    }

    /// Judges the chain that a peer presents, its leaf first. That the peer holds the leaf's key is proven elsewhere.
    ///
    /// `name` is the server's, to be given for [`Role::Server`]; a pinned certificate needs none.
    ///
    /// # Errors
    /// Why the peer is not trusted.
    pub fn judge(
        &self,
        role: Role,
        chain: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
        now: SystemTime,
    ) -> Result<Arc<CertificateIdentity>, Refusal> {
        let (leaf, intermediates) = chain.split_first().ok_or(Refusal::NoCertificate)?;
        if intermediates.len() > MAX_INTERMEDIATES {
            return Err(Refusal::ChainTooLong);
        }
        let facts = certificate_facts(leaf).ok_or(Refusal::Malformed)?;
        if self.has_pinned(leaf) {
            valid_at(leaf, now)?;
            return Ok(Arc::new(CertificateIdentity { leaf: facts, issuers: Vec::new() }));
        }
        let now = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| Refusal::NotYetValid)?;
        let certificate = EndEntityCert::try_from(leaf)?;
        let anchors: Vec<TrustAnchor<'_>> =
            self.authorities.iter().map(|known| known.anchor.clone()).collect();
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
            Role::Client => KeyUsage::client_auth(),
            Role::Server => KeyUsage::server_auth(),
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
        if role == Role::Server {
            let name = name.ok_or(Refusal::OtherName)?;
            certificate.verify_is_valid_for_subject_name(name)?;
        }
        let between = path.intermediate_certificates().filter_map(|issuer| certificate_facts(&issuer.der()));
        let anchor = self.authorities.iter().find(|known| known.anchor == *path.anchor());
        let anchor = anchor.and_then(|known| certificate_facts(&known.der));
        Ok(Arc::new(CertificateIdentity { leaf: facts, issuers: between.chain(anchor).collect() }))
    }
}

/// What a certificate is presented for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// By a client, to a server.
    Client,
    /// By a server, to a client.
    Server,
}

/// Why a peer is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// It presented none.
    NoCertificate,
    /// It is no certificate, or has an encoding that is not allowed.
    Malformed,
    /// More certificates than any sensible chain has.
    ChainTooLong,
    /// No chain leads to an authority that is trusted, and its fingerprint is not pinned.
    UnknownIssuer,
    /// Its validity has ended.
    Expired,
    /// Its validity has not begun: as a rule one of the two clocks is wrong.
    NotYetValid,
    /// Its authority has taken it back.
    Revoked,
    /// It is not meant for this use.
    WrongUsage,
    /// It is another server's.
    OtherName,
    /// A signature in the chain is wrong.
    BadSignature,
    /// It breaks a rule that its chain sets.
    Forbidden,
}

impl Refusal {
    /// What to do about it.
    pub fn cure(self) -> &'static str {
        match self {
            Self::NoCertificate => "give the peer a certificate and have it presented",
            Self::Malformed => "have the certificate made anew",
            Self::ChainTooLong => "present only the certificates that lead to the authority",
            Self::UnknownIssuer => "trust the authority that signed it, or pin the certificate's fingerprint",
            Self::Expired => "have the certificate renewed",
            Self::NotYetValid => "compare the clocks of both ends",
            Self::Revoked => "have a new certificate made; this one was taken back",
            Self::WrongUsage => {
                "have it made with the extended key usage of its role, clientAuth or serverAuth"
            }
            Self::OtherName => {
                "use the name that stands in the certificate's subjectAltName, or pin its fingerprint"
            }
            Self::BadSignature => {
                "another authority of the same name has signed it, or it was changed: compare the authorities"
            }
            Self::Forbidden => "look at the name and path-length constraints of its authorities",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCertificate => "no certificate was presented",
            Self::Malformed => "the certificate is malformed",
            Self::ChainTooLong => "the chain of certificates is too long",
            Self::UnknownIssuer => {
                "nobody we trust has signed the certificate, and its fingerprint is not pinned"
            }
            Self::Expired => "the certificate has expired",
            Self::NotYetValid => "the certificate is not valid yet",
            Self::Revoked => "the certificate is revoked",
            Self::WrongUsage => "the certificate is not for this use",
            Self::OtherName => "the certificate is for another name",
            Self::BadSignature => "a signature in the chain of certificates is not the authority's",
            Self::Forbidden => "the certificate breaks a constraint of its authority",
        })
    }
}

impl std::error::Error for Refusal {}

impl From<webpki::Error> for Refusal {
    fn from(error: webpki::Error) -> Self {
        use webpki::Error as E;
        match error {
            E::CertExpired { .. } | E::CrlExpired { .. } => Self::Expired,
            E::CertNotValidYet { .. } => Self::NotYetValid,
            E::CertRevoked => Self::Revoked,
            E::CertNotValidForName(_) => Self::OtherName,
            E::UnknownIssuer | E::CaUsedAsEndEntity => Self::UnknownIssuer,
            E::RequiredEkuNotFoundContext(_) | E::EmptyEkuExtension => Self::WrongUsage,
            E::InvalidSignatureForPublicKey | E::InvalidCrlSignatureForPublicKey => Self::BadSignature,
            E::NameConstraintViolation
            | E::PathLenConstraintViolated
            | E::EndEntityUsedAsCa
            | E::CertDistrusted
            | E::IssuerNotCrlSigner => Self::Forbidden,
            E::MaximumPathBuildCallsExceeded
            | E::MaximumPathDepthExceeded
            | E::MaximumSignatureChecksExceeded
            | E::MaximumNameConstraintComparisonsExceeded => Self::ChainTooLong,
            _ => Self::Malformed,
        }
    }
}

/// An authority's certificate, as such and as it is looked for.
#[derive(Debug)]
struct Authority {
    der: CertificateDer<'static>,
    anchor: TrustAnchor<'static>,
}

/// A pinned certificate is trusted for as long as it says.
fn valid_at(der: &[u8], now: SystemTime) -> Result<(), Refusal> {
    let (_, certificate) = X509Certificate::from_der(der).map_err(|_| Refusal::Malformed)?;
    let now = now.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| Refusal::NotYetValid)?;
    let now = i64::try_from(now.as_secs()).map_err(|_| Refusal::Expired)?;
    if now < certificate.validity().not_before.timestamp() {
        Err(Refusal::NotYetValid)
    } else if now > certificate.validity().not_after.timestamp() {
        Err(Refusal::Expired)
    } else {
        Ok(())
    }
}

/// A leaf, two authorities between and the root is long already.
const MAX_INTERMEDIATES: usize = 8;

#[cfg(test)]
mod tests;
