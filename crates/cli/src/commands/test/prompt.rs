//! One question to whoever types, and the line they answer with.

use std::io::BufRead;

use crate::{commands::cannot_write, failure::Failure, output::Output};

/// Asks on standard output.
pub(super) struct Prompt<R> {
    input: R,
}

/// What was typed.
pub(super) enum Line {
    /// Without its end.
    Text(String),
    /// Nothing will come any more.
    End,
}

impl<R: BufRead> Prompt<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input }
    }

    /// Asks and waits for a line.
    pub(super) fn ask(&mut self, output: &mut Output, question: &str) -> Result<Line, Failure> {
        output.text(question);
        output.flush().map_err(|error| cannot_write(&error))?;
        let mut octets = Vec::new();
        let read = self.input.read_until(b'\n', &mut octets);
        read.map_err(|error| Failure::Message(format!("cannot read standard input: {error}")))?;
        if octets.is_empty() {
            return Ok(Line::End);
        }
        let line = String::from_utf8_lossy(&octets);
        Ok(Line::Text(line.strip_suffix('\n').unwrap_or(&line).to_owned()))
    }
}
