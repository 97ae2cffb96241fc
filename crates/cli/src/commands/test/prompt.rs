//! One question to whoever types, and the line they answer with.

use std::io::BufRead;

use crate::{command_error::CommandError, commands::write_error, output::Output};

/// Asks on standard output.
pub(super) struct Prompt<R> {
    input: R,
}

/// What was typed.
pub(super) enum Input {
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
    pub(super) fn ask(&mut self, output: &mut Output, question: &str) -> Result<Input, CommandError> {
        output.print_text(question);
        output.flush().map_err(|error| write_error(&error))?;
        let mut octets = Vec::new();
        let read = self.input.read_until(b'\n', &mut octets);
        read.map_err(|error| CommandError::Message(format!("cannot read standard input: {error}")))?;
        if octets.is_empty() {
            return Ok(Input::End);
        }
        let line = String::from_utf8_lossy(&octets);
        Ok(Input::Text(line.strip_suffix('\n').unwrap_or(&line).to_owned()))
    }
}
