//! Where messages about the work go, which are neither answers nor mistakes in the command line: `-L`.

mod sink;

pub(crate) use sink::Sink;

/// All places; none stands for standard error.
#[derive(Clone, Default)]
pub(crate) struct Log {
    sinks: Vec<Sink>,
}

impl Log {
    /// Writes to one place more, or to the first that was asked for.
    pub(crate) fn add(&mut self, sink: Sink) {
        self.sinks.push(sink);
    }

    /// Something has failed.
    pub(crate) fn error(&self, message: &str) {
        self.write(Priority::ERROR, message);
    }

    /// Something is odd and was passed over.
    pub(crate) fn warning(&self, message: &str) {
        self.write(Priority::WARNING, message);
    }

    /// How the work is done, step by step.
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

/// As syslog numbers them: 0 is an emergency, 7 is of interest to nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority(u8);

impl Priority {
    const EMERGENCY: Self = Self(0);
    const ERROR: Self = Self(3);
    const WARNING: Self = Self(4);
    const DEBUG: Self = Self(7);

    /// A digit or the first letter of the priority's name.
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
