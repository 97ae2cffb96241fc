//! The user's socket, where commands find a broker that stays.

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

/// Begins to listen, unless this broker or another one does already. Where that cannot be, sessions are still kept for
/// as long as they were asked for, and nobody finds them.
pub(crate) fn start(broker: &Rc<Broker>) {
    if broker.is_listening_attempted.replace(true) {
        return;
    }
    if let Ok(listener) = Listener::open(&SocketPath::for_current_user()) {
        // The terminal it was started from may close.
        let _ = setsid();
        tokio::task::spawn_local(listener.serve(Rc::clone(broker)));
    }
}

struct Listener {
    socket: UnixListener,
    path: SocketPath,
    /// Locked while this is the user's broker.
    _lock: File,
}

impl Listener {
    fn open(rendezvous: &SocketPath) -> io::Result<Self> {
        rendezvous.prepare().map_err(io::Error::other)?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(rendezvous.lock())?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        // Whoever has the lock may take away what a broker has left that was killed.
        match fs::remove_file(rendezvous.socket()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let socket = UnixListener::bind(rendezvous.socket())?;
        fs::set_permissions(rendezvous.socket(), Permissions::from_mode(0o600))?;
        Ok(Self { socket, path: rendezvous.clone(), _lock: lock })
    }

    async fn serve(self, broker: Rc<Broker>) {
        loop {
            let accepted = tokio::select! {
                accepted = self.socket.accept() => accepted,
                // Ends with the program.
                () = broker.clients.wait_until_zero() => return,
            };
            let Ok((stream, _)) = accepted else {
                // Out of descriptors, as a rule: some will be free again.
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

/// How many commands and kept sessions there may be.
const MAX_CLIENTS: usize = 512;
