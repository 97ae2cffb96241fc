//! A log destination and the priorities that it accepts.

use std::{
    fs::File,
    io::{self, Write},
    ops::RangeInclusive,
    os::unix::net::UnixDatagram,
    rc::Rc,
};

use super::Priority;
use crate::flags::FlagError;

#[derive(Clone)]
pub(crate) struct Sink {
    priorities: RangeInclusive<Priority>,
    destination: Destination,
}

#[derive(Clone)]
enum Destination {
    StandardError,
    StandardOutput,
    Nowhere,
    File(Rc<File>),
    /// Syslog, with the facility number.
    Syslog(u8),
}

impl Sink {
    /// Parses the value of `-L`: a letter and its arguments, which are attached to the letter or
    /// are the following words.
    pub(crate) fn parse_flag(
        value: &str,
        next_word: &mut dyn FnMut() -> Option<String>,
    ) -> Result<Self, FlagError> {
        let mut characters = value.chars();
        let letter = characters.next().unwrap_or('e');
        let attached = characters.as_str().trim_start_matches(['=', ':']).trim_start();
        let mut attached = (!attached.is_empty()).then(|| attached.to_owned());
        let priorities = if letter.is_ascii_uppercase() && "EONFS".contains(letter) {
            let priorities_text =
                attached.take().or_else(&mut *next_word).ok_or_else(|| FlagError::usage(""))?;
            // `-LF "7 FILE"` passes both arguments in one word.
            let (priorities_text, rest) =
                priorities_text.split_once(' ').map_or((priorities_text.as_str(), ""), |halves| halves);
            attached = (!rest.is_empty()).then(|| rest.trim_start().to_owned());
            parse_priorities(priorities_text)?
        } else {
            Priority::EMERGENCY..=Priority::DEBUG
        };
        let mut operand = || attached.take().or_else(&mut *next_word).ok_or_else(|| FlagError::usage(""));
        let destination = match letter {
            'e' | 'E' => Destination::StandardError,
            'o' | 'O' => Destination::StandardOutput,
            'n' | 'N' => Destination::Nowhere,
            'f' | 'F' => {
                let path = operand()?;
                let file = File::create(&path);
                Destination::File(Rc::new(
                    file.map_err(|error| FlagError::Message(format!("{path}: {error}")))?,
                ))
            }
            's' | 'S' => Destination::Syslog(parse_facility(&operand()?)?),
            other => {
                return Err(FlagError::Usage(format!("Unknown logging option passed to -L: {other}.")));
            }
        };
        Ok(Self { priorities, destination })
    }

    /// Writes a message if this destination accepts its priority. Write errors are ignored, because
    /// they cannot be reported anywhere.
    pub(super) fn write(&self, priority: Priority, message: &str) {
        if !self.priorities.contains(&priority) {
            return;
        }
        match &self.destination {
            Destination::StandardError => eprintln!("{message}"),
            Destination::StandardOutput => drop(writeln!(io::stdout().lock(), "{message}")),
            Destination::Nowhere => {}
            Destination::File(file) => drop(writeln!(&mut &**file, "{message}")),
            Destination::Syslog(facility) => drop(send_to_syslog(facility * 8 + priority.0, message)),
        }
    }
}

/// Parses a single digit such as `3`, which includes more urgent priorities, or a range such as
/// `3-5`.
fn parse_priorities(priorities_text: &str) -> Result<RangeInclusive<Priority>, FlagError> {
    let read = |text: &str| {
        let priority = text.chars().next().and_then(Priority::parse);
        priority.ok_or_else(|| FlagError::Usage(format!("invalid priority: {text}")))
    };
    match priorities_text.split_once('-') {
        Some((first, last)) => {
            let (first, last) = (read(first)?, read(last)?);
            Ok(first.min(last)..=first.max(last))
        }
        None => Ok(Priority::EMERGENCY..=read(priorities_text)?),
    }
}

fn parse_facility(text: &str) -> Result<u8, FlagError> {
    let letter = text.chars().next().unwrap_or_default();
    match letter {
        'd' | 'D' => Ok(DAEMON),
        'u' | 'U' => Ok(USER),
        '0'..='7' => Ok(LOCAL_0 + u8::try_from(letter.to_digit(8).unwrap_or_default()).unwrap_or_default()),
        _ => Err(FlagError::Usage(format!("invalid syslog facility: {letter}"))),
    }
}

fn send_to_syslog(priority: u8, message: &str) -> io::Result<()> {
    let socket = UnixDatagram::unbound()?;
    let text = format!("<{priority}>portreeve[{}]: {}", std::process::id(), message.trim());
    socket.send_to(text.as_bytes(), "/dev/log").map(drop)
}

const USER: u8 = 1;
const DAEMON: u8 = 3;
const LOCAL_0: u8 = 16;

#[cfg(test)]
mod tests;
