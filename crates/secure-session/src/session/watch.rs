//! Tells an observer what a handshake of TLS or DTLS shows, in the order of the steps.

use std::time::SystemTime;

use portreeve_channel::{
    AlternativeName, CertificateIdentity, Fact, Handshake, Observer, PeerIdentity, Step,
};
use portreeve_x509::{CertificateSummary, certificate_facts};

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
        self.we_are_judged(handshake, own);
    }

    /// By our certificate: before 1.3 a server does that before the handshake is done.
    pub(super) fn we_are_judged(&self, handshake: &Handshake, own: &[u8]) {
        self.observer.begins(Step::ClientIdentity);
        if handshake.asks_for_certificate == Some(false) {
            return self.find(ASKED, "the server does not ask for a certificate");
        }
        self.certificate("own-certificate", own);
        self.find("can-be-called", could_be(own));
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
        match key.bits {
            0 => self.find("key", key.kind),
            bits => self.find("key", format!("{} {bits} bits", key.kind)),
        }
        self.find("valid", format!("{} to {}, {}", not_before.day, not_after.day, state(&summary)));
        let uses = if summary.uses.is_empty() { "anybody".to_owned() } else { summary.uses.join(", ") };
        self.find("made-for", uses);
        self.find("fingerprint", fingerprint.to_string());
    }

    fn find(&self, name: &'static str, value: impl Into<String>) {
        self.observer.finds(Fact::new(name, value));
    }
}

/// What its dates mean today.
fn state(summary: &CertificateSummary) -> String {
    let now = SystemTime::now();
    let since = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match summary.remaining(now) {
        None => "expired".to_owned(),
        Some(_) if i64::try_from(since).is_ok_and(|now| now < summary.not_before.seconds) => {
            "not yet".to_owned()
        }
        Some(left) if left.as_secs() < 2 * DAY => format!("{} hours left", left.as_secs() / 3600),
        Some(left) => format!("{} days left", left.as_secs() / DAY),
    }
}

/// Which names an agent's rules can make of a certificate (RFC 6353 §5.3). Which rules it has, only the agent knows.
fn could_be(der: &[u8]) -> String {
    let Some(facts) = certificate_facts(der) else { return "nobody".to_owned() };
    let mut names: Vec<String> =
        facts.common_name.iter().map(|name| format!("{} (common-name)", name.escape_debug())).collect();
    names.extend(facts.alternative_names.iter().map(|name| {
        let rule = match name {
            AlternativeName::Rfc822(_) => "san-rfc822",
            AlternativeName::Dns(_) => "san-dns",
            AlternativeName::Ip(_) => "san-ip",
        };
        format!("{} ({rule})", shown(name))
    }));
    names.push("whom a rule for its fingerprint names".to_owned());
    names.join(", ")
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
/// Seconds.
const DAY: u64 = 86_400;
/// Whether the server has asked for a certificate.
const ASKED: &str = "certificate-request";
