//! Questions on their way from a session that is being opened to the command that wants it: its terminal, its user.
//!
//! One at a time, over a channel, because the session's side may be polled by whoever likes.

use portreeve_broker_protocol::{Login, Question};
use portreeve_channel_ssh::client::{self as ssh, Asker, Asking};
use portreeve_secret::Secret;
use tokio::sync::{mpsc, oneshot};

/// Whoever opens a session asks this.
pub(crate) struct Relay(mpsc::Sender<Asked>);

/// A question, and where the answer goes.
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) answer: oneshot::Sender<Option<Secret>>,
}

impl Relay {
    /// A relay, and its other end.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Asked>) {
        let (sender, receiver) = mpsc::channel(1);
        (Self(sender), receiver)
    }
}

impl Asker for Relay {
    fn ask<'a>(&'a self, question: ssh::Question<'a>) -> Asking<'a> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            self.0.send(Asked { question: owned(question), answer }).await.ok()?;
            answered.await.ok()?
        })
    }
}

fn owned(question: ssh::Question<'_>) -> Question {
    let asker = |login: ssh::Login<'_>| Login {
        user: login.user.to_owned(),
        host: login.host.to_owned(),
        on_the_way: login.on_the_way,
    };
    match question {
        ssh::Question::HostKey { host, kind, fingerprint, other } => Question::HostKey {
            host: host.to_owned(),
            kind: cut(kind),
            fingerprint: fingerprint.to_owned(),
            other: other.map(cut).unwrap_or_default(),
        },
        ssh::Question::PassPhrase { file } => Question::PassPhrase { file: file.display().to_string() },
        ssh::Question::Password { login } => Question::Password { asker: asker(login) },
        ssh::Question::Prompt { login, name, instructions, prompt, echo } => {
            let (name, instructions, prompt) = (cut(name), cut(instructions), cut(prompt));
            Question::Prompt { asker: asker(login), name, instructions, prompt, echo }
        }
        ssh::Question::Notice { login, name, instructions } => {
            Question::Notice { asker: asker(login), name: cut(name), instructions: cut(instructions) }
        }
    }
}

/// As much of a server's words as anybody would read.
fn cut(words: &str) -> String {
    words.chars().take(LONGEST).collect()
}

/// Characters, of at most four octets: three such texts have room in a frame.
const LONGEST: usize = 4000;
