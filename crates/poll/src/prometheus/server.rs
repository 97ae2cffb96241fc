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
    Shared,
    http::{self, Answer},
    pages,
};

/// Serves whoever connects, in threads beside this one, until the process ends.
///
/// # Errors
/// Where no thread can be had.
pub(crate) fn serve(listener: TcpListener, shared: Arc<Shared>) -> io::Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    thread::Builder::new().name("http".into()).spawn(move || {
        loop {
            match listener.accept() {
                Ok((stream, _)) => begin(stream, &shared, &open),
                // Out of descriptors, most likely: others have to end first.
                Err(_) => thread::sleep(A_WHILE),
            }
        }
    })?;
    Ok(())
}

fn begin(mut stream: TcpStream, shared: &Arc<Shared>, open: &Arc<AtomicUsize>) {
    let place = Taken::take(open);
    if place.count > MOST_CONNECTIONS {
        // The socket's buffer holds this: it waits for nobody.
        let _ = Answer::words(503, "too many connections").write(&mut stream, false);
        return;
    }
    let shared = Arc::clone(shared);
    // Where no thread can be had, the connection closes.
    let _ = thread::Builder::new().name("http".into()).stack_size(STACK).spawn(move || {
        let _place = place;
        // A client that has gone needs no answer.
        let _ = converse(&mut stream, &shared);
    });
}

fn converse(stream: &mut TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (answer, only_head) = match http::read(stream)? {
        Ok(head) => (pages::answer(&head, shared), head.method == "HEAD"),
        Err(answer) => (answer, false),
    };
    answer.write(stream, only_head)?;
    stream.shutdown(Shutdown::Write)?;
    // To close while something is unread would take the answer from a client that is still sending.
    http::drain(stream)
}

/// One of the connections there may be, until it is dropped.
struct Taken {
    count: usize,
    open: Arc<AtomicUsize>,
}

impl Taken {
    fn take(open: &Arc<AtomicUsize>) -> Self {
        Self { count: open.fetch_add(1, Ordering::Relaxed) + 1, open: Arc::clone(open) }
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

const MOST_CONNECTIONS: usize = 128;
const STACK: usize = 512 * 1024;
const A_WHILE: Duration = Duration::from_millis(100);
