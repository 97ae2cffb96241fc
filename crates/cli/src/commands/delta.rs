//! `delta`: prints how much variables increase from one request to the next, until interrupted.
//!
//! ```text
//! wait for the end of the period ──▶ one or more requests ──▶ one line per variable ──┐
//!              ▲──────────────────────────────────────────────────────────────────────┘
//! ```

mod clock;
mod meter;

use std::{fs::OpenOptions, io::Write};

use portreeve_mib::modules::snmpv2_mib::SYS_UP_TIME;
use portreeve_smi::{ErrorStatus, OidBuf, OidRef, Value};
use portreeve_snmp_manager::{Operation, Request, Response};

use super::{Agent, parse_name, rejection, row_change::instance, write_error};
use crate::{command_error::CommandError, flags::DeltaOptions, output::Output};
use clock::Clock;
use meter::{Meter, Reading};

pub(super) fn run(agent: &mut Agent, output: &mut Output, operands: &[String]) -> Result<u8, CommandError> {
    let options = agent.application.delta.clone();
    let names = [&options.names, operands].concat();
    if names.is_empty() {
        return Err(CommandError::Usage(String::new()));
    }
    if let Some(excess) = names.get(MAX_VARIABLES) {
        return Err(CommandError::Message(format!(
            "{excess}: Too many variables specified (max {MAX_VARIABLES})"
        )));
    }
    agent.open()?;
    if options.table && options.timestamps {
        output.print_text(agent.typed_address());
    }
    let mut variables = Vec::with_capacity(names.len());
    for name in &names {
        let oid = parse_name(output, name)?;
        let meter = Meter::new(descriptor(&output.format_name(OidRef::Arcs(&oid))), &options);
        if options.table {
            output.print_text(&format!("\t{}", meter.name));
        }
        variables.push(Variable { oid, meter });
    }
    let sum = options.sum.then(|| Meter::new(options.sum_name.clone(), &options));
    if let (Some(sum), true) = (&sum, options.table) {
        output.print_text(&format!("\t{}", sum.name));
    }
    let mut monitor = Monitor { agent, output, options, variables, sum, clock: Clock::default() };
    loop {
        monitor.clock.wait(monitor.options.period);
        if let Some(exit_code) = monitor.poll_once()? {
            return Ok(exit_code);
        }
    }
}

struct Monitor<'a> {
    agent: &'a mut Agent,
    output: &'a mut Output,
    options: DeltaOptions,
    variables: Vec<Variable>,
    sum: Option<Meter>,
    clock: Clock,
}

struct Variable {
    oid: OidBuf,
    meter: Meter,
}

