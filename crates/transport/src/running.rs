//! Starts and stops the workers.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
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
use crate::open_sessions::OpenSessions;
use crate::priority_tasks::PriorityTasks;
use crate::reflection_limit::ReflectionLimit;
use crate::relay::SocketFile;
use crate::security::TransportSecurity;
use crate::session_limits::SessionLimits;
use crate::statistics::SessionStatistics;
use crate::udp::UdpPort;
use crate::when_woken::poll_when_woken;
use crate::worker::{DatagramPorts, SharedState, Stage, Worker, WorkerContext, WorkerWaker};
use crate::{dtls, relay, stream, udp};

/// Serves the bound listeners with one thread per worker. Each thread creates its own handler with
/// `make_handler`. Returns when all workers are listening.
///
/// # Errors
/// A thread or its runtime cannot be created, or `make_handler` panicked.
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
    let (worker_sockets, services, socket_files) = bound.into_parts();
    let shared = SharedState {
        services: services.into(),
        statistics: Arc::default(),
        session_limits: SessionLimits::new(&limits),
        reply_limit: Arc::new(ReflectionLimit::new(limits.unauthenticated_replies)),
        community_limit: Arc::new(ReflectionLimit::new(limits.community_rate)),
    };
    let make_handler = Arc::new(make_handler);
    let (reading, all_reading) = mpsc::channel();
    let mut running = RunningTransport {
        stage: watch::Sender::new(Stage::Serving),
        reading: Mutex::new(all_reading),
        statistics: Arc::clone(&shared.statistics),
        sessions: OpenSessions::new(Arc::clone(&shared.session_limits), shared.services.len()),
        wakers: Vec::new(),
        threads: Vec::new(),
        _socket_files: socket_files,
    };
    let (result_sender, results) = mpsc::channel();
    for (index, sockets) in worker_sockets.into_iter().enumerate() {
        let context = WorkerContext { index, waker: WorkerWaker::new(), clock };
        running.wakers.push(context.waker.clone());
        let worker = WorkerStart {
            context,
            limits: limits.clone(),
            security: security.clone(),
            shared: shared.clone(),
            sockets,
            stage: running.stage.subscribe(),
            reading: reading.clone(),
        };
        let (result_sender, make_handler) = (result_sender.clone(), Arc::clone(&make_handler));
        let thread = thread::Builder::new()
            .name(format!("worker-{index}"))
            .spawn(move || worker.run_thread(result_sender, &*make_handler))?;
        running.threads.push(thread);
    }
    drop(result_sender);
    for _ in &running.threads {
        // `recv` fails if a result is missing and no worker can still send it. The worker without a
        // result has panicked while it created its handler.
        results.recv().unwrap_or_else(|_| {
            Err(io::Error::other("a worker thread panicked while it created its message handler"))
        })?;
    }
    Ok(running)
}

/// The running workers. Dropping this value shuts them down like [`shutdown`](Self::shutdown).
pub struct RunningTransport {
    stage: watch::Sender<Stage>,
    /// Disconnected when no worker reads any more. Nothing is sent.
    reading: Mutex<mpsc::Receiver<Infallible>>,
    statistics: Arc<SessionStatistics>,
    sessions: OpenSessions,
    wakers: Vec<WorkerWaker>,
    threads: Vec<JoinHandle<()>>,
    /// The socket files, which are removed after all workers have stopped listening.
    _socket_files: Vec<SocketFile>,
}

impl RunningTransport {
    /// Returns the counters, which change while the transport is running.
    #[must_use]
    pub fn statistics(&self) -> &Arc<SessionStatistics> {
        &self.statistics
    }

    /// Returns one waker per worker.
    #[must_use]
    pub fn wakers(&self) -> &[WorkerWaker] {
        &self.wakers
    }

    /// Wakes all workers, so that their handlers are polled.
    pub fn wake_all(&self) {
        self.wakers.iter().for_each(WorkerWaker::wake);
    }

    /// Returns a handle of the open sessions.
    #[must_use]
    pub fn sessions(&self) -> OpenSessions {
        self.sessions.clone()
    }

    /// Stops reading, polls each handler one last time, waits up to [`Limits::shutdown_timeout`]
    /// until the open sessions have sent their responses, and returns when all workers have
    /// stopped.
    pub fn shutdown(self) {
        drop(self);
    }

    /// Like [`shutdown`](Self::shutdown), but calls `finish_requests` when no worker reads any
    /// more. It should return when other threads have finished their work for the handlers. Until
    /// then, handlers are polled and their responses are sent.
    pub fn shutdown_after(mut self, finish_requests: impl FnOnce()) {
        self.stage.send_replace(Stage::Finishing);
        // Fails when the last worker has stopped reading.
        let _ = self.reading.get_mut().unwrap_or_else(PoisonError::into_inner).recv();
        finish_requests();
    }
}

impl Drop for RunningTransport {
    fn drop(&mut self) {
        self.stage.send_replace(Stage::Closing);
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a worker thread has panicked");
            }
        }
    }
}

impl fmt::Debug for RunningTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningTransport").field("workers", &self.threads.len()).finish_non_exhaustive()
    }
}

