//! `load`: keeps a window of identical requests outstanding at a server and counts the replies.
//!
//! ```text
//! send WINDOW requests ──▶ one more request per reply ──▶ after the warm-up, count until the time
//! is over
//! ```
//! It must be faster than what it measures: replies are received and answered in batches without
//! parsing. If no reply arrives because datagrams were lost, the whole window is sent again. With
//! several servers, at consecutive ports, requests are sent to them in rotation.

use std::fs;
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use portreeve_sys::DatagramBatch;

use crate::error::{Context, Result};
use crate::options::Options;

/// Prints one line: `replies=N seconds=S lost=N`. With `--reply FILE`, only performs one exchange
/// and writes the reply to FILE.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options =
        Options::parse(arguments, &["to", "request", "window", "seconds", "count", "reply", "ports"])?;
    let file: String = options.required("request")?;
    let mut load = Load::new(
        options.required("to")?,
        fs::read(&file).context(&file)?,
        options.or("window", DEFAULT_WINDOW)?,
        options.or("ports", 1)?,
    )?;
    if let Some(path) = options.all("reply").last() {
        return fs::write(path, load.single()?).context(path);
    }
    let count: u64 = options.or("count", 0)?;
    let outcome = if count > 0 {
        load.exchange(count)?
    } else {
        load.measure(Duration::from_secs_f64(options.or("seconds", 1.0)?))?
    };
    println!(
        "replies={} seconds={:.6} lost={}",
        outcome.replies,
        outcome.elapsed.as_secs_f64(),
        outcome.lost
    );
    Ok(())
}

/// The result of one measurement.
pub(crate) struct LoadResult {
    /// Number of replies within `elapsed`.
    pub(crate) replies: u64,
    /// The time during which replies were counted.
    pub(crate) elapsed: Duration,
    /// Number of requests sent again because no reply came.
    pub(crate) lost: u64,
}

/// A client with a window of identical requests.
pub(crate) struct Load {
    socket: UdpSocket,
    servers: Vec<SocketAddr>,
    /// Index of the server for the next request.
    next_server: usize,
    request: Vec<u8>,
    window: u64,
    batch: DatagramBatch,
    lost: u64,
}

impl Load {
    /// Creates a client of `server` and of the servers on the following ports. If there is only one
    /// server, its socket is connected, so that an error is reported at once if the server exits.
    pub(crate) fn new(server: SocketAddr, request: Vec<u8>, window: u64, ports: u16) -> Result<Self> {
        let any: SocketAddr = if server.is_ipv4() { ([0; 4], 0).into() } else { ([0u16; 8], 0).into() };
        let socket = UdpSocket::bind(any)?;
        if ports == 1 {
            socket.connect(server).context(server)?;
        }
        let last = server.port().checked_add(ports - 1).ok_or("too many ports")?;
        let servers = (server.port()..=last).map(|port| SocketAddr::new(server.ip(), port)).collect();
        socket.set_read_timeout(Some(LOSS_TIMEOUT))?;
        Ok(Self {
            socket,
            servers,
            next_server: 0,
            request,
            window,
            batch: DatagramBatch::new(SLOT_OCTETS),
            lost: 0,
        })
    }

    /// Sends the request until a reply arrives, and returns that reply.
    pub(crate) fn single(&mut self) -> Result<Vec<u8>> {
        let mut reply = vec![0; SLOT_OCTETS];
        for _ in 0..20 {
            self.socket.send(&self.request)?;
            match self.socket.recv(&mut reply) {
                Ok(length) => {
                    reply.truncate(length);
                    return Ok(reply);
                }
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err("the server does not respond".into())
    }

    /// Sends exactly `count` requests and receives a reply to each.
    pub(crate) fn exchange(&mut self, count: u64) -> Result<LoadResult> {
        let start = Instant::now();
        let window = self.window.min(count);
        self.fill(window)?;
        let (mut replies, mut to_send) = (0, count - window);
        while replies < count {
            let refill = to_send.min(self.window);
            let got = self.exchange_batch(refill, window.min(count - replies))?;
            replies += got;
            to_send -= got.min(to_send);
        }
        Ok(LoadResult { replies, elapsed: start.elapsed(), lost: self.lost })
    }

    /// Sends as many requests as possible within `time`, after a warm-up.
    pub(crate) fn measure(&mut self, time: Duration) -> Result<LoadResult> {
        self.fill(self.window)?;
        let warm = Instant::now();
        while warm.elapsed() < time / 5 {
            self.exchange_batch(u64::MAX, self.window)?;
        }
        self.lost = 0;
        let start = Instant::now();
        let mut replies = 0;
        while start.elapsed() < time {
            replies += self.exchange_batch(u64::MAX, self.window)?;
        }
        Ok(LoadResult { replies, elapsed: start.elapsed(), lost: self.lost })
    }

    fn fill(&mut self, count: u64) -> Result<()> {
        (0..count).try_for_each(|_| self.send())
    }

    fn send(&mut self) -> Result<()> {
        match self.servers.as_slice() {
            [_] => self.socket.send(&self.request)?,
            servers => {
                self.next_server = (self.next_server + 1) % servers.len();
                self.socket.send_to(&self.request, servers[self.next_server])?
            }
        };
        Ok(())
    }

    /// Receives the replies that are available, or waits until one is, and sends at most `refill`
    /// requests.
    fn exchange_batch(&mut self, refill: u64, outstanding: u64) -> Result<u64> {
        let received = match self.batch.receive(self.socket.as_fd()) {
            Ok(received) => received as u64,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return self.wait(refill, outstanding),
            Err(error) => return Err(error.into()),
        };
        if self.servers.len() > 1 {
            self.fill(received.min(refill))?;
            return Ok(received);
        }
        for index in 0..received.min(refill) as usize {
            if let Some(slot) = self.batch.slot(index) {
                slot.reply[..self.request.len()].copy_from_slice(&self.request);
                self.batch.queue_reply(index, 0..self.request.len());
            }
        }
        self.batch.flush(self.socket.as_fd())?;
        Ok(received)
    }

    /// Waits for one reply; if none arrives in time, all outstanding requests count as lost and are
    /// sent again.
    fn wait(&mut self, refill: u64, outstanding: u64) -> Result<u64> {
        let mut reply = [0; SLOT_OCTETS];
        match self.socket.recv(&mut reply) {
            Ok(_) => {
                if refill > 0 {
                    self.send()?;
                }
                Ok(1)
            }
            Err(error) if is_timeout(&error) => {
                self.lost += outstanding;
                self.fill(outstanding)?;
                Ok(0)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// The window of the published figures.
const DEFAULT_WINDOW: u64 = 64;

/// Number of octets that are read of a reply; the rest of a longer one is discarded.
const SLOT_OCTETS: usize = 2048;

/// The time after which outstanding requests count as lost: far longer than the queueing delay of a
/// full window, far shorter than a measurement.
const LOSS_TIMEOUT: Duration = Duration::from_millis(100);
