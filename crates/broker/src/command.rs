//! One command's conversation: the order, the session, and messages both ways.

use std::{rc::Rc, time::Duration};

use portreeve_broker_protocol::{Frame, Inbox, Opened, Order};
use portreeve_channel::{ChannelError, Step, Unobserved};
use portreeve_sessions::Session;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
    time::timeout,
};

use crate::{
    Broker, listener,
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
    let mut lent = match find_or_open(&broker, &order).await {
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

//= rfc5592#5.2-3b
//= rfc6353#5.2-5b
async fn find_or_open(broker: &Broker, order: &Order) -> Result<Lent, ChannelError> {
    if let Some(lent) = broker.pool.take(order).await {
        return Ok(lent);
    }
    match timeout(order.patience, Session::open(order, &Unobserved)).await {
        Ok(session) => Ok(Lent { session: session?, note: Vec::new() }),
        Err(_) => {
            let message = format!("{} did not come so far within {:?}", order.host, order.patience);
            Err(ChannelError::at(Step::Negotiate, message)
                .cured_by("see whether this transport is spoken at that port; -t gives more time"))
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
        while !self.inbox.has_frame()? {
            let count = self.stream.read(self.inbox.room()).await?;
            if count == 0 {
                return Ok(None);
            }
            self.inbox.note_read(count);
        }
        match self.inbox.next_frame()? {
            Some(Frame::Order(order)) => Ok(Some(order)),
            _ => Ok(None),
        }
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
/// How long a command may leave an answer unread.
const STALL: Duration = Duration::from_secs(30);
