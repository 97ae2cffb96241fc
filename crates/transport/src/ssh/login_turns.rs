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
    Held(HandshakeTurn),
}

impl LoginTurns {
    pub(super) fn new(turns: HandshakeTurns) -> Arc<Self> {
        Arc::new(Self { turns, state: Mutex::new(TurnState::Idle), is_logged_in: AtomicBool::new(false) })
    }

    pub(super) fn set_logged_in(&self) {
        self.is_logged_in.store(true, Relaxed);
    }

    /// Returns the turn that the stream has taken since the last call. The task must call this
    /// function whenever it has polled the connection, so that the connection does not hold a turn
    /// while it waits.
    pub(super) fn take(&self) -> Option<HandshakeTurn> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, TurnState::Idle) {
            TurnState::Held(turn) => Some(turn),
            other => {
                *state = other;
                None
            }
        }
    }

    fn poll_turn(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &mut *state {
                TurnState::Idle => *state = TurnState::Waiting(Box::pin(self.turns.clone().acquire())),
                TurnState::Waiting(turn) => *state = TurnState::Held(ready!(turn.as_mut().poll(context))),
                TurnState::Held(_) => return Poll::Ready(()),
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
