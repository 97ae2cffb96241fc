//! `load`: keeps a window of equal requests outstanding at one server and counts the replies.
//!
//! ```text
//! send WINDOW requests ──▶ for each reply one more request ──▶ after the warm-up count until the time is over
//! ```
//! It must be faster than what it measures: replies are taken and answered in batches, and nothing is parsed.
//! A window that has run dry (lost datagrams) is refilled. Where there are several servers, at ports that follow each
//! other, each gets a request in turn, one by one.

use std::fs;
use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use portreeve_sys::Batch;

use crate::failure::{Context, Result};
use crate::options::Options;

/// One line on stdout: `replies=N seconds=S lost=N`. With `--reply FILE` one exchange, whose reply goes to the file.
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
        return fs::write(path, load.one()?).context(path);
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

/// What a run has seen.
pub(crate) struct Outcome {
    /// Replies within `elapsed`.
    pub(crate) replies: u64,
    /// How long was counted.
    pub(crate) elapsed: Duration,
    /// Requests that were sent again because nothing came.
    pub(crate) lost: u64,
}

/// A client with a window of equal requests.
pub(crate) struct Load {
    socket: UdpSocket,
    servers: Vec<SocketAddr>,
    /// Who is next.
    turn: usize,
    request: Vec<u8>,
    window: u64,
    batch: Batch,
    lost: u64,
}

impl Load {
    /// A client of `server`, and of those behind it on so many ports. The socket of a single server is connected, so that
    /// it is an error at once when that is gone.
    pub(crate) fn new(server: SocketAddr, request: Vec<u8>, window: u64, ports: u16) -> Result<Self> {
        let any: SocketAddr = if server.is_ipv4() { ([0; 4], 0).into() } else { ([0u16; 8], 0).into() };
        let socket = UdpSocket::bind(any)?;
        if ports == 1 {
            socket.connect(server).context(server)?;
        }
        let last = server.port().checked_add(ports - 1).ok_or("there are not that many ports")?;
        let servers = (server.port()..=last).map(|port| SocketAddr::new(server.ip(), port)).collect();
        socket.set_read_timeout(Some(LOSS_TIMEOUT))?;
        Ok(Self { socket, servers, turn: 0, request, window, batch: Batch::new(SLOT_OCTETS), lost: 0 })
    }

    /// The first reply, for its length and content.
    pub(crate) fn one(&mut self) -> Result<Vec<u8>> {
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
        Err("the server does not answer".into())
    }

    /// Exactly `count` requests, each answered.
    pub(crate) fn exchange(&mut self, count: u64) -> Result<Outcome> {
        let start = Instant::now();
        let window = self.window.min(count);
        self.fill(window)?;
        let (mut replies, mut to_send) = (0, count - window);
        while replies < count {
            let refill = to_send.min(self.window);
            let got = self.turn(refill, window.min(count - replies))?;
            replies += got;
            to_send -= got.min(to_send);
        }
        Ok(Outcome { replies, elapsed: start.elapsed(), lost: self.lost })
    }

    /// As many as fit into `time`, after a warm-up.
    pub(crate) fn measure(&mut self, time: Duration) -> Result<Outcome> {
        self.fill(self.window)?;
        let warm = Instant::now();
        while warm.elapsed() < time / 5 {
            self.turn(u64::MAX, self.window)?;
        }
        self.lost = 0;
        let start = Instant::now();
        let mut replies = 0;
        while start.elapsed() < time {
            replies += self.turn(u64::MAX, self.window)?;
        }
        Ok(Outcome { replies, elapsed: start.elapsed(), lost: self.lost })
    }

    fn fill(&mut self, count: u64) -> Result<()> {
        (0..count).try_for_each(|_| self.send())
    }

    fn send(&mut self) -> Result<()> {
        match self.servers.as_slice() {
            [_] => self.socket.send(&self.request)?,
            servers => {
                self.turn = (self.turn + 1) % servers.len();
                self.socket.send_to(&self.request, servers[self.turn])?
            }
        };
        Ok(())
    }

    /// Takes the replies that are there (waiting for the first), sends at most `refill` requests for them.
    fn turn(&mut self, refill: u64, outstanding: u64) -> Result<u64> {
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
                slot.answer[..self.request.len()].copy_from_slice(&self.request);
                self.batch.answer(index, 0..self.request.len());
            }
        }
        self.batch.flush(self.socket.as_fd())?;
        Ok(received)
    }

    /// Blocks for one reply; when none comes the window is lost and sent anew.
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

/// The setting of the published figures.
const DEFAULT_WINDOW: u64 = 64;

/// The largest reply that is read whole.
const SLOT_OCTETS: usize = 2048;

/// Far above any queueing delay of a full window, far below a measurement.
const LOSS_TIMEOUT: Duration = Duration::from_millis(100);
