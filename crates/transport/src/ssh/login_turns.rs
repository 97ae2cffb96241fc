//! The turns of one connection before its login: the stream takes a turn when it has data, and the
//! connection's task ends the turn.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::handshake_turns::{HandshakeTurn, HandshakeTurns};

/// The turns of a connection, shared by its stream and its task.
pub(super) struct LoginTurns {
    turns: HandshakeTurns,
    state: Mutex<TurnState>,
    /// Records the login, after which the connection needs no turns.
    is_logged_in: AtomicBool,
}

enum TurnState {
    Idle,
    Waiting(Pin<Box<dyn Future<Output = HandshakeTurn> + Send>>),
    Held {
        turn: HandshakeTurn,
        reads: u32,
    },
    /// The session is not polled by its worker, and needs no turns of this worker.
    NotOnWorker {
        reads: u32,
    },
}

impl LoginTurns {
    pub(super) fn new(turns: HandshakeTurns) -> Arc<Self> {
        Arc::new(Self { turns, state: Mutex::new(TurnState::Idle), is_logged_in: AtomicBool::new(false) })
    }

    pub(super) fn set_logged_in(&self) {
        self.is_logged_in.store(true, Relaxed);
    }

    /// Records where the next step of the session runs. A session that leaves its worker gives up
    /// its turn or its place in the queue. Otherwise, the turn could be granted to it while nothing
    /// polls it, and all other handshakes of the worker would have to wait.
    pub(super) fn set_on_worker(&self, is_on_worker: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = if is_on_worker { TurnState::Idle } else { TurnState::NotOnWorker { reads: 0 } };
    }

    /// Returns the turn that the stream has taken since the last call. The task must call this
    /// function whenever it has polled the connection, so that the connection does not hold a turn
    /// while it waits.
    pub(super) fn take(&self) -> Option<HandshakeTurn> {
        if self.is_logged_in.load(Relaxed) {
            return None;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, TurnState::Idle) {
            TurnState::Held { turn, .. } => Some(turn),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Waits until the stream may read. A turn allows few reads, because the peer may have sent
    /// many packets at once, and each may need a signature verification.
    fn poll_turn(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &mut *state {
                TurnState::Idle => *state = TurnState::Waiting(Box::pin(self.turns.clone().acquire())),
                TurnState::Waiting(turn) => {
                    let turn = ready!(turn.as_mut().poll(context));
                    *state = TurnState::Held { turn, reads: 0 };
                }
                TurnState::Held { reads, .. } | TurnState::NotOnWorker { reads }
                    if *reads < READS_PER_TURN =>
                {
                    *reads += 1;
                    return Poll::Ready(());
                }
                TurnState::Held { .. } | TurnState::NotOnWorker { .. } => {
                    // The task ends the turn after this poll, and the next poll takes a new turn.
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
            }
        }
    }
}

/// A connection that, until the login, is read only during a turn.
pub(super) struct TurnStream {
    stream: TcpStream,
    turns: Arc<LoginTurns>,
}

impl TurnStream {
    pub(super) fn new(stream: TcpStream, turns: Arc<LoginTurns>) -> Self {
        Self { stream, turns }
    }
}

impl AsyncRead for TurnStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.turns.is_logged_in.load(Relaxed) {
            ready!(self.stream.poll_read_ready(context))?;
            ready!(self.turns.poll_turn(context));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TurnStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, octets)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The number of reads in one turn. The SSH library reads each packet in two steps: first its
/// length, then the rest.
const READS_PER_TURN: u32 = 2;

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::TcpListener;

    use tokio::io::AsyncReadExt;
    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn review_h1_login_turn_ends_after_one_packet_even_if_more_are_readable() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let mut peer = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (stream, _) = listener.accept().unwrap();
            stream.set_nonblocking(true).unwrap();
            peer.write_all(&[0; 100]).unwrap();
            let turns = LoginTurns::new(HandshakeTurns::new());
            let mut stream = TurnStream::new(TcpStream::from_std(stream).unwrap(), Arc::clone(&turns));
            let mut octet = [0];
            for _ in 0..3 {
                for _ in 0..READS_PER_TURN {
                    stream.read_exact(&mut octet).await.unwrap();
                }
                let mut next = Box::pin(stream.read_exact(&mut octet));
                let poll =
                    std::future::poll_fn(|context| Poll::Ready(next.as_mut().poll(context).is_pending()));
                assert!(poll.await, "read without a new turn");
                drop(next);
                turns.take().expect("a turn to end").finish().await;
            }
            turns.set_logged_in();
            for _ in 0..10 {
                stream.read_exact(&mut octet).await.unwrap();
            }
        });
    }

    #[test]
    fn review_h1_session_that_leaves_the_worker_gives_up_its_place_in_the_queue() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let worker_turns = HandshakeTurns::new();
            let other = worker_turns.clone().acquire().await;
            let turns = LoginTurns::new(worker_turns.clone());
            let mut context = Context::from_waker(std::task::Waker::noop());
            assert!(turns.poll_turn(&mut context).is_pending());
            turns.set_on_worker(false);
            other.finish().await;
            // The turn is free, and on another thread the session needs none.
            let mut next = Box::pin(worker_turns.acquire());
            assert!(next.as_mut().poll(&mut context).is_ready());
            for _ in 0..READS_PER_TURN {
                assert!(turns.poll_turn(&mut context).is_ready());
            }
            assert!(turns.poll_turn(&mut context).is_pending(), "one packet in each step");
            assert!(turns.take().is_none());
            turns.set_on_worker(true);
            assert!(turns.poll_turn(&mut context).is_ready(), "a new turn");
            assert!(turns.take().is_some());
        });
    }
}
