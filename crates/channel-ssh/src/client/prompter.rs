//! The interface for asking the user.

use std::{future::Future, path::Path, pin::Pin};

use portreeve_secret::Secret;

/// Asks the user: at a terminal, in a graphical prompt, or through a program. The answer may take
/// any time: the client applies no timeout, and no other work waits for it.
pub trait Prompter: Sync {
    /// Returns the answer; `None` if the user cannot be asked or does not answer.
    fn ask<'a>(&'a self, question: UserQuestion<'a>) -> PromptFuture<'a>;
}

/// A future that returns the user's answer.
pub type PromptFuture<'a> = Pin<Box<dyn Future<Output = Option<Secret>> + Send + 'a>>;

/// A question to the user.
#[derive(Clone, Copy, Debug)]
pub enum UserQuestion<'q> {
    /// Asks about an unknown host key. `yes`, or the fingerprint as obtained elsewhere, accepts it.
    HostKey {
        /// The host, with the port unless it is 22.
        host: &'q str,
        /// The key type, such as `ssh-ed25519`.
        key_type: &'q str,
        /// The SHA-256 fingerprint in the format of ssh-keygen.
        fingerprint: &'q str,
        /// Location of a known key of another type for this host. If set, a key of this host has
        /// been stored before.
        other_key_at: Option<&'q str>,
    },
    /// Asks for the pass phrase of a private key.
    PassPhrase {
        /// The path of the private key file.
        file: &'q Path,
    },
    /// Asks for the user's password on the host.
    Password {
        /// The login that needs the password.
        login: LoginContext<'q>,
    },
    /// Shows a message from the server. Any answer is accepted. The text comes from the server and
    /// must be escaped before it is shown.
    Notice {
        /// The login that the message belongs to.
        login: LoginContext<'q>,
        /// The title of the message; may be empty.
        name: &'q str,
        /// The text of the message; may be empty.
        instructions: &'q str,
    },
    /// Asks a question from the server. The text comes from the server and must be escaped before
    /// it is shown.
    Prompt {
        /// The login that the question belongs to.
        login: LoginContext<'q>,
        /// The title of the round of questions; may be empty. Only the first question of a round
        /// has it.
        name: &'q str,
        /// The instructions for the round; may be empty. Only the first question of a round has
        /// them.
        instructions: &'q str,
        /// The text of the question.
        prompt: &'q str,
        /// Set if the answer may be shown while it is typed.
        echo: bool,
    },
}

/// The login that a question belongs to.
#[derive(Clone, Copy, Debug)]
pub struct LoginContext<'q> {
    /// The user name on the host.
    pub user: &'q str,
    /// The host to log in to.
    pub host: &'q str,
    /// Set if the host is only a jump host on the way to another host.
    pub is_jump_host: bool,
}

/// A prompter that never answers, for use without a user.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrompter;

impl Prompter for NoPrompter {
    fn ask<'a>(&'a self, _: UserQuestion<'a>) -> PromptFuture<'a> {
        Box::pin(async { None })
    }
}
