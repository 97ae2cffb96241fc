//! The user's socket, where later commands find the broker.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    rc::Rc,
};

use portreeve_broker_protocol::{SocketPath, check_peer};
use rustix::{
    fs::{FlockOperation, flock},
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
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path.lock())?;
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
            if check_peer(&stream).is_ok() && broker.clients.count() < MAX_CLIENTS {
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

/// The maximum number of commands and kept sessions.
const MAX_CLIENTS: usize = 512;
