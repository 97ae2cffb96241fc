//! Asking whoever sits at the terminal for a pass phrase, without showing what is typed, or for what may be seen.
//!
//! Signals of the keyboard are taken as characters meanwhile, so that the terminal is always given back as it was.

use std::{
    fs::{File, OpenOptions},
    io::{self, IsTerminal, Read, Write},
};

use portreeve_secret::Secret;
use rustix::{
    process::{Signal, getpid, kill_process},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};

/// Asks, where somebody is there to answer: `None` without a terminal, or if nothing is typed.
pub fn ask(question: &str) -> Option<Secret> {
    ask_line(question, EchoMode::Off).filter(|secret| !secret.is_empty())
}

/// Whether what is typed can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EchoMode {
    /// It cannot.
    Off,
    /// It can.
    On,
}

/// As [`ask`], but nothing is an answer too.
pub fn ask_line(question: &str, line: EchoMode) -> Option<Secret> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
    if line == EchoMode::On {
        return ask_with_echo(&mut terminal, question).ok();
    }
    let mut no_echo = NoEcho::new(terminal).ok()?;
    let answer = no_echo.ask(question);
    drop(no_echo);
    match answer {
        Ok(LineOutcome::Line(secret)) => Some(secret),
        Ok(LineOutcome::Interrupted) => {
            // As if the terminal had sent it, now that it is itself again.
            let _ = kill_process(getpid(), Signal::INT);
            None
        }
        _ => None,
    }
}

/// The terminal does as it always does, so that it need not be given back.
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

/// A terminal that shows nothing and hands over every character at once, until it is dropped.
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
        // Never grows, so that nothing of it is left behind elsewhere.
        let mut line = Vec::with_capacity(MAX_LINE_LEN);
        let answer = self.read_line(&mut line);
        let secret = Secret::new(line);
        self.terminal.write_all(b"\n")?;
        Ok(match answer? {
            true => LineOutcome::Line(secret),
            false => LineOutcome::Interrupted,
        })
    }

    /// Reads until the line ends: `true`, or is broken off: `false`.
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
                    // A whole character, in UTF-8.
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
        // Where the terminal has gone there is nothing to give back.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.saved);
    }
}

const INTERRUPT: u8 = 0x03;
const END_OF_FILE: u8 = 0x04;
const BACKSPACE: u8 = 0x08;
const KILL_LINE: u8 = 0x15;
const QUIT: u8 = 0x1c;
const DELETE: u8 = 0x7f;
/// Octets that are kept at most.
const MAX_LINE_LEN: usize = 4096;
