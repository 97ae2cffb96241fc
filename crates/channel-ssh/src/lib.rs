//! SSH (RFC 4251 to 4254) on russh: connections whose channels carry subsystems, and what is known of keys.
//!
//! ```text
//! Settings ──▶ SshServer ── serve(stream, peer, traffic, Rc<dyn Host>) ──▶ Ending   one future per connection
//!                              │ authenticated, open, receive, writable, closed ──▶ Host (the caller)
//!                              │                                   Output ◀── answers, at once
//!                              └ Remote ◀── what comes later: data, disconnect
//! ssh_config ──▶ SshTarget ── client::connect ──▶ SshChannel                       read, write, close
//! ```
//! The caller decides which subsystems there are and what their octets mean; nothing here knows SNMP or NETCONF.
//! Shells, commands, terminals, environments and forwarding do not exist. [`server::SshServer::serve`] wants a
//! current-thread runtime: the [`server::Host`] is called on the thread that polls it and need not be `Send`.
//!
//! ```
//! use portreeve_channel_ssh::server::{Authentication, HostKeys, KeyFiles, ServerSettings, SshServer};
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
