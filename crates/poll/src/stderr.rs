//! What an operator is told, on stderr.

use std::{
    fmt,
    io::{self, Write},
};

/// Nobody may be reading, which is no reason to stop.
pub(crate) fn print_stderr(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{what}");
}
