//! Turns for handshakes: between two steps of handshakes, a worker serves its other sockets.
//!
//! ```text
//! socket readable ──▶ wait for turn ──▶ one step ──▶ wait until sockets were polled ──▶ next turn
//! ```
//! A step may require a signature or a key exchange. Without turns, the steps of many simultaneous
//! handshakes would run one after the other, and all other sockets would have to wait until the
//! last step is done.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::yield_now;

/// The turns of one worker, given in the order in which they were requested.
#[derive(Clone, Debug)]
pub(crate) struct HandshakeTurns(Arc<Semaphore>);

impl HandshakeTurns {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }

    /// Waits for a turn, which lasts until [`HandshakeTurn::finish`] returns.
    pub(crate) async fn acquire(self) -> HandshakeTurn {
        // The semaphore is never closed; if it were closed, handshakes would continue without
        // turns.
        HandshakeTurn(self.0.acquire_owned().await.ok())
    }
}

/// The right to do one step of a handshake.
#[derive(Debug)]
pub(crate) struct HandshakeTurn(Option<OwnedSemaphorePermit>);

impl HandshakeTurn {
    /// Ends the turn after the sockets were polled. The tasks whose sockets are ready run before
    /// the next turn.
    pub(crate) async fn finish(self) {
        // The runtime wakes a yielding task after it has polled the sockets.
        yield_now().await;
        let Self(permit) = self;
        drop(permit);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::net::UdpSocket;
    use std::rc::Rc;

    use tokio::runtime::Builder;
    use tokio::task::{LocalSet, spawn_local};

    use super::HandshakeTurns;

    #[test]
    fn review_fairness_ready_socket_is_served_between_handshake_steps() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        LocalSet::new().block_on(&runtime, async {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            let sender = socket.try_clone().unwrap();
            let address = socket.local_addr().unwrap();
            socket.set_nonblocking(true).unwrap();
            let socket = tokio::net::UdpSocket::from_std(socket).unwrap();
            let steps = Rc::new(Cell::new(0));
            let turns = HandshakeTurns::new();
            for _ in 0..1000 {
                let (steps, turns, sender) = (Rc::clone(&steps), turns.clone(), sender.try_clone().unwrap());
                spawn_local(async move {
                    let turn = turns.acquire().await;
                    steps.set(steps.get() + 1);
                    if steps.get() == 10 {
                        sender.send_to(b"request", address).unwrap();
                    }
                    turn.finish().await;
                });
            }
            socket.recv(&mut [0; 100]).await.unwrap();
            assert!((10..13).contains(&steps.get()), "{} steps", steps.get());
        });
    }
}
