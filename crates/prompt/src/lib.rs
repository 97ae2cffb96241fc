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
    ask_line(question, Typed::Hidden).filter(|secret| !secret.is_empty())
}

/// Whether what is typed can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It cannot.
    Hidden,
    /// It can.
    Shown,
}

/// As [`ask`], but nothing is an answer too.
pub fn ask_line(question: &str, typed: Typed) -> Option<Secret> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty").ok()?;
    if typed == Typed::Shown {
        return ask_openly(&mut terminal, question).ok();
    }
    let mut hushed = Hushed::new(terminal).ok()?;
    let answer = hushed.ask(question);
    drop(hushed);
    match answer {
        Ok(Answer::Line(secret)) => Some(secret),
        Ok(Answer::Interrupted) => {
            // As if the terminal had sent it, now that it is itself again.
            let _ = kill_process(getpid(), Signal::INT);
            None
        }
        _ => None,
    }
}

/// The terminal does as it always does, so that it need not be given back.
fn ask_openly(terminal: &mut File, question: &str) -> io::Result<Secret> {
    terminal.write_all(question.as_bytes())?;
    let mut line = Vec::with_capacity(LONGEST);
    let mut octet = [0];
    while terminal.read(&mut octet)? != 0 && octet != [b'\n'] {
        if line.len() < LONGEST {
            line.push(octet[0]);
        }
    }
    Ok(Secret::new(line))
}

/// A terminal that shows nothing and hands over every character at once, until it is dropped.
struct Hushed {
    terminal: File,
    before: Termios,
}

enum Answer {
    Line(Secret),
    Interrupted,
}

impl Hushed {
    fn new(terminal: File) -> io::Result<Self> {
        let before = tcgetattr(&terminal)?;
        let mut hushed = before.clone();
        hushed
            .local_modes
            .remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN);
        hushed.special_codes[SpecialCodeIndex::VMIN] = 1;
        hushed.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&terminal, OptionalActions::Flush, &hushed)?;
        Ok(Self { terminal, before })
    }

    fn ask(&mut self, question: &str) -> io::Result<Answer> {
        self.terminal.write_all(question.as_bytes())?;
        // Never grows, so that nothing of it is left behind elsewhere.
        let mut typed = Vec::with_capacity(LONGEST);
        let answer = self.line(&mut typed);
        let secret = Secret::new(typed);
        self.terminal.write_all(b"\n")?;
        Ok(match answer? {
            true => Answer::Line(secret),
            false => Answer::Interrupted,
        })
    }

    /// Reads until the line ends: `true`, or is broken off: `false`.
    fn line(&mut self, typed: &mut Vec<u8>) -> io::Result<bool> {
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
                    while typed.pop().is_some_and(|octet| octet & 0xc0 == 0x80) {}
                }
                KILL_LINE => typed.clear(),
                other if typed.len() < LONGEST => typed.push(other),
                _ => {}
            }
        }
    }
}

impl Drop for Hushed {
    fn drop(&mut self) {
        // Where the terminal has gone there is nothing to give back.
        let _ = tcsetattr(&self.terminal, OptionalActions::Flush, &self.before);
    }
}

const INTERRUPT: u8 = 0x03;
const END_OF_FILE: u8 = 0x04;
const BACKSPACE: u8 = 0x08;
const KILL_LINE: u8 = 0x15;
const QUIT: u8 = 0x1c;
const DELETE: u8 = 0x7f;
/// Octets that are kept at most.
const LONGEST: usize = 4096;
