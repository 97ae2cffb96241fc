//! Whom to ask for what no file says.

use std::path::Path;

use portreeve_secret::Secret;

/// Somebody at a terminal, a graphical prompt, or a program that answers for them. May take its time.
pub trait Asker: Sync {
    /// The answer; `None` where nobody can be asked or nobody answers.
    fn ask(&self, question: &Question<'_>) -> Option<Secret>;
}

/// What there is to ask.
#[derive(Clone, Copy, Debug)]
pub enum Question<'q> {
    /// Whether an unknown host key is the host's: `yes`, or the fingerprint as it is shown elsewhere, takes it.
    HostKey {
        /// The host, with its port where that is not 22.
        host: &'q str,
        /// The key's kind, as `ssh-ed25519`.
        kind: &'q str,
        /// Its SHA-256, as ssh-keygen shows it.
        fingerprint: &'q str,
    },
    /// The pass phrase of a private key.
    PassPhrase {
        /// Its file.
        file: &'q Path,
    },
    /// The user's password on the host.
    Password {
        /// The user there.
        user: &'q str,
        /// The host.
        host: &'q str,
    },
    /// A question of the server's. Its words are the server's: to be escaped before they are shown.
    Prompt {
        /// What the questions are about; may be empty.
        name: &'q str,
        /// What to do; may be empty.
        instructions: &'q str,
        /// The question.
        prompt: &'q str,
        /// Whether the answer may be seen.
        echo: bool,
    },
}

/// Nobody: whatever would have to be asked fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Asker for Nobody {
    fn ask(&self, _: &Question<'_>) -> Option<Secret> {
        None
    }
}
