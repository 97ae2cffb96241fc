//! The open channel: octets of the subsystem, both ways.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep, Fact, SshIdentity};
use russh::{ChannelMsg, ChannelReadHalf, ChannelWriteHalf, client};

use super::session::ClientSession;

/// A subsystem at the other end. Dropped, the session ends.
pub struct SshChannel {
    reader: SshReader,
    writer: SshWriter,
    session: ClientSession,
}

/// What comes from the subsystem.
pub struct SshReader {
    channel: ChannelReadHalf,
    subsystem: String,
    state: ReaderState,
    /// The first of what the other end has said on its error output.
    error_output: Vec<u8>,
    /// Octets that came while only the server's answer was waited for.
    buffered: Option<Bytes>,
    /// Whether the subsystem has ever sent anything.
    has_received_data: bool,
    /// How it has ended.
    exit_status: u32,
    /// What was said when the connection ended.
    disconnect_message: Arc<OnceLock<String>>,
}

/// What goes to the subsystem.
pub struct SshWriter {
    channel: ChannelWriteHalf<client::Msg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderState {
    /// The server has not said whether it has the subsystem.
    Requested,
    /// It has.
    Open,
    /// Nothing more comes.
    Closed,
}

impl SshChannel {
    pub(crate) async fn open(
        session: ClientSession,
        subsystem: &str,
        observer: &dyn ChannelObserver,
    ) -> Result<Self, ChannelError> {
        observer.on_step(ChannelStep::Subsystem);
        observer.on_fact(Fact::new("subsystem", subsystem));
        let refused = |error: russh::Error| {
            ChannelError::at(ChannelStep::Subsystem, format!("the server opens no session: {error}"))
        };
        //= rfc5592#5.3-4
        let channel = session.handle.channel_open_session().await.map_err(refused)?;
        //= rfc5592#5.3-5
        channel.request_subsystem(true, subsystem).await.map_err(refused)?;
        let (reading, writing) = channel.split();
        let reader = SshReader {
            channel: reading,
            subsystem: subsystem.to_owned(),
            state: ReaderState::Requested,
            error_output: Vec::new(),
            buffered: None,
            has_received_data: false,
            exit_status: 0,
            disconnect_message: Arc::clone(&session.disconnect_message),
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
    pub async fn wait_for_subsystem(&mut self) -> Result<(), ChannelError> {
        if self.reader.state == ReaderState::Requested && self.reader.buffered.is_none() {
            match self.reader.receive(true).await? {
                Some(octets) => self.reader.buffered = Some(octets),
                None if self.reader.state == ReaderState::Open => {}
                None => {
                    return Err(ChannelError::at(
                        ChannelStep::Subsystem,
                        "the server has closed the channel",
                    ));
                }
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
    /// At [`ChannelStep::Subsystem`] when the server does not have it, at [`ChannelStep::Data`] when the connection is lost.
    pub async fn read(&mut self) -> Result<Option<Bytes>, ChannelError> {
        match self.buffered.take() {
            Some(octets) => Ok(Some(octets)),
            None => self.receive(false).await,
        }
    }

    /// The next octets; or nothing as soon as the subsystem is confirmed, where that is what is waited for.
    async fn receive(&mut self, until_confirmed: bool) -> Result<Option<Bytes>, ChannelError> {
        while self.state != ReaderState::Closed {
            match self.channel.wait().await {
                Some(ChannelMsg::Data { data }) => {
                    self.state = ReaderState::Open;
                    self.has_received_data = true;
                    return Ok(Some(data));
                }
                Some(ChannelMsg::Success) => {
                    self.state = ReaderState::Open;
                    if until_confirmed {
                        return Ok(None);
                    }
                }
                Some(ChannelMsg::Failure) => {
                    self.state = ReaderState::Closed;
                    return Err(self.subsystem_rejected());
                }
                Some(ChannelMsg::ExtendedData { data, .. }) => {
                    let room = MAX_ERROR_OUTPUT.saturating_sub(self.error_output.len());
                    self.error_output.extend(data.iter().take(room));
                }
                // How a subsystem has ended that has said nothing comes after the end of what it says.
                Some(ChannelMsg::Eof) if !self.has_received_data => {}
                Some(ChannelMsg::ExitStatus { exit_status }) => self.exit_status = exit_status,
                Some(ChannelMsg::Eof | ChannelMsg::Close) => {
                    self.state = ReaderState::Closed;
                    return self.subsystem_failure().map_or(Ok(None), Err);
                }
                Some(_) => {}
                None => {
                    self.state = ReaderState::Closed;
                    return Err(self.connection_lost());
                }
            }
        }
        Ok(None)
    }

    fn connection_lost(&self) -> ChannelError {
        let message = self.disconnect_message.get().map(|message| format!(": {}", message.escape_debug()));
        ChannelError::at(ChannelStep::Data, format!("the connection is lost{}", message.unwrap_or_default()))
    }

    fn subsystem_rejected(&self) -> ChannelError {
        ChannelError::at(ChannelStep::Subsystem, format!("the server has no subsystem {:?}", self.subsystem)).with_hint(
            format!(
                "ask for it on the agent's own port, 5161; or give the server's sshd_config a line: Subsystem {} …",
                self.subsystem
            ),
        )
    }

    /// What a subsystem said that ended without sending anything else.
    fn subsystem_failure(&self) -> Option<ChannelError> {
        let text = String::from_utf8_lossy(&self.error_output);
        let text = text.trim();
        let name = &self.subsystem;
        if !text.is_empty() {
            let escaped = text.escape_debug();
            return Some(ChannelError::at(
                ChannelStep::Subsystem,
                format!("the subsystem {name:?} ended: {escaped}"),
            ));
        }
        (self.exit_status != 0 && !self.has_received_data).then(|| {
            let cause = format!("the subsystem {name:?} ended with status {} and no word", self.exit_status);
            ChannelError::at(ChannelStep::Subsystem, cause).with_hint(
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
            .map_err(|_| ChannelError::at(ChannelStep::Data, "the connection is lost"))
    }
}

/// Octets: enough for a sentence.
const MAX_ERROR_OUTPUT: usize = 500;
