//! SSH client: opens a subsystem on a server with the user's existing ssh setup.
//!
//! ```text
//! ssh_config ─▶ SshTarget ─▶ connect ─┬─ ProxyJump hosts: each is verified and logged in to
//!                                     ├─ ServerIdentity: known_hosts verifies the server
//!                                     ├─ ClientIdentity: ssh-agent, keys, certificates, Prompter
//!                                     └─ Subsystem: request, first data ─▶ SshChannel
//! ```
//! The host key is always checked; this cannot be turned off. The client runs on any tokio runtime,
//! including the current-thread one.

pub mod known_hosts;
pub mod ssh_config;

mod authenticate;
mod banner;
mod cancel_on_drop;
mod channel;
mod handler;
mod identities;
mod late_nodelay;
mod local;
mod pattern;
mod prompter;
mod russh_config;
mod session;
mod settings;
mod signer;
mod target;
mod tokens;

use portreeve_channel::{ChannelError, ChannelObserver, NoObserver};

pub use self::{
    channel::{SshChannel, SshReader, SshWriter},
    local::LocalUser,
    pattern::PatternList,
    prompter::{LoginContext, NoPrompter, PromptFuture, Prompter, UserQuestion},
    settings::ClientSettings,
    target::SshTarget,
};

/// Connects, verifies the server, logs in and requests the subsystem.
///
/// Does not wait for the server's response to the subsystem request: data that is written at once
/// is sent along with the request, and a rejection is reported by the first read.
///
/// # Errors
/// Returns an error with the step that failed, and a hint if the user can fix the problem.
pub async fn connect(
    target: &SshTarget,
    settings: &ClientSettings,
    prompter: &dyn Prompter,
) -> Result<SshChannel, ChannelError> {
    connect_observed(target, settings, prompter, &NoObserver).await
}

/// Does the same as [`connect`] and reports every step to `observer`.
///
/// # Errors
/// Fails like [`connect`].
pub async fn connect_observed(
    target: &SshTarget,
    settings: &ClientSettings,
    prompter: &dyn Prompter,
    observer: &dyn ChannelObserver,
) -> Result<SshChannel, ChannelError> {
    let session = session::ClientSession::open(target, settings, prompter, observer).await?;
    SshChannel::open(session, &settings.subsystem, observer).await
}
