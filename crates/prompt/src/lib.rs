//! Prompts on the terminal, without echo for pass phrases, or with echo for visible input.
//!
//! While echo is off, the keys for signals are read as characters, so that the terminal is always
//! restored.

use std::{
    fs::{File, OpenOptions},
    io::{self, IsTerminal, Read, Write},
};

use portreeve_secret::Secret;
use rustix::{
    process::{Signal, getpid, kill_process},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};

/// Asks for a secret. Returns `None` if there is no terminal, or if the user enters nothing.
pub fn ask(question: &str) -> Option<Secret> {
    ask_line(question, EchoMode::Off).filter(|secret| !secret.is_empty())
}

/// The visibility of typed input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EchoMode {
    /// Typed input is not visible.
    Off,
    /// Typed input is visible.
    On,
}

/// Like [`ask`], but typed input may be visible, and an empty line is accepted, too.
pub fn ask_line(question: &str, echo: EchoMode) -> Option<Secret> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
    if echo == EchoMode::On {
        return ask_with_echo(&mut terminal, question).ok();
    }
    let mut no_echo = NoEcho::new(terminal).ok()?;
    let outcome = no_echo.ask(question);
    drop(no_echo);
    match outcome {
        Ok(LineOutcome::Line(secret)) => Some(secret),
        Ok(LineOutcome::Interrupted) => {
            // The terminal is restored, so the process sends itself the signal that the terminal
            // would have sent.
            let _ = kill_process(getpid(), Signal::INT);
            None
        }
        _ => None,
    }
}

/// Reads a line in the terminal's normal mode, which need not be restored.
fn ask_with_echo(terminal: &mut File, question: &str) -> io::Result<Secret> {
    terminal.write_all(question.as_bytes())?;
    let mut line = Vec::with_capacity(MAX_LINE_LEN);
    let mut octet = [0];
    while terminal.read(&mut octet)? != 0 && octet != [b'\n'] {
        if line.len() < MAX_LINE_LEN {
            line.push(octet[0]);
        }
    }
    Ok(Secret::new(line))
}

/// A terminal that does not echo and delivers every character at once. Its mode is restored on
/// drop.
struct NoEcho {
    terminal: File,
    saved: Termios,
}

enum LineOutcome {
    Line(Secret),
    Interrupted,
}

impl NoEcho {
    fn new(terminal: File) -> io::Result<Self> {
        let before = tcgetattr(&terminal)?;
        let mut no_echo = before.clone();
        no_echo
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN);
        no_echo.special_codes[SpecialCodeIndex::VMIN] = 1;
        no_echo.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&terminal, OptionalActions::Flush, &no_echo)?;
        Ok(Self { terminal, saved: before })
    }

    fn ask(&mut self, question: &str) -> io::Result<LineOutcome> {
        self.terminal.write_all(question.as_bytes())?;
        // Allocated at its final size, so that growing does not leave a copy in memory.
        let mut line = Vec::with_capacity(MAX_LINE_LEN);
        let outcome = self.read_line(&mut line);
        let secret = Secret::new(line);
        self.terminal.write_all(b"\n")?;
        Ok(match outcome? {
            true => LineOutcome::Line(secret),
            false => LineOutcome::Interrupted,
        })
    }

    /// Reads a line. Returns `true` when the line ends, and `false` when the user interrupts it.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        let mut octet = [0];
        loop {
            if self.terminal.read(&mut octet)? == 0 {
                return Ok(true);
            }
            match octet[0] {
                b'\r' | b'\n' | END_OF_FILE => return Ok(true),
                INTERRUPT | QUIT => return Ok(false),
                BACKSPACE | DELETE => {
                    // In UTF-8, a character can consist of several octets; all of them are removed.
                    while line.pop().is_some_and(|octet| octet & 0xc0 == 0x80) {}
                }
                KILL_LINE => line.clear(),
                other if line.len() < MAX_LINE_LEN => line.push(other),
                _ => {}
            }
        }
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        // If the terminal no longer exists, its mode need not be restored.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.saved);
    }
}

const INTERRUPT: u8 = 0x03;
const END_OF_FILE: u8 = 0x04;
const BACKSPACE: u8 = 0x08;
const KILL_LINE: u8 = 0x15;
const QUIT: u8 = 0x1c;
const DELETE: u8 = 0x7f;
/// The maximum length of a line in bytes. Further bytes are ignored.
const MAX_LINE_LEN: usize = 4096;
