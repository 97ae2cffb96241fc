//! The log for messages that are neither results nor command-line errors: `-L`.

mod sink;

pub(crate) use sink::Sink;

/// The log destinations. Without any, messages go to standard error.
#[derive(Clone, Default)]
pub(crate) struct Log {
    sinks: Vec<Sink>,
}

impl Log {
    /// Adds a destination to which messages are logged.
    pub(crate) fn add(&mut self, sink: Sink) {
        self.sinks.push(sink);
    }

    /// Logs an error.
    pub(crate) fn error(&self, message: &str) {
        self.write(Priority::ERROR, message);
    }

    /// Logs a warning.
    pub(crate) fn warning(&self, message: &str) {
        self.write(Priority::WARNING, message);
    }

    /// Logs a debug message.
    pub(crate) fn debug(&self, message: &str) {
        self.write(Priority::DEBUG, message);
    }

    fn write(&self, priority: Priority, message: &str) {
        if self.sinks.is_empty() {
            return eprintln!("{message}");
        }
        self.sinks.iter().for_each(|sink| sink.write(priority, message));
    }
}

/// A syslog priority: 0 is an emergency, 7 is debug output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority(u8);

impl Priority {
    const EMERGENCY: Self = Self(0);
    const ERROR: Self = Self(3);
    const WARNING: Self = Self(4);
    const DEBUG: Self = Self(7);

    /// Parses a digit or the first letter of a priority's name; `!` stands for emergency.
    fn parse(letter: char) -> Option<Self> {
        let digit = match letter {
            '!' => '0',
            'a' | 'A' => '1',
            'c' | 'C' => '2',
            'e' | 'E' => '3',
            'w' | 'W' => '4',
            'n' | 'N' => '5',
            'i' | 'I' => '6',
            'd' | 'D' => '7',
            other => other,
        };
        let number = u8::try_from(digit.to_digit(8)?).ok()?;
        Some(Self(number))
    }
}
