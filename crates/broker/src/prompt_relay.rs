//! Relays prompts from a session that is being opened to the command's terminal.
//!
//! Prompts are relayed one at a time, over a channel, because any task may poll the session.

use portreeve_broker_protocol::{LoginTarget, PromptRequest};
use portreeve_channel_ssh::client::{self as ssh, PromptFuture, Prompter};
use portreeve_secret::Secret;
use tokio::sync::{mpsc, oneshot};

/// The prompter of a session that is being opened.
pub(crate) struct PromptRelay(mpsc::Sender<PendingPrompt>);

/// A prompt, and the channel for its response.
pub(crate) struct PendingPrompt {
    pub(crate) prompt: PromptRequest,
    pub(crate) response: oneshot::Sender<Option<Secret>>,
}

impl PromptRelay {
    /// Creates a relay and the receiver of its prompts.
    pub(crate) fn new() -> (Self, mpsc::Receiver<PendingPrompt>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }
}

impl Prompter for PromptRelay {
    fn ask<'a>(&'a self, question: ssh::UserQuestion<'a>) -> PromptFuture<'a> {
        Box::pin(async move {
            let (response, received) = oneshot::channel();
            self.0.send(PendingPrompt { prompt: to_prompt_request(question), response }).await.ok()?;
            received.await.ok()?
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
        ssh::UserQuestion::HostKey { host, key_type, fingerprint, other_key_at } => PromptRequest::HostKey {
            host: host.to_owned(),
            key_type: truncate(key_type),
            fingerprint: fingerprint.to_owned(),
            known_key_at: other_key_at.map(truncate).unwrap_or_default(),
        },
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

/// Shortens a server's text to a reasonable length.
fn truncate(text: &str) -> String {
    text.chars().take(MAX_TEXT_CHARS).collect()
}

/// The maximum number of characters, of at most four octets each. Three such texts fit into a
/// frame.
const MAX_TEXT_CHARS: usize = 4000;