/// The parameters of one worker thread.
struct WorkerStart {
    context: WorkerContext,
    limits: Limits,
    security: TransportSecurity,
    shared: SharedState,
    sockets: WorkerSockets,
    stage: watch::Receiver<Stage>,
    /// Dropped when the worker stops reading.
    reading: mpsc::Sender<Infallible>,
}

impl WorkerStart {
    /// Runs the thread until shutdown.
    fn run_thread<H: MessageHandler + 'static>(
        self,
        result_sender: mpsc::Sender<io::Result<()>>,
        make_handler: &dyn Fn(WorkerContext) -> H,
    ) {
        let runtime = match Builder::new_current_thread().enable_io().enable_time().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(result_sender.send(Err(error))),
        };
        let local = LocalSet::new();
        // `None` once the worker has sent its result. The thread that starts the workers waits for
        // results as long as a sender exists.
        let mut result_sender = Some(result_sender);
        let result = local.block_on(&runtime, self.serve(&mut result_sender, make_handler));
        if let (Err(error), Some(sender)) = (result, result_sender) {
            drop(sender.send(Err(error)));
        }
        drop(local);
        // Name lookups and password checks that do not return must not delay the shutdown.
        runtime.shutdown_background();
    }

    async fn serve<H: MessageHandler + 'static>(
        mut self,
        result_sender: &mut Option<mpsc::Sender<io::Result<()>>>,
        make_handler: &dyn Fn(WorkerContext) -> H,
    ) -> io::Result<()> {
        let size = self.limits.max_message_size;
        let ports = self
            .sockets
            .udp
            .into_iter()
            .map(|(listener_index, socket)| UdpPort::new(listener_index, socket, size));
        let ports = ports.collect::<io::Result<Vec<_>>>()?;
        let dtls_ports = self.sockets.dtls.into_iter().enumerate();
        let dtls_ports =
            dtls_ports.map(|(index, (listener_index, socket))| DtlsPort::new(listener_index, index, socket));
        let dtls_ports = dtls_ports.collect::<io::Result<Vec<_>>>()?;
        let acceptors = self.sockets.tcp.into_iter();
        let acceptors = acceptors.map(|(listener_index, listener, socket)| {
            Ok((listener_index, listener, tokio::net::TcpListener::from_std(socket)?))
        });
        let acceptors = acceptors.collect::<io::Result<Vec<_>>>()?;
        let relays = self.sockets.relays.into_iter();
        let relays = relays.map(|(listener_index, policy, socket)| {
            Ok((listener_index, policy, tokio::net::UnixListener::from_std(socket)?))
        });
        let relays = relays.collect::<io::Result<Vec<_>>>()?;
        let handler = make_handler(self.context.clone());
        let shutdown_timeout = self.limits.shutdown_timeout;
        let worker = Rc::new(Worker::new(
            self.context,
            handler,
            self.limits,
            self.security,
            self.shared,
            DatagramPorts { udp: ports, dtls: dtls_ports },
        ));

        let mut tasks = JoinSet::new();
        let timer_worker = Rc::clone(&worker);
        tasks.spawn_local(async move { timer_worker.run_timer().await });
        let mut priority_tasks = PriorityTasks::default();
        for index in 0..worker.udp.len() {
            priority_tasks.push(udp::serve(Rc::clone(&worker), index));
        }
        for index in 0..worker.dtls.len() {
            tasks.spawn_local(dtls::serve(Rc::clone(&worker), index));
            tasks.spawn_local(dtls::run_timers(Rc::clone(&worker), index));
        }
        for (listener_index, listener, socket) in acceptors {
            tasks.spawn_local(stream::accept(Rc::clone(&worker), listener_index, listener, socket));
        }
        for (listener_index, policy, socket) in relays {
            tasks.spawn_local(relay::accept(Rc::clone(&worker), listener_index, policy, socket));
        }
        if let Some(sender) = result_sender.take() {
            drop(sender.send(Ok(())));
        }

        poll_when_woken(async {
            tokio::select! {
                // An error means that the sender was dropped and can no longer request a shutdown.
                _ = self.stage.wait_for(|stage| *stage != Stage::Serving) => {}
                () = log_finished_tasks(&mut tasks) => {}
                never = priority_tasks.run() => match never {},
            }
        })
        .await;
        drop(tasks);
        worker.set_stage(Stage::Finishing);
        drop(self.reading);
        tokio::select! {
            _ = self.stage.wait_for(|stage| *stage == Stage::Closing) => {}
            () = worker.run_timer() => {}
        }
        worker.poll_handler();
        dtls::close_all(&worker);
        let _ = tokio::time::timeout(shutdown_timeout, stream::close_all(&worker)).await;
        Ok(())
    }
}

/// Logs each task that ends, because tasks are expected to run until shutdown. Returns when all
/// tasks have ended.
async fn log_finished_tasks(tasks: &mut JoinSet<()>) {
    while let Some(end) = tasks.join_next().await {
        tracing::error!(?end, "a task of a worker has stopped unexpectedly");
    }
}
