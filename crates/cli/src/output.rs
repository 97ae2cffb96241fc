//! What goes to standard output: lines are gathered and written in few pieces, data and nothing else.

use std::io::{self, IsTerminal, Write};

use portreeve_message::VarBind;
use portreeve_mib::format::Format;
use portreeve_smi::{OidBuf, OidRef, ber};

/// Gathers lines for standard output.
pub(crate) struct Output {
    format: Format,
    text: String,
    name: OidBuf,
    /// How much is gathered before it is written.
    limit: usize,
}

impl Output {
    /// On a terminal each answer is shown when it comes; a file or pipe gets larger pieces.
    pub(crate) fn new(format: Format) -> Self {
        let limit = if io::stdout().is_terminal() { 0 } else { PIECE };
        Self { format, text: String::new(), name: OidBuf::new(), limit }
    }

    /// How names and values are printed.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// A variable's line.
    pub(crate) fn variable(&mut self, bind: &VarBind<'_>) {
        match bind.name {
            OidRef::Arcs(arcs) => drop(self.name.set(arcs)),
            // It was validated when the message came.
            OidRef::Encoded(content) => drop(ber::decode_oid(content, &mut self.name)),
        }
        self.format.variable(&mut self.text, &self.name, &bind.value);
        self.text.push('\n');
    }

    /// Any other line.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Text as it is.
    pub(crate) fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A name in the chosen form, for messages.
    pub(crate) fn name_of(&self, name: OidRef<'_>) -> String {
        let mut text = String::new();
        self.format.name(&mut text, &name.to_buf());
        text
    }

    /// An answer is complete: writes what is due.
    pub(crate) fn pause(&mut self) -> io::Result<()> {
        if self.text.len() > self.limit { self.flush() } else { Ok(()) }
    }

    /// Writes everything, so that a message on standard error comes after it.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(self.text.as_bytes())?;
        self.text.clear();
        stdout.flush()
    }
}

const PIECE: usize = 1 << 16;
