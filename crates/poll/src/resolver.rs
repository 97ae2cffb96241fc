//! Turns names of hosts into addresses, in threads of its own: whoever polls never waits for a name server.

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

/// Targets whose addresses are not known yet.
pub(crate) struct Resolver {
    requests: mpsc::Sender<(u64, PeerAddress)>,
    results: mpsc::Receiver<(u64, io::Result<SocketAddr>)>,
    pending: HashMap<u64, UnresolvedTarget>,
    /// Those to be looked up again, the earliest first.
    retries: VecDeque<(Timestamp, UnresolvedTarget)>,
    next: u64,
}

/// One of them.
pub(crate) struct UnresolvedTarget {
    pub(crate) target: Target,
    /// When to poll it first.
    pub(crate) first: Timestamp,
    /// Whether to try again where its name has no address now.
    pub(crate) retry: bool,
}

impl Resolver {
    /// `waker` is written to when an address has been found.
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
                    // A full socket wakes as well as one octet more.
                    let _ = waker.write(&[0]);
                }
            })?;
        }
        Ok(Self { requests, results, pending: HashMap::new(), retries: VecDeque::new(), next: 0 })
    }

    /// Looks for the address of a target.
    pub(crate) fn look_up(&mut self, unresolved: UnresolvedTarget) {
        self.next += 1;
        // The threads end after this has gone.
        let _ = self.requests.send((self.next, unresolved.target.address.clone()));
        self.pending.insert(self.next, unresolved);
    }

    /// Forgets every target.
    pub(crate) fn clear(&mut self) {
        self.pending.clear();
        self.retries.clear();
    }

    /// The next target whose address has been found. One without address is told, and looked up again later.
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
                    print_stderr(format_args!("target {name}: {host}: {why}; it is not polled"));
                    if unresolved.retry {
                        self.retries.push_back((now + RETRY_INTERVAL, unresolved));
                    }
                }
            }
        }
        None
    }

    /// Whether no target waits for its address.
    pub(crate) fn is_done(&self) -> bool {
        self.pending.is_empty() && self.retries.is_empty()
    }

    /// When to look again.
    pub(crate) fn next_timeout(&self) -> Option<Timestamp> {
        self.retries.front().map(|(at, _)| *at)
    }
}

/// An address of the host; IPv4 where it has both and none is asked for.
fn resolve(new_peer: &PeerAddress) -> io::Result<SocketAddr> {
    let mut results: Vec<_> = (new_peer.host.as_str(), new_peer.port).to_socket_addrs()?.collect();
    results.retain(|address| match new_peer.family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    results.sort_by_key(SocketAddr::is_ipv6);
    results.first().copied().ok_or_else(|| io::Error::other("the name has no address of this family"))
}

/// Names that are asked for at once: one that no server knows of holds a thread for seconds.
const RESOLVER_THREADS: usize = 8;
/// How long until a name without address is looked up again.
const RETRY_INTERVAL: Duration = Duration::from_secs(60);
