//! SNMP, once there is a way: which engine answers, whether it knows who asks, and what it lets be seen.

use std::{cell::Cell, rc::Rc, time::Instant};

use portreeve_channel::{ChannelError, Fact, Step};
use portreeve_mib::Object;
use portreeve_mib::modules::snmpv2_mib::{SYS_DESCR, SYS_NAME, SYS_UP_TIME};
use portreeve_smi::Value;
use portreeve_snmp_manager::{
    Client, ClientError, Credentials, Operation, Refusal, Request, RequestError, Response, SecurityLevel,
    Traffic,
};

use crate::{
    chart::{Chart, Lap},
    finding::Finding,
    record::{Record, Stage},
};

/// As whom is asked.
#[derive(Clone, Debug)]
pub(crate) enum Asks {
    /// With a community.
    Community,
    /// As a user of USM.
    User { name: String, level: SecurityLevel },
    /// As whom the session has proven us to be.
    Session,
}

impl Asks {
    pub(crate) fn of(credentials: &Credentials) -> Self {
        match credentials {
            Credentials::V1(_) | Credentials::V2c(_) => Self::Community,
            Credentials::V3(user) => {
                Self::User { name: user.name().escape_ascii().to_string(), level: user.level() }
            }
            Credentials::Transport => Self::Session,
        }
    }

    fn described(&self) -> String {
        match self {
            Self::Community => "with a community".to_owned(),
            Self::User { name, level } => format!("user {name} at {level}"),
            Self::Session => "the session's identity".to_owned(),
        }
    }
}

/// Asks for the time that the agent has been up, which every agent has, and then for what it is.
pub(crate) fn ask(mut client: Client, asks: Asks, chart: &Chart) -> Result<(), Finding> {
    chart.arrive();
    let heard = Rc::new(Cell::new(None));
    let first = Rc::clone(&heard);
    client.watch(move |traffic| {
        if matches!(traffic, Traffic::Received(_)) && first.get().is_none() {
            first.set(Some(Instant::now()));
        }
    });
    let mut lap = Lap::start();
    let name = instance(&SYS_UP_TIME);
    let result = client.request(&Request::read(Operation::Get, [&name]));
    let has_engine = !matches!(asks, Asks::Community);
    if has_engine {
        engine(&client, heard.get(), &mut lap, chart);
    }
    let response = match result {
        Ok(response) => response,
        Err(error) => {
            let stage = failed_stage(&error, &client, has_engine);
            let took = lap.until(Instant::now());
            chart.add(Record {
                stage,
                went_well: false,
                took,
                facts: vec![Fact::new("as", asks.described())],
            });
            return Err(unanswered(&error, &mut client, stage));
        }
    };
    if has_engine {
        let mut facts = vec![Fact::new("as", asks.described())];
        if let Some(clock) = client.engine_clock() {
            facts.push(Fact::new("boots", clock.boots.get().to_string()));
            facts.push(Fact::new("time", format!("{} s", clock.time)));
        }
        chart.add(Record { stage: Stage::User, went_well: true, took: lap.until(Instant::now()), facts });
    }
    chart.enter(Stage::Answer);
    if !has_engine {
        tell(chart, "as", asks.described());
    }
    visible(&response, &name, &mut client)?;
    show(&response, chart);
    let more = Request::read(Operation::Get, [instance(&SYS_NAME), instance(&SYS_DESCR)]);
    if let Ok(response) = client.request(&more) {
        show(&response, chart);
    }
    Ok(())
}

/// The step that is passed when the engine's identifier is known.
fn engine(client: &Client, heard: Option<Instant>, lap: &mut Lap, chart: &Chart) {
    let Some(id) = client.engine_id() else { return };
    let took = lap.until(heard.unwrap_or_else(Instant::now));
    let facts = vec![Fact::new("engine-id", id.to_string())];
    chart.add(Record { stage: Stage::Engine, went_well: true, took, facts });
}

/// Which step it is that a request without a Response has failed at.
fn failed_stage(error: &ClientError, client: &Client, has_engine: bool) -> Stage {
    match error {
        _ if !has_engine => Stage::Answer,
        _ if client.engine_id().is_none() => Stage::Engine,
        ClientError::Request(RequestError::Refused(
            Refusal::UnknownContext
            | Refusal::UnavailableContext
            | Refusal::UnknownPduHandler
            | Refusal::InvalidMessage
            | Refusal::Other,
        )) => Stage::Answer,
        _ => Stage::User,
    }
}

fn unanswered(error: &ClientError, client: &mut Client, stage: Stage) -> Finding {
    if let ClientError::Io(io) = error
        && let Some(lost) = io.get_ref().and_then(|inner| inner.downcast_ref::<ChannelError>())
    {
        let mut finding = Finding::from(lost.clone());
        if lost.step == Step::Data {
            finding.cure = finding.cure.or_else(|| Some(CLOSED.to_owned()));
        }
        return finding;
    }
    match client.explain(error) {
        Some(diagnosis) => Finding::diagnosed(stage, &diagnosis),
        // Who sends something else may be somebody else.
        None if matches!(error, ClientError::Io(_)) => {
            Finding { is_unclear: true, ..Finding::new(stage, error.to_string(), NO_SNMP) }
        }
        None => Finding::new(stage, error.to_string(), "look at the agent's log"),
    }
}

/// Whether the agent lets be seen what every agent has.
fn visible(response: &Response, name: &[u32], client: &mut Client) -> Result<(), Finding> {
    if response.is_error() {
        let status = response.error_status();
        let diagnosis = status.and_then(|status| client.explain_status(status, name));
        return Err(match diagnosis {
            Some(diagnosis) => Finding::diagnosed(Stage::Answer, &diagnosis),
            None => {
                let word = status
                    .map_or_else(|| response.error_status_number().to_string(), |status| status.to_string());
                Finding::new(Stage::Answer, format!("the agent answers {word}"), "look at the agent's log")
            }
        });
    }
    if response.var_binds().iter().all(|bind| bind.value.is_exception()) {
        return Err(Finding::diagnosed(Stage::Answer, &client.explain_absence(name)));
    }
    Ok(())
}

fn show(response: &Response, chart: &Chart) {
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
                shortened(&String::from_utf8_lossy(octets).escape_debug().to_string())
            }
            value if value.is_exception() => "not in view".to_owned(),
            _ => "of another type than it should have".to_owned(),
        };
        tell(chart, object.name, text);
    }
}

fn tell(chart: &Chart, name: &'static str, value: String) {
    portreeve_channel::Observer::finds(chart, Fact { name, value });
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

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Characters of a description that fit a line.
const LONGEST_TEXT: usize = 60;
const NO_SNMP: &str = "see what listens at that port; an agent's log says whether it has heard us";
const CLOSED: &str = "look at the agent's log: it may know no name for this identity, or limit its sessions";
