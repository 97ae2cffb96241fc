//! Interfaces of secure channels, independent of the library that implements them: the identity of
//! the peer, the data, and the step at which a channel failed. Contains neither SNMP nor
//! cryptography.
//!
//! ```text
//! socket ◀── ciphertext ──▶ SecureStream / SecureDatagrams ◀── octets / messages ──▶ transport
//!                                   │
//!                                   └─▶ PeerIdentity, once the handshake is done
//! ```
//! TLS is a [`SecureStream`], DTLS is [`SecureDatagrams`]: state machines that do no I/O and get
//! the time from the caller. SSH libraries own the task of their connection, so the SSH adapter has
//! its own interface and shares only [`PeerIdentity`] and [`ChannelError`] with these. A
//! [`PasswordVerifier`] checks passwords. [`FileReads`] executes the reads of key files. A
//! [`LogLimiter`] limits log lines that a peer can trigger.

mod algorithms;
mod datagrams;
mod error;
mod file_reads;
mod fingerprint;
mod handshake;
mod identity;
mod log_limiter;
mod observer;
mod password;
mod stream;

pub use algorithms::{Algorithm, AlgorithmList, Cipher, KeyExchange, SshAlgorithms};
pub use datagrams::{AcceptOutcome, ChannelEvent, DatagramAcceptor, SecureDatagrams};
pub use error::{ChannelError, ChannelReason, ChannelStep};
pub use file_reads::{FileRead, FileReadFuture, FileReads, InlineReads, read_files};
pub use fingerprint::{Fingerprint, FingerprintError, HashAlgorithm};
pub use handshake::Handshake;
pub use identity::{
    AlternativeName, CertificateFacts, CertificateIdentity, DEFAULT_RELAY_SOCKET, PeerIdentity, SshIdentity,
    SshProof,
};
pub use log_limiter::LogLimiter;
pub use observer::{ChannelObserver, Fact, NoObserver};
pub use password::{AccountVerifier, LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
pub use stream::{SecureStream, StreamAcceptor};
