//! Whom to ask for what no file says.

use std::{future::Future, path::Path, pin::Pin};

use portreeve_secret::Secret;

/// Somebody at a terminal, a graphical prompt, or a program that answers for them. May take its time; nobody else is kept
/// waiting meanwhile.
pub trait Prompter: Sync {
    /// The answer; `None` where nobody can be asked or nobody answers.
    fn ask<'a>(&'a self, question: UserQuestion<'a>) -> PromptFuture<'a>;
}

/// An answer on its way.
pub type PromptFuture<'a> = Pin<Box<dyn Future<Output = Option<Secret>> + Send + 'a>>;

/// What there is to ask.
#[derive(Clone, Copy, Debug)]
pub enum UserQuestion<'q> {
    /// Whether an unknown host key is the host's: `yes`, or the fingerprint as it is shown elsewhere, takes it.
    HostKey {
        /// The host, with its port where that is not 22.
        host: &'q str,
        /// The key's kind, as `ssh-ed25519`.
        kind: &'q str,
        /// Its SHA-256, as ssh-keygen shows it.
        fingerprint: &'q str,
        /// Where a key of another kind is known for this host: then this one is no first meeting.
        other_key_at: Option<&'q str>,
    },
    /// The pass phrase of a private key.
    PassPhrase {
        /// Its file.
        file: &'q Path,
    },
    /// The user's password on the host.
    Password {
        /// Where they log in.
        login: LoginContext<'q>,
    },
    /// No question, but something that the server wants to be read. Any answer will do; the words are the server's.
    Notice {
        /// Whose words they are.
        login: LoginContext<'q>,
        /// What it is about; may be empty.
        name: &'q str,
        /// The words; may be empty.
        instructions: &'q str,
    },
    /// A question of the server's. Its words are the server's: to be escaped before they are shown.
    Prompt {
        /// Where they log in.
        login: LoginContext<'q>,
        /// What the questions are about; may be empty, and is for all but the first of several.
        name: &'q str,
        /// What to do; empty as `name` is.
        instructions: &'q str,
        /// The question.
        prompt: &'q str,
        /// Whether the answer may be seen.
        echo: bool,
    },
}

/// Where somebody logs in.
#[derive(Clone, Copy, Debug)]
pub struct LoginContext<'q> {
    /// The user there.
    pub user: &'q str,
    /// The host.
    pub host: &'q str,
    /// Whether it is only passed on the way to another.
    pub is_jump_host: bool,
}

/// NoPrompter: whatever would have to be asked fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrompter;

impl Prompter for NoPrompter {
    fn ask<'a>(&'a self, _: UserQuestion<'a>) -> PromptFuture<'a> {
        Box::pin(async { None })
    }
}
