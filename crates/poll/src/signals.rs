//! SIGTERM and SIGINT end the poller; SIGHUP makes it reload its file.

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

/// The requested actions, and a socket pair that wakes the poller.
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
    pub(crate) wake_receiver: UnixStream,
    /// A byte written to it wakes the poller.
    pub(crate) waker: UnixStream,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        let (wake_receiver, waker) = UnixStream::pair()?;
        wake_receiver.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        let (stop, reload) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        for (signal, flag_of_signal) in [(SIGTERM, &stop), (SIGINT, &stop), (SIGHUP, &reload)] {
            flag::register(signal, Arc::clone(flag_of_signal))?;
            pipe::register(signal, waker.try_clone()?)?;
        }
        Ok(Self { stop, reload, wake_receiver, waker })
    }

    /// Returns true if the poller should exit.
    pub(crate) fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns true if the file should be reloaded, and resets the request.
    pub(crate) fn take_reload(&self) -> bool {
        self.reload.swap(false, Ordering::Relaxed)
    }

    /// Discards the bytes that woke the poller.
    pub(crate) fn drain(&self) {
        let mut octets = [0; 64];
        while (&self.wake_receiver).read(&mut octets).is_ok_and(|count| count > 0) {}
    }
}
