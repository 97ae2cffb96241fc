//! Unix sockets for the sshd subsystem, from the configuration.

use std::io;

use portreeve_config::{Relay, RelayUsers};
use portreeve_sys::group_id;
use portreeve_transport::{AllowedAccounts, RelayBindError, RelayListener};

/// Converts a socket of the configuration for the transport, and looks up its group.
pub(crate) fn listener(relay: &Relay) -> Result<RelayListener, RelayBindError> {
    let refused = |cause| RelayBindError { path: relay.path.clone(), cause };
    let group = match &relay.group {
        None => None,
        Some(name) => Some(known_group(name).map_err(refused)?),
    };
    let accounts = match &relay.users {
        RelayUsers::AgentAndRoot => AllowedAccounts::OwnAndRoot,
        RelayUsers::Named(names) => AllowedAccounts::Named(names.clone()),
        RelayUsers::All => AllowedAccounts::All,
    };
    Ok(RelayListener { path: relay.path.clone(), group, accounts })
}

fn known_group(name: &str) -> io::Result<u32> {
    group_id(name)?.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            format!("group {name:?} does not exist; create it with `groupadd`"),
        )
    })
}
