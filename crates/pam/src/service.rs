//! A PAM service: by whose rules is judged.

use std::{
    cell::Cell,
    ffi::{CStr, CString},
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
};

use portreeve_channel::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_secret::Secret;
use portreeve_sys::pam::{PamError, PamMessage, PamStyle, PamTransaction};
use rustix::process::geteuid;

use crate::login_error;

/// Judges by the rules of one service, as `/etc/pam.d` has them at the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PamService {
    name: CString,
}

impl PamService {
    /// The service of that name, of which there need be no file.
    ///
    /// # Errors
    /// When no service can be called that.
    pub fn new(name: &str) -> Result<Self, ServiceNameError> {
        let is_odd = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
        if name.is_empty() || name.len() > MAX_NAME_LEN || name.starts_with('.') || name.contains(is_odd) {
            return Err(ServiceNameError);
        }
        // PAM looks for the file under the name in small letters.
        CString::new(name.to_ascii_lowercase()).map(|name| Self { name }).map_err(|_| ServiceNameError)
    }

    /// Its name, as PAM has it.
    pub fn name(&self) -> &str {
        self.name.to_str().unwrap_or_default()
    }

    /// The file with its rules; `None` where there is none and PAM takes those of the service `other`.
    pub fn rules_file(&self) -> Option<PathBuf> {
        RULES_DIRECTORIES.iter().map(|folder| Path::new(folder).join(self.name())).find(|path| path.exists())
    }

    /// Whether we may be unable to look at other users' passwords: `pam_unix` checks only our own user's then.
    pub fn is_unprivileged() -> bool {
        !geteuid().is_root()
    }

    fn authenticate(
        &self,
        user: &CStr,
        address: IpAddr,
        dialog: &mut dyn LoginDialog,
    ) -> Result<(), LoginError> {
        let broken = |code: PamError| {
            tracing::error!(service = ?self.name, error = %code, "PAM cannot be asked");
            LoginError::Unavailable
        };
        let address =
            CString::new(address.to_canonical().to_string()).map_err(|_| LoginError::Unavailable)?;
        let mut rounds = 0;
        // Modules do not agree on what it is when nobody answers.
        let is_over = Cell::new(false);
        let mut answer = |messages: &[PamMessage]| {
            rounds += 1;
            let is_endless = rounds > MAX_ROUNDS;
            if is_endless {
                tracing::warn!(service = ?self.name, "PAM does not stop asking; the login is broken off");
            }
            let answers = if is_endless { None } else { converse(messages, dialog) };
            is_over.set(is_over.get() || answers.is_none());
            answers
        };
        let explain = |code, error| {
            if is_over.get() { LoginError::BadCredentials } else { self.log_unavailable(code, error) }
        };
        let mut pam = PamTransaction::start(&self.name, user, &mut answer).map_err(broken)?;
        pam.set_remote_host(&address).and_then(|()| pam.set_terminal(TERMINAL)).map_err(broken)?;
        pam.authenticate().map_err(|code| explain(code, login_error::from_authentication(code)))?;
        // Who was asked about is who comes in; another name would be another securityName.
        if pam.user().as_deref() != Some(user) {
            tracing::error!(service = ?self.name, "PAM has changed the user's name, which is not supported");
            return Err(LoginError::Unavailable);
        }
        pam.check_account().map_err(|code| explain(code, login_error::from_account(code)))
    }

    /// Tells the operator where the judge, and not the user, is to blame.
    fn log_unavailable(&self, code: PamError, error: LoginError) -> LoginError {
        if error == LoginError::Unavailable {
            tracing::error!(service = ?self.name, error = %code, "PAM cannot judge");
        }
        error
    }
}

impl PasswordVerifier for PamService {
    fn verify(&self, user: &str, address: IpAddr, dialog: &mut dyn LoginDialog) -> Result<(), LoginError> {
        let Ok(user) = CString::new(user) else { return Err(LoginError::BadCredentials) };
        self.authenticate(&user, address, dialog)
    }
}

/// One call of a module's: what it tells is told, and what it asks is asked at once.
fn converse(messages: &[PamMessage], dialog: &mut dyn LoginDialog) -> Option<Vec<Secret>> {
    for message in messages.iter().filter(|message| !message.style.is_prompt()) {
        dialog.show_notice(&message.text);
    }
    let prompts: Vec<_> = messages
        .iter()
        .filter(|message| message.style.is_prompt())
        .map(|message| LoginPrompt {
            text: message.text.clone(),
            echo: message.style == PamStyle::PromptEchoOn,
        })
        .collect();
    if prompts.is_empty() { Some(Vec::new()) } else { dialog.prompt(prompts) }
}

/// No service can be called that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceNameError;

impl fmt::Display for ServiceNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a PAM service's name has letters, digits, `-`, `_` and `.`, and not more than 64 of them",
        )
    }
}

impl std::error::Error for ServiceNameError {}

/// Where Linux-PAM looks for rules.
const RULES_DIRECTORIES: [&str; 2] = ["/etc/pam.d", "/usr/lib/pam.d"];
/// What stands for a terminal, which some modules insist on: what sshd says.
const TERMINAL: &CStr = c"ssh";
/// Calls of modules in one attempt.
const MAX_ROUNDS: u32 = 32;
const MAX_NAME_LEN: usize = 64;

#[cfg(test)]
mod tests;
