//! Questions on their way from a session that is being opened to the command that wants it: its terminal, its user.
//!
//! One at a time, over a channel, because the session's side may be polled by whoever likes.

use portreeve_broker_protocol::{LoginTarget, PromptRequest};
use portreeve_channel_ssh::client::{self as ssh, PromptFuture, Prompter};
use portreeve_secret::Secret;
use tokio::sync::{mpsc, oneshot};

/// Whoever opens a session asks this.
pub(crate) struct PromptRelay(mpsc::Sender<PendingPrompt>);

/// A question, and where the answer goes.
pub(crate) struct PendingPrompt {
    pub(crate) question: PromptRequest,
    pub(crate) answer: oneshot::Sender<Option<Secret>>,
}

impl PromptRelay {
    /// A relay, and its other end.
    pub(crate) fn new() -> (Self, mpsc::Receiver<PendingPrompt>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }
}

impl Prompter for PromptRelay {
    fn ask<'a>(&'a self, question: ssh::UserQuestion<'a>) -> PromptFuture<'a> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            self.0.send(PendingPrompt { question: to_prompt_request(question), answer }).await.ok()?;
            answered.await.ok()?
        })
    }
}

fn to_prompt_request(question: ssh::UserQuestion<'_>) -> PromptRequest {
    let login_target = |login: ssh::LoginContext<'_>| LoginTarget {
        user: login.user.to_owned(),
        host: login.host.to_owned(),
        is_jump_host: login.is_jump_host,
    };
    match question {
        ssh::UserQuestion::HostKey { host, kind, fingerprint, other_key_at: other } => {
            PromptRequest::HostKey {
                host: host.to_owned(),
                kind: truncate(kind),
                fingerprint: fingerprint.to_owned(),
                known_key_at: other.map(truncate).unwrap_or_default(),
            }
        }
        ssh::UserQuestion::PassPhrase { file } => {
            PromptRequest::PassPhrase { file: file.display().to_string() }
        }
        ssh::UserQuestion::Password { login } => PromptRequest::Password { login: login_target(login) },
        ssh::UserQuestion::Prompt { login, name, instructions, prompt, echo } => {
            let (name, instructions, prompt) = (truncate(name), truncate(instructions), truncate(prompt));
            PromptRequest::Prompt { login: login_target(login), name, instructions, prompt, echo }
        }
        ssh::UserQuestion::Notice { login, name, instructions } => PromptRequest::Notice {
            login: login_target(login),
            name: truncate(name),
            instructions: truncate(instructions),
        },
    }
}

/// As much of a server's words as anybody would read.
fn truncate(words: &str) -> String {
    words.chars().take(MAX_TEXT_CHARS).collect()
}

/// Characters, of at most four octets: three such texts have room in a frame.
const MAX_TEXT_CHARS: usize = 4000;
