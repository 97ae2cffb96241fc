//! Reads all variables below a name, for the verbs that process them further.

use portreeve_snmp_manager::{Operation, Request, Walk, WalkError, WalkOptions, WalkProgress};
use portreeve_snmp_message::VarBind;

use super::{Agent, rejection};
use crate::{command_error::CommandError, output::Output, verb::Verb};

/// Calls `visit` for every variable below `root`, in the order of the agent's responses. An error
/// response is printed.
pub(super) fn visit(
    agent: &mut Agent,
    output: &mut Output,
    root: &[u32],
    mut visit: impl FnMut(&VarBind<'_>),
) -> Result<(), CommandError> {
    let max_repetitions = agent.can_bulk().then_some(agent.application.max_repetitions);
    let max_variables = Some(agent.max_variables.unwrap_or(MAX_VARIABLES)).filter(|limit| *limit > 0);
    let mut walk = Walk::new(root, WalkOptions { max_repetitions, max_variables, ..WalkOptions::default() });
    let mut request = Request::new(Operation::GetNext);
    loop {
        walk.next_request(&mut request);
        let response = agent.request(&request)?;
        let outcome = walk.accept(&response, |bind| {
            if !bind.value.is_exception() {
                visit(bind);
            }
        });
        match outcome {
            Ok(WalkProgress::More) => agent.recycle(response),
            Ok(WalkProgress::Done(_)) => return Ok(()),
            Err(WalkError::ErrorStatus(_)) => {
                rejection::report(&response, output, "Error in packet.");
                return Err(CommandError::Reported(rejection::EXIT_CODE));
            }
            Err(error) => return Err(CommandError::Message(message(agent.verb, &error))),
        }
    }
}

fn message(verb: Verb, error: &WalkError) -> String {
    match (error, verb) {
        (WalkError::TooManyVariables, Verb::Table) => {
            format!("Error: {error}\nhint: --max-variables 0 removes the limit")
        }
        _ => format!("Error: {error}"),
    }
}

/// The maximum number of variables. The verbs keep in memory all variables that they process.
const MAX_VARIABLES: u64 = 500_000;
