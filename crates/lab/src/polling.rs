//! `poll-rounds FILE ROUNDS`: polls every target ROUNDS times with our poller's library, in its own
//! process.
//!
//! It does not wait for intervals: when all targets have responded, the poller's clock jumps to the
//! next round. As a result, the agents' clocks fall behind the poller's clock. SNMPv3 allows a
//! difference of 150 s, which is 29 rounds.

use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use portreeve_poll::sockets::{EndpointAllocator, SocketPool};
use portreeve_poll::{Peer, Poller, configuration};
use portreeve_smi::Timestamp;

use crate::error::Result;

/// Prints a line `objects=N` with the number of values received.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, rounds] = arguments else { return Err(crate::commands::usage_error("poll-rounds")) };
    let mut rounds_left: u32 = rounds.parse()?;
    let mut poller = Poller::default();
    poller.replace(peers(Path::new(file))?);
    let mut sockets = SocketPool::open()?;
    // No other thread wakes the sockets, but their wait function needs a waker.
    let (_waker, woken) = UnixStream::pair()?;
    // The start of the round, by the real clock and by the poller's clock.
    let (mut begun, mut round) = (Instant::now(), Timestamp::ZERO);
    let (mut message, mut answered, mut objects) = (Vec::new(), 0, 0_usize);
    while rounds_left > 0 {
        let now = round + begun.elapsed();
        sockets.receive(|from, message| poller.handle_input(now, from, message));
        poller.handle_timeout(now);
        while let Some(place) = poller.poll_output(now, &mut message) {
            sockets.send(place, &message);
        }
        sockets.flush();
        while let Some((peer, report)) = poller.poll_result() {
            let (response, _) = report.outcome.as_ref().map_err(|error| format!("{peer:?}: {error}"))?;
            objects += peer.values(&report, response).filter(|(_, value)| !value.is_exception()).count();
            answered += 1;
            poller.recycle(report);
        }
        if answered >= poller.peers().len() {
            (answered, rounds_left) = (0, rounds_left - 1);
            (begun, round) = (Instant::now(), round + INTERVAL);
            continue;
        }
        let timeout = poller.next_timeout(now).map_or(INTERVAL, |at| at.since(now));
        sockets.wait(&woken, poller.gather_time(now), timeout)?;
    }
    println!("objects={objects}");
    Ok(())
}

/// Returns one peer for every target of `file`, each with one request.
pub(crate) fn peers(file: &Path) -> Result<Vec<Peer>> {
    let (plan, _) = configuration::load(file).map_err(|problems| problems.to_string())?;
    let mut places = EndpointAllocator::default();
    let mut peers = Vec::new();
    for (seed, mut target) in (1..).zip(plan.targets) {
        target.interval = INTERVAL;
        let address = SocketAddr::new(target.address.host.parse()?, target.address.port);
        let place = places.allocate(address).ok_or("too many targets at one address")?;
        peers.push(Peer::new(target, place, Timestamp::ZERO, seed)?);
    }
    Ok(peers)
}

/// The polling interval: longer than a round, so that no round starts by itself.
const INTERVAL: Duration = Duration::from_secs(5);
