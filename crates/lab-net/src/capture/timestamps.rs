//! Waits until the kernel records the time at which frames arrive.
//!
//! The kernel begins to do so a moment after a socket has requested it. Before that, it returns the
//! time at which a frame is read from the socket.

use std::net::{Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{io, thread};

use portreeve_sys::PacketSocket;

/// Sends frames over the loopback interface of the calling thread's namespace until one has the
/// time of its arrival. All frames that arrive in this time are discarded.
pub(super) fn wait_until_recorded(socket: &mut PacketSocket) -> io::Result<()> {
    let sender = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let deadline = Instant::now() + TIMEOUT;
    while Instant::now() < deadline {
        sender.send_to(&[0], sender.local_addr()?)?;
        thread::sleep(PAUSE);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut is_recorded = false;
        match socket.receive(|frame| is_recorded |= frame.at < now) {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ if is_recorded => return Ok(()),
            _ => {}
        }
    }
    Err(io::Error::other("the kernel does not record the times of frames"))
}

/// The time between the arrival of a frame and reading it.
const PAUSE: Duration = Duration::from_millis(1);

/// The maximum time.
const TIMEOUT: Duration = Duration::from_secs(10);
