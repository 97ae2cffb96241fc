//! Messages to the operator on stderr.

use std::{
    fmt,
    io::{self, Write},
};

/// Prints a line. A closed stderr is not an error.
pub(crate) fn print_stderr(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{what}");
}
