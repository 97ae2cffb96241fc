//! Idle sessions, which no command is using.
//!
//! Each has a task that reads and discards late messages. If the agent closes the session, the task
//! ends, and no command gets the session.

use std::{cell::RefCell, rc::Rc, time::Duration};

use portreeve_broker_protocol::SessionRequest;
use portreeve_secure_session::SecureSession;
use tokio::{sync::oneshot, time};

use crate::Broker;

/// A live session, and the note that the last command has stored.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) session: SecureSession,
    pub(crate) note: Vec<u8>,
    /// The time for which the session is kept when no command uses it; zero closes it. A command
    /// that does not request to keep its session leaves this time as it is.
    pub(crate) idle_time: Duration,
}

/// The idle sessions with the requests that they were opened for.
#[derive(Debug, Default)]
pub(crate) struct Pool(RefCell<Vec<IdleSession>>);

#[derive(Debug)]
struct IdleSession {
    request: Rc<SessionRequest>,
    /// Sends the request for the session to the task that owns it.
    handover: oneshot::Sender<oneshot::Sender<Checkout>>,
}

impl Pool {
    /// Returns a live session that serves this request, if one is kept.
    pub(crate) async fn take(&self, request: &SessionRequest) -> Option<Checkout> {
        loop {
            let idle = {
                let mut all = self.0.borrow_mut();
                // The session used last is the most likely to be alive.
                let index = all.iter().rposition(|idle| idle.request.shares_session_with(request))?;
                all.remove(index)
            };
            let (sender, receiver) = oneshot::channel();
            // If the session has ended in between, its task does not respond.
            if idle.handover.send(sender).is_ok()
                && let Ok(checkout) = receiver.await
            {
                return Some(checkout);
            }
        }
    }

    fn keep(&self, request: Rc<SessionRequest>) -> Option<oneshot::Receiver<oneshot::Sender<Checkout>>> {
        let mut all = self.0.borrow_mut();
        all.retain(|idle| !idle.handover.is_closed());
        if all.len() >= MAX_IDLE {
            return None;
        }
        let (handover, requests) = oneshot::channel();
        all.push(IdleSession { request, handover });
        Some(requests)
    }
}

/// Keeps a session for other commands until its idle time has passed without a request for it, or
/// until the session ends.
pub(crate) async fn keep(broker: Rc<Broker>, request: SessionRequest, mut checkout: Checkout) {
    let _guard = broker.clients.register();
    let Some(mut handover_request) = broker.pool.keep(Rc::new(request)) else {
        checkout.session.close().await;
        return;
    };
    let end = time::sleep(checkout.idle_time);
    tokio::pin!(end);
    let mut late_octets = 0;
    loop {
        tokio::select! {
            biased;
            receiver = &mut handover_request => {
                // If the receiver is gone, dropping the session closes it.
                if let Ok(receiver) = receiver {
                    let _ = receiver.send(checkout);
                }
                return;
            }
            // Before the messages: an agent that always has one must not prevent the end.
            () = &mut end => break,
            late = checkout.session.receive() => match late {
                Ok(message) => {
                    late_octets += message.len();
                    if late_octets > MAX_LATE_OCTETS {
                        break;
                    }
                }
                Err(_) => return,
            }
        }
    }
    drop(handover_request);
    checkout.session.close().await;
}

/// The maximum number of octets that an agent may send in an idle session: more than all late
/// responses to one command.
const MAX_LATE_OCTETS: usize = 1 << 20;
/// The maximum number of idle sessions.
const MAX_IDLE: usize = 64;
