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
//! [`PeerIdentity`] and the [`ChannelError`] with these. Passwords are judged by a [`PasswordJudge`]. What peers can
//! have written to the log is written [`Seldom`].

mod algorithms;
mod datagrams;
mod error;
mod fingerprint;
mod handshake;
mod identity;
mod judge;
mod observer;
mod seldom;
mod stream;

pub use algorithms::{Algorithm, Choice, Cipher, KeyExchange, SshAlgorithms};
pub use datagrams::{Acceptance, DatagramAcceptor, Event, SecureDatagrams};
pub use error::{ChannelError, Step};
pub use fingerprint::{Fingerprint, FingerprintError, HashAlgorithm};
pub use handshake::Handshake;
pub use identity::{
    AlternativeName, CertificateFacts, CertificateIdentity, PeerIdentity, RELAY_SOCKET, SshIdentity, SshProof,
};
pub use judge::{Applicant, Denial, JudgeQuestion, PasswordJudge};
pub use observer::{Fact, Observer, Unobserved};
pub use seldom::Seldom;
pub use stream::{SecureStream, StreamAcceptor};
