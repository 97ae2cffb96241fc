//! `poll-rounds FILE ROUNDS`: our poller's library as a process, for as long as it takes to poll every target so often.
//!
//! Intervals are not waited for: once all have answered the clock that the poller is told of jumps to the next round.
//! The agents' clocks fall behind by as much, of which SNMPv3 allows 150 s: 29 rounds.

use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use portreeve_poll::sockets::{Places, Sockets};
use portreeve_poll::{Peer, Poller, configuration};
use portreeve_smi::Timestamp;

use crate::failure::Result;

/// Prints a line `objects=N` with how many values came.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, rounds] = arguments else { return Err("poll-rounds FILE ROUNDS".into()) };
    let mut rounds_left: u32 = rounds.parse()?;
    let mut poller = Poller::default();
    poller.replace(peers(Path::new(file))?);
    let mut sockets = Sockets::open()?;
    // Nobody interrupts, but the sockets wait for whoever might.
    let (_waker, woken) = UnixStream::pair()?;
    // When the round began, by the clock here and by the one that the poller is told of.
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
        while let Some((peer, report)) = poller.poll_report() {
            let (response, _) = report.result.as_ref().map_err(|error| format!("{peer:?}: {error}"))?;
            objects += peer.values(&report, response).filter(|(_, value)| !value.is_exception()).count();
            answered += 1;
            poller.recycle(report);
        }
        if answered >= poller.peers().len() {
            (answered, rounds_left) = (0, rounds_left - 1);
            (begun, round) = (Instant::now(), round + INTERVAL);
            continue;
        }
        let patience = poller.next_timeout(now).map_or(INTERVAL, |at| at.since(now));
        sockets.wait(&woken, poller.gathering(now), patience)?;
    }
    println!("objects={objects}");
    Ok(())
}

/// One for every target of `file`, each with one question.
pub(crate) fn peers(file: &Path) -> Result<Vec<Peer>> {
    let (plan, _) = configuration::load(file).map_err(|problems| problems.to_string())?;
    let mut places = Places::default();
    let mut peers = Vec::new();
    for (seed, mut target) in (1..).zip(plan.targets) {
        target.interval = INTERVAL;
        let address = SocketAddr::new(target.address.host.parse()?, target.address.port);
        let place = places.at(address).ok_or("too many targets at one address")?;
        peers.push(Peer::new(target, place, Timestamp::ZERO, seed)?);
    }
    Ok(peers)
}

/// Longer than a round takes, so that none begins by itself.
const INTERVAL: Duration = Duration::from_secs(5);
