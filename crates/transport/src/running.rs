//! Starting the workers, and ending them cleanly.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::{fmt, io};

use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::{JoinSet, LocalSet};

use crate::bind::{BoundListeners, WorkerSockets};
use crate::clock::Clock;
use crate::dtls::DtlsPort;
use crate::handler::MessageHandler;
use crate::limits::Limits;
use crate::reflection_limit::ReflectionLimit;
use crate::relay::SocketFile;
use crate::security::TransportSecurity;
use crate::session_limits::SessionLimits;
use crate::statistics::SessionStatistics;
use crate::udp::UdpPort;
use crate::worker::{DatagramPorts, SharedState, Worker, WorkerContext, WorkerWaker};
use crate::{dtls, relay, stream, udp};

/// Serves what was bound: one thread per worker, each with a handler of its own that `make_handler` makes on that
/// thread. Returns when all workers listen.
///
/// # Errors
/// When a thread or its runtime cannot be made, or a handler could not (it panicked).
pub fn run<H, F>(
    bound: BoundListeners,
    limits: Limits,
    security: TransportSecurity,
    clock: Clock,
    make_handler: F,
) -> io::Result<RunningTransport>
where
    H: MessageHandler + 'static,
    F: Fn(WorkerContext) -> H + Send + Sync + 'static,
{
    let shared = SharedState {
        statistics: Arc::default(),
        session_limits: SessionLimits::new(limits.max_sessions, limits.max_sessions_per_source),
        reflection_limit: Arc::new(ReflectionLimit::new(limits.unauthenticated_replies)),
    };
    let make_handler = Arc::new(make_handler);
    let (shares, files) = bound.into_parts();
    let mut running = RunningTransport {
        stop: watch::Sender::new(false),
        statistics: Arc::clone(&shared.statistics),
        wakers: Vec::new(),
        threads: Vec::new(),
        _files: files,
    };
    let (started, starting) = mpsc::channel();
    for (index, share) in shares.into_iter().enumerate() {
        let context = WorkerContext { index, waker: WorkerWaker::new(), clock };
        running.wakers.push(context.waker.clone());
        let seat = WorkerStart {
            context,
            limits: limits.clone(),
            security: security.clone(),
            shared: shared.clone(),
            sockets: share,
            stop: running.stop.subscribe(),
        };
        let (started, make_handler) = (started.clone(), Arc::clone(&make_handler));
        let thread = thread::Builder::new()
            .name(format!("worker-{index}"))
            .spawn(move || seat.run_thread(&started, &*make_handler))?;
        running.threads.push(thread);
    }
    drop(started);
    for _ in &running.threads {
        // A worker that ends without a word has panicked while its handler was made.
        starting.recv().unwrap_or_else(|_| Err(io::Error::other("a worker's handler could not be made")))?;
    }
    Ok(running)
}

/// Workers at work. Dropping it shuts them down like [`shutdown`](Self::shutdown).
pub struct RunningTransport {
    stop: watch::Sender<bool>,
    statistics: Arc<SessionStatistics>,
    wakers: Vec<WorkerWaker>,
    threads: Vec<JoinHandle<()>>,
    /// Dropped when nobody listens any more.
    _files: Vec<SocketFile>,
}

impl RunningTransport {
    /// The counters, live.
    #[must_use]
    pub fn statistics(&self) -> &Arc<SessionStatistics> {
        &self.statistics
    }

    /// One waker per worker.
    #[must_use]
    pub fn wakers(&self) -> &[WorkerWaker] {
        &self.wakers
    }

    /// Has all handlers polled.
    pub fn wake_all(&self) {
        self.wakers.iter().for_each(WorkerWaker::wake);
    }

    /// Stops reading, has each handler polled a last time, gives open sessions [`Limits::shutdown_timeout`] to take their
    /// answers, and returns when all workers have ended.
    pub fn shutdown(self) {
        drop(self);
    }
}

impl Drop for RunningTransport {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a worker had ended in a panic");
            }
        }
    }
}

impl fmt::Debug for RunningTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningTransport").field("workers", &self.threads.len()).finish_non_exhaustive()
    }
}

