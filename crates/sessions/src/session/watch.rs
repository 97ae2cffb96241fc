//! Tells an observer what a handshake of TLS or DTLS shows, in the order of the steps.

use std::time::SystemTime;

use portreeve_certificates::CertificateSummary;
use portreeve_channel::{
    AlternativeName, CertificateIdentity, Fact, Handshake, Observer, PeerIdentity, Step,
};

/// What has been told of one handshake.
pub(super) struct Watch<'o> {
    observer: &'o dyn Observer,
    has_told_version: bool,
    has_told_chain: bool,
}

impl<'o> Watch<'o> {
    /// The handshake begins.
    pub(super) fn begin(observer: &'o dyn Observer) -> Self {
        observer.begins(Step::Negotiate);
        Self { observer, has_told_version: false, has_told_chain: false }
    }

    /// Tells what `handshake` shows for the first time.
    pub(super) fn look(&mut self, handshake: &Handshake) {
        if let Some(version) = handshake.version
            && !self.has_told_version
        {
            self.has_told_version = true;
            self.find("version", version);
            handshake.suite.iter().for_each(|suite| self.find("cipher", suite));
            handshake.group.iter().for_each(|group| self.find("key-exchange", group));
        }
        if !handshake.presented.is_empty() && !self.has_told_chain {
            self.has_told_chain = true;
            self.observer.begins(Step::ServerIdentity);
            for (der, name) in handshake.presented.iter().zip(SERVER_NAMES) {
                self.certificate(name, der);
            }
        }
    }

    /// The server is taken; now it is we who are judged.
    pub(super) fn server_is_known(&mut self, handshake: &Handshake, server: &PeerIdentity, own: &[u8]) {
        self.look(handshake);
        if let PeerIdentity::Certificate(identity) = server {
            self.find("trusted", trust(identity));
        }
        self.observer.begins(Step::ClientIdentity);
        match handshake.asks_for_certificate {
            Some(false) => self.find(ASKED, "the server does not ask for a certificate"),
            _ => self.certificate("own-certificate", own),
        }
    }

    /// What stands in a certificate, one fact after the other.
    fn certificate(&self, name: &'static str, der: &[u8]) {
        let Some(summary) = CertificateSummary::read(der) else { return self.find(name, "cannot be read") };
        let CertificateSummary { subject, issuer, not_before, not_after, key, fingerprint, .. } = &summary;
        self.find(name, if subject.is_empty() { "without a subject" } else { subject });
        let names: Vec<_> = summary.alternative_names.iter().map(shown).collect();
        if !names.is_empty() {
            self.find("names", names.join(", "));
        }
        self.find("signed-by", if subject == issuer { "itself" } else { issuer });
        let expired = if summary.remaining(SystemTime::now()).is_none() { ", expired" } else { "" };
        self.find("valid", format!("{} to {}{expired}", not_before.day, not_after.day));
        match key.bits {
            0 => self.find("key", key.kind),
            bits => self.find("key", format!("{} {bits} bits", key.kind)),
        }
        self.find("fingerprint", fingerprint.to_string());
    }

    fn find(&self, name: &'static str, value: impl Into<String>) {
        self.observer.finds(Fact::new(name, value));
    }
}

/// Why a server is trusted.
fn trust(identity: &CertificateIdentity) -> String {
    match identity.issuers.last() {
        None => "because its fingerprint is pinned".to_owned(),
        Some(anchor) => match &anchor.common_name {
            Some(name) => format!("by the authority {}", name.escape_debug()),
            None => "by an authority of ours".to_owned(),
        },
    }
}

fn shown(name: &AlternativeName) -> String {
    match name {
        AlternativeName::Rfc822(name) | AlternativeName::Dns(name) => name.escape_debug().to_string(),
        AlternativeName::Ip(address) => address.to_string(),
    }
}

/// The leaf, and what it was sent with: more is not worth a line.
const SERVER_NAMES: [&str; 4] = ["server-certificate", "issuer", "issuer", "issuer"];
/// Whether the server has asked for a certificate.
const ASKED: &str = "certificate-request";
