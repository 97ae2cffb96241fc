//! What the broker wants to know from whoever owns the terminal.

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter};

use crate::{FrameError, request::text};

/// A question on its way to the command. Texts that are a server's are as the server has them: to be escaped before they
/// are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptRequest {
    /// Whether an unknown host key is the host's: `yes`, or the fingerprint as it is shown elsewhere, takes it.
    HostKey {
        /// The host, with its port where that is not 22.
        host: String,
        /// The key's kind, as `ssh-ed25519`.
        kind: String,
        /// Its SHA-256, as ssh-keygen shows it.
        fingerprint: String,
        /// Where a key of another kind is known for this host; empty where there is none.
        known_key_at: String,
    },
    /// The pass phrase of a private key in this file.
    PassPhrase {
        /// The file.
        file: String,
    },
    /// The user's password on the host.
    Password {
        /// Who wants to know.
        login: LoginTarget,
    },
    /// What the server asks.
    Prompt {
        /// Who wants to know.
        login: LoginTarget,
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
        login: LoginTarget,
        /// What it is about; may be empty.
        name: String,
        /// The words.
        instructions: String,
    },
}

/// Where somebody is logging in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginTarget {
    /// The user there.
    pub user: String,
    /// The host.
    pub host: String,
    /// Whether it is only passed on the way to the agent.
    pub is_jump_host: bool,
}

impl LoginTarget {
    fn read(fields: &mut Reader<'_>) -> Result<Self, FrameError> {
        Ok(Self { user: text(fields)?, host: text(fields)?, is_jump_host: fields.integer()? != 0 })
    }

    fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        writer.integer(self.is_jump_host.into())?;
        writer.octet_string(self.host.as_bytes())?;
        writer.octet_string(self.user.as_bytes())
    }
}

impl PromptRequest {
    pub(crate) fn read(content: &[u8]) -> Result<Self, FrameError> {
        let mut fields = Reader::new(content);
        let kind = fields.integer()?;
        let question = match kind {
            HOST_KEY => Self::HostKey {
                host: text(&mut fields)?,
                kind: text(&mut fields)?,
                fingerprint: text(&mut fields)?,
                known_key_at: text(&mut fields)?,
            },
            PASS_PHRASE => Self::PassPhrase { file: text(&mut fields)? },
            PASSWORD => Self::Password { login: LoginTarget::read(&mut fields)? },
            PROMPT_NO_ECHO | PROMPT_ECHO => Self::Prompt {
                login: LoginTarget::read(&mut fields)?,
                name: text(&mut fields)?,
                instructions: text(&mut fields)?,
                prompt: text(&mut fields)?,
                echo: kind == PROMPT_ECHO,
            },
            NOTICE => Self::Notice {
                login: LoginTarget::read(&mut fields)?,
                name: text(&mut fields)?,
                instructions: text(&mut fields)?,
            },
            _ => return Err(FrameError::Malformed),
        };
        fields.finish()?;
        Ok(question)
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        let (kind, login, texts) = match self {
            Self::HostKey { host, kind, fingerprint, known_key_at: other } => {
                (HOST_KEY, None, vec![host, kind, fingerprint, other])
            }
            Self::PassPhrase { file } => (PASS_PHRASE, None, vec![file]),
            Self::Password { login } => (PASSWORD, Some(login), vec![]),
            Self::Prompt { login, name, instructions, prompt, echo } => (
                if *echo { PROMPT_ECHO } else { PROMPT_NO_ECHO },
                Some(login),
                vec![name, instructions, prompt],
            ),
            Self::Notice { login, name, instructions } => (NOTICE, Some(login), vec![name, instructions]),
        };
        for text in texts.into_iter().rev() {
            writer.octet_string(text.as_bytes())?;
        }
        login.map_or(Ok(()), |login| login.write(writer))?;
        writer.integer(kind)
    }
}

const PASS_PHRASE: i32 = 0;
const PASSWORD: i32 = 1;
const PROMPT_NO_ECHO: i32 = 2;
const PROMPT_ECHO: i32 = 3;
const NOTICE: i32 = 4;
const HOST_KEY: i32 = 5;
