//! Answers prompts for passwords, pass phrases and unknown host keys, and other questions of a
//! server. Uses the password of the command line, or asks the user.

use std::fmt::Write;

use portreeve_broker_protocol::{LoginTarget, PromptRequest};
use portreeve_prompt::EchoMode;
use portreeve_secret::Secret;

/// Answers the prompts of one session.
pub(super) struct PromptResponder {
    /// The password of `--password-file` or its equivalents. It is used only once, because a wrong
    /// password would be rejected again.
    password: Option<Secret>,
    /// True if the user may be asked for answers.
    is_interactive: bool,
}

impl PromptResponder {
    pub(super) fn new(password: Option<Secret>, may_ask: bool) -> Self {
        // Users who give a password on the command line expect no prompts.
        let is_interactive = may_ask && password.is_none();
        Self { password, is_interactive }
    }

    /// Returns the answer; `None` if there is no password to use and the user may not be asked.
    pub(super) fn answer(&mut self, question: &PromptRequest) -> Option<Secret> {
        match question {
            PromptRequest::HostKey { host, key_type, fingerprint, known_key_at } => {
                let mut question = format!(
                    "The host key of {} is unknown:\n  {} {}\n",
                    sanitized(host),
                    sanitized(key_type),
                    sanitized(fingerprint)
                );
                if !known_key_at.is_empty() {
                    let location = sanitized(known_key_at);
                    question += &format!("warning: {location} has a key of another type for this host\n");
                }
                question += "Is this the correct key (yes, no, or its fingerprint)? ";
                self.ask_host_key(question, fingerprint, portreeve_prompt::ask_line)
            }
            PromptRequest::PassPhrase { file } => {
                self.ask(&format!("Pass phrase of {}: ", sanitized(file)), EchoMode::Off)
            }
            PromptRequest::Password { login } => self
                .take_password_for(login)
                .or_else(|| self.ask(&format!("Password of {}: ", login_name(login)), EchoMode::Off)),
            PromptRequest::Prompt { login, echo: false, .. } if self.has_password_for(login) => {
                self.take_password_for(login)
            }
            PromptRequest::Prompt { login, name, instructions, prompt, echo } => {
                let question =
                    format!("{}({}) {}", preamble(name, instructions), login_name(login), sanitized(prompt));
                let echo = if *echo { EchoMode::On } else { EchoMode::Off };
                // The server may accept an empty line as an answer, so it is sent.
                if self.is_interactive { portreeve_prompt::ask_line(&question, echo) } else { None }
            }
            PromptRequest::Notice { login, name, instructions } => {
                let text = preamble(name, instructions);
                text.lines().for_each(|line| eprintln!("({}) {line}", login_name(login)));
                Some(Secret::from(""))
            }
        }
    }

    /// Asks until the answer is valid: `yes`, `no` or the fingerprint. An empty answer means no.
    fn ask_host_key(
        &self,
        mut question: String,
        fingerprint: &str,
        mut ask_line: impl FnMut(&str, EchoMode) -> Option<Secret>,
    ) -> Option<Secret> {
        if !self.is_interactive {
            return None;
        }
        loop {
            let answer = ask_line(&question, EchoMode::On)?;
            match answer.expose().trim_ascii() {
                b"yes" => return Some(Secret::from("yes")),
                typed if typed == fingerprint.as_bytes() => return Some(Secret::from(fingerprint)),
                b"no" | b"" => return None,
                _ => question = "Enter yes, no, or the expected fingerprint: ".to_owned(),
            }
        }
    }

    fn has_password_for(&self, login: &LoginTarget) -> bool {
        self.password.is_some() && !login.is_jump_host
    }

    /// Takes the given password, which is for the agent and not for jump hosts.
    fn take_password_for(&mut self, login: &LoginTarget) -> Option<Secret> {
        self.password.take_if(|_| !login.is_jump_host)
    }

    fn ask(&self, question: &str, echo: EchoMode) -> Option<Secret> {
        let answer = if self.is_interactive { portreeve_prompt::ask_line(question, echo) } else { None };
        answer.filter(|secret| !secret.is_empty())
    }
}

fn login_name(login: &LoginTarget) -> String {
    format!("{}@{}", sanitized(&login.user), sanitized(&login.host))
}

/// Formats the text that a server sends before a question.
fn preamble(name: &str, instructions: &str) -> String {
    let lines = name.lines().chain(instructions.lines()).filter(|line| !line.trim().is_empty());
    lines.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", sanitized(line));
        text
    })
}

/// Escapes control characters in text from a server.
fn sanitized(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii_graphic() || letter == ' ' {
            escaped.push(letter);
        } else {
            escaped.extend(letter.escape_debug());
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
