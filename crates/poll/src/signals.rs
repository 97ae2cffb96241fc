//! SIGTERM and SIGINT end the poller, SIGHUP has it read its file again.

use std::{
    io::{self, Read},
    os::unix::net::UnixStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    low_level::pipe,
};

/// What signals ask for, and a socket that wakes whoever waits.
pub(crate) struct Signals {
    end: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
    pub(crate) woken: UnixStream,
    /// Written to, it wakes.
    pub(crate) waker: UnixStream,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        let (woken, waker) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        let (end, reload) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        for (signal, asked) in [(SIGTERM, &end), (SIGINT, &end), (SIGHUP, &reload)] {
            flag::register(signal, Arc::clone(asked))?;
            pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Self { end, reload, woken, waker })
    }

    /// Whether polling is to end.
    pub(crate) fn want_an_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Whether the file is to be read again, which is said once.
    pub(crate) fn take_reload(&self) -> bool {
        self.reload.swap(false, Ordering::Relaxed)
    }

    /// Forgets by whom it was woken.
    pub(crate) fn drain(&self) {
        let mut octets = [0; 64];
        while (&self.woken).read(&mut octets).is_ok_and(|count| count > 0) {}
    }
}
