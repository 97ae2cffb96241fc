//! The command's side of the control socket.

use std::{
    fmt, fs,
    io::{self, ErrorKind, Read, Write},
    net::Shutdown,
    os::unix::{fs::MetadataExt, net::UnixStream},
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with,
        sockopt::socket_peercred,
    },
    process::geteuid,
};

use crate::{
    Request, Response,
    socket_path::{directory, with_short_path},
};

/// Sends a request to the agent that listens on this socket, and returns its response.
///
/// # Errors
/// The reason why there is no response within `max_wait`.
pub fn send(socket: &Path, request: &Request, max_wait: Duration) -> Result<Response, RequestError> {
    let deadline = Instant::now() + max_wait;
    let mut stream = with_short_path(socket, |path| connect_within(path, max_wait))
        .map_err(|error| RequestError::from_connect(error, max_wait))?;
    let peer = socket_peercred(&stream).map_err(io::Error::from)?;
    let (uid, process) = (peer.uid.as_raw(), peer.pid.as_raw_nonzero().get());
    if ![0, geteuid().as_raw(), fs::metadata(directory(socket))?.uid()].contains(&uid) {
        return Err(RequestError::WrongUser { uid });
    }
    let response = exchange(&mut stream, request, deadline);
    let octets = response.map_err(|error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            RequestError::TimedOut { process: Some(process), waited: max_wait }
        }
        // The agent has closed the connection without reading the request.
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::NotConnected => RequestError::Closed,
        _ => RequestError::Io(error),
    })?;
    if octets.is_empty() {
        return Err(RequestError::Closed);
    }
    Response::decode(&octets).ok_or(RequestError::UnknownResponse)
}

/// Connects to a socket. The timeout also applies if the listener's queue of connections is full,
/// because its process is stopped.
fn connect_within(path: &Path, max_wait: Duration) -> io::Result<UnixStream> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    let stream = UnixStream::from(socket);
    stream.set_write_timeout(Some(max_wait))?;
    connect(&stream, &SocketAddrUnix::new(path)?)?;
    Ok(stream)
}

/// Sends the request, and reads the response until the end of the stream.
fn exchange(stream: &mut UnixStream, request: &Request, deadline: Instant) -> io::Result<Vec<u8>> {
    stream.write_all(&request.encode())?;
    stream.shutdown(Shutdown::Write)?;
    let mut octets = Vec::new();
    let mut buffer = [0; 4096];
    while octets.len() <= Response::MAX_LEN {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(octets),
            Ok(count) => octets.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidData, "the response is too long"))
}

/// The reason why there is no response.
#[derive(Debug)]
pub enum RequestError {
    /// No process listens on the socket.
    NotListening(io::Error),
    /// This user may not use the socket.
    Denied(io::Error),
    /// A process of another user listens on the socket.
    WrongUser {
        /// The effective user ID of the process.
        uid: u32,
    },
    /// The agent did not respond in time; the request may still take effect.
    TimedOut {
        /// The process ID of the agent, if it has accepted the connection.
        process: Option<i32>,
        /// The timeout.
        waited: Duration,
    },
    /// The agent has closed the connection without a response.
    Closed,
    /// The response is from a version of the agent that this command does not understand.
    UnknownResponse,
    /// Sending or receiving failed.
    Io(io::Error),
}

impl RequestError {
    fn from_connect(error: io::Error, waited: Duration) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => Self::NotListening(error),
            ErrorKind::PermissionDenied => Self::Denied(error),
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Self::TimedOut { process: None, waited },
            _ => Self::Io(error),
        }
    }
}

impl From<io::Error> for RequestError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::error::Error for RequestError {}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotListening(error) | Self::Io(error) => write!(f, "cannot reach the agent: {error}"),
            Self::Denied(error) => {
                write!(f, "cannot reach the agent: {error}\nhint: run this command as root or as the agent's account")
            }
            Self::WrongUser { uid } => write!(
                f,
                "the process at the control socket belongs to user ID {uid}, which does not own the directory of the socket"
            ),
            Self::TimedOut { process, waited } => {
                let process = process.map_or_else(String::new, |process| format!(" (process {process})"));
                write!(
                    f,
                    "the agent{process} did not respond within {} s; the request may still take effect\n\
                     hint: the process may be stopped or overloaded; its state is in the output of `ps l`",
                    waited.as_secs()
                )
            }
            Self::Closed => f.write_str(
                "the agent has closed the connection without a response\nhint: the log of the agent may contain the reason",
            ),
            Self::UnknownResponse => f.write_str(
                "the agent sent a response that this command does not understand\n\
                 hint: restart the agent, which may be of another version than this command",
            ),
        }
    }
}
