//! `test`: interactive requests, one variable per line; an empty line sends the request.
//!
//! ```text
//! Variable: ──name──▶ (Type: ▶ Value:) ──▶ Variable: ──empty──▶ request ──▶ response ──▶ Variable:
//! ```
//! Lines that start with `$` are commands, for example to select the request type. Notifications
//! and packet dumps are not supported.

mod prompt;

use std::io::BufRead;

use portreeve_smi::{OidBuf, OwnedValue};
use portreeve_snmp_manager::{Operation, Request, Response};

use super::{Agent, rejection, write_error};
use crate::{command_error::CommandError, output::Output};
use prompt::{Input, Prompt};

pub(super) fn run(agent: &mut Agent, output: &mut Output) -> Result<u8, CommandError> {
    agent.open()?;
    let mut tester = Tester {
        agent,
        output,
        prompt: Prompt::new(std::io::stdin().lock()),
        kind: RequestKind::Get,
        last: None,
    };
    loop {
        match tester.read_request()? {
            Some(request) => tester.send(request)?,
            None => return Ok(0),
        }
    }
}

struct Tester<'a, R> {
    agent: &'a mut Agent,
    output: &'a mut Output,
    prompt: Prompt<R>,
    kind: RequestKind,
    /// The previous request, which an empty line sends again.
    last: Option<Request>,
}

/// The type of the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestKind {
    Get,
    GetNext,
    GetBulk,
    Set,
}

