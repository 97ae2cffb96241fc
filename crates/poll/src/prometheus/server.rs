//! Connections: one thread each, up to a limit.

use std::{
    io,
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use super::{
    SharedState,
    http::{self, HttpResponse},
    pages,
};

/// Starts threads that serve HTTP connections until the process ends.
///
/// # Errors
/// The first thread cannot be started.
pub(crate) fn serve(listener: TcpListener, shared: Arc<SharedState>) -> io::Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    thread::Builder::new().name("http".into()).spawn(move || {
        loop {
            match listener.accept() {
                Ok((stream, _)) => start_connection(stream, &shared, &open),
                // The process has probably run out of file descriptors: wait until other
                // connections have closed.
                Err(_) => thread::sleep(ACCEPT_RETRY_DELAY),
            }
        }
    })?;
    Ok(())
}

fn start_connection(mut stream: TcpStream, shared: &Arc<SharedState>, open: &Arc<AtomicUsize>) {
    let slot = ConnectionSlot::take(open);
    if slot.count > MAX_CONNECTIONS {
        // The response fits into the socket's buffer, so this does not block.
        let _ = HttpResponse::text(503, "too many connections").write(&mut stream, false);
        return;
    }
    let shared = Arc::clone(shared);
    // If no thread can be started, the connection is closed.
    let _ = thread::Builder::new().name("http".into()).stack_size(THREAD_STACK_SIZE).spawn(move || {
        let _place = slot;
        // A client that has closed its connection needs no response.
        let _ = handle_connection(&mut stream, &shared);
    });
}

fn handle_connection(stream: &mut TcpStream, shared: &SharedState) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (response, only_head) = match http::read(stream)? {
        Ok(head) => (pages::handle(&head, shared), head.method == "HEAD"),
        Err(response) => (response, false),
    };
    response.write(stream, only_head)?;
    stream.shutdown(Shutdown::Write)?;
    // The remaining input is read before closing. Otherwise the connection would be reset before
    // the client has read the response.
    http::drain(stream)
}

/// One of the allowed connections. It is free again when dropped.
struct ConnectionSlot {
    count: usize,
    open: Arc<AtomicUsize>,
}

impl ConnectionSlot {
    fn take(open: &Arc<AtomicUsize>) -> Self {
        Self { count: open.fetch_add(1, Ordering::Relaxed) + 1, open: Arc::clone(open) }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

const MAX_CONNECTIONS: usize = 128;
const THREAD_STACK_SIZE: usize = 512 * 1024;
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
