//! Who may come in with a password, or with answers to questions: asked by a channel, judged by somebody else.
//!
//! ```text
//! channel ──▶ PasswordVerifier::judge ──▶ Ok | Denial
//!                  │   ▲
//!         questions▼   │answers
//!               Applicant (the peer, behind the channel)
//! ```

use std::{fmt, net::IpAddr};

use portreeve_secret::Secret;

/// Knows users' passwords, or what else they have to know.
pub trait PasswordVerifier: fmt::Debug + Send + Sync {
    /// Whether the user may come in, whom `applicant` says to be and who connects from `address`. May block for seconds, and
    /// for as long as the applicant thinks.
    ///
    /// # Errors
    /// Why not.
    fn verify(&self, user: &str, address: IpAddr, applicant: &mut dyn LoginDialog) -> Result<(), LoginError>;
}

/// Whoever wants in, as a judge sees them.
pub trait LoginDialog {
    /// Has them read something.
    fn show_notice(&mut self, notice: &str);

    /// Has them answer questions, at least one. There are as many answers; `None` where they have gone, or do not answer
    /// such questions.
    fn prompt(&mut self, questions: Vec<LoginPrompt>) -> Option<Vec<Secret>>;
}

/// A question of a judge's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginPrompt {
    /// As it is shown.
    pub text: String,
    /// Whether the answer may be seen.
    pub echo: bool,
}

/// Why a judge does not let somebody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginError {
    /// They have not proven to be that user.
    BadCredentials,
    /// They have, but the account counts no more.
    AccountExpired,
    /// They have, but the password has to be changed first.
    PasswordExpired,
    /// They have, but may not come in: not now, not from there, or not at all.
    AccessDenied,
    /// The judge could not judge.
    Unavailable,
}

impl fmt::Display for LoginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadCredentials => "the password, or another answer, is not right",
            Self::AccountExpired => "the account has expired",
            Self::PasswordExpired => "the password has expired, and has to be changed by other means first",
            Self::AccessDenied => "the account may not be used here and now",
            Self::Unavailable => "passwords cannot be checked",
        })
    }
}