impl<R: BufRead> Tester<'_, R> {
    /// Reads one request; `None` at the end of the input.
    fn read_request(&mut self) -> Result<Option<Request>, CommandError> {
        let mut variables = Vec::new();
        let mut non_repeaters = None;
        loop {
            let line = match self.prompt.ask(self.output, "Variable: ")? {
                Input::Text(line) => line,
                Input::End => {
                    self.output.print_line("Quitting,  Goobye");
                    return Ok(None);
                }
            };
            if let Some(command) = line.strip_prefix('$') {
                if !self.run_command(command) {
                    return self.quit();
                }
            } else if !line.is_empty() {
                match self.parse_variable(&line)? {
                    ParsedVariable::Variable(variable) => variables.push(*variable),
                    ParsedVariable::Nothing => {}
                    ParsedVariable::End => return self.quit(),
                }
            } else if self.kind == RequestKind::GetBulk && non_repeaters.is_none() {
                non_repeaters = Some(variables.len());
                self.output.print_line("Now input the repeating variables");
            } else {
                let mut repetitions = 0;
                if self.kind == RequestKind::GetBulk {
                    match self.prompt.ask(self.output, "What repeat count? ")? {
                        Input::Text(count) => repetitions = count.trim().parse().unwrap_or(0),
                        Input::End => return self.quit(),
                    }
                }
                if !variables.is_empty() {
                    return Ok(Some(self.build_request(&variables, non_repeaters.unwrap_or(0), repetitions)));
                }
                if let Some(last) = &self.last {
                    self.output.print_line("Resending last PDU.");
                    return Ok(Some(last.clone()));
                }
                self.output.print_line("No PDU to send.");
                non_repeaters = None;
            }
        }
    }

    fn quit(&mut self) -> Result<Option<Request>, CommandError> {
        self.output.print_line("Quitting,  Goodbye");
        Ok(None)
    }

    fn build_request(
        &self,
        variables: &[(OidBuf, OwnedValue)],
        non_repeaters: usize,
        repetitions: i32,
    ) -> Request {
        let mut request = Request::new(match self.kind {
            RequestKind::Get => Operation::Get,
            RequestKind::GetNext => Operation::GetNext,
            RequestKind::Set => Operation::Set,
            RequestKind::GetBulk => Operation::GetBulk {
                non_repeaters: i32::try_from(non_repeaters).unwrap_or(i32::MAX),
                max_repetitions: repetitions,
            },
        });
        for (name, value) in variables {
            request.push(name, value.as_value());
        }
        request
    }

    /// Runs a command, given without the dollar sign; returns false to quit.
    fn run_command(&mut self, command: &str) -> bool {
        let mut letters = command.chars().map(|letter| letter.to_ascii_uppercase());
        let (kind, lines): (_, &[&str]) = match letters.next() {
            Some('G') => (RequestKind::Get, &["Request type is Get Request"]),
            Some('N') => (RequestKind::GetNext, &["Request type is Getnext Request"]),
            Some('S') => (RequestKind::Set, &["Request type is Set Request"]),
            Some('B') => (RequestKind::GetBulk, BULK_HELP),
            Some('I' | 'T') => {
                (self.kind, &["Notifications are not supported; the request type is unchanged"])
            }
            Some('D') => (self.kind, &["Packet dumps are not supported"]),
            Some('Q') => match letters.next() {
                None => return false,
                Some('P') => (self.kind, &[self.toggle_quick()]),
                Some(_) => (self.kind, &[]),
            },
            _ => (self.kind, &["Bad command"]),
        };
        self.kind = kind;
        lines.iter().for_each(|line| self.output.print_line(line));
        true
    }

    fn toggle_quick(&mut self) -> &'static str {
        if self.output.toggle_quick() { "Turned quick printing on" } else { "Turned quick printing off" }
    }

    /// Reads a name and, for a SET, its type and value.
    fn parse_variable(&mut self, text: &str) -> Result<ParsedVariable, CommandError> {
        let name = match self.output.parse_name(text) {
            Ok(name) => name,
            Err(error) => {
                self.print_error(&format!("{text}: {error}"))?;
                return Ok(ParsedVariable::Nothing);
            }
        };
        if self.kind != RequestKind::Set {
            return Ok(ParsedVariable::Variable(Box::new((name, OwnedValue::Null))));
        }
        let Input::Text(kind) = self.prompt.ask(self.output, "Type [i|u|s|x|d|n|o|t|a]: ")? else {
            return Ok(ParsedVariable::End);
        };
        let letter = kind.chars().next().unwrap_or('\n');
        if !"iusxdnota".contains(letter) {
            self.output.print_line(&format!("bad type \"{letter}\", use {TYPE_LETTERS}."));
            return Ok(ParsedVariable::Nothing);
        }
        loop {
            let Input::Text(text) = self.prompt.ask(self.output, "Value: ")? else {
                return Ok(ParsedVariable::End);
            };
            if letter == 'n' {
                return Ok(ParsedVariable::Variable(Box::new((name, OwnedValue::Null))));
            }
            match self.output.definitions().parse_value_unchecked(None, letter, &text) {
                Ok(value) => return Ok(ParsedVariable::Variable(Box::new((name, value)))),
                Err(_) => self.output.print_line(match letter {
                    'd' => "Bad value or no sub-identifier > 255",
                    'x' => "Bad value (need pairs of hex digits)",
                    'o' => "Unrecognised OID value",
                    _ => "Bad value",
                }),
            }
        }
    }

    /// Sends a request and prints the response, or the error.
    fn send(&mut self, request: Request) -> Result<(), CommandError> {
        match self.agent.request(&request) {
            Ok(response) => {
                self.print_response(&response);
                self.agent.recycle(response);
            }
            // This error is a timeout. Only its hint is printed to standard error.
            Err(CommandError::Message(message)) => {
                let (first, hints) = message.split_once('\n').unwrap_or((&message, ""));
                self.output.print_line(first);
                if !hints.is_empty() {
                    self.print_error(hints)?;
                }
            }
            Err(CommandError::Session(message)) => {
                let message = format!("{}: {message}", self.agent.program);
                self.print_error(&message)?;
            }
            Err(other) => return Err(other),
        }
        self.last = Some(request);
        Ok(())
    }

    fn print_response(&mut self, response: &Response) {
        let output = &mut *self.output;
        output.print_line(&format!("Received Get Response from {}", self.agent.resolved_address()));
        output.print_line(&format!(
            "requestid 0x{:X} errstat 0x{:X} errindex 0x{:X}",
            response.request_id(),
            response.error_status_number(),
            response.error_index().unwrap_or_default(),
        ));
        if !response.is_error() {
            return response.var_binds().iter().for_each(|bind| output.print_variable(&bind));
        }
        output
            .print_line(&format!("Error in packet.\nReason: {}", rejection::reason(response.error_status())));
        if let Some(index) = response.error_index() {
            if let Some(bind) = response.var_binds().iter().nth(index.saturating_sub(1)) {
                output.print_line(&format!("Failed object: {}", output.format_name(bind.name)));
            }
            output.print_line("");
        }
    }

    /// Prints to standard error, after flushing standard output.
    fn print_error(&mut self, message: &str) -> Result<(), CommandError> {
        self.output.flush().map_err(|error| write_error(&error))?;
        eprintln!("{message}");
        Ok(())
    }
}

/// The result of parsing a line with a variable.
enum ParsedVariable {
    Variable(Box<(OidBuf, OwnedValue)>),
    /// The line was invalid; the error has been printed.
    Nothing,
    End,
}

const BULK_HELP: &[&str] = &[
    "Request type is Bulk Request",
    "Enter a blank line to terminate the list of non-repeaters",
    "and to begin the repeating variables",
];
const TYPE_LETTERS: &str = r#""i", "u", "s", "x", "d", "n", "o", "t", or "a""#;
