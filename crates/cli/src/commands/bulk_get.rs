//! `bulkget`: sends one GETBULK request and prints the variables of the response.

use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, parse_name, rejection};
use crate::{command_error::CommandError, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, CommandError> {
    let (non_repeaters, max_repetitions) =
        (agent.application.non_repeaters, agent.application.max_repetitions);
    if usize::try_from(non_repeaters).is_ok_and(|non_repeaters| names.len() < non_repeaters) {
        return Err(CommandError::Session("need more objects than <nonrep>".to_owned()));
    }
    let mut request = Request::new(Operation::GetBulk { non_repeaters, max_repetitions });
    for name in names {
        request.push(&parse_name(output, name)?, portreeve_smi::Value::Null);
    }
    let response = agent.request(&request)?;
    if response.is_error() {
        if response.error_status() == Some(portreeve_smi::ErrorStatus::NoSuchName) {
            output.print_line("End of MIB.");
            return Ok(0);
        }
        rejection::report(&response, output, "Error in packet.");
        return Ok(rejection::EXIT_CODE);
    }
    response.var_binds().iter().for_each(|bind| output.print_variable(&bind));
    Ok(0)
}
