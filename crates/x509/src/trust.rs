//! Whom to trust: a chain to an authority, or a pinned fingerprint; and who is revoked.
//!
//! Both are looked at, because what a pinned certificate's authority is called by a rule counts as well as what the
//! certificate itself is called.

mod refusal;

use std::{collections::BTreeSet, fmt, path::Path, sync::Arc, time::SystemTime};

use portreeve_channel::{CertificateFacts, CertificateIdentity, Fingerprint};
use rustls_pki_types::{CertificateDer, CertificateRevocationListDer, ServerName, TrustAnchor, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, CertRevocationList, EndEntityCert, ExpirationPolicy, KeyUsage,
    OwnedCertRevocationList, RevocationCheckDepth, RevocationOptionsBuilder, UnknownStatusPolicy,
    anchor_from_trusted_cert,
};
use x509_parser::{certificate::X509Certificate, prelude::FromDer};

pub use refusal::{Refusal, cure_of_alert};

use crate::{
    facts::certificate_facts,
    files::{FileProblem, read_pem},
};

/// Whom one side of a connection trusts on the other.
#[derive(Debug, Default)]
pub struct Trust {
    authorities: Vec<Authority>,
    pins: BTreeSet<Fingerprint>,
    live_pins: Option<LivePins>,
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
            self.authorities.push(Authority { facts: certificate_facts(&der), anchor });
        }
        Ok(())
    }

    /// Trusts the holder of the certificate with this fingerprint, whoever signed it, while it is valid.
    pub fn pin(&mut self, fingerprint: Fingerprint) {
        self.pins.insert(fingerprint);
    }

    /// Trusts the holder of a certificate that is pinned elsewhere, as [`pin`](Self::pin) does: `is_pinned` is asked in
    /// every handshake, so that it may change its mind.
    pub fn pin_by(&mut self, is_pinned: impl Fn(&CertificateFacts) -> bool + Send + Sync + 'static) {
        self.live_pins = Some(LivePins(Box::new(is_pinned)));
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
        self.authorities.is_empty() && self.pins.is_empty() && self.live_pins.is_none()
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
        let issuers = self.verify(role, leaf, intermediates, now);
        if self.has_pinned(&facts) {
            valid_at(leaf, now)?;
            return match issuers {
                Err(Refusal::Revoked) => Err(Refusal::Revoked),
                issuers => {
                    Ok(Arc::new(CertificateIdentity { leaf: facts, issuers: issuers.unwrap_or_default() }))
                }
            };
        }
        let issuers = issuers?;
        //= rfc6353#5.3.1-5
        if role == Role::Server {
            let name = name.ok_or(Refusal::OtherName)?;
            EndEntityCert::try_from(leaf)?.verify_is_valid_for_subject_name(name)?;
        }
        Ok(Arc::new(CertificateIdentity { leaf: facts, issuers }))
    }

    /// Whether the certificate is trusted by itself.
    fn has_pinned(&self, certificate: &CertificateFacts) -> bool {
        certificate.fingerprints.iter().any(|fingerprint| self.pins.contains(fingerprint))
            || self.live_pins.as_ref().is_some_and(|LivePins(is_pinned)| is_pinned(certificate))
    }

    /// Looks for a chain to an authority; returns those that it goes through, the authority last.
    fn verify(
        &self,
        role: Role,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: SystemTime,
    ) -> Result<Vec<CertificateFacts>, Refusal> {
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
        let between = path.intermediate_certificates().filter_map(|issuer| certificate_facts(&issuer.der()));
        let anchor = self.authorities.iter().find(|known| known.anchor == *path.anchor());
        let anchor = anchor.and_then(|known| known.facts.clone());
        Ok(between.chain(anchor).collect())
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

/// Pins that change.
struct LivePins(Box<dyn Fn(&CertificateFacts) -> bool + Send + Sync>);

impl fmt::Debug for LivePins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LivePins")
    }
}

/// An authority: what stands in its certificate, and as it is looked for.
#[derive(Debug)]
struct Authority {
    facts: Option<CertificateFacts>,
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
