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

use portreeve_channel::{ChannelError, Step};
use portreeve_secret::Secret;

use crate::{Answer, Frame, Inbox, Opened, Order, Question, Rendezvous};

/// A conversation with a broker, blocking.
#[derive(Debug)]
pub struct Line {
    stream: UnixStream,
    inbox: Inbox,
    /// The patience that the socket has been told.
    patience: Duration,
}

impl Line {
    /// Opens the session: through the broker that listens at `rendezvous`, or, where none does, through one that is
    /// started from `program` as a child of this process. That one serves this session alone, unless the order says
    /// that sessions are to be kept. `ask` is asked for passwords and the like, and may take its time.
    ///
    /// # Errors
    /// Why there is no session.
    pub fn open(
        order: &Order,
        rendezvous: &Rendezvous,
        program: &Path,
        ask: &mut Ask<'_>,
    ) -> Result<(Self, Opened), ChannelError> {
        if !order.persist.is_zero() {
            rendezvous.prepare()?;
        }
        // Whatever is wrong with a broker that runs, a child of ours can do without it.
        if let Ok(stream) = rendezvous.connect()
            && let Some(result) = Self::over(stream).order(order, ask)
        {
            return result;
        }
        let own = Self::start(order, program)?;
        own.order(order, ask).unwrap_or_else(|| {
            Err(ChannelError::at(Step::Connect, format!("{} has ended without an answer", program.display()))
                .cured_by("see that it is of the same version as this command"))
        })
    }

    /// A conversation over a socket that is connected to a broker.
    pub fn over(stream: UnixStream) -> Self {
        Self { stream, inbox: Inbox::default(), patience: Duration::ZERO }
    }

    /// Asks for the session; `None` where the broker has gone without an answer.
    pub fn order(mut self, order: &Order, ask: &mut Ask<'_>) -> Option<Result<(Self, Opened), ChannelError>> {
        let frame = match Frame::Order(order.clone()).encode() {
            Ok(frame) => frame,
            Err(error) => return Some(Err(ChannelError::at(Step::Connect, error.to_string()))),
        };
        self.stream.write_all(&frame).ok()?;
        // The broker gives up by itself; this is for one that hangs.
        let mut end = Instant::now() + order.patience + GRACE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = "the session broker does not answer";
                return Some(Err(ChannelError::at(Step::Connect, message)));
            }
            match self.receive(left) {
                Ok(None) => {}
                Ok(Some(Frame::Question(question))) => {
                    let answer = Answer(ask(&question)).encode().ok()?;
                    self.stream.write_all(answer.expose()).ok()?;
                    // The time in which somebody is asked does not count.
                    end = Instant::now() + order.patience + GRACE;
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
    pub fn duplicate(&self) -> io::Result<UnixStream> {
        self.stream.try_clone()
    }

    /// Waits for one whole frame, at most `patience`, which is not zero.
    ///
    /// # Errors
    /// When the broker has gone, or says what is not understood.
    pub fn receive(&mut self, patience: Duration) -> io::Result<Option<Frame<'_>>> {
        // Asked twice, because a frame that is handed out cannot be looked at first.
        if !self.inbox.has_frame()? {
            if patience != self.patience {
                self.stream.set_read_timeout(Some(patience.max(SHORTEST)))?;
                self.patience = patience;
            }
            match self.stream.read(self.inbox.room()) {
                Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, GONE)),
                Ok(count) => self.inbox.note_read(count),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    ErrorKind::ConnectionReset => return Err(io::Error::new(ErrorKind::UnexpectedEof, GONE)),
                    _ => return Err(error),
                },
            }
        }
        Ok(self.inbox.next_frame()?)
    }

    /// Starts a broker whose first command is this one.
    fn start(order: &Order, program: &Path) -> Result<Self, ChannelError> {
        let failed = |error: io::Error| {
            ChannelError::at(Step::Connect, format!("{}: {error}", program.display())).cured_by(
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
        if !order.persist.is_zero() {
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
pub type Ask<'a> = dyn FnMut(&Question) -> Option<Secret> + 'a;

/// How much longer than the broker itself is waited for it.
const GRACE: Duration = Duration::from_secs(2);
/// The system refuses to wait no time at all.
const SHORTEST: Duration = Duration::from_micros(1);
const GONE: &str = "the session broker has ended, and the session with it";
