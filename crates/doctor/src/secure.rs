//! SSH, TLS and DTLS: a session is opened as the broker opens it, and each step of that is heard.

use std::{
    io,
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{self as protocol, SessionRequest};
use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep, Fact};
use portreeve_cli::ClientPlan;
use portreeve_secure_session::{Confirmation, SecureSession, SessionLink};
use portreeve_snmp_manager::{Client, Transport};
use tokio::{runtime, time::timeout};

use crate::{
    finding::{FIREWALL_HINT, Finding},
    record::Stage,
    snmp,
    timeline::Timeline,
};

/// All the way.
pub(crate) fn run(errand: ClientPlan, order: SessionRequest, chart: &Timeline) -> Result<(), Finding> {
    let ClientPlan { address, credentials, options, .. } = errand;
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| runtime_finding(&error))?;
    let begun = Instant::now();
    let opened = runtime.block_on(async { timeout(order.timeout, SecureSession::open(&order, chart)).await });
    let mut session = match opened {
        Ok(session) => session.map_err(|error| session_finding(error, &order, chart))?,
        Err(_) => return Err(timeout_finding(chart, order.timeout)),
    };
    // What the agent has to say comes within a round trip, and a handshake is made of several.
    let patience = (begun.elapsed() * 4).clamp(MIN_CONFIRM_TIMEOUT, MAX_CONFIRM_TIMEOUT);
    let confirmed = runtime.block_on(session.confirm(patience));
    let confirmed = confirmed.map_err(|error| session_finding(error, &order, chart))?;
    chart.on_fact(Fact::new(
        "verdict",
        match confirmed {
            Confirmation::Accepted => "taken",
            Confirmation::NoObjection => "no objection so far",
        },
    ));
    let asks = snmp::RequestIdentity::from_credentials(&credentials);
    let link = SessionLink::new(runtime, session, address.transport == Transport::Dtls);
    snmp::read_system_group(Client::with_link(link, credentials, &options), asks, chart)
}

/// What the session could not know.
fn session_finding(error: ChannelError, order: &SessionRequest, chart: &Timeline) -> Finding {
    let by_certificate = order.transport != protocol::Transport::Ssh;
    let mut finding = Finding::from(error);
    if chart.fact(NO_CERTIFICATE_REQUEST).is_some() {
        // Something else than an agent, which may be elsewhere.
        return Finding { is_peer_unclear: true, ..finding };
    }
    // What is wrong before anything was sent, no agent has judged.
    if by_certificate
        && chart.stage().is_some()
        && finding.stage == Stage::Channel(ChannelStep::ClientIdentity)
    {
        let cure = finding.hint.map_or_else(String::new, |cure| format!("{cure}; "));
        finding.hint = Some(format!("{cure}{CERT_MAPPING_HINT}"));
    }
    finding
}

/// Nothing more came.
fn timeout_finding(chart: &Timeline, patience: Duration) -> Finding {
    let stage = chart.stage().unwrap_or(Stage::Channel(ChannelStep::Connect));
    let waited = format!("{:.1} s", patience.as_secs_f32());
    let (cause, cure) = if let Some(foreign) = chart.fact("no-dtls") {
        (format!("what comes back is no DTLS: {foreign}"), NOT_DTLS_HINT)
    } else if chart.fact("cookie-again").is_some() {
        ("the server asks for its cookie again and again, and never goes on".to_owned(), COOKIE_HINT)
    } else if let Some(version) = chart.fact("server-version") {
        (format!("the server has said \"{version}\", and then nothing for {waited}"), HUNG_SERVER_HINT)
    } else if stage == Stage::Channel(ChannelStep::Connect) {
        (
            format!("no answer for {waited}: the host is down, or something drops what is sent there"),
            FIREWALL_HINT,
        )
    } else {
        (format!("nothing has come for {waited}"), NO_RESPONSE_HINT)
    };
    Finding { is_peer_unclear: true, ..Finding::new(stage, cause, cure) }
}

fn runtime_finding(error: &io::Error) -> Finding {
    Finding::new(Stage::Channel(ChannelStep::Connect), error.to_string(), "see what this machine lacks")
}

/// What is told of a server that does not ask who we are.
const NO_CERTIFICATE_REQUEST: &str = "certificate-request";
const NO_RESPONSE_HINT: &str = "see whether this transport is spoken at that port, and whether something between drops what is sent; \
                       -t gives more time";
const NOT_DTLS_HINT: &str = "see what listens at that port: DTLS is spoken on UDP port 10161";
const COOKIE_HINT: &str =
    "see the server's log; several servers behind one address must know each other's cookies";
const HUNG_SERVER_HINT: &str =
    "see the server's log: it may wait for a name service, or speak another version of SSH";
const MIN_CONFIRM_TIMEOUT: Duration = Duration::from_millis(200);
const MAX_CONFIRM_TIMEOUT: Duration = Duration::from_secs(2);
const CERT_MAPPING_HINT: &str = "an agent also needs a rule that makes a name of the certificate: [[tls.name]] in portreeved.toml, or \
                     a row of snmpTlstmCertToTSNTable";
