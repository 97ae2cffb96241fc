//! Verification by the rules of one PAM service.

use std::{
    cell::Cell,
    ffi::{CStr, CString},
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
};

use portreeve_channel::{AccountVerifier, LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_secret::Secret;
use portreeve_sys::{
    account_id,
    pam::{ConversationFn, PamError, PamMessage, PamStyle, PamTransaction},
};
use rustix::process::geteuid;

use crate::login_error;

/// Verifies logins by the current rules of one service in `/etc/pam.d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PamService {
    name: CString,
    allows_root: bool,
}

impl PamService {
    /// Creates a service with this name. Its file need not exist.
    ///
    /// # Errors
    /// If the name is not valid for a service.
    pub fn new(name: &str) -> Result<Self, ServiceNameError> {
        let is_invalid =
            |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
        if name.is_empty() || name.len() > MAX_NAME_LEN || name.starts_with('.') || name.contains(is_invalid)
        {
            return Err(ServiceNameError);
        }
        // PAM looks up the file in lower case.
        CString::new(name.to_ascii_lowercase())
            .map(|name| Self { name, allows_root: false })
            .map_err(|_| ServiceNameError)
    }

    /// Sets whether passwords of accounts with the user ID 0 are accepted. By default, they are
    /// refused in the same way as wrong passwords.
    #[must_use]
    pub fn allow_root(self, allows_root: bool) -> Self {
        Self { allows_root, ..self }
    }

    /// Returns the name of the service, in lower case.
    pub fn name(&self) -> &str {
        self.name.to_str().unwrap_or_default()
    }

    /// Returns the path of the rules file; `None` if there is none and PAM uses the service
    /// `other`.
    pub fn rules_file(&self) -> Option<PathBuf> {
        RULES_DIRECTORIES.iter().map(|folder| Path::new(folder).join(self.name())).find(|path| path.exists())
    }

    /// Returns `true` if this process may be unable to verify other users' passwords. Without
    /// privileges, `pam_unix` verifies only the password of the process's own user.
    pub fn is_unprivileged() -> bool {
        !geteuid().is_root()
    }

    fn authenticate(
        &self,
        user: &CStr,
        address: IpAddr,
        dialog: &mut dyn LoginDialog,
    ) -> Result<(), LoginError> {
        let mut rounds = 0;
        // Modules return different errors when the user does not respond.
        let is_unanswered = Cell::new(false);
        let mut respond = |messages: &[PamMessage]| {
            rounds += 1;
            let is_over_limit = rounds > MAX_ROUNDS;
            if is_over_limit {
                tracing::warn!(service = ?self.name, ?user, "login refused: PAM has sent too many prompts");
            }
            let responses = if is_over_limit { None } else { converse(messages, dialog) };
            is_unanswered.set(is_unanswered.get() || responses.is_none());
            responses
        };
        let classify = |code, error| {
            if is_unanswered.get() {
                LoginError::BadCredentials
            } else {
                self.log_unavailable(user, code, error)
            }
        };
        let mut pam = self.start(user, address, &mut respond)?;
        pam.authenticate().map_err(|code| classify(code, login_error::from_authentication(code)))?;
        self.require_user(&mut pam, user)?;
        pam.check_account().map_err(|code| classify(code, login_error::from_account(code)))
    }

