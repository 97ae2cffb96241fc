//! `bulkget`: one GetBulk request.

use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, read_name, rejection};
use crate::{failure::Failure, output::Output};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, Failure> {
    let (non_repeaters, max_repetitions) =
        (agent.application.non_repeaters, agent.application.max_repetitions);
    if usize::try_from(non_repeaters).is_ok_and(|non_repeaters| names.len() < non_repeaters) {
        return Err(Failure::Session("need more objects than <nonrep>".to_owned()));
    }
    let mut request = Request::new(Operation::GetBulk { non_repeaters, max_repetitions });
    for name in names {
        request.push(&read_name(output.format().definitions, name)?, portreeve_smi::Value::Null);
    }
    let response = agent.request(&request)?;
    if response.is_error() {
        if response.error_status() == Some(portreeve_smi::ErrorStatus::NoSuchName) {
            output.line("End of MIB.");
            return Ok(0);
        }
        rejection::tell(&response, output, "Error in packet.");
        return Ok(rejection::EXIT_CODE);
    }
    response.var_binds().iter().for_each(|bind| output.variable(&bind));
    Ok(0)
}
