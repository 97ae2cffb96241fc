//! `test`: requests as they are typed, one variable in each line, an empty line to send them.
//!
//! ```text
//! Variable: ──name──▶ (Type: ▶ Value:) ──▶ Variable: ──empty──▶ request ──▶ answer ──▶ Variable:
//! ```
//! What begins with `$` chooses what is asked. Notifications and dumps of packets are not offered.

mod prompt;

use std::io::BufRead;

use portreeve_smi::{OidBuf, OwnedValue};
use portreeve_snmp_manager::{Operation, Request, Response};

use super::{Agent, cannot_write, rejection};
use crate::{failure::Failure, output::Output};
use prompt::{Line, Prompt};

pub(super) fn run(agent: &mut Agent, output: &mut Output) -> Result<u8, Failure> {
    agent.open()?;
    let mut tester =
        Tester { agent, output, prompt: Prompt::new(std::io::stdin().lock()), kind: Kind::Get, last: None };
    loop {
        match tester.gather()? {
            Some(request) => tester.ask(request)?,
            None => return Ok(0),
        }
    }
}

struct Tester<'a, R> {
    agent: &'a mut Agent,
    output: &'a mut Output,
    prompt: Prompt<R>,
    kind: Kind,
    /// The request before, for an empty line at once.
    last: Option<Request>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Get,
    GetNext,
    GetBulk,
    Set,
}

