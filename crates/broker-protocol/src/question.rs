//! What the broker wants to know from whoever owns the terminal.

use portreeve_smi::ber::{BufferFull, Reader, ReverseWriter};

use crate::{FrameError, order::text};

/// A question on its way to the command. Texts that are a server's are as the server has them: to be escaped before they
/// are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether an unknown host key is the host's: `yes`, or the fingerprint as it is shown elsewhere, takes it.
    HostKey {
        /// The host, with its port where that is not 22.
        host: String,
        /// The key's kind, as `ssh-ed25519`.
        kind: String,
        /// Its SHA-256, as ssh-keygen shows it.
        fingerprint: String,
        /// Where a key of another kind is known for this host; empty where there is none.
        other: String,
    },
    /// The pass phrase of a private key in this file.
    PassPhrase {
        /// The file.
        file: String,
    },
    /// The user's password on the host.
    Password {
        /// Who wants to know.
        asker: Login,
    },
    /// What the server asks.
    Prompt {
        /// Who wants to know.
        asker: Login,
        /// What the questions are about; may be empty.
        name: String,
        /// What to do; may be empty.
        instructions: String,
        /// The question.
        prompt: String,
        /// Whether the answer may be seen.
        echo: bool,
    },
    /// What the server wants to be read; it is answered when it has been.
    Notice {
        /// Whose words they are.
        asker: Login,
        /// What it is about; may be empty.
        name: String,
        /// The words.
        instructions: String,
    },
}

/// Where somebody is logging in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user there.
    pub user: String,
    /// The host.
    pub host: String,
    /// Whether it is only passed on the way to the agent.
    pub on_the_way: bool,
}

impl Login {
    fn read(fields: &mut Reader<'_>) -> Result<Self, FrameError> {
        Ok(Self { user: text(fields)?, host: text(fields)?, on_the_way: fields.integer()? != 0 })
    }

    fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFull> {
        writer.integer(self.on_the_way.into())?;
        writer.octet_string(self.host.as_bytes())?;
        writer.octet_string(self.user.as_bytes())
    }
}

impl Question {
    pub(crate) fn read(content: &[u8]) -> Result<Self, FrameError> {
        let mut fields = Reader::new(content);
        let kind = fields.integer()?;
        let question = match kind {
            HOST_KEY => Self::HostKey {
                host: text(&mut fields)?,
                kind: text(&mut fields)?,
                fingerprint: text(&mut fields)?,
                other: text(&mut fields)?,
            },
            PASS_PHRASE => Self::PassPhrase { file: text(&mut fields)? },
            PASSWORD => Self::Password { asker: Login::read(&mut fields)? },
            HIDDEN | SHOWN => Self::Prompt {
                asker: Login::read(&mut fields)?,
                name: text(&mut fields)?,
                instructions: text(&mut fields)?,
                prompt: text(&mut fields)?,
                echo: kind == SHOWN,
            },
            NOTICE => Self::Notice {
                asker: Login::read(&mut fields)?,
                name: text(&mut fields)?,
                instructions: text(&mut fields)?,
            },
            _ => return Err(FrameError::Malformed),
        };
        fields.finish()?;
        Ok(question)
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFull> {
        let (kind, asker, texts) = match self {
            Self::HostKey { host, kind, fingerprint, other } => {
                (HOST_KEY, None, vec![host, kind, fingerprint, other])
            }
            Self::PassPhrase { file } => (PASS_PHRASE, None, vec![file]),
            Self::Password { asker } => (PASSWORD, Some(asker), vec![]),
            Self::Prompt { asker, name, instructions, prompt, echo } => {
                (if *echo { SHOWN } else { HIDDEN }, Some(asker), vec![name, instructions, prompt])
            }
            Self::Notice { asker, name, instructions } => (NOTICE, Some(asker), vec![name, instructions]),
        };
        for text in texts.into_iter().rev() {
            writer.octet_string(text.as_bytes())?;
        }
        asker.map_or(Ok(()), |asker| asker.write(writer))?;
        writer.integer(kind)
    }
}

const PASS_PHRASE: i32 = 0;
const PASSWORD: i32 = 1;
const HIDDEN: i32 = 2;
const SHOWN: i32 = 3;
const NOTICE: i32 = 4;
const HOST_KEY: i32 = 5;
