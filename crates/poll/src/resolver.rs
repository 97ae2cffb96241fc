//! Resolves host names in separate threads, so that the polling thread never waits for DNS.

use std::{
    collections::{HashMap, VecDeque},
    io::{self, Write},
    net::{SocketAddr, ToSocketAddrs},
    os::unix::net::UnixStream,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use portreeve_smi::Timestamp;
use portreeve_snmp_manager::{Family, PeerAddress};

use crate::{Target, stderr::print_stderr};

/// Targets without a resolved address.
pub(crate) struct Resolver {
    requests: mpsc::Sender<(u64, PeerAddress)>,
    results: mpsc::Receiver<(u64, io::Result<SocketAddr>)>,
    pending: HashMap<u64, UnresolvedTarget>,
    /// Targets to resolve again, earliest first.
    retries: VecDeque<(Timestamp, UnresolvedTarget)>,
    next: u64,
}

/// A target whose address is not resolved.
pub(crate) struct UnresolvedTarget {
    pub(crate) target: Target,
    /// The time of its first poll.
    pub(crate) first: Timestamp,
    /// True if the resolver retries later when the name has no address.
    pub(crate) retry: bool,
}

impl Resolver {
    /// Starts the threads, which write to `waker` after each result.
    pub(crate) fn start(waker: &UnixStream) -> io::Result<Self> {
        let ((requests, resolver), (result_sender, results)) =
            (mpsc::channel::<(u64, PeerAddress)>(), mpsc::channel());
        let resolver = Arc::new(Mutex::new(resolver));
        for _ in 0..RESOLVER_THREADS {
            let (resolver, result_sender, mut waker) =
                (Arc::clone(&resolver), result_sender.clone(), waker.try_clone()?);
            thread::Builder::new().name("names".into()).spawn(move || {
                loop {
                    let next = resolver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, address)) = next else { break };
                    if result_sender.send((number, resolve(&address))).is_err() {
                        break;
                    }
                    // Writing fails if the socket is full, but then the poller is woken anyway.
                    let _ = waker.write(&[0]);
                }
            })?;
        }
        Ok(Self { requests, results, pending: HashMap::new(), retries: VecDeque::new(), next: 0 })
    }

    /// Starts to resolve a target's address.
    pub(crate) fn look_up(&mut self, unresolved: UnresolvedTarget) {
        self.next += 1;
        // Sending cannot fail, because the threads run as long as this value exists.
        let _ = self.requests.send((self.next, unresolved.target.address.clone()));
        self.pending.insert(self.next, unresolved);
    }

    /// Removes every target that waits for its address.
    pub(crate) fn clear(&mut self) {
        self.pending.clear();
        self.retries.clear();
    }

    /// Returns the next target with a resolved address. Reports and reschedules targets without
    /// one.
    pub(crate) fn poll_resolved(&mut self, now: Timestamp) -> Option<(UnresolvedTarget, SocketAddr)> {
        while self.retries.front().is_some_and(|(at, _)| *at <= now) {
            if let Some((_, unresolved)) = self.retries.pop_front() {
                self.look_up(unresolved);
            }
        }
        while let Ok((number, address)) = self.results.try_recv() {
            let Some(unresolved) = self.pending.remove(&number) else { continue };
            match address {
                Ok(address) => return Some((unresolved, address)),
                Err(why) => {
                    let (name, host) = (&unresolved.target.name, &unresolved.target.address.host);
                    print_stderr(format_args!("target {name} is not polled: cannot resolve {host}: {why}"));
                    if unresolved.retry {
                        self.retries.push_back((now + RETRY_INTERVAL, unresolved));
                    }
                }
            }
        }
        None
    }

    /// Returns true if no target waits for its address.
    pub(crate) fn is_done(&self) -> bool {
        self.pending.is_empty() && self.retries.is_empty()
    }

    /// Returns the time of the next retry.
    pub(crate) fn next_timeout(&self) -> Option<Timestamp> {
        self.retries.front().map(|(at, _)| *at)
    }
}

/// Returns an address of the host. If it has IPv4 and IPv6 addresses and the target does not
/// require a family, returns an IPv4 address.
fn resolve(peer: &PeerAddress) -> io::Result<SocketAddr> {
    let mut results: Vec<_> = (peer.host.as_str(), peer.port).to_socket_addrs()?.collect();
    results.retain(|address| match peer.family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    results.sort_by_key(SocketAddr::is_ipv6);
    results
        .first()
        .copied()
        .ok_or_else(|| io::Error::other("the name has no address of the requested family (IPv4 or IPv6)"))
}

/// The number of parallel lookups. Several are needed, because a name whose servers do not respond
/// blocks a thread for seconds.
const RESOLVER_THREADS: usize = 8;
/// The time after which a name without an address is looked up again.
const RETRY_INTERVAL: Duration = Duration::from_secs(60);
