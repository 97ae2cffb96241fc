//! Tells an observer what a handshake of TLS or DTLS shows, in the order of the steps.

use std::time::SystemTime;

use portreeve_channel::{
    AlternativeName, CertificateIdentity, ChannelObserver, ChannelStep, Fact, Handshake, PeerIdentity,
};
use portreeve_x509::{CertificateSummary, certificate_facts};

/// What has been told of one handshake.
pub(super) struct HandshakeReporter<'o> {
    observer: &'o dyn ChannelObserver,
    is_version_reported: bool,
    is_chain_reported: bool,
}

impl<'o> HandshakeReporter<'o> {
    /// The handshake begins.
    pub(super) fn start(observer: &'o dyn ChannelObserver) -> Self {
        observer.on_step(ChannelStep::Negotiate);
        Self { observer, is_version_reported: false, is_chain_reported: false }
    }

    /// Tells what `handshake` shows for the first time.
    pub(super) fn report_new(&mut self, handshake: &Handshake) {
        if let Some(version) = handshake.version
            && !self.is_version_reported
        {
            self.is_version_reported = true;
            self.report("version", version);
            handshake.suite.iter().for_each(|suite| self.report("cipher", suite));
            handshake.group.iter().for_each(|group| self.report("key-exchange", group));
        }
        if !handshake.presented.is_empty() && !self.is_chain_reported {
            self.is_chain_reported = true;
            self.observer.on_step(ChannelStep::ServerIdentity);
            for (der, name) in handshake.presented.iter().zip(SERVER_NAMES) {
                self.report_certificate(name, der);
            }
        }
    }

    /// The server is taken; now it is we who are judged.
    pub(super) fn report_verified_server(
        &mut self,
        handshake: &Handshake,
        server: &PeerIdentity,
        own_certificate: &[u8],
    ) {
        self.report_new(handshake);
        if let PeerIdentity::Certificate(identity) = server {
            self.report("trusted", trust_reason(identity));
        }
        self.report_client_certificate(handshake, own_certificate);
    }

    /// By our certificate: before 1.3 a server does that before the handshake is done.
    pub(super) fn report_client_certificate(&self, handshake: &Handshake, own_certificate: &[u8]) {
        self.observer.on_step(ChannelStep::ClientIdentity);
        if handshake.requests_client_certificate == Some(false) {
            return self.report(CERTIFICATE_REQUEST, "the server does not ask for a certificate");
        }
        self.report_certificate("own-certificate", own_certificate);
        self.report("can-be-called", possible_names(own_certificate));
    }

    /// What stands in a certificate, one fact after the other.
    fn report_certificate(&self, name: &'static str, der: &[u8]) {
        let Some(summary) = CertificateSummary::read(der) else { return self.report(name, "cannot be read") };
        let CertificateSummary { subject, issuer, not_before, not_after, key, fingerprint, .. } = &summary;
        self.report(name, if subject.is_empty() { "without a subject" } else { subject });
        let names: Vec<_> = summary.alternative_names.iter().map(name_text).collect();
        if !names.is_empty() {
            self.report("names", names.join(", "));
        }
        self.report("signed-by", if subject == issuer { "itself" } else { issuer });
        match key.bits {
            0 => self.report("key", key.kind),
            bits => self.report("key", format!("{} {bits} bits", key.kind)),
        }
        self.report("valid", format!("{} to {}, {}", not_before.day, not_after.day, validity_text(&summary)));
        let uses = if summary.uses.is_empty() { "anybody".to_owned() } else { summary.uses.join(", ") };
        self.report("made-for", uses);
        self.report("fingerprint", fingerprint.to_string());
    }

    fn report(&self, name: &'static str, value: impl Into<String>) {
        self.observer.on_fact(Fact::new(name, value));
    }
}

/// What its dates mean today.
fn validity_text(summary: &CertificateSummary) -> String {
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
fn possible_names(der: &[u8]) -> String {
    let Some(facts) = certificate_facts(der) else { return "nobody".to_owned() };
    let mut names: Vec<String> =
        facts.common_name.iter().map(|name| format!("{} (common-name)", name.escape_debug())).collect();
    names.extend(facts.alternative_names.iter().map(|name| {
        let rule = match name {
            AlternativeName::Rfc822(_) => "san-rfc822",
            AlternativeName::Dns(_) => "san-dns",
            AlternativeName::Ip(_) => "san-ip",
        };
        format!("{} ({rule})", name_text(name))
    }));
    names.push("whom a rule for its fingerprint names".to_owned());
    names.join(", ")
}

/// Why a server is trusted.
fn trust_reason(identity: &CertificateIdentity) -> String {
    match identity.issuers.last() {
        None => "because its fingerprint is pinned".to_owned(),
        Some(anchor) => match &anchor.common_name {
            Some(name) => format!("by the authority {}", name.escape_debug()),
            None => "by an authority of ours".to_owned(),
        },
    }
}

fn name_text(name: &AlternativeName) -> String {
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
const CERTIFICATE_REQUEST: &str = "certificate-request";
