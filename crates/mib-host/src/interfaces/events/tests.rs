use std::{
    fs::File,
    net::UdpSocket,
    sync::mpsc::{self, RecvTimeoutError},
    time::Instant,
};

use rustix::io::Errno;

use super::*;

/// Starts the thread with this socket, and returns its failures.
fn start(socket: impl Into<OwnedFd>) -> (LinkEvents, mpsc::Receiver<io::Error>) {
    let (sender, failures) = mpsc::channel();
    let socket = NetlinkSocket::from(socket.into());
    let report_failure = move |error| sender.send(error).unwrap();
    (LinkEvents::start_with(socket, |_| (), report_failure, Timestamp::default).unwrap(), failures)
}

#[test]
fn failure_that_lasts_is_reported_once() {
    // A descriptor that is always readable, and from which no message can be received.
    let (events, failures) = start(File::open("/dev/null").unwrap());
    let error = failures.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(error.raw_os_error(), Some(Errno::NOTSOCK.raw_os_error()));
    // Longer than the first pauses.
    let second = failures.recv_timeout(Duration::from_millis(400));
    assert!(matches!(second, Err(RecvTimeoutError::Timeout)), "{second:?}");
    drop(events);
    assert!(matches!(failures.recv(), Err(mpsc::RecvError)), "the thread has ended");
}

#[test]
fn failure_after_a_success_is_reported_again() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    socket.connect(closed).unwrap();
    let (_events, failures) = start(socket.try_clone().unwrap());
    let begin = Instant::now();
    let mut count = 0;
    while count < 2 {
        assert!(begin.elapsed() < Duration::from_secs(20), "{count} failures");
        // The kernel reports that the port is closed, with the next call.
        let _ = socket.send(&[0]);
        count += usize::from(failures.recv_timeout(Duration::from_millis(200)).is_ok());
    }
}
