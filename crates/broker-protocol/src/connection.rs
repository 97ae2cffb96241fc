//! The command's end of a conversation.

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

use crate::{Frame, FrameBuffer, PromptRequest, PromptResponse, SessionOpened, SessionRequest, SocketPath};

/// A conversation with a broker, blocking.
#[derive(Debug)]
pub struct BrokerConnection {
    stream: UnixStream,
    buffer: FrameBuffer,
    /// The patience that the socket has been told.
    read_timeout: Duration,
}

impl BrokerConnection {
    /// Opens the session: through the broker that listens at `rendezvous`, or, where none does, through one that is
    /// started from `program` as a child of this process. That one serves this session alone, unless the order says
    /// that sessions are to be kept. `ask` is asked for passwords and the like, and may take its time.
    ///
    /// # Errors
    /// Why there is no session.
    pub fn open(
        request: &SessionRequest,
        socket_path: &SocketPath,
        program: &Path,
        ask: &mut PromptHandler<'_>,
    ) -> Result<(Self, SessionOpened), ChannelError> {
        if !request.persist.is_zero() {
            socket_path.prepare()?;
        }
        // Whatever is wrong with a broker that runs, a child of ours can do without it.
        if let Ok(stream) = socket_path.connect()
            && let Some(result) = Self::over(stream).request_session(request, ask)
        {
            return result;
        }
        let own = Self::spawn_broker(request, program)?;
        own.request_session(request, ask).unwrap_or_else(|| {
            Err(ChannelError::at(
                ChannelStep::Connect,
                format!("{} has ended without an answer", program.display()),
            )
            .with_hint("see that it is of the same version as this command"))
        })
    }

    /// A conversation over a socket that is connected to a broker.
    pub fn over(stream: UnixStream) -> Self {
        Self { stream, buffer: FrameBuffer::default(), read_timeout: Duration::ZERO }
    }

    /// Asks for the session; `None` where the broker has gone without an answer.
    pub fn request_session(
        mut self,
        request: &SessionRequest,
        ask: &mut PromptHandler<'_>,
    ) -> Option<Result<(Self, SessionOpened), ChannelError>> {
        let frame = match Frame::Request(request.clone()).encode() {
            Ok(frame) => frame,
            Err(error) => return Some(Err(ChannelError::at(ChannelStep::Connect, error.to_string()))),
        };
        self.stream.write_all(&frame).ok()?;
        // The broker gives up by itself; this is for one that hangs.
        let mut end = Instant::now() + request.timeout + BROKER_GRACE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = "the session broker does not answer";
                return Some(Err(ChannelError::at(ChannelStep::Connect, message)));
            }
            match self.receive(left) {
                Ok(None) => {}
                Ok(Some(Frame::Prompt(question))) => {
                    let answer = PromptResponse(ask(&question)).encode().ok()?;
                    self.stream.write_all(answer.expose()).ok()?;
                    // The time in which somebody is asked does not count.
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
    /// When the broker has gone.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        match self.stream.write_all(message) {
            // What it said last tells more.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// The same socket, for what is said when nothing is waited for any more.
    ///
    /// # Errors
    /// When this process has no descriptor left.
    pub fn try_clone_stream(&self) -> io::Result<UnixStream> {
        self.stream.try_clone()
    }

    /// Waits for one whole frame, at most `timeout`, which is not zero.
    ///
    /// # Errors
    /// When the broker has gone, or says what is not understood.
    pub fn receive(&mut self, patience: Duration) -> io::Result<Option<Frame<'_>>> {
        // Asked twice, because a frame that is handed out cannot be looked at first.
        if !self.buffer.has_frame()? {
            if patience != self.read_timeout {
                self.stream.set_read_timeout(Some(patience.max(MIN_READ_TIMEOUT)))?;
                self.read_timeout = patience;
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

    /// Starts a broker whose first command is this one.
    fn spawn_broker(request: &SessionRequest, program: &Path) -> Result<Self, ChannelError> {
        let failed = |error: io::Error| {
            ChannelError::at(ChannelStep::Connect, format!("{}: {error}", program.display())).with_hint(
                "secure transports need portreeve-broker: `make install` puts it into libexec/portreeve",
            )
        };
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        let mut command = Command::new(program);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
        // Whoever may look at its environment finds no pass phrase there.
        let names = std::env::vars_os().map(|(name, _)| name);
        for name in names.filter(|name| name.to_str().is_some_and(is_secret)) {
            command.env_remove(name);
        }
        if !request.persist.is_zero() {
            // It outlives this command: neither may it hold what reads the command's errors, nor end by its ^C.
            command.stderr(Stdio::null()).process_group(0).current_dir("/");
        }
        command.spawn().map_err(failed)?;
        Ok(Self::over(ours))
    }
}

/// Whether a variable of the command's has a pass phrase in it.
fn is_secret(name: &str) -> bool {
    name.starts_with("PORTREEVE_") && name.ends_with("_PASS")
}

/// Knows the answer, or does not.
pub type PromptHandler<'a> = dyn FnMut(&PromptRequest) -> Option<Secret> + 'a;

/// How much longer than the broker itself is waited for it.
const BROKER_GRACE: Duration = Duration::from_secs(2);
/// The system refuses to wait no time at all.
const MIN_READ_TIMEOUT: Duration = Duration::from_micros(1);
const BROKER_ENDED: &str = "the session broker has ended, and the session with it";
