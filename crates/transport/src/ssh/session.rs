//! The task of one connection: polls it, sends what took time, and ends it when it has to.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use portreeve_channel::Step;
use portreeve_channel_ssh::Traffic;
use portreeve_channel_ssh::server::{Ending, Remote, SshServer};
use tokio::net::TcpStream;
use tokio::time::{Sleep, timeout};

use super::hall::Hall;
use crate::conversation::Conversation;
use crate::handler::{MessageHandler, SessionEvent};
use crate::listener::Listener;
use crate::statistics::CloseReason;
use crate::told::{ENDED, REFUSED};

/// A session's whole life.
pub(super) async fn run<H: MessageHandler + 'static>(
    server: Arc<SshServer>,
    stream: TcpStream,
    peer: SocketAddr,
    listener: Listener,
    conversation: Conversation<H>,
) {
    let hall = Rc::new(Hall::new(conversation));
    let traffic = Traffic { nodelay: listener.nodelay, window: listener.window };
    let served = server.serve(stream, peer, traffic, listener.algorithms, Rc::clone(&hall) as _);
    let mut connection = pin!(served);
    let mut attendant = Box::pin(Attendant::new(Rc::clone(&hall)));
    let outbox = Rc::clone(&hall.outbox);
    let mut roused = pin!(outbox.roused());
    let (reason, over) = poll_fn(|context| {
        loop {
            if let Poll::Ready(ending) = connection.as_mut().poll(context) {
                return Poll::Ready((hall.reason_of(&ending), true));
            }
            let called = roused.as_mut().poll(context).is_ready();
            if called {
                roused.set(outbox.roused());
            }
            match attendant.as_mut().attend(context, called) {
                Attention::Again => {}
                Attention::Over(reason) => return Poll::Ready((reason, false)),
                Attention::Later => return Poll::Pending,
            }
        }
    })
    .await;
    hall.end(reason);
    hall.conversation.borrow().closed(reason);
    //= rfc5592#5.4-3
    // Nobody takes leave of a peer that never was in.
    if !over && hall.channel.get().is_some() {
        let sending = attendant.sending.take();
        let farewell = async {
            tokio::join!(connection.as_mut(), take_leave(&hall, reason, sending));
        };
        // A peer that does not go is left.
        let _ = timeout(FAREWELL, farewell).await;
    }
}

/// Has the peer take what waits for it, and tells it the end.
async fn take_leave<H: MessageHandler>(hall: &Hall<H>, reason: CloseReason, sending: Option<Sending>) {
    if let Some(sending) = sending {
        sending.await;
    }
    let Some(remote) = hall.remote.borrow().clone() else { return };
    match (reason, hall.channel.get()) {
        // The channel is closed already, and the peer goes when it wants to.
        (CloseReason::ByPeer, Some(_)) => {}
        _ => remote.disconnect(farewell_of(reason)).await,
    }
}

/// What the peer is told.
fn farewell_of(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Shutdown => "shutting down",
        CloseReason::Idle => "idle for too long",
        CloseReason::Unanswered => "no message came in time",
        CloseReason::Stalled => "answers were not read",
        CloseReason::ForRoom => "too many sessions",
        CloseReason::NotAMessage | CloseReason::TooLong => "what came was no message",
        _ => "the session has ended",
    }
}

/// Octets on their way into the connection.
type Sending = Pin<Box<dyn Future<Output = bool>>>;

/// Looks after a session between its connection's calls.
struct Attendant<H: MessageHandler> {
    hall: Rc<Hall<H>>,
    sending: Option<Sending>,
    timer: Pin<Box<Sleep>>,
    /// When the timer goes off.
    armed: portreeve_smi::Timestamp,
    /// The socket took nothing when it was last looked at, after so many octets.
    blocked: Option<u64>,
}

/// What is to be done next.
enum Attention {
    /// The connection has to be polled again.
    Again,
    /// Nothing, until something happens.
    Later,
    /// The session ends.
    Over(CloseReason),
}

