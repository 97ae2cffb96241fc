//! The verifiers that a channel calls to authenticate a user with a password or interactive
//! prompts, and to check that an account may be used.
//!
//! ```text
//! channel ──▶ PasswordVerifier::verify ──▶ Ok | LoginError
//!                  │   ▲
//!           prompts▼   │responses
//!               LoginDialog (the client, behind the channel)
//! ```

use std::{fmt, net::IpAddr};

use portreeve_secret::Secret;

/// Verifies passwords, or other responses to prompts.
pub trait PasswordVerifier: fmt::Debug + Send + Sync {
    /// Authenticates `user`, who connects from `address` and is prompted through `applicant`. May
    /// block for seconds, or for as long as the user takes to respond.
    ///
    /// # Errors
    /// The reason why the login is refused.
    fn verify(&self, user: &str, address: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError>;
}

/// Verifies that accounts may be used, for logins that involve no password.
pub trait AccountVerifier: fmt::Debug + Send + Sync {
    /// Verifies the account of `user`, who is authenticated and connects from `address`. May block.
    ///
    /// # Errors
    /// The reason why the login is refused.
    fn verify_account(&self, user: &str, address: IpAddr) -> Result<(), LoginError>;
}

/// The client that logs in, as a verifier sees it.
pub trait LoginDialog {
    /// Displays a notice to the user.
    fn show_notice(&mut self, notice: &str);

    /// Displays one or more prompts and returns one response for each; `None` if the client has
    /// disconnected or does not support prompts.
    fn prompt(&mut self, questions: Vec<LoginPrompt>) -> Option<Vec<Secret>>;
}

/// A prompt from a verifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginPrompt {
    /// The text to display to the user.
    pub text: String,
    /// `true` if the response may be visible while it is typed.
    pub echo: bool,
}

/// The reason why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginError {
    /// The user is not authenticated.
    BadCredentials,
    /// The user is authenticated, but the account has expired.
    AccountExpired,
    /// The user is authenticated, but the password must be changed first.
    PasswordExpired,
    /// The user is authenticated, but may not log in at this time, from this address, or at all.
    AccessDenied,
    /// The verifier failed, so the login could not be checked.
    Unavailable,
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadCredentials => "wrong password or response",
            Self::AccountExpired => "the account has expired",
            Self::PasswordExpired => "the password has expired; change it first, for example with `passwd`",
            Self::AccessDenied => "the account is not allowed to log in from this address or at this time",
            Self::Unavailable => "the server cannot verify passwords",
        })
    }
}
