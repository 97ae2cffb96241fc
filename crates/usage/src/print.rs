//! Prints texts whose reader may have gone.

use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
};

/// Writes a text to standard output, which is passed as `output`. A reader may close the pipe
/// before it has read everything, as `head` does.
///
/// # Errors
/// If the text cannot be written for any other reason.
pub fn print(mut output: impl Write, text: impl Display) -> io::Result<()> {
    match write!(output, "{text}").and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, ErrorKind, Write};

    use super::print;

    /// An output that refuses everything with an error.
    struct Refusing(ErrorKind);

    impl Write for Refusing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn only_a_reader_that_has_gone_is_accepted() {
        assert!(print(Refusing(ErrorKind::BrokenPipe), "help").is_ok());
        assert_eq!(
            print(Refusing(ErrorKind::StorageFull), "help").unwrap_err().kind(),
            ErrorKind::StorageFull
        );
    }
}
