//! `trap-load`: sends the same trap again and again, as fast as a receiver writes it to its file.
//!
//! ```text
//! outstanding = sent - octets in the file / octets of one notification
//! ```
//! Traps have no response. Therefore the length of the receiver's file limits the number of
//! outstanding traps: without a limit, only the losses of a socket buffer would be measured. Traps
//! that are not in the file 100 ms after the last one that arrived are lost.

use std::fs::{self, File};
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use portreeve_sys::{Endpoint, SendBatch};

use crate::error::{Context, Result};
use crate::options::Options;

/// Prints one line: `written=N seconds=S lost=N sent=N`. `written` are the traps that were written
/// within these seconds, `lost` and `sent` those of the whole run, with its warm-up.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments, &["to", "request", "window", "seconds", "file", "octets"])?;
    let (request, file): (String, String) = (options.required("request")?, options.required("file")?);
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let octets_each: u64 = options.required("octets")?;
    let to: SocketAddr = options.required("to")?;
    let mut load = TrapLoad {
        socket,
        to: Endpoint { peer: to, local: None },
        trap: fs::read(&request).context(&request)?,
        batch: SendBatch::default(),
        flow: Flow { window: options.required("window")?, ..Flow::default() },
        start: fs::metadata(&file).context(&file)?.len(),
        file: File::open(&file).context(&file)?,
        octets_each: octets_each.max(1),
    };
    let time = Duration::from_secs_f64(options.required("seconds")?);
    load.send_for(time / 5)?;
    let (before, started) = (load.flow.written, Instant::now());
    load.send_for(time)?;
    let (written, seconds) = (load.flow.written - before, started.elapsed().as_secs_f64());
    while load.flow.outstanding() > 0 {
        load.read_progress()?;
    }
    println!("written={written} seconds={seconds:.6} lost={} sent={}", load.flow.lost, load.flow.sent);
    Ok(())
}

struct TrapLoad {
    socket: UdpSocket,
    to: Endpoint,
    trap: Vec<u8>,
    batch: SendBatch,
    flow: Flow,
    file: File,
    /// The length of the file before the first trap.
    start: u64,
    octets_each: u64,
}

impl TrapLoad {
    fn send_for(&mut self, time: Duration) -> Result<()> {
        let end = Instant::now() + time;
        while Instant::now() < end {
            while self.flow.room() > 0 && self.batch.push(self.to, &self.trap) {
                self.flow.sent += 1;
            }
            if !self.batch.is_empty() {
                self.batch.flush(self.socket.as_fd());
            }
            self.read_progress()?;
        }
        Ok(())
    }

    fn read_progress(&mut self) -> Result<()> {
        let octets = self.file.metadata()?.len().saturating_sub(self.start);
        self.flow.advance(octets / self.octets_each, Instant::now());
        Ok(())
    }
}

/// The traps that were sent, and their whereabouts.
#[derive(Default)]
struct Flow {
    window: u64,
    sent: u64,
    written: u64,
    lost: u64,
    /// The time when the last trap was written or given up.
    progress: Option<Instant>,
}

impl Flow {
    fn outstanding(&self) -> u64 {
        self.sent.saturating_sub(self.written + self.lost)
    }

    fn room(&self) -> u64 {
        self.window.saturating_sub(self.outstanding())
    }

    /// Records that `written` traps are in the file at the time `now`.
    fn advance(&mut self, written: u64, now: Instant) {
        let last = *self.progress.get_or_insert(now);
        if written > self.written {
            // A trap that was given up may arrive after all.
            self.lost = self.lost.min(self.sent.saturating_sub(written));
            (self.written, self.progress) = (written, Some(now));
        } else if now - last > LOSS_TIMEOUT {
            self.lost += self.outstanding();
            self.progress = Some(now);
        }
    }
}

/// The time after which outstanding traps count as lost: far longer than it takes to write a full
/// window.
const LOSS_TIMEOUT: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traps_that_do_not_arrive_are_lost_after_a_while_and_counted_once() {
        let mut flow = Flow { window: 4, sent: 4, ..Flow::default() };
        let start = Instant::now();
        flow.advance(0, start);
        assert_eq!(flow.room(), 0);
        flow.advance(3, start + LOSS_TIMEOUT / 2);
        assert_eq!((flow.room(), flow.lost), (3, 0));
        flow.advance(3, start + LOSS_TIMEOUT);
        assert_eq!((flow.outstanding(), flow.lost), (1, 0), "the time counts from the last progress");
        flow.advance(3, start + LOSS_TIMEOUT * 2);
        flow.advance(3, start + LOSS_TIMEOUT * 4);
        assert_eq!((flow.outstanding(), flow.lost), (0, 1));
        flow.advance(4, start + LOSS_TIMEOUT * 5);
        assert_eq!((flow.outstanding(), flow.written, flow.lost), (0, 4, 0));
    }
}
