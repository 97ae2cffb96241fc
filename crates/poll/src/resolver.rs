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

use crate::{Target, tell::tell};

/// Targets whose addresses are not known yet.
pub(crate) struct Names {
    asked: mpsc::Sender<(u64, PeerAddress)>,
    found: mpsc::Receiver<(u64, io::Result<SocketAddr>)>,
    waiting: HashMap<u64, Nameless>,
    /// Those to be looked up again, the earliest first.
    later: VecDeque<(Timestamp, Nameless)>,
    next: u64,
}

/// One of them.
pub(crate) struct Nameless {
    pub(crate) target: Target,
    /// When to poll it first.
    pub(crate) first: Timestamp,
    /// Whether to try again where its name has no address now.
    pub(crate) again: bool,
}

impl Names {
    /// `waker` is written to when an address has been found.
    pub(crate) fn start(waker: &UnixStream) -> io::Result<Self> {
        let ((asked, names), (answer, found)) = (mpsc::channel::<(u64, PeerAddress)>(), mpsc::channel());
        let names = Arc::new(Mutex::new(names));
        for _ in 0..THREADS {
            let (names, answer, mut waker) = (Arc::clone(&names), answer.clone(), waker.try_clone()?);
            thread::Builder::new().name("names".into()).spawn(move || {
                loop {
                    let next = names.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, address)) = next else { break };
                    if answer.send((number, resolve(&address))).is_err() {
                        break;
                    }
                    // A full socket wakes as well as one octet more.
                    let _ = waker.write(&[0]);
                }
            })?;
        }
        Ok(Self { asked, found, waiting: HashMap::new(), later: VecDeque::new(), next: 0 })
    }

    /// Looks for the address of a target.
    pub(crate) fn look_up(&mut self, nameless: Nameless) {
        self.next += 1;
        // The threads end after this has gone.
        let _ = self.asked.send((self.next, nameless.target.address.clone()));
        self.waiting.insert(self.next, nameless);
    }

    /// Forgets every target.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
        self.later.clear();
    }

    /// The next target whose address has been found. One without address is told, and looked up again later.
    pub(crate) fn poll_found(&mut self, now: Timestamp) -> Option<(Nameless, SocketAddr)> {
        while self.later.front().is_some_and(|(at, _)| *at <= now) {
            if let Some((_, nameless)) = self.later.pop_front() {
                self.look_up(nameless);
            }
        }
        while let Ok((number, address)) = self.found.try_recv() {
            let Some(nameless) = self.waiting.remove(&number) else { continue };
            match address {
                Ok(address) => return Some((nameless, address)),
                Err(why) => {
                    let (name, host) = (&nameless.target.name, &nameless.target.address.host);
                    tell(format_args!("target {name}: {host}: {why}; it is not polled"));
                    if nameless.again {
                        self.later.push_back((now + LATER, nameless));
                    }
                }
            }
        }
        None
    }

    /// Whether no target waits for its address.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.later.is_empty()
    }

    /// When to look again.
    pub(crate) fn next_timeout(&self) -> Option<Timestamp> {
        self.later.front().map(|(at, _)| *at)
    }
}

/// An address of the host; IPv4 where it has both and none is asked for.
fn resolve(peer: &PeerAddress) -> io::Result<SocketAddr> {
    let mut found: Vec<_> = (peer.host.as_str(), peer.port).to_socket_addrs()?.collect();
    found.retain(|address| match peer.family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    found.first().copied().ok_or_else(|| io::Error::other("the name has no address of this family"))
}

/// Names that are asked for at once: one that no server knows of holds a thread for seconds.
const THREADS: usize = 8;
/// How long until a name without address is looked up again.
const LATER: Duration = Duration::from_secs(60);
