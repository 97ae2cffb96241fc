//! The client's end: to a server's subsystem, with what the user already has for ssh.
//!
//! ```text
//! ssh_config ─▶ SshTarget ─▶ connect ─┬─ ProxyJump hosts, each judged and logged in to like the last
//!                                     ├─ known_hosts: is it the host that we mean?    ServerIdentity
//!                                     ├─ agent, keys, certificates, Asker: who we are ClientIdentity
//!                                     └─ subsystem request, first data behind it      Subsystem ─▶ SshChannel
//! ```
//! The host key is always checked; there is no way around it. Runs on any tokio runtime, the current-thread one included.

pub mod known_hosts;
pub mod ssh_config;

mod asker;
mod authenticate;
mod banner;
mod channel;
mod guard;
mod identities;
mod leash;
mod local;
mod pattern;
mod protocol;
mod session;
mod settings;
mod signer;
mod target;
mod tokens;

use portreeve_channel::{ChannelError, Observer, Unobserved};

pub use self::{
    asker::{Asker, Asking, Login, Nobody, Question},
    channel::{SshChannel, SshReader, SshWriter},
    local::Local,
    pattern::PatternList,
    settings::ClientSettings,
    target::SshTarget,
};

/// Connects, judges the server, logs in and asks for the subsystem.
///
/// The server's answer to the last of these is not waited for: what is written at once goes along with the request, and
/// a refusal is told by the first read.
///
/// # Errors
/// With the step that failed. What the user must do, where anything helps, is in the error's cure.
pub async fn connect(
    target: &SshTarget,
    settings: &ClientSettings,
    asker: &dyn Asker,
) -> Result<SshChannel, ChannelError> {
    connect_observed(target, settings, asker, &Unobserved).await
}

/// As [`connect`], and `observer` hears of every step.
///
/// # Errors
/// Those of [`connect`].
pub async fn connect_observed(
    target: &SshTarget,
    settings: &ClientSettings,
    asker: &dyn Asker,
    observer: &dyn Observer,
) -> Result<SshChannel, ChannelError> {
    let session = session::Session::open(target, settings, asker, observer).await?;
    SshChannel::open(session, &settings.subsystem, observer).await
}