impl<H: MessageHandler + 'static> Attendant<H> {
    fn new(hall: Rc<Hall<H>>) -> Self {
        let conversation = hall.conversation.borrow();
        let armed = conversation.deadline().0;
        let timer = Box::pin(conversation.worker.sleep_until(armed));
        drop(conversation);
        Self { hall, sending: None, timer, armed, blocked: None }
    }

    fn attend(mut self: Pin<&mut Self>, context: &mut Context<'_>, called: bool) -> Attention {
        if let Some(reason) = self.hall.ended.get() {
            return Attention::Over(reason);
        }
        let mut again = false;
        if let Some(sending) = &mut self.sending
            && sending.as_mut().poll(context).is_ready()
        {
            self.sending = None;
            again = true;
        }
        if (called || again || self.hall.unfinished.get()) && self.sending.is_none() {
            let octets = self.hall.take_turn();
            self.send(octets);
            if let Some(reason) = self.hall.ended.get() {
                return Attention::Over(reason);
            }
            if self.sending.is_some() {
                return Attention::Again;
            }
            if self.hall.unfinished.get() {
                context.waker().wake_by_ref();
            }
        }
        if self.talks_nonsense() {
            return Attention::Over(CloseReason::NotAMessage);
        }
        self.watch_socket();
        self.watch_clock(context)
    }

    fn send(&mut self, octets: Vec<u8>) {
        let remote = self.hall.remote.borrow().clone();
        if let (false, Some(remote), Some(channel)) = (octets.is_empty(), remote, self.hall.channel.get()) {
            self.sending = Some(Box::pin(async move { remote.send(channel, octets).await }));
        }
    }

    fn talks_nonsense(&self) -> bool {
        let read = self.hall.remote.borrow().as_ref().map(Remote::octets_read);
        read.is_some_and(|octets| self.hall.conversation.borrow_mut().is_nonsense(octets))
    }

    /// Notes whether the socket takes what is written, or our own sending is held up.
    fn watch_socket(&mut self) {
        let stalled = self.hall.remote.borrow().as_ref().and_then(Remote::stalled);
        let blocked = stalled.or(self.sending.as_ref().map(|_| 0));
        if blocked != self.blocked {
            self.blocked = blocked;
            let mut conversation = self.hall.conversation.borrow_mut();
            // If it took something meanwhile, the time begins anew.
            conversation.set_stalled(false);
            conversation.set_stalled(blocked.is_some());
        }
    }

    fn watch_clock(&mut self, context: &mut Context<'_>) -> Attention {
        let conversation = self.hall.conversation.borrow();
        let (deadline, late) = conversation.deadline();
        // A deadline that has moved away is looked at when the old one comes: cheaper than per message.
        if deadline < self.armed {
            self.armed = deadline;
            self.timer.as_mut().reset(conversation.worker.clock.instant(deadline).into());
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if conversation.worker.clock.now() >= deadline {
                return Attention::Over(late);
            }
            self.armed = deadline;
            self.timer.as_mut().reset(conversation.worker.clock.instant(deadline).into());
        }
        Attention::Later
    }
}

impl<H: MessageHandler> Hall<H> {
    /// What the connection's end means for the session.
    fn reason_of(&self, ending: &Ending) -> CloseReason {
        if let Some(reason) = self.ended.get() {
            return reason;
        }
        let conversation = self.conversation.borrow();
        let source = &conversation.source;
        match ending {
            Ending::Closed => conversation.reason_of_end(),
            Ending::Panicked => CloseReason::Panic,
            Ending::Failed(error) | Ending::Broken(error) if error.step < Step::Subsystem => {
                conversation.worker.tell(source, REFUSED, error);
                conversation.worker.session_event(source.domain(), SessionEvent::HandshakeFailed(error.step));
                CloseReason::HandshakeFailed
            }
            Ending::Failed(error) => {
                conversation.worker.tell(source, ENDED, error);
                conversation.reason_of_end()
            }
            Ending::Broken(error) => {
                conversation.worker.tell(source, ENDED, error);
                CloseReason::Error
            }
        }
    }
}

/// How long a peer gets to take its leave.
const FAREWELL: Duration = Duration::from_secs(1);
