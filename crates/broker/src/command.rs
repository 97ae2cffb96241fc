//! One command's conversation: the order, the session, and messages both ways.

use std::{pin::pin, rc::Rc, time::Duration};

use portreeve_broker_protocol::{Answer, Frame, Inbox, Opened, Order, Question};
use portreeve_channel::{ChannelError, Step, Unobserved};
use portreeve_secret::Secret;
use portreeve_secure_session::Session;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    time::{Instant, sleep_until, timeout},
};

use crate::{
    Broker,
    asker::{Asked, Relay},
    listener,
    pool::{self, Lent},
    presence::Guest,
};

/// Serves a command to its end.
pub(crate) async fn serve(broker: Rc<Broker>, stream: UnixStream, _guest: Guest) {
    let mut command = Command { stream, inbox: Inbox::default() };
    let Ok(Ok(Some(order))) = timeout(ORDER_PATIENCE, command.order()).await else { return };
    if !order.persist.is_zero() {
        listener::start(&broker);
    }
    let mut lent = match command.find_or_open(&broker, &order).await {
        Ok(lent) => lent,
        Err(error) => {
            let _ = command.say(&Frame::Failed(error)).await;
            return;
        }
    };
    let (peer, protocol) = (lent.session.peer().to_owned(), lent.session.protocol().to_owned());
    let opened = Opened { peer, protocol, note: lent.note.clone() };
    let outcome = match command.say(&Frame::Opened(opened)).await {
        Ok(()) => command.relay(&mut lent).await,
        Err(_) => Ok(()),
    };
    match outcome {
        Ok(()) if order.persist.is_zero() => lent.session.close().await,
        Ok(()) => {
            let idle = order.persist;
            tokio::task::spawn_local(pool::keep(Rc::clone(&broker), order, lent, idle));
            // It is counted before this command is not any more.
            tokio::task::yield_now().await;
        }
        Err(error) => {
            let _ = command.say(&Frame::Failed(error)).await;
        }
    }
}

/// The socket of a command.
struct Command {
    stream: UnixStream,
    inbox: Inbox,
}

impl Command {
    /// What the command wants; `None` when it has gone, or says something else.
    async fn order(&mut self) -> Result<Option<Order>, std::io::Error> {
        self.next_frame(|frame| match frame {
            Frame::Order(order) => Some(order),
            _ => None,
        })
        .await
    }

    /// What the next frame has for `take`; `None` when the command has gone.
    async fn next_frame<T>(
        &mut self,
        take: impl FnOnce(Frame<'_>) -> Option<T>,
    ) -> Result<Option<T>, std::io::Error> {
        while !self.inbox.has_frame()? {
            let count = self.stream.read(self.inbox.room()).await?;
            if count == 0 {
                return Ok(None);
            }
            self.inbox.note_read(count);
        }
        Ok(self.inbox.next_frame()?.and_then(take))
    }

    //= rfc5592#5.2-3b
    //= rfc6353#5.2-5b
    async fn find_or_open(&mut self, broker: &Broker, order: &Order) -> Result<Lent, ChannelError> {
        if let Some(lent) = broker.pool.take(order).await {
            return Ok(lent);
        }
        let (relay, mut asked) = Relay::new();
        let mut opening = pin!(Session::open_asking(order, &relay, &Unobserved));
        let mut deadline = Instant::now() + order.patience;
        loop {
            tokio::select! {
                session = &mut opening => return Ok(Lent { session: session?, note: Vec::new() }),
                Some(Asked { question, answer }) = asked.recv() => {
                    let gone = |_| ChannelError::at(Step::ClientIdentity, "whoever was asked has gone");
                    // Where nobody waits for it any more, the session has ended, which is said next.
                    let _ = answer.send(self.ask(question).await.map_err(gone)?);
                    // The time in which somebody is asked does not count.
                    deadline = Instant::now() + order.patience;
                }
                () = sleep_until(deadline) => {
                    let message = format!("{} did not come so far within {:?}", order.host, order.patience);
                    return Err(ChannelError::at(Step::Negotiate, message)
                        .cured_by("see whether this transport is spoken at that port; -t gives more time"));
                }
            }
        }
    }

    /// Has the command answer, which may take somebody's time. Nothing of the answer stays here.
    async fn ask(&mut self, question: Question) -> Result<Option<Secret>, std::io::Error> {
        self.say(&Frame::Question(question)).await?;
        let answered = timeout(
            THINKING,
            self.next_frame(|frame| match frame {
                Frame::Answer(Answer(answer)) => Some(answer),
                _ => None,
            }),
        );
        answered.await?.map(Option::flatten)
    }

    async fn say(&mut self, frame: &Frame<'_>) -> Result<(), std::io::Error> {
        let octets = frame.encode()?;
        self.write(&octets).await
    }

    /// A command that does not read for so long has its session taken away.
    async fn write(&mut self, octets: &[u8]) -> Result<(), std::io::Error> {
        timeout(STALL, self.stream.write_all(octets)).await?
    }

    /// Carries messages both ways until the command ends.
    ///
    /// # Errors
    /// Why the session is of no use any more.
    async fn relay(&mut self, lent: &mut Lent) -> Result<(), ChannelError> {
        loop {
            while let Some(frame) = self.inbox.next_frame().unwrap_or_default() {
                match frame {
                    Frame::Message(message) => lent.session.send(message).await?,
                    Frame::Note(note) => lent.note = note.to_vec(),
                    // Nothing else is said here: whoever does is no command.
                    _ => return Ok(()),
                }
            }
            tokio::select! {
                message = lent.session.receive() => {
                    let message = message?;
                    if timeout(STALL, self.stream.write_all(message)).await.is_err() {
                        return Ok(());
                    }
                }
                read = self.stream.read(self.inbox.room()) => match read {
                    Ok(0) | Err(_) => return Ok(()),
                    Ok(count) => {
                        self.inbox.note_read(count);
                        // What is no frame ends the conversation; the session is none the worse.
                        if self.inbox.has_frame().is_err() {
                            return Ok(());
                        }
                    }
                },
            }
        }
    }
}

/// How long an order may take to arrive.
const ORDER_PATIENCE: Duration = Duration::from_secs(10);
/// How long somebody may take to answer.
const THINKING: Duration = Duration::from_secs(600);
/// How long a command may leave an answer unread.
const STALL: Duration = Duration::from_secs(30);
