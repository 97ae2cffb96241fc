//! The credentials of a server: reads the keys and certificates that a configuration file names, at
//! start and at every reload, and creates the SSH settings and the TLS and DTLS servers that use
//! them.
//!
//! Every problem is reported with the line of the configuration file that names the key or
//! certificate.

mod passwords;
pub mod ssh;
mod tls;

pub use tls::{CredentialFilesError, TlsMaterial, TlsServers};
