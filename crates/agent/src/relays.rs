//! Sockets for sshd's subsystem, as the configuration has them.

use std::io;

use portreeve_config::{Relay, RelayUsers};
use portreeve_sys::group_number;
use portreeve_transport::{Accounts, RelayBindError, RelayListener};

/// What the transport listens at for `relay`, whose group is looked up.
pub(crate) fn listener(relay: &Relay) -> Result<RelayListener, RelayBindError> {
    let refused = |cause| RelayBindError { path: relay.path.clone(), cause };
    let group = match &relay.group {
        None => None,
        Some(name) => Some(known_group(name).map_err(refused)?),
    };
    let accounts = match &relay.users {
        RelayUsers::Ours => Accounts::Ours,
        RelayUsers::Named(names) => Accounts::Named(names.clone()),
        RelayUsers::All => Accounts::All,
    };
    Ok(RelayListener { path: relay.path.clone(), group, accounts })
}

fn known_group(name: &str) -> io::Result<u32> {
    group_number(name)?.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            format!("this machine has no group {name:?}; `groupadd` makes one"),
        )
    })
}
