//! SSH, TLS and DTLS: a session is opened as the broker opens it, and each step of that is heard.

use std::{
    io,
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{self as protocol, Order};
use portreeve_channel::{ChannelError, Fact, Observer, Step};
use portreeve_cli::Errand;
use portreeve_secure_session::{Confirmation, Session, SessionLink};
use portreeve_snmp_manager::{Client, Transport};
use tokio::{runtime, time::timeout};

use crate::{
    chart::Chart,
    finding::{FIREWALL, Finding},
    record::Stage,
    snmp,
};

/// All the way.
pub(crate) fn walk(errand: Errand, order: Order, chart: &Chart) -> Result<(), Finding> {
    let Errand { address, credentials, options, .. } = errand;
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| impossible(&error))?;
    let begun = Instant::now();
    let opened = runtime.block_on(async { timeout(order.patience, Session::open(&order, chart)).await });
    let mut session = match opened {
        Ok(session) => session.map_err(|error| explained(error, &order, chart))?,
        Err(_) => return Err(silent(chart, order.patience)),
    };
    // What the agent has to say comes within a round trip, and a handshake is made of several.
    let patience = (begun.elapsed() * 4).clamp(SHORTEST, LONGEST);
    let confirmed = runtime.block_on(session.confirm(patience));
    let confirmed = confirmed.map_err(|error| explained(error, &order, chart))?;
    chart.finds(Fact::new(
        "verdict",
        match confirmed {
            Confirmation::Taken => "taken",
            Confirmation::NoObjection => "no objection so far",
        },
    ));
    let asks = snmp::Asks::of(&credentials);
    let link = SessionLink::new(runtime, session, address.transport == Transport::Dtls);
    snmp::ask(Client::over(link, credentials, &options), asks, chart)
}

/// What the session could not know.
fn explained(error: ChannelError, order: &Order, chart: &Chart) -> Finding {
    let by_certificate = order.transport != protocol::Transport::Ssh;
    let mut finding = Finding::from(error);
    if chart.found(NOT_ASKED).is_some() {
        // Something else than an agent, which may be elsewhere.
        return Finding { is_unclear: true, ..finding };
    }
    // What is wrong before anything was sent, no agent has judged.
    if by_certificate && chart.stage().is_some() && finding.stage == Stage::Channel(Step::ClientIdentity) {
        let cure = finding.cure.map_or_else(String::new, |cure| format!("{cure}; "));
        finding.cure = Some(format!("{cure}{NAMED}"));
    }
    finding
}

/// Nothing more came.
fn silent(chart: &Chart, patience: Duration) -> Finding {
    let stage = chart.stage().unwrap_or(Stage::Channel(Step::Connect));
    let waited = format!("{:.1} s", patience.as_secs_f32());
    let (cause, cure) = if let Some(foreign) = chart.found("no-dtls") {
        (format!("what comes back is no DTLS: {foreign}"), FOREIGN)
    } else if chart.found("cookie-again").is_some() {
        ("the server asks for its cookie again and again, and never goes on".to_owned(), FORGETFUL)
    } else if let Some(version) = chart.found("server-version") {
        (format!("the server has said \"{version}\", and then nothing for {waited}"), HUNG)
    } else if stage == Stage::Channel(Step::Connect) {
        (format!("no answer for {waited}: the host is down, or something drops what is sent there"), FIREWALL)
    } else {
        (format!("nothing has come for {waited}"), SILENCE)
    };
    Finding { is_unclear: true, ..Finding::new(stage, cause, cure) }
}

fn impossible(error: &io::Error) -> Finding {
    Finding::new(Stage::Channel(Step::Connect), error.to_string(), "see what this machine lacks")
}

/// What is told of a server that does not ask who we are.
const NOT_ASKED: &str = "certificate-request";
const SILENCE: &str = "see whether this transport is spoken at that port, and whether something between drops what is sent; \
                       -t gives more time";
const FOREIGN: &str = "see what listens at that port: DTLS is spoken on UDP port 10161";
const FORGETFUL: &str =
    "see the server's log; several servers behind one address must know each other's cookies";
const HUNG: &str = "see the server's log: it may wait for a name service, or speak another version of SSH";
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(2);
const NAMED: &str = "an agent also needs a rule that makes a name of the certificate: [[tls.name]] in portreeved.toml, or \
                     a row of snmpTlstmCertToTSNTable";
