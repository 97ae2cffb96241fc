//! Connects to a host with several addresses, some of which may be unreachable.
//!
//! ```text
//! first address ──────────────────────────── silence ───────────▶
//!      second ── after ATTEMPT_DELAY, or once the first fails ──▶ connected: cancel the others
//! ```
//! So a silent address costs a quarter of a second, not the timeout of the whole command. The
//! caller resolves and orders the addresses. The method is that of RFC 8305.

use std::{
    future::{Future, poll_fn},
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    task::Poll,
    time::Duration,
};

use portreeve_channel::{ChannelObserver, Fact};
use tokio::{
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

/// Connects to the first address that accepts the connection. Each attempt is limited by
/// `attempt_timeout`; if there are more than 16 addresses, only the first 16 are tried.
///
/// # Errors
/// The last address that failed, with its error; `None` if there is no address.
pub async fn connect(
    addresses: &[SocketAddr],
    attempt_timeout: Option<Duration>,
    observer: &dyn ChannelObserver,
) -> Result<TcpStream, Option<(SocketAddr, io::Error)>> {
    let attempt = async |address| {
        let connecting = TcpStream::connect(address);
        match attempt_timeout {
            Some(attempt_timeout) => {
                timeout(attempt_timeout, connecting).await.unwrap_or_else(|late| Err(late.into()))
            }
            None => connecting.await,
        }
    };
    let failed = |address, error: &io::Error| {
        observer.on_fact(Fact::new("unreachable", format!("{address}: {error}")));
    };
    let (address, stream) = race(addresses, ATTEMPT_DELAY, attempt, failed).await?;
    observer.on_fact(Fact::new("connected", address.to_string()));
    Ok(stream)
}

/// Makes the kernel send what is written from now on together with the end of the connection. The
/// caller must close the connection immediately afterwards.
pub fn cork_until_close(stream: &TcpStream) {
    // If the option cannot be set, data and end are sent in two packets.
    let _ = rustix::net::sockopt::set_tcp_cork(stream, true);
}

/// Returns the address and the result of the first attempt that succeeds.
async fn race<T, F: Future<Output = io::Result<T>>>(
    addresses: &[SocketAddr],
    attempt_delay: Duration,
    attempt: impl Fn(SocketAddr) -> F,
    mut failed: impl FnMut(SocketAddr, &io::Error),
) -> Result<(SocketAddr, T), Option<(SocketAddr, io::Error)>> {
    let mut waiting = addresses.iter().copied().take(MAX_ADDRESSES);
    let mut running: Vec<(SocketAddr, Pin<Box<F>>)> = Vec::new();
    let mut last = None;
    let mut next_start = pin!(sleep(attempt_delay));
    poll_fn(|context| {
        loop {
            let (mut index, mut has_failed) = (0, false);
            while let Some((address, attempt)) = running.get_mut(index) {
                let address = *address;
                match attempt.as_mut().poll(context) {
                    Poll::Ready(Ok(reached)) => return Poll::Ready(Ok((address, reached))),
                    Poll::Ready(Err(error)) => {
                        failed(address, &error);
                        last = Some((address, error));
                        has_failed = true;
                        drop(running.remove(index));
                    }
                    Poll::Pending => index += 1,
                }
            }
            // The first attempt starts without a timer: even a timer of zero length takes a
            // millisecond.
            let is_time = running.is_empty() || has_failed || next_start.as_mut().poll(context).is_ready();
            if !is_time {
                return Poll::Pending;
            }
            match waiting.next() {
                Some(address) => {
                    running.push((address, Box::pin(attempt(address))));
                    next_start.as_mut().reset(Instant::now() + attempt_delay);
                }
                None if running.is_empty() => return Poll::Ready(Err(last.take())),
                None => return Poll::Pending,
            }
        }
    })
    .await
}

/// The time after which the next address is tried in parallel.
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);
/// The maximum number of addresses that are tried.
const MAX_ADDRESSES: usize = 16;

#[cfg(test)]
mod tests;
