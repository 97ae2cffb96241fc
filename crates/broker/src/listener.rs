//! The user's socket, where later commands find the broker.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    rc::Rc,
};

use portreeve_broker_protocol::{SocketPath, check_peer};
use portreeve_sys::raise_descriptor_limit;
use rustix::{
    fs::{FlockOperation, OFlags, flock},
    process::setsid,
};
use tokio::net::UnixListener;

use crate::{Broker, command};

/// Starts listening, unless this broker has tried before or another broker listens. If listening
/// fails, sessions are still kept, but no other command can use them.
pub(crate) fn start(broker: &Rc<Broker>) {
    if broker.is_listening_attempted.replace(true) {
        return;
    }
    if let Ok(listener) = Listener::open(&SocketPath::for_current_user()) {
        // Detach from the terminal, because it may be closed.
        let _ = setsid();
        tokio::task::spawn_local(listener.serve(Rc::clone(broker)));
    }
}

struct Listener {
    socket: UnixListener,
    path: SocketPath,
    /// Locked while this process is the user's broker.
    _lock: File,
}

impl Listener {
    fn open(path: &SocketPath) -> io::Result<Self> {
        path.prepare().map_err(io::Error::other)?;
        // A named pipe in place of the lock file is an error, and does not block.
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .custom_flags(flags.bits().cast_signed())
            .open(path.lock())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        // This process holds the lock, so a socket file must be from a broker that was killed.
        match fs::remove_file(path.socket()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let socket = UnixListener::bind(path.socket())?;
        fs::set_permissions(path.socket(), Permissions::from_mode(0o600))?;
        Ok(Self { socket, path: path.clone(), _lock: lock })
    }

    async fn serve(self, broker: Rc<Broker>) {
        let max_clients = max_clients(raise_descriptor_limit().ok());
        loop {
            let accepted = tokio::select! {
                accepted = self.socket.accept() => accepted,
                // Without clients, the program ends, and so does this task.
                () = broker.clients.wait_until_zero() => return,
            };
            let Ok((stream, _)) = accepted else {
                // If accepting a connection fails, usually no file descriptor is free: wait before
                // the next attempt.
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                continue;
            };
            if check_peer(&stream).is_ok() && broker.clients.count() < max_clients {
                let guard = broker.clients.register();
                tokio::task::spawn_local(command::serve(Rc::clone(&broker), stream, guard));
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.socket());
    }
}

/// Returns the maximum number of commands and kept sessions for a limit of open descriptors. A
/// command that is refused starts its own broker.
fn max_clients(max_descriptors: Option<u64>) -> usize {
    let affordable = max_descriptors.map(|max| max / DESCRIPTORS_PER_CLIENT);
    affordable.and_then(|max| usize::try_from(max).ok()).map_or(MAX_CLIENTS, |max| max.min(MAX_CLIENTS))
}

/// The maximum number of commands and kept sessions.
const MAX_CLIENTS: usize = 512;
/// The maximum number of descriptors for one client: the connections with the command, the agent
/// and the ssh-agent, and a file.
const DESCRIPTORS_PER_CLIENT: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_clients_is_limited_by_open_descriptors() {
        assert_eq!(max_clients(Some(1024)), 256);
        assert_eq!(max_clients(Some(1 << 20)), MAX_CLIENTS);
        assert_eq!(max_clients(None), MAX_CLIENTS);
    }
}
