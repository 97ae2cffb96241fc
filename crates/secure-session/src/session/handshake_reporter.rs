//! Reports the details of a TLS or DTLS handshake to an observer, in the order of the steps.

use std::time::SystemTime;

use portreeve_channel::{
    AlternativeName, CertificateIdentity, ChannelObserver, ChannelStep, Fact, Handshake, PeerIdentity,
};
use portreeve_x509::{CertificateSummary, certificate_facts};

/// Reports one handshake; remembers what was reported.
pub(super) struct HandshakeReporter<'o> {
    observer: &'o dyn ChannelObserver,
    is_version_reported: bool,
    is_chain_reported: bool,
}

impl<'o> HandshakeReporter<'o> {
    /// Starts the report of a handshake.
    pub(super) fn start(observer: &'o dyn ChannelObserver) -> Self {
        observer.on_step(ChannelStep::Negotiate);
        Self { observer, is_version_reported: false, is_chain_reported: false }
    }

    /// Reports the details in `handshake` that were not reported before.
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

    /// Reports that the server is verified, and then what we present to it.
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

    /// Reports our certificate. Before TLS 1.3, a server verifies it before the handshake is done.
    pub(super) fn report_client_certificate(&self, handshake: &Handshake, own_certificate: &[u8]) {
        self.observer.on_step(ChannelStep::ClientIdentity);
        if handshake.requests_client_certificate == Some(false) {
            return self.report(CERTIFICATE_REQUEST, "the server does not request a certificate");
        }
        self.report_certificate("own-certificate", own_certificate);
        self.report("possible-names", possible_names(own_certificate));
    }

    /// Reports the content of a certificate, one fact at a time.
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
        let uses = if summary.uses.is_empty() { "any use".to_owned() } else { summary.uses.join(", ") };
        self.report("permitted-uses", uses);
        self.report("fingerprint", fingerprint.to_string());
    }

    fn report(&self, name: &'static str, value: impl Into<String>) {
        self.observer.on_fact(Fact::new(name, shortened(value.into())));
    }
}

/// Compares a certificate's dates with the current time.
fn validity_text(summary: &CertificateSummary) -> String {
    let now = SystemTime::now();
    let unix_seconds = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    match summary.remaining(now) {
        None => "expired".to_owned(),
        Some(_) if i64::try_from(unix_seconds).is_ok_and(|now| now < summary.not_before.seconds) => {
            "not valid yet".to_owned()
        }
        Some(left) if left.as_secs() < 2 * DAY => format!("{} hours left", left.as_secs() / 3600),
        Some(left) => format!("{} days left", left.as_secs() / DAY),
    }
}

/// Lists the names that an agent's rules can derive from a certificate (RFC 6353 §5.3). Only the
/// agent knows which rules it has.
fn possible_names(der: &[u8]) -> String {
    let Some(facts) = certificate_facts(der) else { return "none".to_owned() };
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
    names.push("or any name that a rule for the fingerprint of this certificate specifies".to_owned());
    names.join(", ")
}

/// Explains why a server is trusted.
fn trust_reason(identity: &CertificateIdentity) -> String {
    match identity.issuers.last() {
        None => "because its fingerprint is pinned".to_owned(),
        Some(anchor) => match &anchor.common_name {
            Some(name) => format!("by the authority {}", shortened(name.escape_debug().to_string())),
            None => "by a trusted authority".to_owned(),
        },
    }
}

fn name_text(name: &AlternativeName) -> String {
    match name {
        AlternativeName::Rfc822(name) | AlternativeName::Dns(name) => name.escape_debug().to_string(),
        AlternativeName::Ip(address) => address.to_string(),
    }
}

/// Shortens a text from a certificate for display. A server can send names of many kilobytes.
pub(super) fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The maximum number of characters of a fact that are displayed: several lines on a terminal.
const MAX_SHOWN_CHARS: usize = 300;
/// The names of the facts about the server's certificates: the leaf, then the certificates sent
/// with it. Further certificates are not reported.
const SERVER_NAMES: [&str; 4] = ["server-certificate", "issuer", "issuer", "issuer"];
/// The number of seconds in a day.
const DAY: u64 = 86_400;
/// The name of the fact that reports if the server has requested a client certificate.
const CERTIFICATE_REQUEST: &str = "certificate-request";