    /// Starts a transaction for a user who connects from this address.
    fn start<'c>(
        &self,
        user: &CStr,
        address: IpAddr,
        respond: &'c mut ConversationFn<'c>,
    ) -> Result<PamTransaction<'c>, LoginError> {
        let call_failed = |code: PamError| {
            tracing::error!(service = ?self.name, ?user, error = %code, "login refused: cannot start a PAM transaction");
            LoginError::Unavailable
        };
        let address =
            CString::new(address.to_canonical().to_string()).map_err(|_| LoginError::Unavailable)?;
        let mut pam = PamTransaction::start(&self.name, user, respond).map_err(call_failed)?;
        pam.set_remote_host(&address).and_then(|()| pam.set_terminal(TERMINAL)).map_err(call_failed)?;
        Ok(pam)
    }

    /// Checks that PAM has not changed the user name: another name would be another securityName.
    fn require_user(&self, pam: &mut PamTransaction<'_>, user: &CStr) -> Result<(), LoginError> {
        if pam.user().as_deref() == Some(user) {
            return Ok(());
        }
        tracing::error!(service = ?self.name, ?user, "login refused: a PAM module has changed the user name");
        Err(LoginError::Unavailable)
    }

    /// Returns `true` if all passwords of this account are refused, even the correct one.
    fn refuses(&self, user: &str) -> Result<bool, LoginError> {
        if self.allows_root {
            return Ok(false);
        }
        let uid = account_id(user).map_err(|error| {
            tracing::error!(%error, ?user, "login refused: cannot look up the user's account");
            LoginError::Unavailable
        })?;
        Ok(uid == Some(0))
    }

    /// Logs an error that is caused by PAM and not by the user.
    fn log_unavailable(&self, user: &CStr, code: PamError, error: LoginError) -> LoginError {
        if error == LoginError::Unavailable {
            tracing::error!(service = ?self.name, ?user, error = %code, "login refused: a PAM module has failed");
        }
        error
    }
}

impl PasswordVerifier for PamService {
    fn verify(&self, user: &str, address: IpAddr, dialog: &mut dyn LoginDialog) -> Result<(), LoginError> {
        let Ok(name) = CString::new(user) else { return Err(LoginError::BadCredentials) };
        if self.refuses(user)? {
            // PAM also runs for an account that is refused, so that prompts and delays are the same
            // as for a wrong password.
            let _ = self.authenticate(&name, address, &mut WrongPasswords(dialog));
            return Err(LoginError::BadCredentials);
        }
        self.authenticate(&name, address, dialog)
    }
}

impl AccountVerifier for PamService {
    fn verify_account(&self, user: &str, address: IpAddr) -> Result<(), LoginError> {
        let Ok(user) = CString::new(user) else { return Err(LoginError::AccessDenied) };
        // There is no user who could read notices or respond to prompts.
        let mut respond = |messages: &[PamMessage]| {
            messages.iter().all(|message| !message.style.is_prompt()).then(Vec::new)
        };
        let mut pam = self.start(&user, address, &mut respond)?;
        let result = pam.check_account();
        self.require_user(&mut pam, &user)?;
        result.map_err(|code| self.log_unavailable(&user, code, login_error::from_account(code)))
    }
}

/// Passes prompts to the user, but responds to PAM with a wrong password instead of the user's
/// response.
struct WrongPasswords<'d>(&'d mut dyn LoginDialog);

impl LoginDialog for WrongPasswords<'_> {
    fn show_notice(&mut self, notice: &str) {
        self.0.show_notice(notice);
    }

    fn prompt(&mut self, prompts: Vec<LoginPrompt>) -> Option<Vec<Secret>> {
        let responses = self.0.prompt(prompts)?;
        Some(responses.iter().map(|_| Secret::from(WRONG_PASSWORD)).collect())
    }
}

/// Shows the messages of one call by a PAM module to the user: first the notices, then the prompts.
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

/// A name that is not valid for a PAM service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceNameError;

impl fmt::Display for ServiceNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid PAM service name: expected up to 64 letters, digits, `-`, `_` and `.`")
    }
}

impl std::error::Error for ServiceNameError {}

/// The directories in which Linux-PAM looks for rules.
const RULES_DIRECTORIES: [&str; 2] = ["/etc/pam.d", "/usr/lib/pam.d"];
/// A password that no account can have: it contains a line feed.
const WRONG_PASSWORD: &str = "\u{8}\n\r\u{7f}wrong";
/// The terminal name, which some modules require. sshd uses the same.
const TERMINAL: &CStr = c"ssh";
/// The maximum number of module calls in one login.
const MAX_ROUNDS: u32 = 32;
const MAX_NAME_LEN: usize = 64;

#[cfg(test)]
mod tests;
