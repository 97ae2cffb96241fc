//! Sessions that no command has at the moment.
//!
//! Each is watched: what still comes in it is of no interest any more, and where the agent ends it, it is gone before
//! anybody asks for it.

use std::{cell::RefCell, rc::Rc, time::Duration};

use portreeve_broker_protocol::SessionRequest;
use portreeve_secure_session::SecureSession;
use tokio::{sync::oneshot, time};

use crate::Broker;

/// A live session, and what the last command that had it has left for the next.
#[derive(Debug)]
pub(crate) struct Checkout {
    pub(crate) session: SecureSession,
    pub(crate) note: Vec<u8>,
}

/// The sessions, by what they were opened for.
#[derive(Debug, Default)]
pub(crate) struct Pool(RefCell<Vec<IdleSession>>);

#[derive(Debug)]
struct IdleSession {
    request: Rc<SessionRequest>,
    /// Asks the one that watches it to hand it over.
    handover: oneshot::Sender<oneshot::Sender<Checkout>>,
}

impl Pool {
    /// A live session that serves this order, if one is kept.
    pub(crate) async fn take(&self, request: &SessionRequest) -> Option<Checkout> {
        loop {
            let idle = {
                let mut all = self.0.borrow_mut();
                // The one that was used last is the likeliest to be alive.
                let index = all.iter().rposition(|idle| idle.request.shares_session_with(request))?;
                all.remove(index)
            };
            let (sender, receiver) = oneshot::channel();
            // Where it has died meanwhile, nobody answers.
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
        let (give, prompts) = oneshot::channel();
        all.push(IdleSession { request, handover: give });
        Some(prompts)
    }
}

/// Keeps a session for other commands until nobody has wanted it for so long, or it ends by itself.
pub(crate) async fn keep(
    broker: Rc<Broker>,
    request: SessionRequest,
    mut checkout: Checkout,
    idle: Duration,
) {
    let _guard = broker.clients.register();
    let Some(mut prompts) = broker.pool.keep(Rc::new(request)) else {
        checkout.session.close().await;
        return;
    };
    let end = time::sleep(idle);
    tokio::pin!(end);
    loop {
        tokio::select! {
            biased;
            taker = &mut prompts => {
                // A taker that has gone leaves the session to be closed by being dropped.
                if let Ok(taker) = taker {
                    let _ = taker.send(checkout);
                }
                return;
            }
            late = checkout.session.receive() => {
                if late.is_err() {
                    return;
                }
            }
            () = &mut end => {
                drop(prompts);
                checkout.session.close().await;
                return;
            }
        }
    }
}

/// How many sessions are kept.
const MAX_IDLE: usize = 64;
