//! A datagram socket registered with the runtime.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};

use portreeve_sys::{BATCH_SIZE, DatagramBatch, SMALL_BATCH};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A datagram socket of one worker. It is registered for reading only: with interest in writing,
/// the kernel would report the socket as writable after each sent datagram and wake the worker
/// needlessly.
#[derive(Debug)]
pub(crate) struct DatagramSocket(AsyncFd<UdpSocket>);

impl DatagramSocket {
    /// Registers a bound, non-blocking socket with the current runtime.
    #[expect(
        deprecated,
        reason = "unsound only for types that change their descriptor; the replacement is unsafe"
    )]
    pub(crate) fn new(socket: UdpSocket) -> io::Result<Self> {
        AsyncFd::with_interest(socket, Interest::READABLE).map(Self)
    }

    /// Returns the address that the socket is bound to.
    pub(crate) fn local_address(&self) -> Option<SocketAddr> {
        self.0.get_ref().local_addr().ok()
    }

    /// Receives a batch as soon as datagrams are available; returns their number. If `is_small`,
    /// the batch is limited to [`SMALL_BATCH`].
    pub(crate) async fn receive(&self, batch: &mut DatagramBatch, is_small: bool) -> io::Result<usize> {
        let capacity = if is_small { SMALL_BATCH } else { BATCH_SIZE };
        let mut receive = || match is_small {
            true => batch.receive_small(self.as_fd()),
            false => batch.receive(self.as_fd()),
        };
        loop {
            // Receive without waiting for readiness first: under load, the next datagrams have
            // arrived while the previous ones were handled.
            match self.0.try_io(Interest::READABLE, |_| receive()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => drop(self.0.readable().await?),
                Ok(count) if count < capacity => {
                    // The batch was not filled, so the socket is empty: clear readiness without
                    // another system call. The kernel reports the socket as readable again if
                    // datagrams have arrived since that read.
                    let emptied = |_: &UdpSocket| Err::<(), _>(io::ErrorKind::WouldBlock.into());
                    let _ = self.0.try_io(Interest::READABLE, emptied);
                    return Ok(count);
                }
                result => return result,
            }
        }
    }
}

impl AsFd for DatagramSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
