//! The SNMP steps: discover the engine, authenticate, read the system group.

use std::{cell::Cell, rc::Rc, time::Instant};

use portreeve_channel::{ChannelError, ChannelStep, Fact};
use portreeve_cli::AssumedProtocols;
use portreeve_mib::Object;
use portreeve_mib::modules::snmpv2_mib::{SYS_DESCR, SYS_NAME, SYS_UP_TIME};
use portreeve_smi::Value;
use portreeve_snmp_manager::{
    Client, ClientError, Credentials, Diagnosis, Operation, RejectReason, Request, RequestError, Response,
    SecurityLevel, WireMessage,
};

use crate::{
    finding::Finding,
    record::{Stage, StepRecord},
    timeline::{StepTimer, Timeline},
};

/// The identity under which the requests are sent.
#[derive(Clone, Debug)]
pub(crate) enum RequestIdentity {
    /// The requests carry a community.
    Community,
    /// The requests are sent for a USM user.
    User { name: String, level: SecurityLevel, assumed_protocols: AssumedProtocols },
    /// The requests are sent in a session that has authenticated the client.
    Session,
}

impl RequestIdentity {
    pub(crate) fn new(credentials: &Credentials, assumed_protocols: AssumedProtocols) -> Self {
        match credentials {
            Credentials::V1(_) | Credentials::V2c(_) => Self::Community,
            Credentials::V3(user) => Self::User {
                name: user.name().escape_ascii().to_string(),
                level: user.level(),
                assumed_protocols,
            },
            Credentials::Transport => Self::Session,
        }
    }

    fn description(&self) -> String {
        match self {
            Self::Community => "with a community".to_owned(),
            Self::User { name, level, .. } => format!("user {name} at {level}"),
            Self::Session => "the session's identity".to_owned(),
        }
    }

    /// Returns the finding of a diagnosis. If an assumed protocol is the likely cause, the hint
    /// says so.
    fn finding(&self, stage: Stage, diagnosis: &Diagnosis) -> Finding {
        let finding = Finding::diagnosed(stage, diagnosis);
        match self {
            Self::User { assumed_protocols, .. } => {
                let hint = assumed_protocols.hint(&diagnosis.cause).or(finding.hint);
                Finding { hint, ..finding }
            }
            Self::Community | Self::Session => finding,
        }
    }
}

/// Reads sysUpTime, which every agent has, and then sysName and sysDescr.
pub(crate) fn read_system_group(
    mut client: Client,
    identity: RequestIdentity,
    timeline: &Timeline,
) -> Result<(), Finding> {
    timeline.finish();
    let first_received = Rc::new(Cell::new(None));
    let receive_time = Rc::clone(&first_received);
    client.observe(move |message| {
        if matches!(message, WireMessage::Received(_)) && receive_time.get().is_none() {
            receive_time.set(Some(Instant::now()));
        }
    });
    let mut timer = StepTimer::start();
    let name = instance(&SYS_UP_TIME);
    let result = client.request(&Request::read(Operation::Get, [&name]));
    let has_engine = !matches!(identity, RequestIdentity::Community);
    if has_engine {
        record_engine_step(&client, first_received.get(), &mut timer, timeline);
    }
    let response = match result {
        Ok(response) => response,
        Err(error) => {
            let stage = failed_stage(&error, &client, has_engine);
            timeline.add(StepRecord {
                stage,
                succeeded: false,
                duration: timer.lap(Instant::now()),
                facts: vec![Fact::new("as", identity.description())],
            });
            return Err(request_finding(&error, &mut client, stage, &identity));
        }
    };
    if has_engine {
        let mut facts = vec![Fact::new("as", identity.description())];
        if let Some(clock) = client.engine_clock() {
            facts.push(Fact::new("boots", clock.boots.get().to_string()));
            facts.push(Fact::new("time", format!("{} s", clock.time)));
        }
        timeline.add(StepRecord {
            stage: Stage::User,
            succeeded: true,
            duration: timer.lap(Instant::now()),
            facts,
        });
    }
    timeline.enter(Stage::Read);
    if !has_engine {
        add_fact(timeline, "as", identity.description());
    }
    check_visible(&response, &name, &mut client)?;
    add_system_facts(&response, timeline);
    let more = Request::read(Operation::Get, [instance(&SYS_NAME), instance(&SYS_DESCR)]);
    if let Ok(response) = client.request(&more) {
        add_system_facts(&response, timeline);
    }
    Ok(())
}

