//! Prints texts on standard output.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
};

/// Prints a text, and reports an error on standard error. A reader may close the pipe before it has
/// read everything, as `head` does.
pub fn print(text: impl Display) {
    let mut output = io::stdout().lock();
    match write!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "cannot write to standard output: {error}");
        }
        _ => {}
    }
}
