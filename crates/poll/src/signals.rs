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
    stop: Arc<AtomicBool>,
    reload: Arc<AtomicBool>,
    pub(crate) wake_receiver: UnixStream,
    /// Written to, it wakes.
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

    /// Whether polling is to end.
    pub(crate) fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the file is to be read again, which is said once.
    pub(crate) fn take_reload(&self) -> bool {
        self.reload.swap(false, Ordering::Relaxed)
    }

    /// Forgets by whom it was woken.
    pub(crate) fn drain(&self) {
        let mut octets = [0; 64];
        while (&self.wake_receiver).read(&mut octets).is_ok_and(|count| count > 0) {}
    }
}
