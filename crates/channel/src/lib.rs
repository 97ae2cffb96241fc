//! What a secure channel is, whichever library makes it: whom it proves the other end to be, what it carries, and at
//! which step it failed. Knows neither SNMP nor any cryptography.
//!
//! ```text
//! socket ◀── ciphertext ──▶ SecureStream / SecureDatagrams ◀── octets / messages ──▶ transport
//!                                   │
//!                                   └─▶ PeerIdentity, once the handshake is done
//! ```
//! TLS is a [`SecureStream`], DTLS is [`SecureDatagrams`]: state machines that do no I/O of their own and are told what
//! time it is. SSH libraries own their connection's task, so an SSH adapter has an interface of its own and shares the
//! [`PeerIdentity`] and the [`ChannelError`] with these. Passwords are judged by a [`PasswordVerifier`]. What peers can
//! have written to the log is written [`LogLimiter`].

mod algorithms;
mod datagrams;
mod error;
mod fingerprint;
mod handshake;
mod identity;
mod log_limiter;
mod observer;
mod password;
mod stream;

pub use algorithms::{Algorithm, AlgorithmList, Cipher, KeyExchange, SshAlgorithms};
pub use datagrams::{AcceptOutcome, ChannelEvent, DatagramAcceptor, SecureDatagrams};
pub use error::{ChannelError, ChannelStep};
pub use fingerprint::{Fingerprint, FingerprintError, HashAlgorithm};
pub use handshake::Handshake;
pub use identity::{
    AlternativeName, CertificateFacts, CertificateIdentity, DEFAULT_RELAY_SOCKET, PeerIdentity, SshIdentity,
    SshProof,
};
pub use log_limiter::LogLimiter;
pub use observer::{ChannelObserver, Fact, NoObserver};
pub use password::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
pub use stream::{SecureStream, StreamAcceptor};
