//! Verifies passwords and other responses to prompts with PAM, as `login` and `sshd` do, but with
//! the rules of our own service.
//!
//! ```text
//! PamService ── verify ──▶ pam_authenticate ──▶ same user name? ──▶ pam_acct_mgmt ──▶ Ok
//!                              │ ▲ prompts, notices
//!                              ▼ │
//!                            LoginDialog
//! ```
//! Verification blocks: PAM delays a wrong password by about two seconds, even for users that do
//! not exist. The caller must supply a thread. No PAM session is opened and no credentials are set,
//! because the user gets no process here.

mod login_error;
mod service;

pub use service::{PamService, ServiceNameError};
