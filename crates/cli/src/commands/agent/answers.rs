//! What a server is answered that wants a password, a pass phrase, or asks questions of its own: from where flags say, or by
//! whoever sits at the terminal.

use std::fmt::Write;

use portreeve_broker_protocol::{Login, Question};
use portreeve_prompt::Typed;
use portreeve_secret::Secret;

/// Knows answers, or asks for them.
pub(super) struct Answers {
    /// `--password-file` and its like, until it has been used: what was wrong once is wrong again.
    password: Option<Secret>,
    /// Whether somebody at the terminal is asked for what is not known.
    asks: bool,
}

impl Answers {
    pub(super) fn new(password: Option<Secret>, may_ask: bool) -> Self {
        // Whoever names a file expects no question.
        let asks = may_ask && password.is_none();
        Self { password, asks }
    }

    /// The answer; `None` where nobody has one.
    pub(super) fn answer(&mut self, question: &Question) -> Option<Secret> {
        match question {
            Question::HostKey { host, kind, fingerprint, other } => {
                let mut question = format!(
                    "The host key of {} is not known:\n  {} {}\n",
                    shown(host),
                    shown(kind),
                    shown(fingerprint)
                );
                if !other.is_empty() {
                    question += &format!("warning: {} has a key of another kind for it\n", shown(other));
                }
                question += "Is that the host's own (yes, no, or its fingerprint)? ";
                self.decide(question, fingerprint, portreeve_prompt::ask_line)
            }
            Question::PassPhrase { file } => {
                self.ask(&format!("Pass phrase of {}: ", shown(file)), Typed::Hidden)
            }
            Question::Password { asker } => self
                .known(asker)
                .or_else(|| self.ask(&format!("Password of {}: ", whom(asker)), Typed::Hidden)),
            Question::Prompt { asker, echo: false, .. } if self.is_known(asker) => self.known(asker),
            Question::Prompt { asker, name, instructions, prompt, echo } => {
                let question = format!("{}({}) {}", words(name, instructions), whom(asker), shown(prompt));
                let typed = if *echo { Typed::Shown } else { Typed::Hidden };
                // Here nothing is an answer as well.
                if self.asks { portreeve_prompt::ask_line(&question, typed) } else { None }
            }
            Question::Notice { asker, name, instructions } => {
                let words = words(name, instructions);
                words.lines().for_each(|line| eprintln!("({}) {line}", whom(asker)));
                Some(Secret::from(""))
            }
        }
    }

    /// What `asks` brings, once that is one of the answers there are. Nothing at all is a no.
    fn decide(
        &self,
        mut question: String,
        fingerprint: &str,
        mut asks: impl FnMut(&str, Typed) -> Option<Secret>,
    ) -> Option<Secret> {
        if !self.asks {
            return None;
        }
        loop {
            let answer = asks(&question, Typed::Shown)?;
            match answer.expose().trim_ascii() {
                b"yes" => return Some(Secret::from("yes")),
                said if said == fingerprint.as_bytes() => return Some(Secret::from(fingerprint)),
                b"no" | b"" => return None,
                _ => question = "Please say yes, no, or what the fingerprint should be: ".to_owned(),
            }
        }
    }

    fn is_known(&self, asker: &Login) -> bool {
        self.password.is_some() && !asker.on_the_way
    }

    /// The password from a file is for the agent, not for hosts on the way to it.
    fn known(&mut self, asker: &Login) -> Option<Secret> {
        self.password.take_if(|_| !asker.on_the_way)
    }

    fn ask(&self, question: &str, typed: Typed) -> Option<Secret> {
        let answer = if self.asks { portreeve_prompt::ask_line(question, typed) } else { None };
        answer.filter(|secret| !secret.is_empty())
    }
}

fn whom(asker: &Login) -> String {
    format!("{}@{}", shown(&asker.user), shown(&asker.host))
}

/// What is to be read before a question, each on lines of its own.
fn words(name: &str, instructions: &str) -> String {
    let lines = name.lines().chain(instructions.lines()).filter(|line| !line.trim().is_empty());
    lines.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", shown(line));
        text
    })
}

/// Somebody else's words, without what a terminal would obey.
fn shown(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        if letter.is_ascii_graphic() || letter == ' ' {
            text.push(letter);
        } else {
            text.extend(letter.escape_debug());
        }
    }
    text
}

#[cfg(test)]
mod tests;
