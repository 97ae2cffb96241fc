//! An open subsystem channel: data in both directions.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use portreeve_channel::{ChannelError, ChannelObserver, ChannelReason, ChannelStep, Fact, SshIdentity};
use russh::{ChannelMsg, ChannelReadHalf, ChannelWriteHalf, client};

use super::session::ClientSession;

/// A channel to a subsystem. Dropping it closes the session.
pub struct SshChannel {
    reader: SshReader,
    writer: SshWriter,
    session: ClientSession,
}

/// The receiving half of a channel.
pub struct SshReader {
    channel: ChannelReadHalf,
    subsystem: String,
    state: ReaderState,
    /// The beginning of the subsystem's error output.
    error_output: Vec<u8>,
    /// Data received while waiting for the server's response to the subsystem request.
    buffered: Option<Bytes>,
    /// Set once the subsystem has sent data.
    has_received_data: bool,
    /// The exit status of the subsystem.
    exit_status: u32,
    /// The message with which the server closed the connection.
    disconnect_message: Arc<OnceLock<String>>,
}

/// The sending half of a channel.
pub struct SshWriter {
    channel: ChannelWriteHalf<client::Msg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderState {
    /// The server has not responded to the subsystem request.
    Requested,
    /// The subsystem is open.
    Open,
    /// The server has closed the channel: no more data will be received.
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
        let open_error = |error: russh::Error| {
            ChannelError::at(
                ChannelStep::Subsystem,
                format!("the server did not open a session channel: {error}"),
            )
        };
        //= rfc5592#5.3-4
        let channel = session.handle.channel_open_session().await;
        let channel =
            channel.map_err(|error| open_error(error).with_reason(ChannelReason::NoSessionChannel))?;
        //= rfc5592#5.3-5
        channel.request_subsystem(true, subsystem).await.map_err(open_error)?;
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

    /// Returns the verified identity of the server.
    pub fn peer(&self) -> &Arc<SshIdentity> {
        &self.session.identity
    }

    /// Returns both halves, for concurrent use.
    pub fn halves(&mut self) -> (&mut SshReader, &SshWriter) {
        (&mut self.reader, &self.writer)
    }

    /// Waits until the server has confirmed the subsystem.
    ///
    /// # Errors
    /// Fails like [`SshReader::read`], and if the subsystem ends at once.
    pub async fn wait_for_subsystem(&mut self) -> Result<(), ChannelError> {
        if self.reader.state == ReaderState::Requested && self.reader.buffered.is_none() {
            match self.reader.receive(true).await? {
                Some(octets) => self.reader.buffered = Some(octets),
                None if self.reader.state == ReaderState::Open => {}
                None => {
                    return Err(ChannelError::at(ChannelStep::Subsystem, "the server closed the channel"));
                }
            }
        }
        Ok(())
    }

    /// Reads data; see [`SshReader::read`].
    ///
    /// # Errors
    /// Fails like [`SshReader::read`].
    pub async fn read(&mut self) -> Result<Option<Bytes>, ChannelError> {
        self.reader.read().await
    }

    /// Writes data; see [`SshWriter::write`].
    ///
    /// # Errors
    /// Fails like [`SshWriter::write`].
    pub async fn write(&self, octets: impl Into<Bytes>) -> Result<(), ChannelError> {
        self.writer.write(octets).await
    }

    /// Disconnects from the server. Waits at most one second per connection for the disconnect
    /// message to be sent.
    pub async fn close(self) {
        self.session.close().await;
    }
}

impl SshReader {
    /// Returns the next piece of data, as the server has sent it; `None` once the server has closed
    /// the channel.
    ///
    /// Cancel-safe: no data is lost if the future is dropped.
    ///
    /// # Errors
    /// Fails at [`ChannelStep::Subsystem`] if the server rejects the subsystem, and at
    /// [`ChannelStep::Data`] if the connection is lost.
    pub async fn read(&mut self) -> Result<Option<Bytes>, ChannelError> {
        match self.buffered.take() {
            Some(octets) => Ok(Some(octets)),
            None => self.receive(false).await,
        }
    }

    /// Returns the next data. With `until_confirmed`, returns `None` as soon as the subsystem is
    /// confirmed.
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
                // If the subsystem has sent nothing, wait for its exit status, which follows the
                // end of its output.
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
        ChannelError::at(ChannelStep::Data, format!("the connection was lost{}", message.unwrap_or_default()))
    }

    fn subsystem_rejected(&self) -> ChannelError {
        ChannelError::at(ChannelStep::Subsystem, format!("the server has no subsystem {:?}", self.subsystem)).with_hint(
            format!(
                "connect to the agent's own port, 5161, or add a line to the server's sshd_config: Subsystem {} …",
                self.subsystem
            ),
        )
    }

    /// Returns the error of a subsystem that ended without sending any data.
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
            let cause = format!("the subsystem {name:?} ended with status {} and no output", self.exit_status);
            ChannelError::at(ChannelStep::Subsystem, cause).with_hint(
                "see the server's log: usually no agent is running on the server, or the agent does not allow this user",
            )
        })
    }
}

impl SshWriter {
    /// Sends data as soon as the server's window has room. If the future is dropped, a part may
    /// have been sent.
    ///
    /// # Errors
    /// Fails if the connection is lost.
    pub async fn write(&self, octets: impl Into<Bytes>) -> Result<(), ChannelError> {
        self.channel
            .data_bytes(octets)
            .await
            .map_err(|_| ChannelError::at(ChannelStep::Data, "the connection was lost"))
    }
}

/// Maximum length in octets of recorded error output: enough for a sentence.
const MAX_ERROR_OUTPUT: usize = 500;
