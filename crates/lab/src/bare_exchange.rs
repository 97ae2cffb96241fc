//! `bare-exchange FILE ROUNDS`: exchanges the datagrams of `poll-rounds` without a poller, to
//! measure the kernel's share.
//!
//! Sends the same prepared request to every target of FILE, and counts responses without parsing
//! them. The credentials of every target must be a community. Sockets, system calls and the number
//! of outstanding requests are those of the poller.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use portreeve_poll::sockets::SocketPool;
use portreeve_poll::{Peer, PeerEndpoint, Poller};
use portreeve_smi::Timestamp;

use crate::error::Result;
use crate::polling;

/// Prints a line `objects=N` with the number of values received. It assumes that no response is
/// incomplete.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, rounds] = arguments else { return Err(crate::commands::usage_error("bare-exchange")) };
    let rounds: usize = rounds.parse()?;
    let peers = polling::peers(Path::new(file))?;
    let objects = peers.first().map_or(0, |peer| peer.target().group.get.len());
    let places: Vec<PeerEndpoint> = peers.iter().map(Peer::endpoint).collect();
    let request = first_request(peers)?;
    let mut sockets = SocketPool::open()?;
    // No other thread wakes the sockets, but their wait function needs a waker.
    let (_waker, woken) = UnixStream::pair()?;
    let (mut answers, mut answered) = (0, Instant::now());
    for _ in 0..rounds {
        let (mut rest, mut outstanding) = (places.iter(), 0);
        loop {
            for place in rest.by_ref().take(WINDOW - outstanding) {
                sockets.send(*place, &request);
                outstanding += 1;
            }
            sockets.flush();
            if outstanding == 0 {
                break;
            }
            sockets.wait(&woken, BATCH_DELAY, REPLY_TIMEOUT)?;
            let before = answers;
            sockets.receive(|_, _| answers += 1);
            if answers > before {
                answered = Instant::now();
            } else if answered.elapsed() > REPLY_TIMEOUT {
                return Err("a response was lost".into());
            }
            outstanding -= answers - before;
        }
    }
    println!("objects={}", answers * objects);
    Ok(())
}

fn first_request(peers: Vec<Peer>) -> Result<Vec<u8>> {
    let (mut poller, mut request) = (Poller::default(), Vec::new());
    poller.replace(peers);
    poller.handle_timeout(Timestamp::ZERO);
    poller.poll_output(Timestamp::ZERO, &mut request).ok_or("the file contains no targets")?;
    Ok(request)
}

/// The maximum number of outstanding requests and the time to wait for more responses: both as in
/// the poller.
const WINDOW: usize = 64;
const BATCH_DELAY: Duration = Duration::from_micros(500);
/// The time after which a response counts as missing. It can be long, because loopback does not
/// lose datagrams.
const REPLY_TIMEOUT: Duration = Duration::from_secs(5);
