//! `trap` and `inform`: send a notification.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, ToSocketAddrs},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{SNMP_TRAP_OID, SYS_UP_TIME},
    typed_value::{self, TypedValueError},
};
use portreeve_smi::{ClockReading, EngineId, OidBuf, OidRef, Value};
use portreeve_snmp_manager::{Operation, Request, SenderEngine, TrapV1};

use super::{
    Agent, parse_name, rejection,
    set::{self, ValueRules},
};
use crate::{command_error::CommandError, environment::Variable, flags::Version, output::Output, verb::Verb};

pub(super) fn run(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<u8, CommandError> {
    let is_inform = agent.verb == Verb::Inform || agent.application.inform;
    match (agent.version(), is_inform) {
        (Version::V1, true) => Err(CommandError::Message("Cannot send INFORM as SNMPv1 PDU".to_owned())),
        (Version::V1, false) => send_trap_v1(agent, output, words).map(|()| 0),
        (_, true) => send_inform(agent, output, words),
        (_, false) => send_trap(agent, output, words).map(|()| 0),
    }
}

fn send_inform(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<u8, CommandError> {
    let request = notification(agent, output, words)?;
    // The objects are those of the sender. Without its engine ID, the receiver would be queried for
    // its own, but receivers need not answer requests.
    if agent.lacks_context_engine_id()
        && let Some(path) = engine_file()
        && let Ok(engine_id) = SenderEngine::read_engine_id(&path, wall_time)
    {
        agent.set_context_engine_id(engine_id);
    }
    let error = match agent.request(&request) {
        Ok(response) if response.is_error() => {
            rejection::report(&response, output, "Error in packet.");
            return Ok(rejection::EXIT_CODE);
        }
        Ok(_) => return Ok(0),
        Err(error) => error,
    };
    let is_classic = [Verb::Trap, Verb::Inform].iter().any(|verb| verb.classic_name() == agent.program);
    match error {
        // Net-SNMP's wording; `snmptrap -Ci` prints the other name, too.
        CommandError::Message(message) if is_classic && message.starts_with("Timeout: ") => {
            agent.debug.log.error(&format!("{}: Timeout", Verb::Inform.classic_name()));
            Err(CommandError::Reported(CommandError::EXIT_CODE))
        }
        other => Err(other),
    }
}

fn send_trap(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<(), CommandError> {
    let request = notification(agent, output, words)?;
    let (engine_id, clock) = match agent.version() {
        Version::V3 => sender_engine(agent)?,
        _ => (EngineId::LOCAL, ClockReading::default()),
    };
    let mut sender = agent.open_trap_sender(engine_id)?;
    sender.send(clock, request.variables()).map_err(|error| CommandError::Session(error.to_string()))
}

fn send_trap_v1(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<(), CommandError> {
    let operands = [
        "No enterprise oid",
        "Missing agent parameter",
        "Missing generic-trap parameter",
        "Missing specific-trap parameter",
        "Missing uptime parameter",
    ];
    let [enterprise, address, generic, specific, up_time, assignments @ ..] = words else {
        return Err(missing(&operands, words));
    };
    let enterprise = match enterprise.as_str() {
        "" => OidBuf::from_arcs(DEFAULT_ENTERPRISE).unwrap_or_default(),
        name => parse_name(output, name)?,
    };
    let address = match address.as_str() {
        "" => None,
        name => Some(resolve(name)?),
    };
    let (generic, specific) = (trap_number(generic)?, trap_number(specific)?);
    let time_stamp = up_time_ticks(up_time)?;
    let mut request = Request::new(Operation::Inform);
    assign(agent.value_rules, output, &mut request, assignments)?;
    let mut sender = agent.open_trap_sender(EngineId::LOCAL)?;
    let own_address = match sender.addresses() {
        Some((SocketAddr::V4(own), _)) => *own.ip(),
        _ => Ipv4Addr::UNSPECIFIED,
    };
    let trap = TrapV1 {
        enterprise: OidRef::Arcs(&enterprise),
        agent_address: address.unwrap_or(own_address).octets(),
        generic,
        specific,
        time_stamp,
        var_binds: request.variables(),
    };
    sender.send_v1(&trap).map_err(|error| CommandError::Session(error.to_string()))
}

/// Returns the variables of a notification of SNMPv2c or SNMPv3.
fn notification(agent: &Agent, output: &mut Output, words: &[String]) -> Result<Request, CommandError> {
    let [up_time, trap_oid, assignments @ ..] = words else {
        return Err(missing(&NOTIFICATION_OPERANDS, words));
    };
    let up_time = up_time_ticks(up_time)?;
    let trap_oid = parse_name(output, trap_oid)?;
    let mut request = Request::new(Operation::Inform);
    request.push(&instance(&SYS_UP_TIME), Value::TimeTicks(up_time));
    push_trap_oid(&mut request, &trap_oid);
    assign(agent.value_rules, output, &mut request, assignments)?;
    Ok(request)
}

pub(super) fn push_trap_oid(request: &mut Request, trap_oid: &[u32]) {
    request.push(&instance(&SNMP_TRAP_OID), Value::ObjectId(OidRef::Arcs(trap_oid)));
}

/// Returns the usage error for the first operand that is missing.
pub(super) fn missing(messages: &[&str], words: &[String]) -> CommandError {
    CommandError::Usage(messages.get(words.len()).copied().unwrap_or_default().to_owned())
}

fn instance(scalar: &Object) -> Vec<u32> {
    [scalar.arcs(), &[0]].concat()
}

/// Appends the variables of the operands `OID TYPE VALUE`.
pub(super) fn assign(
    rules: ValueRules,
    output: &mut Output,
    request: &mut Request,
    words: &[String],
) -> Result<(), CommandError> {
    for assignment in words.chunks(3) {
        let [name, kind, value] = assignment else {
            let name = assignment.first().map_or("", String::as_str);
            return Err(CommandError::Message(format!("{name}: Missing type/value for variable")));
        };
        let kind = kind.chars().next().unwrap_or_default();
        if let Err(TypedValueError::UnknownLetter(letter)) = typed_value::parse_unchecked(None, kind, "") {
            return Err(CommandError::Message(format!("{name}: Bad variable type (\"{letter}\")")));
        }
        let (oid, value) = set::read(output, rules, name, kind, value).map_err(CommandError::Message)?;
        request.push(&oid, value.as_value());
    }
    Ok(())
}

/// Parses an uptime. An empty one is that of this machine.
fn up_time_ticks(text: &str) -> Result<u32, CommandError> {
    if text.is_empty() {
        // Without /proc, the uptime is unknown.
        return Ok(fs::read_to_string("/proc/uptime").map_or(0, |text| parse_proc_uptime(&text)));
    }
    parse_ticks(text)
}

/// Parses hundredths of a second.
pub(super) fn parse_ticks(text: &str) -> Result<u32, CommandError> {
    text.parse().map_err(|_| {
        let expected = "expected hundredths of a second, such as 4200, or '' for the uptime of this machine";
        CommandError::Message(format!("{text}: invalid uptime: {expected}"))
    })
}

/// Returns the first number of /proc/uptime in hundredths of a second, modulo 2³² as TimeTicks are.
fn parse_proc_uptime(text: &str) -> u32 {
    let seconds = text.split(' ').next().unwrap_or_default();
    let (whole, hundredths) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let number = |text: &str| text.parse::<u64>().unwrap_or_default();
    u32::try_from((number(whole) * 100 + number(hundredths)) % (1 << 32)).unwrap_or_default()
}

fn trap_number(text: &str) -> Result<i32, CommandError> {
    let message = || format!("{text}: invalid trap number: expected an integer, such as 6");
    text.parse().map_err(|_| CommandError::Message(message()))
}

/// Returns the IPv4 address of a host.
fn resolve(name: &str) -> Result<Ipv4Addr, CommandError> {
    let addresses = (name, 0).to_socket_addrs().into_iter().flatten();
    let mut v4 = addresses.filter_map(|address| match address {
        SocketAddr::V4(address) => Some(*address.ip()),
        SocketAddr::V6(_) => None,
    });
    v4.next().ok_or_else(|| CommandError::Message(format!("unknown host: {name}")))
}

/// Returns the engine that sends a trap, and its clock: from `-e` and `-Z`, and otherwise from this
/// user's file, which is created if it does not exist.
fn sender_engine(agent: &Agent) -> Result<(EngineId, ClockReading), CommandError> {
    let options = agent.options();
    let given_id = options.and_then(|options| options.security_engine_id);
    let given_clock = options.and_then(|options| options.agent_clock);
    if let (Some(engine_id), Some(clock)) = (given_id, given_clock) {
        return Ok((engine_id, clock));
    }
    let path = engine_file().ok_or_else(|| {
        let message =
            "no directory for the engine ID of your traps: set HOME or XDG_STATE_HOME, or use -e and -Z";
        CommandError::Session(message.to_owned())
    })?;
    let engine = SenderEngine::read(&path, wall_time)
        .map_err(|error| CommandError::Session(format!("cannot use the engine ID of your traps: {error}")))?;
    Ok((given_id.unwrap_or(engine.engine_id), given_clock.unwrap_or(engine.clock)))
}

/// Returns the seconds since 1970.
fn wall_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Returns the path of the file according to the XDG base directory specification.
fn engine_file() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".local/state"));
    let state_home = Variable::StateHome.value().map(PathBuf::from).filter(|dir| dir.is_absolute());
    Some(state_home.or_else(from_home)?.join("portreeve").join("trap-sender"))
}

/// The messages for operands of SNMPv2c and SNMPv3 that are missing.
pub(super) const NOTIFICATION_OPERANDS: [&str; 2] =
    ["Missing up-time parameter", "Missing trap-oid parameter"];
/// The enterprise of SNMPv1 traps for which the user names none, as in Net-SNMP.
const DEFAULT_ENTERPRISE: &[u32] = &[1, 3, 6, 1, 4, 1, 3, 1, 1];
