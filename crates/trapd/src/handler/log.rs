//! Log lines about handlers, with a limit for each handler.
//!
//! A line is `handler failed program=/usr/bin/mail status=1 runs=3 output="…"`. Arguments are not
//! logged, because they may contain secrets.

use std::time::{Duration, Instant};

use portreeve_json::push_quoted;

use crate::{HandlerCommand, HandlerReport};

/// Decides which reports of handlers are logged: for each handler, one failure and one output of a
/// success in a minute. Silent successes are not logged.
#[derive(Debug, Default)]
pub struct HandlerLog {
    handlers: Vec<LoggedHandler>,
}

#[derive(Debug)]
struct LoggedHandler {
    command: HandlerCommand,
    failures: Limit,
    outputs: Limit,
}

/// One line in a minute.
#[derive(Debug, Default)]
struct Limit {
    last: Option<Instant>,
    /// The runs since the last line.
    runs: u64,
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
        let limit = if is_success { &mut handler.outputs } else { &mut handler.failures };
        let runs = limit.count(now)?;
        let event = if is_success { "handler printed output" } else { "handler failed" };
        let mut line = format!("{event} program=");
        push_quoted_if_needed(&mut line, &command.program.to_string_lossy());
        line += &format!(" {} runs={runs}", report.result);
        if !report.output.is_empty() {
            line += " output=";
            push_quoted(&mut line, &String::from_utf8_lossy(&report.output));
        }
        if report.is_output_cut {
            line += " cut=true";
        }
        Some(line)
    }

    /// Returns the limits of a handler; `None` if there are too many handlers.
    fn handler(&mut self, command: &HandlerCommand) -> Option<&mut LoggedHandler> {
        let known = self.handlers.iter().position(|handler| handler.command == *command);
        if known.is_none() && self.handlers.len() < MAX_HANDLERS {
            let (failures, outputs) = (Limit::default(), Limit::default());
            self.handlers.push(LoggedHandler { command: command.clone(), failures, outputs });
        }
        match known {
            Some(position) => self.handlers.get_mut(position),
            None => self.handlers.last_mut().filter(|handler| handler.command == *command),
        }
    }
}

impl Limit {
    /// Counts a run, and returns the number of runs if a line may be logged.
    fn count(&mut self, now: Instant) -> Option<u64> {
        self.runs += 1;
        if self.last.is_some_and(|last| now.saturating_duration_since(last) < PERIOD) {
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.runs))
    }
}

fn push_quoted_if_needed(line: &mut String, text: &str) {
    let is_plain = |character: char| character.is_ascii_graphic() && !['"', '\\', '='].contains(&character);
    if text.chars().all(is_plain) {
        line.push_str(text);
    } else {
        push_quoted(line, text);
    }
}

/// The period in which one line is logged.
const PERIOD: Duration = Duration::from_secs(60);
/// The maximum number of handlers whose lines are counted. Further ones are not logged.
const MAX_HANDLERS: usize = 1000;

#[cfg(test)]
mod tests;
