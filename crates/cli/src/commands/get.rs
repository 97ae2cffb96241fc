//! `get` and `getnext`: one request, repeated without a variable that the agent has rejected.

use portreeve_smi::OidBuf;
use portreeve_snmp_manager::{Operation, Request};

use super::{Agent, parse_names, rejection};
use crate::{command_error::CommandError, output::Output, verb::Verb};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, CommandError> {
    agent.open()?;
    let mut names = parse_names(output, names)?;
    let (operation, heading) = match agent.verb {
        Verb::GetNext => (Operation::GetNext, "Error in packet."),
        _ => (Operation::Get, "Error in packet"),
    };
    let mut exit_code = 0;
    loop {
        let response = agent.request(&Request::read(operation, names.iter().map(arcs)))?;
        if !response.is_error() {
            response.var_binds().iter().for_each(|bind| output.print_variable(&bind));
            return Ok(exit_code);
        }
        rejection::report(&response, output, heading);
        exit_code = rejection::EXIT_CODE;
        match response.error_index() {
            Some(index) if !agent.application.keep_errors && index <= names.len() && names.len() > 1 => {
                names.remove(index - 1);
            }
            _ => return Ok(exit_code),
        }
    }
}

fn arcs(name: &OidBuf) -> &[u32] {
    name
}