impl<R: BufRead> Tester<'_, R> {
    /// Reads one request; `None` at the end.
    fn gather(&mut self) -> Result<Option<Request>, Failure> {
        let mut variables = Vec::new();
        let mut non_repeaters = None;
        loop {
            let line = match self.prompt.ask(self.output, "Variable: ")? {
                Line::Text(line) => line,
                Line::End => {
                    self.output.line("Quitting,  Goobye");
                    return Ok(None);
                }
            };
            if let Some(command) = line.strip_prefix('$') {
                if !self.command(command) {
                    return self.goodbye();
                }
            } else if !line.is_empty() {
                match self.variable(&line)? {
                    Typed::Variable(variable) => variables.push(*variable),
                    Typed::Nothing => {}
                    Typed::End => return self.goodbye(),
                }
            } else if self.kind == Kind::GetBulk && non_repeaters.is_none() {
                non_repeaters = Some(variables.len());
                self.output.line("Now input the repeating variables");
            } else {
                let mut repetitions = 0;
                if self.kind == Kind::GetBulk {
                    match self.prompt.ask(self.output, "What repeat count? ")? {
                        Line::Text(count) => repetitions = count.trim().parse().unwrap_or(0),
                        Line::End => return self.goodbye(),
                    }
                }
                if !variables.is_empty() {
                    return Ok(Some(self.request(&variables, non_repeaters.unwrap_or(0), repetitions)));
                }
                if let Some(last) = &self.last {
                    self.output.line("Resending last PDU.");
                    return Ok(Some(last.clone()));
                }
                self.output.line("No PDU to send.");
                non_repeaters = None;
            }
        }
    }

    fn goodbye(&mut self) -> Result<Option<Request>, Failure> {
        self.output.line("Quitting,  Goodbye");
        Ok(None)
    }

    fn request(&self, variables: &[(OidBuf, OwnedValue)], non_repeaters: usize, repetitions: i32) -> Request {
        let mut request = Request::new(match self.kind {
            Kind::Get => Operation::Get,
            Kind::GetNext => Operation::GetNext,
            Kind::Set => Operation::Set,
            Kind::GetBulk => Operation::GetBulk {
                non_repeaters: i32::try_from(non_repeaters).unwrap_or(i32::MAX),
                max_repetitions: repetitions,
            },
        });
        for (name, value) in variables {
            request.push(name, value.as_value());
        }
        request
    }

    /// Does what stands after a dollar sign; false to quit.
    fn command(&mut self, command: &str) -> bool {
        let mut letters = command.chars().map(|letter| letter.to_ascii_uppercase());
        let (kind, lines): (_, &[&str]) = match letters.next() {
            Some('G') => (Kind::Get, &["Request type is Get Request"]),
            Some('N') => (Kind::GetNext, &["Request type is Getnext Request"]),
            Some('S') => (Kind::Set, &["Request type is Set Request"]),
            Some('B') => (Kind::GetBulk, BULK_HELP),
            Some('I' | 'T') => (self.kind, &["Notifications are not supported; the request type stays"]),
            Some('D') => (self.kind, &["Dumps of packets are not supported"]),
            Some('Q') => match letters.next() {
                None => return false,
                Some('P') => (self.kind, &[self.toggle_quick()]),
                Some(_) => (self.kind, &[]),
            },
            _ => (self.kind, &["Bad command"]),
        };
        self.kind = kind;
        lines.iter().for_each(|line| self.output.line(line));
        true
    }

    fn toggle_quick(&mut self) -> &'static str {
        if self.output.toggle_quick() { "Turned quick printing on" } else { "Turned quick printing off" }
    }

    /// Reads a name and, for a SET, its type and value.
    fn variable(&mut self, text: &str) -> Result<Typed, Failure> {
        let known = self.output.format().definitions;
        let name = match known.parse(text) {
            Ok(name) => name,
            Err(error) => {
                self.tell(&format!("{text}: {error}"))?;
                return Ok(Typed::Nothing);
            }
        };
        if self.kind != Kind::Set {
            return Ok(Typed::Variable(Box::new((name, OwnedValue::Null))));
        }
        let Line::Text(kind) = self.prompt.ask(self.output, "Type [i|u|s|x|d|n|o|t|a]: ")? else {
            return Ok(Typed::End);
        };
        let letter = kind.chars().next().unwrap_or('\n');
        if !"iusxdnota".contains(letter) {
            self.output.line(&format!("bad type \"{letter}\", use {TYPES}."));
            return Ok(Typed::Nothing);
        }
        loop {
            let Line::Text(text) = self.prompt.ask(self.output, "Value: ")? else { return Ok(Typed::End) };
            if letter == 'n' {
                return Ok(Typed::Variable(Box::new((name, OwnedValue::Null))));
            }
            match known.parse_value_unchecked(None, letter, &text) {
                Ok(value) => return Ok(Typed::Variable(Box::new((name, value)))),
                Err(_) => self.output.line(match letter {
                    'd' => "Bad value or no sub-identifier > 255",
                    'x' => "Bad value (need pairs of hex digits)",
                    'o' => "Unrecognised OID value",
                    _ => "Bad value",
                }),
            }
        }
    }

    /// Makes a request and tells the answer, or why there is none.
    fn ask(&mut self, request: Request) -> Result<(), Failure> {
        match self.agent.request(&request) {
            Ok(response) => {
                self.show(&response);
                self.agent.recycle(response);
            }
            // On a time-out; its hint is for standard error.
            Err(Failure::Message(message)) => {
                let (first, hints) = message.split_once('\n').unwrap_or((&message, ""));
                self.output.line(first);
                if !hints.is_empty() {
                    self.tell(hints)?;
                }
            }
            Err(Failure::Session(message)) => {
                let message = format!("{}: {message}", self.agent.program);
                self.tell(&message)?;
            }
            Err(other) => return Err(other),
        }
        self.last = Some(request);
        Ok(())
    }

    fn show(&mut self, response: &Response) {
        let output = &mut *self.output;
        output.line(&format!("Received Get Response from {}", self.agent.shown_address()));
        output.line(&format!(
            "requestid 0x{:X} errstat 0x{:X} errindex 0x{:X}",
            response.request_id(),
            response.error_status_number(),
            response.error_index().unwrap_or_default(),
        ));
        if !response.is_error() {
            return response.var_binds().iter().for_each(|bind| output.variable(&bind));
        }
        output.line(&format!("Error in packet.\nReason: {}", rejection::reason(response.error_status())));
        if let Some(index) = response.error_index() {
            if let Some(bind) = response.var_binds().iter().nth(index.saturating_sub(1)) {
                output.line(&format!("Failed object: {}", output.name_of(bind.name)));
            }
            output.line("");
        }
    }

    /// Writes to standard error, after what went to standard output before.
    fn tell(&mut self, message: &str) -> Result<(), Failure> {
        self.output.flush().map_err(|error| cannot_write(&error))?;
        eprintln!("{message}");
        Ok(())
    }
}

/// What came of a line that was to name a variable.
enum Typed {
    Variable(Box<(OidBuf, OwnedValue)>),
    /// Nothing that could be used, which has been told.
    Nothing,
    End,
}

const BULK_HELP: &[&str] = &[
    "Request type is Bulk Request",
    "Enter a blank line to terminate the list of non-repeaters",
    "and to begin the repeating variables",
];
const TYPES: &str = r#""i", "u", "s", "x", "d", "n", "o", "t", or "a""#;
