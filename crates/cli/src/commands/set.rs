//! `set`: writes all variables with one request.

use portreeve_mib::{
    names::Names,
    typed_value::{self, TypedValueError},
};
use portreeve_smi::{OidBuf, OwnedValue};
use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, name_error_message, rejection};
use crate::{command_error::CommandError, flags::Settings, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, words: &[String]) -> Result<u8, CommandError> {
    let assignments = words.chunks(3).map(assignment).collect::<Result<Vec<_>, _>>()?;
    agent.open()?;
    let (mut request, mut errors) = (Request::new(Operation::Set), Vec::new());
    for Assignment { name, kind, value } in assignments {
        match read(output, agent.value_rules, name, kind, value) {
            Ok((oid, value)) => request.push(&oid, value.as_value()),
            Err(message) => errors.push(message),
        }
    }
    if !errors.is_empty() {
        return Err(CommandError::Message(errors.join("\n")));
    }
    let response = agent.request(&request)?;
    if response.is_error() {
        rejection::report(&response, output, "Error in packet.");
        return Ok(rejection::EXIT_CODE);
    }
    if !agent.application.quiet {
        response.var_binds().iter().for_each(|bind| output.print_variable(&bind));
    }
    Ok(0)
}

/// One assignment on the command line: `OID TYPE VALUE`.
struct Assignment<'a> {
    name: &'a str,
    kind: char,
    value: &'a str,
}

fn assignment(words: &[String]) -> Result<Assignment<'_>, CommandError> {
    let error = |name: &str, message: &str| Err(CommandError::Message(format!("{name}: {message}")));
    match words {
        [name, kind, rest @ ..] => {
            let kind = kind.chars().next().unwrap_or_default();
            if let Err(unknown @ TypedValueError::UnknownLetter(_)) =
                typed_value::parse_unchecked(None, kind, "")
            {
                return error(name, &unknown.to_string());
            }
            match rest {
                [value] => Ok(Assignment { name, kind, value }),
                _ => error(name, "Needs value"),
            }
        }
        [name] => error(name, "Needs type and value"),
        [] => error("", "Needs type and value"),
    }
}

/// The rules for values on the command line.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueRules {
    /// `-Ir`: do not check values before they are sent.
    unchecked: bool,
    /// `-Ih`: send strings unchanged, without applying DISPLAY-HINT.
    without_hints: bool,
}

impl ValueRules {
    pub(super) fn of(settings: &Settings) -> Self {
        Self { unchecked: settings.unchecked_values, without_hints: settings.without_display_hints }
    }
}

/// Parses a value of the object `name`. The error is a message that begins with the name.
pub(super) fn read(
    output: &mut Output,
    rules: ValueRules,
    name: &str,
    kind: char,
    text: &str,
) -> Result<(OidBuf, OwnedValue), String> {
    let oid = output.parse_name(name);
    let oid = oid.map_err(|error| name_error_message(output.definitions(), name, &error))?;
    output.load_for_oid(&oid);
    loop {
        match parse_value(output.definitions(), rules, &oid, kind, text) {
            Ok(value) => return Ok((oid, value)),
            // The value is a name, possibly of a module that is not loaded.
            Err(TypedValueError::Name(error)) if output.load_for_name(&error) => {}
            Err(error) => return Err(format!("{name}: {error}")),
        }
    }
}

fn parse_value(
    known: &Names,
    rules: ValueRules,
    oid: &[u32],
    kind: char,
    text: &str,
) -> Result<OwnedValue, TypedValueError> {
    // With `-Ih`, a string is parsed without the object's definition, and so without DISPLAY-HINT.
    let ignores_hints = kind == 's' && rules.without_hints;
    let object = known.resolve(oid).map(|found| found.object).filter(|_| !ignores_hints);
    let parse = if rules.unchecked { Names::parse_value_unchecked } else { Names::parse_value };
    parse(known, object, kind, text)
}
