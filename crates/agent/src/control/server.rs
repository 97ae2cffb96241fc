//! The agent's side of the control socket.

use std::{
    convert::Infallible,
    fs::{self, Permissions},
    future::pending,
    io,
    os::unix::fs::{FileTypeExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use portreeve_channel::LogLimiter;
use portreeve_control_protocol::with_short_path;
use portreeve_sys::effective_uid;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::{sleep, timeout},
};

use super::{Request, Response, socket_path};

/// The listening socket, and the requests of its connections. Dropping it closes and removes the
/// socket.
pub(crate) struct ControlServer {
    listener: UnixListener,
    file: SocketFile,
    /// Limits the number of connections.
    connections: Arc<Semaphore>,
    handler: Arc<dyn RequestHandler>,
    refusal_log: LogLimiter,
}

/// Handles the requests of all connections.
pub(crate) trait RequestHandler: Send + Sync {
    /// Handles a request, or passes it to another thread. Must not block, so that other requests,
    /// such as that for the status, are answered.
    fn handle(&self, request: Request, answer: Answer);
}

/// The connection that waits for a response.
pub(crate) struct Answer(oneshot::Sender<Response>);

impl Answer {
    /// Returns an answer, and the receiver of its response.
    pub(crate) fn new() -> (Self, oneshot::Receiver<Response>) {
        let (sender, receiver) = oneshot::channel();
        (Self(sender), receiver)
    }

    /// Sends the response.
    pub(crate) fn send(self, response: Response) {
        // If the connection has ended, no process waits for the response.
        let _ = self.0.send(response);
    }
}

impl ControlServer {
    /// Listens in the state directory, which this process must have locked: a socket from an
    /// earlier process is replaced. Must be called within the runtime.
    ///
    /// # Errors
    /// If the socket cannot be created.
    pub(crate) fn listen(state_dir: &Path, handler: Arc<dyn RequestHandler>) -> io::Result<Self> {
        let path = socket_path(state_dir);
        remove_stale_socket(&path)?;
        let listener = with_short_path(&path, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok(Self {
            listener,
            file: SocketFile(path),
            connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            handler,
            refusal_log: LogLimiter::per_second(1),
        })
    }

    /// Closes the socket without waiting for a disk, and returns its file.
    pub(crate) fn close(self) -> SocketFile {
        self.file
    }

    /// Accepts connections; never returns.
    pub(crate) async fn serve(&self) -> Infallible {
        loop {
            // While all places are taken, connections wait in the queue of the listener.
            let Ok(place) = Arc::clone(&self.connections).acquire_owned().await else {
                // The semaphore is never closed.
                return pending().await;
            };
            match self.listener.accept().await {
                Ok((stream, _)) => self.admit(stream, place),
                // Usually no file descriptor is free: wait before the next attempt.
                Err(_) => sleep(ACCEPT_RETRY_INTERVAL).await,
            }
        }
    }

    /// Starts the task of a connection from root or from this process's user.
    fn admit(&self, stream: UnixStream, place: OwnedSemaphorePermit) {
        let peer = stream.peer_cred().map(|peer| peer.uid());
        if !peer.is_ok_and(|uid| uid == 0 || uid == effective_uid()) {
            return self.log_refusal("the process belongs to another user");
        }
        tokio::spawn(serve(stream, Arc::clone(&self.handler), place));
    }

    fn log_refusal(&self, reason: &str) {
        if let Some(suppressed) = self.refusal_log.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::warn!(reason, suppressed, "connection to the control socket refused");
        }
    }
}

/// The file of the socket. Dropping it removes the file, and waits for the disk.
pub(crate) struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // If the file remains, the next start replaces it.
        let _ = fs::remove_file(&self.0);
    }
}

/// Removes the socket of a process that was killed.
fn remove_stale_socket(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if metadata.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "the file exists and is not a socket")),
    }
}

/// Serves one connection: reads the request, waits for the response and sends it.
async fn serve(mut stream: UnixStream, handler: Arc<dyn RequestHandler>, _place: OwnedSemaphorePermit) {
    let Ok(Some(octets)) = timeout(REQUEST_TIMEOUT, read_request(&mut stream)).await else { return };
    let response = match Request::decode(&octets) {
        None => Response::UnknownRequest,
        Some(request) => {
            let (answer, outcome) = Answer::new();
            handler.handle(request, answer);
            // The agent is shutting down if there is no response.
            let Ok(outcome) = outcome.await else { return };
            outcome
        }
    };
    let octets = response.encode();
    let _ = timeout(RESPONSE_TIMEOUT, stream.write_all(&octets)).await;
}

/// Reads until the peer has ended its stream; `None` if the request is too long or the connection
/// fails.
async fn read_request(stream: &mut UnixStream) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    let limit = u64::try_from(Request::MAX_LEN + 1).ok()?;
    stream.take(limit).read_to_end(&mut octets).await.ok()?;
    (octets.len() <= Request::MAX_LEN).then_some(octets)
}

/// The maximum number of connections at a time. More than the reloads and notifications that can
/// wait, so that other requests are always answered.
const MAX_CONNECTIONS: usize = 64;
/// The timeout of reading a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(2);
/// The timeout of sending a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause after a connection could not be accepted.
const ACCEPT_RETRY_INTERVAL: Duration = Duration::from_millis(50);
