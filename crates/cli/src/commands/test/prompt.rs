//! Prompts the user for a line of input.

use std::io::BufRead;

use crate::{command_error::CommandError, commands::write_error, output::Output};

/// Prints prompts on standard output and reads lines.
pub(super) struct Prompt<R> {
    input: R,
}

/// The result of reading a line of input.
pub(super) enum Input {
    /// The line without its line feed.
    Text(String),
    /// The end of the input.
    End,
}

impl<R: BufRead> Prompt<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input }
    }

    /// Prints the prompt and reads a line.
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
