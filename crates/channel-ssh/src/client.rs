//! The client's end: to a server's subsystem, with what the user already has for ssh.
//!
//! ```text
//! ssh_config ─▶ SshTarget ─▶ connect ─┬─ ProxyJump hosts, each judged and logged in to like the last
//!                                     ├─ known_hosts: is it the host that we mean?    ServerIdentity
//!                                     ├─ agent, keys, certificates, Prompter: who we are ClientIdentity
//!                                     └─ subsystem request, first data behind it      Subsystem ─▶ SshChannel
//! ```
//! The host key is always checked; there is no way around it. Runs on any tokio runtime, the current-thread one included.

pub mod known_hosts;
pub mod ssh_config;

mod authenticate;
mod banner;
mod cancel_on_drop;
mod channel;
mod handler;
mod identities;
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
    asker: &dyn Prompter,
) -> Result<SshChannel, ChannelError> {
    connect_observed(target, settings, asker, &NoObserver).await
}

/// As [`connect`], and `observer` hears of every step.
///
/// # Errors
/// Those of [`connect`].
pub async fn connect_observed(
    target: &SshTarget,
    settings: &ClientSettings,
    asker: &dyn Prompter,
    observer: &dyn ChannelObserver,
) -> Result<SshChannel, ChannelError> {
    let session = session::ClientSession::open(target, settings, asker, observer).await?;
    SshChannel::open(session, &settings.subsystem, observer).await
}
