//! Reaching a host that has several addresses, some of which may lead nowhere.
//!
//! ```text
//! first address ──────────────────────────── silence ───────────▶
//!      second ── after a head start, or at once when the first has failed ──▶ answers: the others are given up
//! ```
//! So an address that swallows everything costs a quarter of a second, not the patience of the whole command. Who finds the
//! addresses, and in which order they are best, is the caller's business (the idea is RFC 8305's).

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

/// A connection to the first of the addresses that takes one. Each gets so much patience at most; of very many only the
/// first few are tried.
///
/// # Errors
/// What the last one that failed has said, and which that was; `None` where there is no address at all.
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

/// Has what is written from now on leave in one packet with the connection's end, which is to follow at once.
pub fn cork_until_close(stream: &TcpStream) {
    // Where this cannot be set, they are two.
    let _ = rustix::net::sockopt::set_tcp_cork(stream, true);
}

/// The first attempt that succeeds, and whose it was.
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
            // The first waits for nothing: even a timer of no length takes a millisecond.
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

/// What one address has before the next is tried beside it.
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);
/// Addresses that are tried.
const MAX_ADDRESSES: usize = 16;

#[cfg(test)]
mod tests;