impl Monitor<'_> {
    /// Requests and prints every variable once. Returns an exit code if no further polls are
    /// possible.
    fn poll_once(&mut self) -> Result<Option<u8>, CommandError> {
        let (mut first, mut total, mut time) = (0, 0, NO_AGENT_TIME);
        while first < self.variables.len() {
            let count = self.options.variables.min(self.variables.len() - first);
            let response = self.agent.request(&self.build_request(first, count)?)?;
            if response.is_error() {
                if let Some(exit_code) = self.handle_error(&response, first, count)? {
                    return Ok(Some(exit_code));
                }
                continue;
            }
            if let Some(agent_time) = self.print_readings(&response, first, count, &mut total)? {
                time = agent_time;
            }
            self.agent.recycle(response);
            first += count;
        }
        if self.variables.is_empty() {
            return Ok(Some(CommandError::EXIT_CODE));
        }
        if let Some(mut sum) = self.sum.take() {
            let line = sum.record(time, Reading::Amount(total), &self.options, false)?;
            let done = self.print_line(&sum.name, line);
            self.sum = Some(sum);
            done?;
        }
        if self.options.table {
            self.output.print_text("\n");
        }
        self.output.flush().map_err(|error| write_error(&error))?;
        Ok(None)
    }

    fn build_request(&self, first: usize, count: usize) -> Result<Request, CommandError> {
        let mut request = Request::new(Operation::Get);
        if self.options.agent_time {
            request.push(&instance(&SYS_UP_TIME, &[0])?, Value::Null);
        }
        for variable in self.variables.iter().skip(first).take(count) {
            request.push(&variable.oid, Value::Null);
        }
        Ok(request)
    }

    /// Prints the readings in a response and returns the agent's time. Returns [`NO_AGENT_TIME`] if
    /// that time is not used, and `None` if a variable is missing.
    fn print_readings(
        &mut self,
        response: &Response,
        first: usize,
        count: usize,
        total: &mut u32,
    ) -> Result<Option<u32>, CommandError> {
        let mut binds = response.var_binds().iter();
        let time = match (self.options.agent_time, &self.options) {
            (false, _) => NO_AGENT_TIME,
            (true, _) => match binds.next().map(|bind| bind.value) {
                Some(Value::TimeTicks(ticks)) => ticks,
                _ => return self.report_missing_variable(),
            },
        };
        let values: Vec<Option<Reading>> = binds.take(count).map(|bind| Reading::of(&bind.value)).collect();
        for position in 0..count {
            let Some(Some(reading)) = values.get(position) else { return self.report_missing_variable() };
            let (options, stamp) = (&self.options, first + position == 0);
            let Some(variable) = self.variables.get_mut(first + position) else { break };
            let line = variable.meter.record(time, *reading, options, stamp)?;
            *total = total.wrapping_add(variable.meter.last_increase());
            let name = variable.meter.name.clone();
            self.print_line(&name, line)?;
        }
        Ok(Some(time))
    }

    fn report_missing_variable(&mut self) -> Result<Option<u32>, CommandError> {
        self.output.flush().map_err(|error| write_error(&error))?;
        eprintln!("Missing variable in reply");
        Ok(None)
    }

    fn print_line(&mut self, name: &str, line: Option<String>) -> Result<(), CommandError> {
        let Some(line) = line else { return Ok(()) };
        if self.options.files {
            let file = format!("{}-{name}", self.agent.typed_address()).replace('/', "_");
            let opened = OpenOptions::new().append(true).create(true).open(&file);
            if opened.and_then(|mut file| writeln!(file, "{line}")).is_err() {
                eprintln!("Couldn't open {file}");
            }
            return Ok(());
        }
        self.output.print_text(&line);
        if !self.options.table {
            self.output.print_text("\n");
        }
        self.output.flush().map_err(|error| write_error(&error))
    }

    /// Handles an error response: requests fewer variables at a time, or removes the rejected one.
    /// Returns an exit code if neither is possible.
    fn handle_error(
        &mut self,
        response: &Response,
        first: usize,
        count: usize,
    ) -> Result<Option<u8>, CommandError> {
        self.output.flush().map_err(|error| write_error(&error))?;
        let index = response.error_index();
        match response.error_status() {
            Some(ErrorStatus::TooBig) => {
                let fewer = index.map_or(count * 3 / 4, |index| index - 1).min(count - 1);
                if fewer == 0 {
                    return Ok(Some(EXIT_TOO_BIG));
                }
                self.options.variables = fewer;
                Ok(None)
            }
            Some(ErrorStatus::NoSuchName) if index.is_some() => {
                let index = index.unwrap_or_default();
                if let Some(bind) = response.var_binds().iter().nth(index - 1) {
                    eprintln!("Failed object: {}\n", self.output.format_name(bind.name));
                }
                let position = (first + index).checked_sub(1 + usize::from(self.options.agent_time));
                match position.filter(|_| !self.agent.application.keep_errors) {
                    Some(position) if position < self.variables.len() => {
                        self.variables.remove(position);
                        Ok(self.variables.is_empty().then_some(CommandError::EXIT_CODE))
                    }
                    _ => Ok(Some(CommandError::EXIT_CODE)),
                }
            }
            status => {
                eprintln!("Error in packet: {}", rejection::reason(status));
                Ok(Some(CommandError::EXIT_CODE))
            }
        }
    }
}

/// Returns the label of a variable: the last symbolic part of its name, and the index.
fn descriptor(name: &str) -> String {
    let letter = name.rfind(|character: char| character.is_ascii_alphabetic());
    let dot = letter.and_then(|letter| name.get(..letter)?.rfind('.'));
    dot.and_then(|dot| name.get(dot + 1..)).unwrap_or(name).to_owned()
}

/// The constant used if the agent's time is not read. It is not 0, which marks the first reading.
const NO_AGENT_TIME: u32 = 1;
const MAX_VARIABLES: usize = 256;
/// The exit code if not even one variable fits in a response.
const EXIT_TOO_BIG: u8 = 5;

#[cfg(test)]
mod tests;
