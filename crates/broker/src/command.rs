//! Serves one command: its request, its session, and messages in both directions.

use std::{pin::pin, rc::Rc, time::Duration};

use portreeve_broker_protocol::{
    Frame, FrameBuffer, PromptRequest, PromptResponse, SessionOpened, SessionRequest,
};
use portreeve_channel::{ChannelError, ChannelStep, NoObserver};
use portreeve_secret::Secret;
use portreeve_secure_session::SecureSession;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::UnixStream,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    Broker,
    client_count::ClientGuard,
    listener,
    pool::{self, Checkout},
    prompt_relay::{PendingPrompt, PromptRelay},
};

/// Serves a command until it ends.
pub(crate) async fn serve(broker: Rc<Broker>, stream: UnixStream, _guard: ClientGuard) {
    let mut command = Command { stream, buffer: FrameBuffer::default() };
    let Ok(Ok(Some(request))) = timeout(REQUEST_TIMEOUT, command.read_request()).await else { return };
    if !request.persist.is_zero() {
        listener::start(&broker);
    }
    let mut checkout = match command.take_or_open(&broker, &request).await {
        Ok(checkout) => checkout,
        Err(error) => {
            let _ = command.send(&Frame::Failed(error)).await;
            return;
        }
    };
    let (peer, protocol) = (checkout.session.peer().to_owned(), checkout.session.protocol().to_owned());
    let opened = SessionOpened { peer, protocol, note: checkout.note.clone() };
    if !request.persist.is_zero() {
        checkout.idle_time = request.persist;
    }
    let outcome = match command.send(&Frame::Opened(opened)).await {
        Ok(()) => command.relay(&mut checkout).await,
        Err(_) => Ok(()),
    };
    match outcome {
        Ok(()) if checkout.idle_time.is_zero() => checkout.session.close().await,
        Ok(()) => {
            tokio::task::spawn_local(pool::keep(Rc::clone(&broker), request, checkout));
            // Lets the new task register as a client before this command stops being one: with no
            // clients, the broker would exit.
            tokio::task::yield_now().await;
        }
        Err(error) => {
            let _ = command.send(&Frame::Failed(error)).await;
        }
    }
}

/// The connection with a command.
struct Command {
    stream: UnixStream,
    buffer: FrameBuffer,
}

impl Command {
    /// Reads the session request; `None` if the command has closed the connection or sent another
    /// frame.
    async fn read_request(&mut self) -> Result<Option<SessionRequest>, std::io::Error> {
        self.next_frame(|frame| match frame {
            Frame::Request(request) => Some(request),
            _ => None,
        })
        .await
    }

