//! One command's conversation: the order, the session, and messages both ways.

use std::{pin::pin, rc::Rc, time::Duration};

use portreeve_broker_protocol::{
    Frame, FrameBuffer, PromptRequest, PromptResponse, SessionOpened, SessionRequest,
};
use portreeve_channel::{ChannelError, ChannelStep, NoObserver};
use portreeve_secret::Secret;
use portreeve_secure_session::SecureSession;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
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

/// Serves a command to its end.
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
    let outcome = match command.send(&Frame::Opened(opened)).await {
        Ok(()) => command.relay(&mut checkout).await,
        Err(_) => Ok(()),
    };
    match outcome {
        Ok(()) if request.persist.is_zero() => checkout.session.close().await,
        Ok(()) => {
            let idle = request.persist;
            tokio::task::spawn_local(pool::keep(Rc::clone(&broker), request, checkout, idle));
            // It is counted before this command is not any more.
            tokio::task::yield_now().await;
        }
        Err(error) => {
            let _ = command.send(&Frame::Failed(error)).await;
        }
    }
}

/// The socket of a command.
struct Command {
    stream: UnixStream,
    buffer: FrameBuffer,
}

impl Command {
    /// What the command wants; `None` when it has gone, or says something else.
    async fn read_request(&mut self) -> Result<Option<SessionRequest>, std::io::Error> {
        self.next_frame(|frame| match frame {
            Frame::Request(request) => Some(request),
            _ => None,
        })
        .await
    }

    /// What the next frame has for `take`; `None` when the command has gone.
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
        if let Some(checkout) = broker.pool.take(request).await {
            return Ok(checkout);
        }
        let (relay, mut prompts) = PromptRelay::new();
        let mut opening = pin!(SecureSession::open_with_prompter(request, &relay, &NoObserver));
        let mut deadline = Instant::now() + request.timeout;
        loop {
            tokio::select! {
                session = &mut opening => return Ok(Checkout { session: session?, note: Vec::new() }),
                Some(PendingPrompt { question, answer }) = prompts.recv() => {
                    let gone = |_| ChannelError::at(ChannelStep::ClientIdentity, "whoever was asked has gone");
                    // Where nobody waits for it any more, the session has ended, which is said next.
                    let _ = answer.send(self.prompt(question).await.map_err(gone)?);
                    // The time in which somebody is asked does not count.
                    deadline = Instant::now() + request.timeout;
                }
                () = sleep_until(deadline) => {
                    let message = format!("{} did not come so far within {:?}", request.host, request.timeout);
                    return Err(ChannelError::at(ChannelStep::Negotiate, message)
                        .with_hint("see whether this transport is spoken at that port; -t gives more time"));
                }
            }
        }
    }

    /// Has the command answer, which may take somebody's time. Nothing of the answer stays here.
    async fn prompt(&mut self, question: PromptRequest) -> Result<Option<Secret>, std::io::Error> {
        self.send(&Frame::Prompt(question)).await?;
        let answered = timeout(
            USER_TIMEOUT,
            self.next_frame(|frame| match frame {
                Frame::PromptResponse(PromptResponse(answer)) => Some(answer),
                _ => None,
            }),
        );
        answered.await?.map(Option::flatten)
    }

    async fn send(&mut self, frame: &Frame<'_>) -> Result<(), std::io::Error> {
        let octets = frame.encode()?;
        self.write(&octets).await
    }

    /// A command that does not read for so long has its session taken away.
    async fn write(&mut self, octets: &[u8]) -> Result<(), std::io::Error> {
        timeout(WRITE_TIMEOUT, self.stream.write_all(octets)).await?
    }

    /// Carries messages both ways until the command ends.
    ///
    /// # Errors
    /// Why the session is of no use any more.
    async fn relay(&mut self, checkout: &mut Checkout) -> Result<(), ChannelError> {
        loop {
            while let Some(frame) = self.buffer.next_frame().unwrap_or_default() {
                match frame {
                    Frame::Message(message) => checkout.session.send(message).await?,
                    Frame::Note(note) => checkout.note = note.to_vec(),
                    // Nothing else is said here: whoever does is no command.
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
                        // What is no frame ends the conversation; the session is none the worse.
                        if self.buffer.has_frame().is_err() {
                            return Ok(());
                        }
                    }
                },
            }
        }
    }
}

/// How long an order may take to arrive.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long somebody may take to answer.
const USER_TIMEOUT: Duration = Duration::from_secs(600);
/// How long a command may leave an answer unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