/// Adds the step of discovering the engine, if the client knows the engine ID.
fn record_engine_step(
    client: &Client,
    first_received: Option<Instant>,
    timer: &mut StepTimer,
    timeline: &Timeline,
) {
    let Some(id) = client.engine_id() else { return };
    let duration = timer.lap(first_received.unwrap_or_else(Instant::now));
    let facts = vec![Fact::new("engine-id", id.to_string())];
    timeline.add(StepRecord { stage: Stage::Engine, succeeded: true, duration, facts });
}

/// Returns the stage in which a request failed.
fn failed_stage(error: &ClientError, client: &Client, has_engine: bool) -> Stage {
    match error {
        _ if !has_engine => Stage::Read,
        _ if client.engine_id().is_none() => Stage::Engine,
        ClientError::Request(RequestError::Rejected(
            RejectReason::UnknownContext
            | RejectReason::UnavailableContext
            | RejectReason::UnknownPduHandler
            | RejectReason::InvalidMessage
            | RejectReason::Other,
        )) => Stage::Read,
        _ => Stage::User,
    }
}

fn request_finding(
    error: &ClientError,
    client: &mut Client,
    stage: Stage,
    identity: &RequestIdentity,
) -> Finding {
    if let ClientError::Io(io) = error
        && let Some(lost) = io.get_ref().and_then(|inner| inner.downcast_ref::<ChannelError>())
    {
        let mut finding = Finding::from(lost.clone());
        if lost.step == ChannelStep::Data {
            finding.hint = finding.hint.or_else(|| Some(CLOSED_HINT.to_owned()));
        }
        return finding;
    }
    match client.explain(error) {
        Some(diagnosis) => identity.finding(stage, &diagnosis),
        // Malformed data may come from a service other than an agent.
        None if matches!(error, ClientError::Io(_)) => {
            Finding { is_peer_unclear: true, ..Finding::new(stage, error.to_string(), NOT_SNMP_HINT) }
        }
        None => Finding::new(stage, error.to_string(), "check the agent's log"),
    }
}

/// Checks that the response contains sysUpTime, which every agent has.
fn check_visible(response: &Response, name: &[u32], client: &mut Client) -> Result<(), Finding> {
    if response.is_error() {
        let status = response.error_status();
        let diagnosis = status.and_then(|status| client.explain_status(status, name));
        return Err(match diagnosis {
            Some(diagnosis) => Finding::diagnosed(Stage::Read, &diagnosis),
            None => {
                let status = status
                    .map_or_else(|| response.error_status_number().to_string(), |status| status.to_string());
                Finding::new(Stage::Read, format!("the agent returned {status}"), "check the agent's log")
            }
        });
    }
    if response.var_binds().iter().all(|bind| bind.value.is_exception()) {
        return Err(Finding::diagnosed(Stage::Read, &client.explain_absence(name)));
    }
    Ok(())
}

fn add_system_facts(response: &Response, timeline: &Timeline) {
    if response.is_error() {
        return;
    }
    for bind in response.var_binds().iter() {
        let name = bind.name.to_buf();
        let object =
            [&SYS_UP_TIME, &SYS_NAME, &SYS_DESCR].into_iter().find(|object| name.starts_with(object.arcs()));
        let Some(object) = object else { continue };
        let text = match bind.value {
            Value::TimeTicks(ticks) => up_time(ticks),
            Value::OctetString(octets) => {
                truncated(&String::from_utf8_lossy(octets).escape_debug().to_string())
            }
            value if value.is_exception() => "not in view".to_owned(),
            _ => "value of the wrong type".to_owned(),
        };
        add_fact(timeline, object.name, text);
    }
}

fn add_fact(timeline: &Timeline, name: &'static str, value: String) {
    portreeve_channel::ChannelObserver::on_fact(timeline, Fact { name, value });
}

fn instance(object: &Object) -> Vec<u32> {
    [object.arcs(), &[0]].concat()
}

fn up_time(ticks: u32) -> String {
    let seconds = ticks / 100;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match days {
        0 => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
        _ => format!("{days} days, {hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

fn truncated(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_LEN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Maximum number of characters of a description, so that it fits on a line.
const MAX_TEXT_LEN: usize = 60;
const NOT_SNMP_HINT: &str =
    "check which service listens on that port; an agent's log shows whether it received the request";
const CLOSED_HINT: &str = "check the agent's log: the agent may have no securityName for this identity, or its session limit may be reached";
