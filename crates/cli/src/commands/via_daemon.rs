//! `trap --via-daemon` and `inform --via-daemon`: submit a notification to the agent of this
//! machine, which sends it to its targets.

use std::{
    io::{self, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use portreeve_control_protocol::{
    self as control, DEFAULT_SOCKET, NotificationOutcome, RequestError, Response, SubmittedNotification,
};
use portreeve_json::Json;
use portreeve_snmp_manager::{Operation, Request};

use super::{
    notification::{NOTIFICATION_OPERANDS, assign, missing, parse_ticks, push_trap_oid},
    parse_name,
    set::ValueRules,
    write_error,
};
use crate::{
    command_error::CommandError, flags::Settings, output::Output, output::record::DataFormat, verb::Verb,
};

/// Returns 0 when the agent has accepted the notification, and for an inform when it is on the
/// agent's disk.
pub(super) fn run(
    verb: Verb,
    program: &str,
    settings: &Settings,
    output: &mut Output,
    words: &[String],
) -> Result<u8, CommandError> {
    let notification = notification(settings, output, words)?;
    let socket = settings.daemon.socket.as_deref().unwrap_or(Path::new(DEFAULT_SOCKET));
    let outcome = match submit(socket, notification, settings.deadline.unwrap_or(DEFAULT_WAIT))? {
        Ok(outcome) => outcome,
        Err(reason) => return Err(reject(program, settings, &reason)),
    };
    if settings.data_format == DataFormat::Json {
        writeln!(io::stdout(), "{}", json(outcome)).map_err(|error| write_error(&error))?;
    }
    let is_inform = verb == Verb::Inform || settings.application.inform;
    if let Err(reason) = check(outcome, is_inform) {
        return Err(reject(program, settings, &reason));
    }
    if outcome.discarded > 0 {
        let (discarded, targets) = (outcome.discarded, outcome.targets());
        settings.log.warning(&format!(
            "{program}: discarded for {discarded} of {targets} targets, because the queue is full"
        ));
    }
    Ok(0)
}

/// Prints the reason why the agent does not send or store the notification.
fn reject(program: &str, settings: &Settings, reason: &str) -> CommandError {
    settings.log.error(&format!("{program}: {reason}"));
    CommandError::Reported(CommandError::REJECTED)
}

/// Returns the notification of the operands. An empty uptime is that of the agent.
fn notification(
    settings: &Settings,
    output: &mut Output,
    words: &[String],
) -> Result<SubmittedNotification, CommandError> {
    let [up_time, trap_oid, assignments @ ..] = words else {
        return Err(missing(&NOTIFICATION_OPERANDS, words));
    };
    let up_time = if up_time.is_empty() { None } else { Some(parse_ticks(up_time)?) };
    let trap_oid = parse_name(output, trap_oid)?;
    let mut request = Request::new(Operation::Inform);
    push_trap_oid(&mut request, &trap_oid);
    assign(ValueRules::of(settings), output, &mut request, assignments)?;
    let variables = request.variables().encoded().to_vec();
    let (length, max) = (variables.len(), SubmittedNotification::MAX_VARIABLES_LEN);
    if length > max {
        let message = format!("the variables are too long: {length} octets, but at most {max} are accepted");
        return Err(CommandError::Message(message));
    }
    Ok(SubmittedNotification { context_name: settings.context_name.clone(), up_time, variables })
}

/// Submits a notification, and repeats that while the agent is busy. Returns the agent's reason if
/// it rejects the notification.
///
/// # Errors
/// If there is no response in time.
fn submit(
    socket: &Path,
    notification: SubmittedNotification,
    max_wait: Duration,
) -> Result<Result<NotificationOutcome, String>, CommandError> {
    let request = control::Request::Notify(notification);
    let deadline = Instant::now() + max_wait;
    loop {
        let left = deadline.saturating_duration_since(Instant::now()).max(MIN_WAIT);
        let response = control::send(socket, &request, left);
        match response.map_err(|error| request_error(socket, &error))? {
            Response::Submitted(outcome) => return Ok(Ok(outcome)),
            Response::Refused { reason } | Response::Interrupted { reason } => return Ok(Err(reason)),
            Response::Busy if Instant::now() + BUSY_INTERVAL < deadline => thread::sleep(BUSY_INTERVAL),
            Response::Busy => return Err(CommandError::Session(BUSY.to_owned())),
            _ => return Err(CommandError::Session(NOT_SUPPORTED.to_owned())),
        }
    }
}

fn request_error(socket: &Path, error: &RequestError) -> CommandError {
    let socket = socket.display();
    CommandError::Session(match error {
        RequestError::NotListening(cause) => format!(
            "no agent listens on {socket}: {cause}\n\
             hint: start portreeved, or specify the control socket in its state directory with --control"
        ),
        other => format!("{socket}: {other}"),
    })
}

/// Returns the reason if no target gets the notification, or if it is not on disk for any target of
/// an inform.
fn check(outcome: NotificationOutcome, is_inform: bool) -> Result<(), String> {
    let NotificationOutcome { traps, informs, withheld, discarded } = outcome;
    if informs > 0 || traps > 0 && !is_inform {
        return Ok(());
    }
    if outcome.targets() == 0 {
        return Err(NO_TARGETS.to_owned());
    }
    let done = if is_inform { "stored" } else { "sent" };
    let counts = [
        (withheld, "withheld"),
        (discarded, "discarded because the queue is full"),
        (traps, "sent as a trap"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts.map(|(count, outcome)| format!("{count} {outcome}")).collect();
    let mut reason = format!("the notification is not {done} for any target: {}", counts.join(", "));
    if traps > 0 {
        reason += "\nhint: informs are sent to targets with `kind = \"inform\"` in portreeved.toml";
    }
    if withheld > 0 {
        reason += "\nhint: `portreeved status` shows why it is withheld from each target";
    }
    Err(reason)
}

fn json(outcome: NotificationOutcome) -> Json {
    let NotificationOutcome { traps, informs, withheld, discarded } = outcome;
    let counts = [("traps", traps), ("informs", informs), ("withheld", withheld), ("discarded", discarded)];
    Json::object(counts.map(|(name, count)| (name, Json::Number(count.into()))))
}

/// The timeout of the agent's response without `--deadline`. The agent waits for its disk.
const DEFAULT_WAIT: Duration = Duration::from_secs(10);
/// The minimum timeout of one attempt.
const MIN_WAIT: Duration = Duration::from_millis(1);
/// The time between attempts while the agent is busy.
const BUSY_INTERVAL: Duration = Duration::from_millis(50);
const BUSY: &str = "the agent is busy: too many notifications wait for its disk";
const NOT_SUPPORTED: &str = "the agent does not accept notifications\n\
    hint: restart the agent, which may be of an earlier version than this command";
const NO_TARGETS: &str = "the agent has no targets for notifications\n\
    hint: add a [[notify]] section to portreeved.toml";

#[cfg(test)]
mod tests;
