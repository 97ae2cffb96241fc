//! The command's side of a connection with the broker.

use std::{
    io::{self, ErrorKind, Read, Write},
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use portreeve_channel::{ChannelError, ChannelStep};
use portreeve_secret::Secret;
use rustix::net::sockopt::socket_peercred;

use crate::{Frame, FrameBuffer, PromptRequest, PromptResponse, SessionOpened, SessionRequest, SocketPath};

/// A blocking connection with a broker.
#[derive(Debug)]
pub struct BrokerConnection {
    stream: UnixStream,
    buffer: FrameBuffer,
    /// The read timeout that the socket currently has.
    read_timeout: Duration,
    /// The process ID of a broker that this command has started.
    child: Option<u32>,
}

impl BrokerConnection {
    /// Opens a session: through the broker that listens at `socket_path`, or through one started
    /// from `program` as a child process. A child process serves this session alone, unless the
    /// request asks to keep sessions. `on_prompt` is called for passwords and pass phrases, and may
    /// block.
    ///
    /// # Errors
    /// The reason why there is no session.
    pub fn open(
        request: &SessionRequest,
        socket_path: &SocketPath,
        program: &Path,
        on_prompt: &mut PromptHandler<'_>,
    ) -> Result<(Self, SessionOpened), ChannelError> {
        if !request.persist.is_zero() {
            socket_path.prepare()?;
        }
        // If the running broker does not work, this command starts its own broker.
        if let Ok(stream) = socket_path.connect()
            && let Some(result) = Self::over(stream).request_session(request, on_prompt)
        {
            return result;
        }
        let own_broker = Self::spawn_broker(request, program)?;
        own_broker.request_session(request, on_prompt).unwrap_or_else(|| {
            Err(ChannelError::at(
                ChannelStep::Connect,
                format!("{} exited without a response", program.display()),
            )
            .with_hint(
                "check that portreeve-broker has the same version as this command, and that nothing kills it",
            ))
        })
    }

    /// Wraps a socket that is connected to a broker.
    pub fn over(stream: UnixStream) -> Self {
        Self { stream, buffer: FrameBuffer::default(), read_timeout: Duration::ZERO, child: None }
    }

    /// Requests the session; `None` if the broker has closed the connection without a response.
    pub fn request_session(
        mut self,
        request: &SessionRequest,
        on_prompt: &mut PromptHandler<'_>,
    ) -> Option<Result<(Self, SessionOpened), ChannelError>> {
        let frame = match Frame::Request(request.clone()).encode() {
            Ok(frame) => frame,
            Err(error) => return Some(Err(ChannelError::at(ChannelStep::Connect, error.to_string()))),
        };
        self.stream.write_all(&frame).ok()?;
        // The broker has its own timeout; this one is for a broker that hangs.
        let mut end = Instant::now() + request.timeout + BROKER_GRACE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Some(Err(self.unresponsive()));
            }
            match self.receive(left) {
                Ok(None) => {}
                Ok(Some(Frame::Prompt(prompt))) => {
                    let response = PromptResponse(on_prompt(&prompt)).encode().ok()?;
                    self.stream.write_all(response.expose()).ok()?;
                    // The time that the user takes to respond does not count.
                    end = Instant::now() + request.timeout + BROKER_GRACE;
                }
                Ok(Some(Frame::Opened(opened))) => return Some(Ok((self, opened))),
                Ok(Some(Frame::Failed(error))) => return Some(Err(error)),
                Ok(Some(_)) | Err(_) => return None,
            }
        }
    }

    /// Sends one SNMP message to the agent.
    ///
    /// # Errors
    /// If the broker has closed the connection.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.stream.write_all(message) {
            // Ignore this error: the broker's last frame contains the reason.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Err(io::Error::other(self.unresponsive())),
            other => other,
        }
    }

    /// Clones the socket, to send a last frame after reading has ended.
    ///
    /// # Errors
    /// If this process has no file descriptor left.
    pub fn try_clone_stream(&self) -> io::Result<UnixStream> {
        self.stream.try_clone()
    }

    /// Waits for one complete frame, at most `max_wait`, which must not be zero.
    ///
    /// # Errors
    /// If the broker has closed the connection, or sent a malformed frame.
    pub fn receive(&mut self, max_wait: Duration) -> io::Result<Option<Frame<'_>>> {
        // Do not call `next_frame` before the read: the frame that it returns would borrow the
        // buffer, which the read needs.
        if !self.buffer.has_frame()? {
            if max_wait != self.read_timeout {
                self.stream.set_read_timeout(Some(max_wait.max(MIN_READ_TIMEOUT)))?;
                self.read_timeout = max_wait;
            }
            match self.stream.read(self.buffer.free_space()) {
                Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, BROKER_ENDED)),
                Ok(count) => self.buffer.advance(count),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    ErrorKind::ConnectionReset => {
                        return Err(io::Error::new(ErrorKind::UnexpectedEof, BROKER_ENDED));
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok(self.buffer.next_frame()?)
    }

    /// Returns the error for a broker that does not respond, which names its process.
    fn unresponsive(&self) -> ChannelError {
        let error = ChannelError::at(ChannelStep::Connect, "the session broker does not respond");
        // The peer of a socket pair would be this process, which has created it.
        let listener =
            || Some(socket_peercred(&self.stream).ok()?.pid.as_raw_nonzero().get().cast_unsigned());
        match self.child.or_else(listener) {
            Some(id) => error.with_hint(format!(
                "process {id} is stopped or blocked; if that continues, end it: kill -9 {id}"
            )),
            None => error,
        }
    }

    /// Starts a broker with this command as its first command.
    fn spawn_broker(request: &SessionRequest, program: &Path) -> Result<Self, ChannelError> {
        let failed = |error: io::Error| {
            ChannelError::at(ChannelStep::Connect, format!("{}: {error}", program.display())).with_hint(
                "secure transports need portreeve-broker, which `make install` installs in libexec/portreeve",
            )
        };
        let (local, remote) = UnixStream::pair().map_err(failed)?;
        let mut command = Command::new(program);
        command.stdin(OwnedFd::from(remote)).stdout(Stdio::null());
        // Remove pass phrases: other processes may be able to read the broker's environment.
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.to_str().is_some_and(is_secret)) {
            command.env_remove(name);
        }
        if !request.persist.is_zero() {
            // The broker outlives this command, so it must not keep the command's stderr open, and
            // a Ctrl-C for the command must not end it.
            command.stderr(Stdio::null()).process_group(0).current_dir("/");
        }
        let child = command.spawn().map_err(failed)?;
        Ok(Self { child: Some(child.id()), ..Self::over(local) })
    }
}

/// Returns `true` if an environment variable of this name contains a pass phrase.
fn is_secret(name: &str) -> bool {
    name.starts_with("PORTREEVE_") && name.ends_with("_PASS")
}

/// Responds to a prompt, or returns `None`.
pub type PromptHandler<'a> = dyn FnMut(&PromptRequest) -> Option<Secret> + 'a;

/// The time added to the broker's own timeout.
const BROKER_GRACE: Duration = Duration::from_secs(2);
/// The minimum read timeout, because the system rejects a timeout of zero.
const MIN_READ_TIMEOUT: Duration = Duration::from_micros(1);
const BROKER_ENDED: &str = "the session broker exited, which closed the session";