    /// Returns what `take` extracts from the next frame; `None` if it extracts nothing, or if the
    /// command has closed the connection.
    async fn next_frame<T>(
        &mut self,
        take: impl FnOnce(Frame<'_>) -> Option<T>,
    ) -> Result<Option<T>, std::io::Error> {
        while !self.buffer.has_frame()? {
            let count = self.stream.read(self.buffer.free_space()).await?;
            if count == 0 {
                return Ok(None);
            }
            self.buffer.advance(count);
        }
        Ok(self.buffer.next_frame()?.and_then(take))
    }

    //= rfc5592#5.2-3b
    //= rfc6353#5.2-5b
    async fn take_or_open(
        &mut self,
        broker: &Broker,
        request: &SessionRequest,
    ) -> Result<Checkout, ChannelError> {
        for _ in 0..POOL_ATTEMPTS {
            if let Some(checkout) = broker.pool.take(request).await {
                return Ok(checkout);
            }
            // The previous command may have ended without its task having noticed yet: let that
            // task run, which returns the session to the pool.
            tokio::task::yield_now().await;
        }
        let (relay, mut prompts) = PromptRelay::new();
        let mut opening = pin!(SecureSession::open_with_prompter(request, &relay, &NoObserver));
        let mut deadline = Instant::now() + request.timeout;
        loop {
            tokio::select! {
                session = &mut opening => {
                    return Ok(Checkout { session: session?, note: Vec::new(), idle_time: Duration::ZERO });
                }
                Some(PendingPrompt { prompt, response }) = prompts.recv() => {
                    let no_response =
                        |_| ChannelError::at(ChannelStep::ClientIdentity, "the user did not respond to a prompt");
                    // A notice needs no response. Otherwise a server could send notices forever.
                    let is_answered_by_user = !matches!(prompt, PromptRequest::Notice { .. });
                    // If the receiver is gone, opening has ended, and the next iteration returns
                    // its result.
                    let _ = response.send(self.prompt(prompt).await.map_err(no_response)?);
                    if is_answered_by_user {
                        // The time that the user takes to respond does not count.
                        deadline = Instant::now() + request.timeout;
                    }
                }
                () = sleep_until(deadline) => {
                    let message = format!("cannot open a session with {} within {:?}", request.host, request.timeout);
                    return Err(ChannelError::at(ChannelStep::Negotiate, message)
                        .with_hint("check that the port serves this transport; -t sets a longer timeout"));
                }
            }
        }
    }

    /// Sends a prompt to the command and waits for the user's response, at most [`USER_TIMEOUT`].
    /// The broker keeps no copy of the response.
    async fn prompt(&mut self, prompt: PromptRequest) -> Result<Option<Secret>, std::io::Error> {
        self.send(&Frame::Prompt(prompt)).await?;
        let received = timeout(
            USER_TIMEOUT,
            self.next_frame(|frame| match frame {
                Frame::PromptResponse(PromptResponse(response)) => Some(response),
                _ => None,
            }),
        );
        received.await?.map(Option::flatten)
    }

    async fn send(&mut self, frame: &Frame<'_>) -> Result<(), std::io::Error> {
        let octets = frame.encode()?;
        self.write(&octets).await
    }

    /// Writes to the command. A command that does not read for [`WRITE_TIMEOUT`] loses its session.
    async fn write(&mut self, octets: &[u8]) -> Result<(), std::io::Error> {
        timeout(WRITE_TIMEOUT, self.stream.write_all(octets)).await?
    }

    /// Relays messages in both directions until the command ends.
    ///
    /// # Errors
    /// The reason why the session is no longer usable.
    async fn relay(&mut self, checkout: &mut Checkout) -> Result<(), ChannelError> {
        loop {
            while let Some(frame) = self.buffer.next_frame().unwrap_or_default() {
                match frame {
                    Frame::Message(message) => {
                        send_message(&mut checkout.session, message, &self.stream).await?
                    }
                    Frame::Note(note) => checkout.note = note.to_vec(),
                    // No other frame is valid here, so the connection ends.
                    _ => return Ok(()),
                }
            }
            tokio::select! {
                message = checkout.session.receive() => {
                    let message = message?;
                    if timeout(WRITE_TIMEOUT, self.stream.write_all(message)).await.is_err() {
                        return Ok(());
                    }
                }
                read = self.stream.read(self.buffer.free_space()) => match read {
                    Ok(0) | Err(_) => return Ok(()),
                    Ok(count) => {
                        self.buffer.advance(count);
                        // A malformed frame ends the connection, but the session remains usable.
                        if self.buffer.has_frame().is_err() {
                            return Ok(());
                        }
                    }
                },
            }
        }
    }
}

/// Sends a message to the agent while the command is connected.
///
/// # Errors
/// Fails if the session is lost, if the agent accepts no data for [`SEND_TIMEOUT`], or if the
/// command ends. In these cases a part of the message may have been sent, so the session must not
/// be used again.
async fn send_message(
    session: &mut SecureSession,
    message: &[u8],
    command: &UnixStream,
) -> Result<(), ChannelError> {
    let failed = |cause: &str| ChannelError::at(ChannelStep::Data, cause);
    tokio::select! {
        biased;
        sent = timeout(SEND_TIMEOUT, session.send(message)) => {
            sent.unwrap_or_else(|_| Err(failed("the agent accepts no data")))
        }
        // Of the states that this interest covers, a stream socket only has `READ_CLOSED`.
        _ = command.ready(Interest::PRIORITY) => Err(failed("the command ended")),
    }
}

/// The number of times that the pool is asked for a session before a new one is opened.
const POOL_ATTEMPTS: usize = 4;
/// The timeout of reading the session request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of a user's response.
const USER_TIMEOUT: Duration = Duration::from_secs(600);
/// The time for which an agent may accept no data.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// The time for which a command may leave data unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
