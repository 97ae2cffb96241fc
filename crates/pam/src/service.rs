//! A PAM service: by whose rules is judged.

use std::{
    cell::Cell,
    ffi::{CStr, CString},
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
};

use portreeve_channel::{Applicant, Denial, JudgeQuestion, PasswordJudge};
use portreeve_secret::Secret;
use portreeve_sys::pam::{Pam, PamCode, PamMessage, PamStyle};
use rustix::process::geteuid;

use crate::denial;

/// Judges by the rules of one service, as `/etc/pam.d` has them at the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    name: CString,
}

impl Service {
    /// The service of that name, of which there need be no file.
    ///
    /// # Errors
    /// When no service can be called that.
    pub fn new(name: &str) -> Result<Self, BadName> {
        let is_odd = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
        if name.is_empty() || name.len() > LONGEST_NAME || name.starts_with('.') || name.contains(is_odd) {
            return Err(BadName);
        }
        // PAM looks for the file under the name in small letters.
        CString::new(name.to_ascii_lowercase()).map(|name| Self { name }).map_err(|_| BadName)
    }

    /// Its name, as PAM has it.
    pub fn name(&self) -> &str {
        self.name.to_str().unwrap_or_default()
    }

    /// The file with its rules; `None` where there is none and PAM takes those of the service `other`.
    pub fn rules(&self) -> Option<PathBuf> {
        FOLDERS.iter().map(|folder| Path::new(folder).join(self.name())).find(|path| path.exists())
    }

    /// Whether we may be unable to look at other users' passwords: `pam_unix` checks only our own user's then.
    pub fn is_unprivileged() -> bool {
        !geteuid().is_root()
    }

    fn run(&self, user: &CStr, address: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        let broken = |code: PamCode| {
            tracing::error!(service = ?self.name, error = %code, "PAM cannot be asked");
            Denial::Failed
        };
        let address = CString::new(address.to_canonical().to_string()).map_err(|_| Denial::Failed)?;
        let mut rounds = 0;
        // Modules do not agree on what it is when nobody answers.
        let is_over = Cell::new(false);
        let mut answer = |messages: &[PamMessage]| {
            rounds += 1;
            let is_endless = rounds > MOST_ROUNDS;
            if is_endless {
                tracing::warn!(service = ?self.name, "PAM does not stop asking; the login is broken off");
            }
            let answers = if is_endless { None } else { converse(messages, applicant) };
            is_over.set(is_over.get() || answers.is_none());
            answers
        };
        let explain =
            |code, denial| if is_over.get() { Denial::NotProven } else { self.explain(code, denial) };
        let mut pam = Pam::start(&self.name, user, &mut answer).map_err(broken)?;
        pam.set_remote_host(&address).and_then(|()| pam.set_terminal(TERMINAL)).map_err(broken)?;
        pam.authenticate().map_err(|code| explain(code, denial::of_authentication(code)))?;
        // Who was asked about is who comes in; another name would be another securityName.
        if pam.user().as_deref() != Some(user) {
            tracing::error!(service = ?self.name, "PAM has changed the user's name, which is not supported");
            return Err(Denial::Failed);
        }
        pam.check_account().map_err(|code| explain(code, denial::of_account(code)))
    }

    /// Tells the operator where the judge, and not the user, is to blame.
    fn explain(&self, code: PamCode, denial: Denial) -> Denial {
        if denial == Denial::Failed {
            tracing::error!(service = ?self.name, error = %code, "PAM cannot judge");
        }
        denial
    }
}

impl PasswordJudge for Service {
    fn judge(&self, user: &str, address: IpAddr, applicant: &mut dyn Applicant) -> Result<(), Denial> {
        let Ok(user) = CString::new(user) else { return Err(Denial::NotProven) };
        self.run(&user, address, applicant)
    }
}

/// One call of a module's: what it tells is told, and what it asks is asked at once.
fn converse(messages: &[PamMessage], applicant: &mut dyn Applicant) -> Option<Vec<Secret>> {
    for message in messages.iter().filter(|message| !message.style.asks()) {
        applicant.tell(&message.text);
    }
    let questions: Vec<_> = messages
        .iter()
        .filter(|message| message.style.asks())
        .map(|message| JudgeQuestion { prompt: message.text.clone(), echo: message.style == PamStyle::Shown })
        .collect();
    if questions.is_empty() { Some(Vec::new()) } else { applicant.ask(questions) }
}

/// No service can be called that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadName;

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a PAM service's name has letters, digits, `-`, `_` and `.`, and not more than 64 of them",
        )
    }
}

impl std::error::Error for BadName {}

/// Where Linux-PAM looks for rules.
const FOLDERS: [&str; 2] = ["/etc/pam.d", "/usr/lib/pam.d"];
/// What stands for a terminal, which some modules insist on: what sshd says.
const TERMINAL: &CStr = c"ssh";
/// Calls of modules in one attempt.
const MOST_ROUNDS: u32 = 32;
const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests;
