//! Prompts from the broker to the command, which owns the terminal.

use portreeve_smi::ber::{BufferFullError, Reader, ReverseWriter};

use crate::{FrameError, request::text};

/// A prompt for the user. Texts from a server are not escaped: escape them before they are
/// displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromptRequest {
    /// Asks to accept an unknown host key. The user responds `yes`, or the fingerprint from another
    /// source.
    HostKey {
        /// The host, with its port if it is not 22.
        host: String,
        /// The type of the key, such as `ssh-ed25519`.
        key_type: String,
        /// Its SHA-256 fingerprint, as ssh-keygen prints it.
        fingerprint: String,
        /// The place of a known key of another type for this host; empty if there is none.
        known_key_at: String,
    },
    /// Asks for the pass phrase of a private key.
    PassPhrase {
        /// The path of the private key file.
        file: String,
    },
    /// Asks for the user's password on the host.
    Password {
        /// The login that needs the password.
        login: LoginTarget,
    },
    /// A prompt that the server sends.
    Prompt {
        /// The login that needs the response.
        login: LoginTarget,
        /// The title of the prompt; may be empty.
        name: String,
        /// The instructions for the user; may be empty.
        instructions: String,
        /// The text of the prompt.
        prompt: String,
        /// `true` if the response may be visible.
        echo: bool,
    },
    /// A notice from the server. The response confirms that it was displayed.
    Notice {
        /// The login that the notice belongs to.
        login: LoginTarget,
        /// The title of the notice; may be empty.
        name: String,
        /// The text of the notice.
        instructions: String,
    },
}

/// The user and host of a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginTarget {
    /// The user name on the host.
    pub user: String,
    /// The host to log in to.
    pub host: String,
    /// `true` if the host is a jump host on the way to the agent.
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
        let prompt = match kind {
            HOST_KEY => Self::HostKey {
                host: text(&mut fields)?,
                key_type: text(&mut fields)?,
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
        Ok(prompt)
    }

    pub(crate) fn write(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        let (kind, login, texts) = match self {
            Self::HostKey { host, key_type, fingerprint, known_key_at } => {
                (HOST_KEY, None, vec![host, key_type, fingerprint, known_key_at])
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