/// What one worker thread starts with.
struct WorkerStart {
    context: WorkerContext,
    limits: Limits,
    security: TransportSecurity,
    shared: SharedState,
    sockets: WorkerSockets,
    stop: watch::Receiver<bool>,
}

impl WorkerStart {
    /// The thread's whole life.
    fn run_thread<H: MessageHandler + 'static>(
        self,
        started: &mpsc::Sender<io::Result<()>>,
        make_handler: &dyn Fn(WorkerContext) -> H,
    ) {
        let runtime = match Builder::new_current_thread().enable_io().enable_time().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(started.send(Err(error))),
        };
        let local = LocalSet::new();
        let result = local.block_on(&runtime, self.serve(started, make_handler));
        if let Err(error) = result {
            // The receiver waits for as long as it needs this.
            drop(started.send(Err(error)));
        }
        drop(local);
        // Whoever has been asked for a name or a password and does not answer holds up nobody's end.
        runtime.shutdown_background();
    }

    async fn serve<H: MessageHandler + 'static>(
        mut self,
        started: &mpsc::Sender<io::Result<()>>,
        make_handler: &dyn Fn(WorkerContext) -> H,
    ) -> io::Result<()> {
        let size = self.limits.max_message_size;
        let ports = self.sockets.udp.into_iter().map(|(number, socket)| UdpPort::new(number, socket, size));
        let ports = ports.collect::<io::Result<Vec<_>>>()?;
        let dtls_ports = self.sockets.dtls.into_iter().enumerate();
        let dtls_ports = dtls_ports.map(|(index, (number, socket))| DtlsPort::new(number, index, socket));
        let dtls_ports = dtls_ports.collect::<io::Result<Vec<_>>>()?;
        let acceptors = self.sockets.tcp.into_iter();
        let acceptors = acceptors.map(|(number, listener, socket)| {
            Ok((number, listener, tokio::net::TcpListener::from_std(socket)?))
        });
        let acceptors = acceptors.collect::<io::Result<Vec<_>>>()?;
        let relays = self.sockets.relays.into_iter();
        let relays = relays.map(|(number, policy, socket)| {
            Ok((number, policy, tokio::net::UnixListener::from_std(socket)?))
        });
        let relays = relays.collect::<io::Result<Vec<_>>>()?;
        let handler = make_handler(self.context.clone());
        let farewell = self.limits.shutdown_timeout;
        let worker = Rc::new(Worker::new(
            self.context,
            handler,
            self.limits,
            self.security,
            self.shared,
            DatagramPorts { udp: ports, dtls: dtls_ports },
        ));

        let mut readers = JoinSet::new();
        let timekeeper = Rc::clone(&worker);
        readers.spawn_local(async move { timekeeper.run_timer().await });
        for index in 0..worker.udp.len() {
            readers.spawn_local(udp::serve(Rc::clone(&worker), index));
        }
        for index in 0..worker.dtls.len() {
            readers.spawn_local(dtls::serve(Rc::clone(&worker), index));
            readers.spawn_local(dtls::run_timers(Rc::clone(&worker), index));
        }
        for (number, listener, socket) in acceptors {
            readers.spawn_local(stream::accept(Rc::clone(&worker), number, listener, socket));
        }
        for (number, policy, socket) in relays {
            readers.spawn_local(relay::accept(Rc::clone(&worker), number, policy, socket));
        }
        drop(started.send(Ok(())));

        tokio::select! {
            // An error means that nobody is left who could ever stop us in an orderly way.
            _ = self.stop.wait_for(|&stop| stop) => {}
            () = log_finished_tasks(&mut readers) => {}
        }
        drop(readers);
        worker.poll_handler();
        dtls::close_all(&worker);
        let _ = tokio::time::timeout(farewell, stream::close_all(&worker)).await;
        Ok(())
    }
}

/// Tells of each reader that ends, which none does of its own accord; returns when none is left.
async fn log_finished_tasks(readers: &mut JoinSet<()>) {
    while let Some(end) = readers.join_next().await {
        tracing::error!(?end, "part of a worker has stopped serving");
    }
}
