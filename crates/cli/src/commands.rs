//! The verbs: one file each.

mod agent;
mod bulk_get;
mod delta;
mod df;
mod explain;
mod get;
mod netstat;
mod rejection;
mod row_change;
mod saved_keys;
mod set;
mod status;
mod subtree;
mod table;
mod test;
mod translate;
mod usm;
mod vacm;
mod walk;

use std::{ffi::OsString, io, time::Instant};

use portreeve_mib::names::{NameError, Names};
use portreeve_smi::OidBuf;

use crate::{
    command_error::CommandError, definitions::load_names, flags::Settings, output::Output, verb::Verb,
};
use agent::Agent;
pub(crate) use agent::SessionPlan;

/// Carries a verb out and returns the exit code: 0, or 2 when the agent rejected a request.
pub(crate) fn run(
    verb: Verb,
    program: &str,
    mut settings: Settings,
    operands: Vec<OsString>,
) -> Result<u8, CommandError> {
    let mut operands: Vec<String> =
        operands.into_iter().map(|operand| operand.to_string_lossy().into_owned()).collect();
    settings.format.definitions = load_names(&settings);
    settings.format.raw_octets = settings.like_net_snmp;
    settings.input_names.complete(verb, settings.format.definitions, &mut operands);
    if verb == Verb::Translate {
        return translate::run(&settings, &operands, program == verb.classic_name());
    }
    let started = Instant::now();
    let (stats, mut output) = (settings.stats, Output::new(settings.format, settings.data_format));
    output.skips_end = matches!(verb, Verb::Walk | Verb::BulkWalk);
    let mut agent = Agent::from_command_line(verb, program, settings, &operands)?;
    let names = operands.get(1..).unwrap_or_default();
    let result = match verb {
        Verb::Get | Verb::GetNext => get::run(&mut agent, &mut output, names),
        Verb::BulkGet => bulk_get::run(&mut agent, &mut output, names),
        Verb::Walk | Verb::BulkWalk => walk::run(&mut agent, &mut output, names),
        Verb::Set => set::run(&mut agent, &mut output, names),
        Verb::Table => table::run(&mut agent, &mut output, names),
        Verb::Status => status::run(&mut agent, &mut output),
        Verb::Test => test::run(&mut agent, &mut output),
        Verb::Delta => delta::run(&mut agent, &mut output, names),
        Verb::Df => df::run(&mut agent, &mut output, names),
        Verb::Netstat => netstat::run(&mut agent, &mut output, names),
        Verb::Usm => usm::run(&mut agent, &mut output, names),
        Verb::Vacm => vacm::run(&mut agent, &output, names),
        // Neither gets here.
        Verb::Doctor | Verb::Translate => Ok(0),
    };
    output.finish();
    let flushed = output.flush().map_err(|error| write_error(&error));
    agent.finish();
    if stats {
        agent.print_statistics(started.elapsed());
    }
    flushed.and(result)
}

/// Reads a name; what is wrong with it is told after the name as it was typed.
fn parse_name(names: &Names, text: &str) -> Result<OidBuf, CommandError> {
    names.parse(text).map_err(|error| CommandError::Message(name_error_message(names, text, &error)))
}

/// Says why a text names nothing, in Net-SNMP's words, and what may have been meant.
fn name_error_message(known: &Names, text: &str, error: &NameError) -> String {
    match error {
        NameError::UnknownModule(module) => {
            let cure = format!("-M +DIR reads modules of DIR too, -m +{module} reads that one");
            format!("{error}: At line 1 in (none)\n{text}: Unknown Object Identifier\nhint: {cure}")
        }
        NameError::Unknown(_) => match known.similar(text) {
            Some(near) => format!("{text}: {error}\nhint: did you mean {near}?"),
            None => format!("{text}: {error}"),
        },
        _ => format!("{text}: {error}"),
    }
}

/// Reads all names and tells of every one that is none.
fn parse_names(known: &Names, texts: &[String]) -> Result<Vec<OidBuf>, CommandError> {
    let (mut names, mut wrong) = (Vec::with_capacity(texts.len()), Vec::new());
    for text in texts {
        match known.parse(text) {
            Ok(name) => names.push(name),
            Err(error) => wrong.push(name_error_message(known, text, &error)),
        }
    }
    if wrong.is_empty() { Ok(names) } else { Err(CommandError::Message(wrong.join("\n"))) }
}

fn write_error(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return CommandError::OutputClosed;
    }
    CommandError::Message(format!("cannot write to standard output: {error}"))
}
