//! At which step a channel failed, and why, in words for the operator.

use std::fmt;

/// Why there is no channel (any more).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelError {
    /// How far it had come.
    pub step: ChannelStep,
    /// What was wrong: a clause without a full stop, without secrets, with what the peer said already escaped.
    pub cause: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

impl ChannelError {
    /// A failure at `step`.
    pub fn at(step: ChannelStep, cause: impl Into<String>) -> Self {
        Self { step, cause: cause.into(), hint: None }
    }

    /// A client's, whose server does not ask for its certificate.
    pub fn no_certificate_requested() -> Self {
        Self::at(
            ChannelStep::ClientIdentity,
            "the server wants no certificate of ours, so it cannot know who asks",
        )
        .with_hint("see what listens at that port: an agent asks for a certificate")
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn with_hint(self, cure: impl Into<String>) -> Self {
        Self { hint: Some(cure.into()), ..self }
    }
}

impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.cause)?;
        match &self.hint {
            Some(cure) => write!(f, "\nhint: {cure}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ChannelError {}

/// The steps of setting up a channel, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelStep {
    /// Finding the address of the peer's name.
    Resolve,
    /// Reaching its socket.
    Connect,
    /// Agreeing on versions, algorithms and keys.
    Negotiate,
    /// The client judging the server's host key or certificate.
    ServerIdentity,
    /// The server judging the client's key, certificate or password.
    ClientIdentity,
    /// Asking for the SSH subsystem.
    Subsystem,
    /// The open channel carrying data.
    Data,
}

impl fmt::Display for ChannelStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolve => "finding the address",
            Self::Connect => "connecting",
            Self::Negotiate => "agreeing on a protocol and keys",
            Self::ServerIdentity => "checking who the server is",
            Self::ClientIdentity => "proving who we are",
            Self::Subsystem => "asking for the subsystem",
            Self::Data => "exchanging data",
        })
    }
}
