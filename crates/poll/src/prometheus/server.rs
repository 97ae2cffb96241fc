//! Connections: each has a thread of its own, and there are never more than a few.

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

/// Serves whoever connects, in threads beside this one, until the process ends.
///
/// # Errors
/// Where no thread can be had.
pub(crate) fn serve(listener: TcpListener, shared: Arc<SharedState>) -> io::Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    thread::Builder::new().name("http".into()).spawn(move || {
        loop {
            match listener.accept() {
                Ok((stream, _)) => start_connection(stream, &shared, &open),
                // Out of descriptors, most likely: others have to end first.
                Err(_) => thread::sleep(ACCEPT_RETRY_DELAY),
            }
        }
    })?;
    Ok(())
}

fn start_connection(mut stream: TcpStream, shared: &Arc<SharedState>, open: &Arc<AtomicUsize>) {
    let slot = ConnectionSlot::take(open);
    if slot.count > MAX_CONNECTIONS {
        // The socket's buffer holds this: it waits for nobody.
        let _ = HttpResponse::text(503, "too many connections").write(&mut stream, false);
        return;
    }
    let shared = Arc::clone(shared);
    // Where no thread can be had, the connection closes.
    let _ = thread::Builder::new().name("http".into()).stack_size(THREAD_STACK_SIZE).spawn(move || {
        let _place = slot;
        // A client that has gone needs no answer.
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
    // To close while something is unread would take the answer from a client that is still sending.
    http::drain(stream)
}

/// One of the connections there may be, until it is dropped.
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
