//! Log lines about handlers, with a limit for each handler.
//!
//! A line is `handler failed program=/usr/bin/mail status=1 runs=3 output="…"`. Arguments are not
//! logged, because they may contain secrets.

use std::time::{Duration, Instant};

use portreeve_json::push_quoted;

use crate::{HandlerCommand, HandlerReport};

/// Decides which reports of handlers are logged: for each handler, one failure, one output of a
/// success and one refused run in a minute. Silent successes are not logged.
#[derive(Debug, Default)]
pub struct HandlerLog {
    handlers: Vec<LoggedHandler>,
}

#[derive(Debug)]
struct LoggedHandler {
    command: HandlerCommand,
    failures: Limit,
    outputs: Limit,
    /// The runs for which the queue had no room.
    refused: Limit,
}

/// One line in a minute.
#[derive(Debug, Default)]
struct Limit {
    last: Option<Instant>,
    /// The runs since the last line.
    runs: u64,
    /// The result of the last of these runs.
    result: String,
}

impl HandlerLog {
    /// Returns the log line for a report that arrived at `now`; `None` if it is not logged. The
    /// field `runs` is the number of runs with the same outcome since the last line, including this
    /// one.
    pub fn line(&mut self, now: Instant, command: &HandlerCommand, report: &HandlerReport) -> Option<String> {
        let is_success = report.result.is_success();
        if is_success && report.output.is_empty() {
            return None;
        }
        let handler = self.handler(command)?;
        let (limit, event) = match is_success {
            true => (&mut handler.outputs, OUTPUT_EVENT),
            false => (&mut handler.failures, FAILURE_EVENT),
        };
        let result = report.result.to_string();
        let runs = limit.count(now, &result)?;
        let mut line = line_of(event, command, &result, runs);
        if !report.output.is_empty() {
            line += " output=";
            push_quoted(&mut line, &String::from_utf8_lossy(&report.output));
        }
        if report.is_output_cut {
            line += " cut=true";
        }
        Some(line)
    }

    /// Returns the log line for a run for which the queue had no room at `now`; `None` if it is not
    /// logged.
    pub fn refused_line(&mut self, now: Instant, command: &HandlerCommand) -> Option<String> {
        let runs = self.handler(command)?.refused.count(now, "")?;
        Some(line_of(REFUSED_EVENT, command, "", runs))
    }

    /// Returns the log line for runs that are discarded because the program ends.
    pub fn discarded_line(command: &HandlerCommand, runs: u64) -> String {
        line_of("handlers are not run: the program ends", command, "", runs)
    }

    /// Returns lines for the runs since the last lines, for the end of the program.
    pub fn last_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for LoggedHandler { command, failures, outputs, refused } in &mut self.handlers {
            for (event, limit) in
                [(FAILURE_EVENT, failures), (OUTPUT_EVENT, outputs), (REFUSED_EVENT, refused)]
            {
                let Limit { runs, result, .. } = std::mem::take(limit);
                if runs > 0 {
                    lines.push(line_of(event, command, &result, runs));
                }
            }
        }
        lines
    }

    /// Returns the limits of a handler; `None` if there are too many handlers.
    fn handler(&mut self, command: &HandlerCommand) -> Option<&mut LoggedHandler> {
        let known = self.handlers.iter().position(|handler| handler.command == *command);
        if known.is_none() && self.handlers.len() < MAX_HANDLERS {
            self.handlers.push(LoggedHandler {
                command: command.clone(),
                failures: Limit::default(),
                outputs: Limit::default(),
                refused: Limit::default(),
            });
        }
        match known {
            Some(position) => self.handlers.get_mut(position),
            None => self.handlers.last_mut().filter(|handler| handler.command == *command),
        }
    }
}

impl Limit {
    /// Counts a run, and returns the number of runs if a line may be logged.
    fn count(&mut self, now: Instant, result: &str) -> Option<u64> {
        self.runs += 1;
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < PERIOD) {
            result.clone_into(&mut self.result);
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.runs))
    }
}

/// Returns a line. The result, which may be empty, has the form of fields.
fn line_of(event: &str, command: &HandlerCommand, result: &str, runs: u64) -> String {
    let mut line = format!("{event} program=");
    push_quoted_if_needed(&mut line, &command.program.to_string_lossy());
    for field in [result, &format!("runs={runs}")] {
        if !field.is_empty() {
            line.push(' ');
            line += field;
        }
    }
    line
}

fn push_quoted_if_needed(line: &mut String, text: &str) {
    let is_plain = |character: char| character.is_ascii_graphic() && !['"', '\\', '='].contains(&character);
    if text.chars().all(is_plain) {
        line.push_str(text);
    } else {
        push_quoted(line, text);
    }
}

const FAILURE_EVENT: &str = "handler failed";
const OUTPUT_EVENT: &str = "handler printed output";
const REFUSED_EVENT: &str = "handlers are not run: too many wait";
/// The period in which one line is logged.
const PERIOD: Duration = Duration::from_secs(60);
/// The maximum number of handlers whose lines are counted. Further ones are not logged.
const MAX_HANDLERS: usize = 1000;

#[cfg(test)]
mod tests;
