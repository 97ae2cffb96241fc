//! The verbs, one module for each.

mod agent;
mod bulk_get;
mod delta;
mod df;
mod explain;
mod get;
mod netstat;
mod notification;
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
mod via_daemon;
mod walk;

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    time::Instant,
};

use portreeve_mib::{
    format::OctetForm,
    names::{NameError, Names},
};
use portreeve_smi::OidBuf;

use crate::{
    command_error::CommandError, definitions::ModuleLoader, flags::Settings, output::Output, verb::Verb,
};
use agent::Agent;
pub(crate) use agent::SessionPlan;

/// Runs a verb and returns the exit code: 0, or 2 if the agent rejected a request.
pub(crate) fn run(
    verb: Verb,
    program: &str,
    mut settings: Settings,
    operands: Vec<OsString>,
) -> Result<u8, CommandError> {
    let mut operands: Vec<String> =
        operands.into_iter().map(|operand| operand.to_string_lossy().into_owned()).collect();
    let mut modules;
    (modules, settings.format.definitions) = ModuleLoader::load_selected(&settings);
    settings.format.octets = octet_form(&settings, program == verb.classic_name());
    if settings.input_names.matches_patterns() {
        settings.format.definitions = modules.load_defaults().unwrap_or(settings.format.definitions);
    }
    settings.input_names.complete(verb, settings.format.definitions, &mut operands);
    let mut output = Output::new(settings.format, settings.data_format, modules);
    if verb == Verb::Translate {
        return translate::run(&settings, &mut output, &operands, program == verb.classic_name());
    }
    if settings.daemon.is_used {
        return via_daemon::run(verb, program, &settings, &mut output, &operands);
    }
    let (started, stats) = (Instant::now(), settings.stats);
    output.skips_end = matches!(verb, Verb::Walk | Verb::BulkWalk);
    let mut agent = Agent::from_command_line(verb, program, settings, &operands)?;
    let names = operands.get(1..).unwrap_or_default();
    let result = match verb {
        Verb::Get | Verb::GetNext => get::run(&mut agent, &mut output, names),
        Verb::BulkGet => bulk_get::run(&mut agent, &mut output, names),
        Verb::Walk | Verb::BulkWalk => walk::run(&mut agent, &mut output, names),
        Verb::Set => set::run(&mut agent, &mut output, names),
        Verb::Trap | Verb::Inform => notification::run(&mut agent, &mut output, names),
        Verb::Table => table::run(&mut agent, &mut output, names),
        Verb::Status => status::run(&mut agent, &mut output),
        Verb::Test => test::run(&mut agent, &mut output),
        Verb::Delta => delta::run(&mut agent, &mut output, names),
        Verb::Df => df::run(&mut agent, &mut output, names),
        Verb::Netstat => netstat::run(&mut agent, &mut output, names),
        Verb::Usm => usm::run(&mut agent, &mut output, names),
        Verb::Vacm => vacm::run(&mut agent, &mut output, names),
        // `doctor` is a separate program, and `translate` has returned above.
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

/// Returns the treatment of control characters. A device must not control the user's terminal, not
/// even through a pipe to `grep`. For scripts, the programs with Net-SNMP's names preserve text in
/// all character sets.
fn octet_form(settings: &Settings, is_classic: bool) -> OctetForm {
    if settings.raw_octets || settings.like_net_snmp {
        OctetForm::Raw
    } else if is_classic && !io::stdout().is_terminal() {
        OctetForm::NoControls
    } else {
        OctetForm::Printable
    }
}

/// Parses a name. The error message starts with the name as typed.
fn parse_name(output: &mut Output, text: &str) -> Result<OidBuf, CommandError> {
    let result = output.parse_name(text);
    result.map_err(|error| CommandError::Message(name_error_message(output.definitions(), text, &error)))
}

/// Explains why a name is unknown, in the wording of Net-SNMP, and suggests a similar one.
fn name_error_message(known: &Names, text: &str, error: &NameError) -> String {
    match error {
        NameError::UnknownModule(module) => {
            let hint = format!("no file of the MIB directories defines {module}; -M +DIR adds a directory");
            format!("{error}: At line 1 in (none)\n{text}: Unknown Object Identifier\nhint: {hint}")
        }
        NameError::Unknown(_) => match known.similar(text) {
            Some(similar) => format!("{text}: {error}\nhint: did you mean {similar}?"),
            None => format!("{text}: {error}"),
        },
        _ => format!("{text}: {error}"),
    }
}

/// Parses all names. The error lists every unknown name.
fn parse_names(output: &mut Output, texts: &[String]) -> Result<Vec<OidBuf>, CommandError> {
    let (mut names, mut errors) = (Vec::with_capacity(texts.len()), Vec::new());
    for text in texts {
        match output.parse_name(text) {
            Ok(name) => names.push(name),
            Err(error) => errors.push(name_error_message(output.definitions(), text, &error)),
        }
    }
    if errors.is_empty() { Ok(names) } else { Err(CommandError::Message(errors.join("\n"))) }
}

fn write_error(error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return CommandError::OutputClosed;
    }
    CommandError::Message(format!("cannot write to standard output: {error}"))
}
