//! A socket that datagrams come to.

use std::io;
use std::net::UdpSocket;
use std::os::fd::{AsFd, BorrowedFd};

use portreeve_sys::{BATCH_SIZE, DatagramBatch, SMALL_BATCH};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A socket of one worker. It is watched for reading only: each datagram that a peer takes makes its sender's socket
/// writable again, and would rouse the worker for nothing.
#[derive(Debug)]
pub(crate) struct DatagramSocket(AsyncFd<UdpSocket>);

impl DatagramSocket {
    /// Registers a bound, non-blocking socket with the current runtime.
    #[expect(
        deprecated,
        reason = "unsound only for what changes its descriptor, and what replaces it is unsafe"
    )]
    pub(crate) fn new(socket: UdpSocket) -> io::Result<Self> {
        AsyncFd::with_interest(socket, Interest::READABLE).map(Self)
    }

    /// Receives a batch as soon as something is there; returns how many datagrams. Where there are to be `few`, room is
    /// made for a few only.
    pub(crate) async fn receive(&self, batch: &mut DatagramBatch, few: bool) -> io::Result<usize> {
        let most = if few { SMALL_BATCH } else { BATCH_SIZE };
        let mut receive = || match few {
            true => batch.receive_small(self.as_fd()),
            false => batch.receive(self.as_fd()),
        };
        loop {
            // Tried first without asking: under load the next datagrams have come while the last were handled.
            match self.0.try_io(Interest::READABLE, |_| receive()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => drop(self.0.readable().await?),
                Ok(count) if count < most => {
                    // There was room for more: they are waited for without asking again. What has come meanwhile, the
                    // system tells of anew.
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
