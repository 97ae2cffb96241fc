//! Passwords and questions, judged by this machine's PAM: what `login` and `sshd` accept, by rules of our own service.
//!
//! ```text
//! Service ── judge ──▶ pam_authenticate ──▶ the same user still? ──▶ pam_acct_mgmt ──▶ in
//!                          │ ▲ questions, notices
//!                          ▼ │
//!                        Applicant
//! ```
//! Judging blocks: a wrong password takes some two seconds, which is PAM's to decide and the same for users that do not exist.
//! Who calls brings a thread. No session is opened and no credentials are taken: nobody gets a process here.

mod login_error;
mod service;

pub use service::{PamService, ServiceNameError};
