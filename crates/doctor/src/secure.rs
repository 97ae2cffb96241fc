//! SSH, TLS and DTLS: a session is opened as the broker opens it, and each step of that is heard.

use std::{
    io,
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{self as protocol, Order};
use portreeve_channel::{ChannelError, Fact, Observer, Step};
use portreeve_cli::Errand;
use portreeve_manager::{Client, Transport};
use portreeve_sessions::{Confirmation, Session, SessionLink};
use tokio::{runtime, time::timeout};

use crate::{chart::Chart, finding::Finding, record::Stage, snmp};

/// All the way.
pub(crate) fn walk(errand: Errand, order: Order, chart: &Chart) -> Result<(), Finding> {
    let Errand { address, credentials, options, .. } = errand;
    let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build();
    let runtime = runtime.map_err(|error| impossible(&error))?;
    let begun = Instant::now();
    let opened = runtime.block_on(async { timeout(order.patience, Session::open(&order, chart)).await });
    let mut session = match opened {
        Ok(session) => session.map_err(|error| explained(error, &order))?,
        Err(_) => return Err(silent(chart, order.patience)),
    };
    if chart.has_found(NOT_ASKED) {
        let stage = Stage::Channel(Step::ClientIdentity);
        let finding =
            Finding::new(stage, "the server wants no certificate of ours, so it is no agent", NO_AGENT);
        return Err(Finding { is_unclear: true, ..finding });
    }
    // What the agent has to say comes within a round trip, and a handshake is made of several.
    let patience = (begun.elapsed() * 4).clamp(SHORTEST, LONGEST);
    let confirmed = runtime.block_on(session.confirm(patience)).map_err(|error| explained(error, &order))?;
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
fn explained(error: ChannelError, order: &Order) -> Finding {
    let by_certificate = order.transport != protocol::Transport::Ssh;
    let mut finding = Finding::from(error);
    if by_certificate && finding.stage == Stage::Channel(Step::ClientIdentity) {
        let cure = finding.cure.map_or_else(String::new, |cure| format!("{cure}; "));
        finding.cure = Some(format!("{cure}{NAMED}"));
    }
    finding
}

/// Nothing more came.
fn silent(chart: &Chart, patience: Duration) -> Finding {
    let stage = chart.stage().unwrap_or(Stage::Channel(Step::Connect));
    let cause = format!("nothing has come for {:.1} s", patience.as_secs_f32());
    Finding { is_unclear: true, ..Finding::new(stage, cause, SILENCE) }
}

fn impossible(error: &io::Error) -> Finding {
    Finding::new(Stage::Channel(Step::Connect), error.to_string(), "see what this machine lacks")
}

/// What is told of a server that does not ask who we are.
const NOT_ASKED: &str = "certificate-request";
const NO_AGENT: &str = "see what else listens at that port; an agent's TLS asks for a certificate";
const SILENCE: &str = "see whether this transport is spoken at that port, and whether something between drops what is sent; \
                       -t gives more time";
const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(2);
const NAMED: &str = "an agent also needs a rule that makes a name of the certificate: [[tls.name]] in portreeved.toml, or \
                     a row of snmpTlstmCertToTSNTable";
