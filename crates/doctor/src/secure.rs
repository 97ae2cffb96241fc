//! The steps over SSH, TLS and DTLS. The session is opened as the broker opens it; the channel
//! reports each step.

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

/// Runs all steps for an agent over SSH, TLS or DTLS.
pub(crate) fn run(plan: ClientPlan, request: SessionRequest, timeline: &Timeline) -> Result<(), Finding> {
    let ClientPlan { address, credentials, options, assumed_protocols, .. } = plan;
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| runtime_finding(&error))?;
    let start = Instant::now();
    let opening = async { timeout(request.timeout, SecureSession::open(&request, timeline)).await };
    let mut session = match runtime.block_on(opening) {
        Ok(session) => session.map_err(|error| session_finding(error, &request, timeline))?,
        Err(_) => return Err(timeout_finding(timeline, request.timeout)),
    };
    // A rejection by the agent arrives within one round trip. Opening the session took several, so
    // four times its duration is long enough to wait.
    let confirm_timeout = (start.elapsed() * 4).clamp(MIN_CONFIRM_TIMEOUT, MAX_CONFIRM_TIMEOUT);
    let confirmation = runtime.block_on(session.confirm(confirm_timeout));
    let confirmation = confirmation.map_err(|error| session_finding(error, &request, timeline))?;
    timeline.on_fact(Fact::new(
        "verdict",
        match confirmation {
            Confirmation::Accepted => "accepted",
            Confirmation::NoObjection => "no rejection received",
        },
    ));
    let identity = snmp::RequestIdentity::new(&credentials, assumed_protocols);
    let link = SessionLink::new(runtime, session, address.transport == Transport::Dtls);
    snmp::read_system_group(Client::with_link(link, credentials, &options), identity, timeline)
}

/// Creates the finding for a session error, with a hint to map the certificate if the agent may
/// have rejected it.
fn session_finding(error: ChannelError, request: &SessionRequest, timeline: &Timeline) -> Finding {
    let by_certificate = request.transport != protocol::Transport::Ssh;
    let mut finding = Finding::from(error);
    if timeline.fact(NO_CERTIFICATE_REQUEST).is_some() {
        // A server that requests no client certificate is not an agent; the agent may be on another
        // port.
        return Finding { is_peer_unclear: true, ..finding };
    }
    // If there is no current stage, nothing was sent, so the agent has not rejected anything.
    if by_certificate
        && timeline.stage().is_some()
        && finding.stage == Stage::Channel(ChannelStep::ClientIdentity)
    {
        let hint = finding.hint.map_or_else(String::new, |hint| format!("{hint}; "));
        finding.hint = Some(format!("{hint}{CERT_MAPPING_HINT}"));
    }
    finding
}

/// Explains why the session could not be opened in time.
fn timeout_finding(timeline: &Timeline, timeout: Duration) -> Finding {
    let stage = timeline.stage().unwrap_or(Stage::Channel(ChannelStep::Connect));
    let waited = format!("{:.1} s", timeout.as_secs_f32());
    let (cause, hint) = if let Some(reply) = timeline.fact("not-dtls") {
        (format!("the reply is not DTLS: {reply}"), NOT_DTLS_HINT)
    } else if timeline.fact("cookie-repeated").is_some() {
        (
            "the server keeps requesting a DTLS cookie and does not continue the handshake".to_owned(),
            COOKIE_HINT,
        )
    } else if let Some(version) = timeline.fact("server-version") {
        (format!("the server sent \"{version}\", then nothing for {waited}"), HUNG_SERVER_HINT)
    } else if stage == Stage::Channel(ChannelStep::Connect) {
        (format!("no reply for {waited}: the host is down, or a firewall drops the packets"), FIREWALL_HINT)
    } else {
        (format!("nothing received for {waited}"), NO_RESPONSE_HINT)
    };
    Finding { is_peer_unclear: true, ..Finding::new(stage, cause, hint) }
}

fn runtime_finding(error: &io::Error) -> Finding {
    Finding::new(
        Stage::Channel(ChannelStep::Connect),
        error.to_string(),
        "check the resource limits of this machine",
    )
}

/// The fact that a channel reports if the server does not request a client certificate.
const NO_CERTIFICATE_REQUEST: &str = "certificate-request";
const NO_RESPONSE_HINT: &str = "check that the port serves this transport and that no firewall drops the packets; -t \
                                sets a longer timeout";
const NOT_DTLS_HINT: &str = "check which service listens on that port; DTLS uses UDP port 10161";
const COOKIE_HINT: &str =
    "check the server's log; DTLS servers that share an address must accept each other's cookies";
const HUNG_SERVER_HINT: &str =
    "check the server's log; the server may be waiting for a name service, or use another version of SSH";
const MIN_CONFIRM_TIMEOUT: Duration = Duration::from_millis(200);
const MAX_CONFIRM_TIMEOUT: Duration = Duration::from_secs(2);
const CERT_MAPPING_HINT: &str = "the agent also needs a rule that maps the certificate to a name: [[tls.name]] in \
                                 portreeved.toml, or a row in snmpTlstmCertToTSNTable";
