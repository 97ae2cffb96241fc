//! What a server is answered that wants a password, a pass phrase, or asks questions of its own: from where flags say, or by
//! whoever sits at the terminal.

use std::fmt::Write;

use portreeve_broker_protocol::{LoginTarget, PromptRequest};
use portreeve_prompt::EchoMode;
use portreeve_secret::Secret;

/// Knows answers, or asks for them.
pub(super) struct PromptResponder {
    /// `--password-file` and its like, until it has been used: what was wrong once is wrong again.
    password: Option<Secret>,
    /// Whether somebody at the terminal is asked for what is not known.
    is_interactive: bool,
}

impl PromptResponder {
    pub(super) fn new(password: Option<Secret>, may_ask: bool) -> Self {
        // Whoever names a file expects no question.
        let asks = may_ask && password.is_none();
        Self { password, is_interactive: asks }
    }

    /// The answer; `None` where nobody has one.
    pub(super) fn answer(&mut self, question: &PromptRequest) -> Option<Secret> {
        match question {
            PromptRequest::HostKey { host, kind, fingerprint, known_key_at: other } => {
                let mut question = format!(
                    "The host key of {} is not known:\n  {} {}\n",
                    sanitized(host),
                    sanitized(kind),
                    sanitized(fingerprint)
                );
                if !other.is_empty() {
                    question += &format!("warning: {} has a key of another kind for it\n", sanitized(other));
                }
                question += "Is that the host's own (yes, no, or its fingerprint)? ";
                self.ask_host_key(question, fingerprint, portreeve_prompt::ask_line)
            }
            PromptRequest::PassPhrase { file } => {
                self.ask(&format!("Pass phrase of {}: ", sanitized(file)), EchoMode::Off)
            }
            PromptRequest::Password { asker } => self
                .take_password_for(asker)
                .or_else(|| self.ask(&format!("Password of {}: ", login_name(asker)), EchoMode::Off)),
            PromptRequest::Prompt { asker, echo: false, .. } if self.has_password_for(asker) => {
                self.take_password_for(asker)
            }
            PromptRequest::Prompt { asker, name, instructions, prompt, echo } => {
                let question =
                    format!("{}({}) {}", preamble(name, instructions), login_name(asker), sanitized(prompt));
                let typed = if *echo { EchoMode::On } else { EchoMode::Off };
                // Here nothing is an answer as well.
                if self.is_interactive { portreeve_prompt::ask_line(&question, typed) } else { None }
            }
            PromptRequest::Notice { asker, name, instructions } => {
                let words = preamble(name, instructions);
                words.lines().for_each(|line| eprintln!("({}) {line}", login_name(asker)));
                Some(Secret::from(""))
            }
        }
    }

    /// What `is_interactive` brings, once that is one of the answers there are. Nothing at all is a no.
    fn ask_host_key(
        &self,
        mut question: String,
        fingerprint: &str,
        mut asks: impl FnMut(&str, EchoMode) -> Option<Secret>,
    ) -> Option<Secret> {
        if !self.is_interactive {
            return None;
        }
        loop {
            let answer = asks(&question, EchoMode::On)?;
            match answer.expose().trim_ascii() {
                b"yes" => return Some(Secret::from("yes")),
                said if said == fingerprint.as_bytes() => return Some(Secret::from(fingerprint)),
                b"no" | b"" => return None,
                _ => question = "Please say yes, no, or what the fingerprint should be: ".to_owned(),
            }
        }
    }

    fn has_password_for(&self, asker: &LoginTarget) -> bool {
        self.password.is_some() && !asker.is_jump_host
    }

    /// The password from a file is for the agent, not for hosts on the way to it.
    fn take_password_for(&mut self, asker: &LoginTarget) -> Option<Secret> {
        self.password.take_if(|_| !asker.is_jump_host)
    }

    fn ask(&self, question: &str, typed: EchoMode) -> Option<Secret> {
        let answer = if self.is_interactive { portreeve_prompt::ask_line(question, typed) } else { None };
        answer.filter(|secret| !secret.is_empty())
    }
}

fn login_name(asker: &LoginTarget) -> String {
    format!("{}@{}", sanitized(&asker.user), sanitized(&asker.host))
}

/// What is to be read before a question, each on lines of its own.
fn preamble(name: &str, instructions: &str) -> String {
    let lines = name.lines().chain(instructions.lines()).filter(|line| !line.trim().is_empty());
    lines.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", sanitized(line));
        text
    })
}

/// Somebody else's words, without what a terminal would obey.
fn sanitized(words: &str) -> String {
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
