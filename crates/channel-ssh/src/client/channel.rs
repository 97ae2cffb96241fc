//! The open channel: octets of the subsystem, both ways.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use portreeve_channel::{ChannelError, Fact, Observer, SshIdentity, Step};
use russh::{ChannelMsg, ChannelReadHalf, ChannelWriteHalf, client};

use super::session::Session;

/// A subsystem at the other end. Dropped, the session ends.
pub struct SshChannel {
    reader: SshReader,
    writer: SshWriter,
    session: Session,
}

/// What comes from the subsystem.
pub struct SshReader {
    channel: ChannelReadHalf,
    subsystem: String,
    state: State,
    /// The first of what the other end has said on its error output.
    complaint: Vec<u8>,
    /// Octets that came while only the server's answer was waited for.
    ahead: Option<Bytes>,
    /// Whether the subsystem has ever sent anything.
    has_spoken: bool,
    /// How it has ended.
    exit_status: u32,
    /// What was said when the connection ended.
    parting: Arc<OnceLock<String>>,
}

/// What goes to the subsystem.
pub struct SshWriter {
    channel: ChannelWriteHalf<client::Msg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The server has not said whether it has the subsystem.
    Requested,
    /// It has.
    Open,
    /// Nothing more comes.
    Ended,
}

impl SshChannel {
    pub(crate) async fn open(
        session: Session,
        subsystem: &str,
        observer: &dyn Observer,
    ) -> Result<Self, ChannelError> {
        observer.begins(Step::Subsystem);
        observer.finds(Fact::new("subsystem", subsystem));
        let refused = |error: russh::Error| {
            ChannelError::at(Step::Subsystem, format!("the server opens no session: {error}"))
        };
        //= rfc5592#5.3-4
        let channel = session.handle.channel_open_session().await.map_err(refused)?;
        //= rfc5592#5.3-5
        channel.request_subsystem(true, subsystem).await.map_err(refused)?;
        let (reading, writing) = channel.split();
        let reader = SshReader {
            channel: reading,
            subsystem: subsystem.to_owned(),
            state: State::Requested,
            complaint: Vec::new(),
            ahead: None,
            has_spoken: false,
            exit_status: 0,
            parting: Arc::clone(&session.parting),
        };
        Ok(Self { reader, writer: SshWriter { channel: writing }, session })
    }

    /// Who the server is.
    pub fn peer(&self) -> &Arc<SshIdentity> {
        &self.session.identity
    }

    /// Both directions, to be used side by side.
    pub fn halves(&mut self) -> (&mut SshReader, &SshWriter) {
        (&mut self.reader, &self.writer)
    }

    /// Waits until the server has said that it has the subsystem.
    ///
    /// # Errors
    /// Those of [`SshReader::read`]; and that the subsystem has ended at once.
    pub async fn confirmed(&mut self) -> Result<(), ChannelError> {
        if self.reader.state == State::Requested && self.reader.ahead.is_none() {
            match self.reader.next(true).await? {
                Some(octets) => self.reader.ahead = Some(octets),
                None if self.reader.state == State::Open => {}
                None => return Err(ChannelError::at(Step::Subsystem, "the server has closed the channel")),
            }
        }
        Ok(())
    }

    /// As [`SshReader::read`].
    ///
    /// # Errors
    /// Those of [`SshReader::read`].
    pub async fn read(&mut self) -> Result<Option<Bytes>, ChannelError> {
        self.reader.read().await
    }

    /// As [`SshWriter::write`].
    ///
    /// # Errors
    /// Those of [`SshWriter::write`].
    pub async fn write(&self, octets: impl Into<Bytes>) -> Result<(), ChannelError> {
        self.writer.write(octets).await
    }

    /// Tells the server that we leave; waits at most a second until it has been told.
    pub async fn close(self) {
        self.session.close().await;
    }
}

impl SshReader {
    /// The next octets, in pieces of the server's choice; `None` once it has closed the channel.
    ///
    /// May be dropped while it waits: nothing is lost.
    ///
    /// # Errors
    /// At [`Step::Subsystem`] when the server does not have it, at [`Step::Data`] when the connection is lost.
    pub async fn read(&mut self) -> Result<Option<Bytes>, ChannelError> {
        match self.ahead.take() {
            Some(octets) => Ok(Some(octets)),
            None => self.next(false).await,
        }
    }

    /// The next octets; or nothing as soon as the subsystem is confirmed, where that is what is waited for.
    async fn next(&mut self, until_confirmed: bool) -> Result<Option<Bytes>, ChannelError> {
        while self.state != State::Ended {
            match self.channel.wait().await {
                Some(ChannelMsg::Data { data }) => {
                    self.state = State::Open;
                    self.has_spoken = true;
                    return Ok(Some(data));
                }
                Some(ChannelMsg::Success) => {
                    self.state = State::Open;
                    if until_confirmed {
                        return Ok(None);
                    }
                }
                Some(ChannelMsg::Failure) => {
                    self.state = State::Ended;
                    return Err(self.no_subsystem());
                }
                Some(ChannelMsg::ExtendedData { data, .. }) => {
                    let room = MAX_COMPLAINT.saturating_sub(self.complaint.len());
                    self.complaint.extend(data.iter().take(room));
                }
                // How a subsystem has ended that has said nothing comes after the end of what it says.
                Some(ChannelMsg::Eof) if !self.has_spoken => {}
                Some(ChannelMsg::ExitStatus { exit_status }) => self.exit_status = exit_status,
                Some(ChannelMsg::Eof | ChannelMsg::Close) => {
                    self.state = State::Ended;
                    return self.complained().map_or(Ok(None), Err);
                }
                Some(_) => {}
                None => {
                    self.state = State::Ended;
                    return Err(self.lost());
                }
            }
        }
        Ok(None)
    }

    fn lost(&self) -> ChannelError {
        let words = self.parting.get().map(|words| format!(": {}", words.escape_debug()));
        ChannelError::at(Step::Data, format!("the connection is lost{}", words.unwrap_or_default()))
    }

    fn no_subsystem(&self) -> ChannelError {
        ChannelError::at(Step::Subsystem, format!("the server has no subsystem {:?}", self.subsystem)).cured_by(
            format!(
                "ask for it on the agent's own port, 5161; or give the server's sshd_config a line: Subsystem {} …",
                self.subsystem
            ),
        )
    }

    /// What a subsystem said that ended without sending anything else.
    fn complained(&self) -> Option<ChannelError> {
        let text = String::from_utf8_lossy(&self.complaint);
        let text = text.trim();
        let name = &self.subsystem;
        if !text.is_empty() {
            let shown = text.escape_debug();
            return Some(ChannelError::at(Step::Subsystem, format!("the subsystem {name:?} ended: {shown}")));
        }
        (self.exit_status != 0 && !self.has_spoken).then(|| {
            let found = format!("the subsystem {name:?} ended with status {} and no word", self.exit_status);
            ChannelError::at(Step::Subsystem, found).cured_by(
                "the server's log says why: as a rule no agent is behind it, or it does not let this user in",
            )
        })
    }
}

impl SshWriter {
    /// Sends octets, as soon as the server has room for them. Dropped while it waits, it may have sent a part.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn write(&self, octets: impl Into<Bytes>) -> Result<(), ChannelError> {
        self.channel
            .data_bytes(octets)
            .await
            .map_err(|_| ChannelError::at(Step::Data, "the connection is lost"))
    }
}

/// Octets: enough for a sentence.
const MAX_COMPLAINT: usize = 500;
