//! Sessions that no command has at the moment.
//!
//! Each is watched: what still comes in it is of no interest any more, and where the agent ends it, it is gone before
//! anybody asks for it.

use std::{cell::RefCell, rc::Rc, time::Duration};

use portreeve_broker_protocol::Order;
use portreeve_secure_session::Session;
use tokio::{sync::oneshot, time};

use crate::Broker;

/// A live session, and what the last command that had it has left for the next.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) session: Session,
    pub(crate) note: Vec<u8>,
}

/// The sessions, by what they were opened for.
#[derive(Debug, Default)]
pub(crate) struct Pool(RefCell<Vec<Idle>>);

#[derive(Debug)]
struct Idle {
    order: Rc<Order>,
    /// Asks the one that watches it to hand it over.
    give: oneshot::Sender<oneshot::Sender<Lent>>,
}

impl Pool {
    /// A live session that serves this order, if one is kept.
    pub(crate) async fn take(&self, order: &Order) -> Option<Lent> {
        loop {
            let idle = {
                let mut all = self.0.borrow_mut();
                // The one that was used last is the likeliest to be alive.
                let index = all.iter().rposition(|idle| idle.order.shares_session_with(order))?;
                all.remove(index)
            };
            let (sender, receiver) = oneshot::channel();
            // Where it has died meanwhile, nobody answers.
            if idle.give.send(sender).is_ok()
                && let Ok(lent) = receiver.await
            {
                return Some(lent);
            }
        }
    }

    fn keep(&self, order: Rc<Order>) -> Option<oneshot::Receiver<oneshot::Sender<Lent>>> {
        let mut all = self.0.borrow_mut();
        all.retain(|idle| !idle.give.is_closed());
        if all.len() >= MOST_IDLE {
            return None;
        }
        let (give, asked) = oneshot::channel();
        all.push(Idle { order, give });
        Some(asked)
    }
}

/// Keeps a session for other commands until nobody has wanted it for so long, or it ends by itself.
pub(crate) async fn keep(broker: Rc<Broker>, order: Order, mut lent: Lent, idle: Duration) {
    let _guest = broker.presence.enter();
    let Some(mut asked) = broker.pool.keep(Rc::new(order)) else {
        lent.session.close().await;
        return;
    };
    let end = time::sleep(idle);
    tokio::pin!(end);
    loop {
        tokio::select! {
            biased;
            taker = &mut asked => {
                // A taker that has gone leaves the session to be closed by being dropped.
                if let Ok(taker) = taker {
                    let _ = taker.send(lent);
                }
                return;
            }
            late = lent.session.receive() => {
                if late.is_err() {
                    return;
                }
            }
            () = &mut end => {
                drop(asked);
                lent.session.close().await;
                return;
            }
        }
    }
}

/// How many sessions are kept.
const MOST_IDLE: usize = 64;
