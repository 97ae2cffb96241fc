//! One connection's life: russh's session, polled here and not by a task of its own, so that it ends when we do.

use std::{
    future::poll_fn,
    io::ErrorKind,
    net::SocketAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    rc::Rc,
    sync::Arc,
    task::Poll,
};

use portreeve_channel::{ChannelError, SshAlgorithms, Step};
use russh::server::run_stream;
use russh_util::runtime::adopting;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    handler::{ConnectionHandler, Failure},
    host::{Host, Remote},
    overheard::Listening,
    registry::Registration,
    settings::Current,
    statistics::SshStatistics,
    threshold::Threshold,
    watch::{Watch, Watched},
};
use crate::{Traffic, cork::Corked};

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// In order, by one side or the other.
    Closed,
    /// By something the peer did or did not do, or the network.
    Failed(ChannelError),
    /// By something that no peer may do.
    Broken(ChannelError),
    /// By a panic, which went no further.
    Panicked,
}

pub(super) async fn serve<S>(
    current: Arc<Current>,
    statistics: Arc<SshStatistics>,
    stream: S,
    peer: SocketAddr,
    traffic: Traffic,
    algorithms: SshAlgorithms,
    host: Rc<dyn Host>,
) -> Ending
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let watch = Arc::new(Watch::default());
    let registration = Registration::new(host, peer.ip(), Arc::clone(&statistics));
    let entry = Rc::clone(&registration.entry);
    let config = current.config(traffic.window, algorithms);
    let handler =
        ConnectionHandler::new(registration.number(), current, statistics, peer.ip(), traffic.window)
            .watched_by(Arc::clone(&watch));
    let stream = Corked::new(Watched::new(stream, Arc::clone(&watch)), traffic.gathers());
    // Boxed, so that a session does not keep the room its beginning needed.
    let session =
        Box::pin(adopting(run_stream(config, Threshold::new(stream, Arc::clone(&watch)), handler))).await;
    let session = match session {
        Ok(session) => session,
        Err(failure) => return explain(&failure, &registration),
    };
    entry.handle.replace(Some(session.handle()));
    entry.host.connected(Remote { handle: session.handle(), watch });
    let mut session = pin!(session);
    let result = poll_fn(|context| {
        let _listening = Listening::to(registration.number());
        match catch_unwind(AssertUnwindSafe(|| session.as_mut().poll(context))) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await;
    match (result, entry.breach.get()) {
        (None, _) => Ending::Panicked,
        (Some(_), Some(breach)) => Ending::Broken(ChannelError::at(entry.step.get(), breach.words())),
        (Some(Ok(())), None) => orderly(&registration),
        (Some(Err(failure)), None) => explain(&failure, &registration),
    }
}

/// A peer has gone that broke nothing.
fn orderly(registration: &Registration) -> Ending {
    match registration.entry.step.get() {
        Step::Subsystem | Step::Data => Ending::Closed,
        before => Ending::Failed(ChannelError::at(before, given_up(registration))),
    }
}

/// What a peer that went away before it was in had tried.
fn given_up(registration: &Registration) -> String {
    match registration.entry.refusal.get() {
        Some(refusal) => refusal.to_string(),
        None => "the peer gave up".to_owned(),
    }
}

fn explain(failure: &Failure, registration: &Registration) -> Ending {
    let at = |cause: String| ChannelError::at(registration.entry.step.get(), cause);
    match failure {
        Failure::Protocol(russh::Error::HUP | russh::Error::Disconnect) => {
            Ending::Failed(at(given_up(registration)))
        }
        // Many clients end like that, with no farewell and all said.
        Failure::Protocol(russh::Error::IO(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            orderly(registration)
        }
        Failure::Protocol(error @ russh::Error::IO(_)) => Ending::Failed(at(error.to_string())),
        // It may name all that the peer has said it can do.
        Failure::Protocol(error) => {
            Ending::Broken(at(error.to_string().chars().take(LONGEST_CAUSE).collect()))
        }
        Failure::Misuse => Ending::Failed(at("a login was not judged".to_owned())),
        Failure::Tries => Ending::Failed(at("too many tries to log in".to_owned())),
        Failure::Elsewhere => {
            Ending::Failed(at("the connection was polled on another thread than its own".to_owned()))
        }
    }
}

/// Letters of what the log hears.
const LONGEST_CAUSE: usize = 500;
