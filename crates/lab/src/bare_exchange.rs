//! `bare-exchange FILE ROUNDS`: the datagrams of `poll-rounds` without a poller, to see what the kernel alone takes.
//!
//! Every target of FILE, whose credentials are a community, is sent the same request, made once; answers are counted
//! unread. Sockets, system calls and how many requests are on their way are those of our poller.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use portreeve_poll::sockets::Sockets;
use portreeve_poll::{Peer, Place, Poller};
use portreeve_smi::Timestamp;

use crate::failure::Result;
use crate::polling;

/// Prints a line `objects=N` with how many values came, if every answer has all.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, rounds] = arguments else { return Err("bare-exchange FILE ROUNDS".into()) };
    let rounds: usize = rounds.parse()?;
    let peers = polling::peers(Path::new(file))?;
    let objects = peers.first().map_or(0, |peer| peer.target().group.get.len());
    let places: Vec<Place> = peers.iter().map(Peer::place).collect();
    let request = first_request(peers)?;
    let mut sockets = Sockets::open()?;
    // Nobody interrupts, but the sockets wait for whoever might.
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
            sockets.wait(&woken, GATHERING, PATIENCE)?;
            let before = answers;
            sockets.receive(|_, _| answers += 1);
            if answers > before {
                answered = Instant::now();
            } else if answered.elapsed() > PATIENCE {
                return Err("an answer is lost".into());
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
    poller.poll_output(Timestamp::ZERO, &mut request).ok_or("nobody is asked")?;
    Ok(request)
}

/// As many as our poller has unanswered, and as long as it lets answers gather.
const WINDOW: usize = 64;
const GATHERING: Duration = Duration::from_micros(500);
/// Loopback loses nothing.
const PATIENCE: Duration = Duration::from_secs(5);
