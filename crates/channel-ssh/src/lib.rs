//! SSH (RFC 4251 to 4254) on russh: connections whose channels carry subsystems, and readers for
//! OpenSSH key files.
//!
//! ```text
//! ServerSettings ─▶ SshServer ── accept(stream, options) ─▶ SshConnection ─▶ SshEvent:
//!                               LoggedIn(identity), Channel(ServerChannel), Closed(SshCloseReason)
//! ssh_config ─▶ SshTarget ── client::connect ─▶ SshChannel: read, write, close
//! ```
//! A connection makes progress while its caller polls it. The caller decides which subsystems
//! exist and what their octets mean; nothing here depends on SNMP or NETCONF. Shells, commands,
//! terminals, environments and forwarding are not supported.
//!
//! ```
//! use portreeve_channel_ssh::server::{Authentication, HostKeys, KeyFiles};
//! use portreeve_channel_ssh::server::{ServerSettings, SshServer};
//! # fn make(folder: &std::path::Path) -> Result<SshServer, Box<dyn std::error::Error>> {
//! let host_keys = HostKeys::load(&[folder.join("ssh_host_ed25519_key")])?;
//! let mut authentication = Authentication::default();
//! authentication.key_files = KeyFiles::new(["/etc/portreeve/ssh/%u", "%h/.ssh/authorized_keys"])?;
//! let server = SshServer::new(ServerSettings::new(host_keys, authentication));
//! # Ok(server) }
//! ```

pub mod client;
pub mod keys;
pub mod server;

mod algorithms;
mod coalescing;
mod traffic;

pub use traffic::{TrafficSettings, WindowPolicy};
