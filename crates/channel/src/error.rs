//! The error that ends a channel: the step, the cause, and a hint for the operator.

use std::fmt;

/// The reason why a channel could not be opened or has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelError {
    /// The step that failed.
    pub step: ChannelStep,
    /// The cause: a clause without a full stop and without secrets. Text from the peer is escaped.
    pub cause: String,
    /// A hint on how to fix it, if one is known.
    pub hint: Option<String>,
    /// The reason, if it is one that the transport models of SNMP count on its own.
    pub reason: Option<ChannelReason>,
}

impl ChannelError {
    /// Creates an error in `step`.
    pub fn at(step: ChannelStep, cause: impl Into<String>) -> Self {
        Self { step, cause: cause.into(), hint: None, reason: None }
    }

    /// Creates the error of a client whose server does not request a client certificate.
    pub fn no_certificate_requested() -> Self {
        Self::at(
            ChannelStep::ClientIdentity,
            "the server does not request a client certificate, so it cannot authenticate the client",
        )
        .with_hint("check which service listens on that port: an SNMP agent requests a certificate")
    }

    /// Adds a hint on how to fix the error.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// Adds the reason.
    #[must_use]
    pub fn with_reason(self, reason: ChannelReason) -> Self {
        Self { reason: Some(reason), ..self }
    }
}

impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.step, self.cause)?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ChannelError {}

/// A reason that the transport models of SNMP count on its own (RFC 5592 §7, RFC 6353 §7), although
/// its step has other reasons as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelReason {
    /// No configured fingerprint and no configured authority makes the certificate trusted.
    UnknownCertificate,
    /// The peer's certificate is not valid, although its issuer or its fingerprint may be known.
    InvalidCertificate,
    /// The server did not open a session channel of SSH.
    NoSessionChannel,
}

/// The steps of opening a channel, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelStep {
    /// Resolving the peer's name.
    Resolve,
    /// Connecting to the peer's socket.
    Connect,
    /// Negotiating versions, algorithms and keys.
    Negotiate,
    /// The client verifies the server's host key or certificate.
    ServerIdentity,
    /// The server authenticates the client by key, certificate or password.
    ClientIdentity,
    /// Requesting the SSH subsystem.
    Subsystem,
    /// Transferring data over the open channel.
    Data,
}

impl fmt::Display for ChannelStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Resolve => "resolving the name",
            Self::Connect => "connecting",
            Self::Negotiate => "negotiating protocol and keys",
            Self::ServerIdentity => "verifying the server",
            Self::ClientIdentity => "authenticating to the server",
            Self::Subsystem => "requesting the subsystem",
            Self::Data => "transferring data",
        })
    }
}
