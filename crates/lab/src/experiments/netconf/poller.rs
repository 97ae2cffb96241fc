//! A v2c client that sends a GET at fixed times, while the agent does something else.

use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::setup::COMMUNITY;
use crate::error::Result;
use crate::requests;

/// A running client.
pub(super) struct Poller {
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<Result<Vec<f64>>>,
}

impl Poller {
    /// Starts the client on its own thread.
    pub(super) fn start(agent: SocketAddr) -> Result<Self> {
        let request = requests::get(COMMUNITY, requests::SYS_UP_TIME)?;
        let socket = UdpSocket::bind("127.0.0.1:0")?;
        socket.connect(agent)?;
        socket.set_read_timeout(Some(TIMEOUT))?;
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        let thread = thread::spawn(move || poll(&socket, &request, &flag));
        Ok(Self { stopped, thread })
    }

    /// Stops the client. Returns the time of each GET in milliseconds.
    pub(super) fn stop(self) -> Result<Vec<f64>> {
        self.stopped.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| "the poller panicked")?
    }
}

/// Measures the GETs of `duration`.
pub(super) fn measure(agent: SocketAddr, duration: Duration) -> Result<Vec<f64>> {
    let poller = Poller::start(agent)?;
    thread::sleep(duration);
    poller.stop()
}

/// Sends a GET every [`INTERVAL`]. A GET that was due while the client waited for a response counts
/// as sent at that time, so that a long delay has its share in the percentiles.
fn poll(socket: &UdpSocket, request: &[u8], stopped: &AtomicBool) -> Result<Vec<f64>> {
    let (mut times, mut response) = (Vec::new(), [0; 1500]);
    let mut due = Instant::now();
    while !stopped.load(Ordering::Relaxed) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let sent = Instant::now();
        socket.send(request)?;
        socket.recv(&mut response).map_err(|error| format!("a GET was not answered: {error}"))?;
        let received = Instant::now();
        times.push(milliseconds(received - sent));
        due = sent + INTERVAL;
        while due < received {
            times.push(milliseconds(received - due));
            due += INTERVAL;
        }
    }
    Ok(times)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Time between two GETs.
const INTERVAL: Duration = Duration::from_millis(1);
/// Time after which a GET counts as lost. GETs are not repeated.
const TIMEOUT: Duration = Duration::from_secs(5);
