//! The traffic settings change the packets, but not the data.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Poll},
};

use portreeve_channel_ssh::{TrafficSettings, WindowPolicy, client::NoPrompter};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{
    own_server::{known_settings, serve_with},
    sshd::{TestHome, try_connect},
};

#[test]
fn every_message_policy_sends_a_window_adjustment_for_each_message() {
    let Some(home) = TestHome::new() else { return };
    let policy = |window| TrafficSettings { window, ..TrafficSettings::default() };
    let (few_packets, few_octets) = exchanges(&home, policy(WindowPolicy::WhenNeeded));
    let (many_packets, many_octets) = exchanges(&home, policy(WindowPolicy::EveryMessage));
    // Data written before counting started may be counted later.
    assert!(few_packets <= EXCHANGES + 1, "{few_packets} packets for {EXCHANGES} exchanges");
    assert!(many_packets * 10 >= few_packets * 18, "{many_packets} packets instead of {few_packets}");
    assert!(
        many_octets >= few_octets + EXCHANGES * ADJUSTMENT,
        "{many_octets} octets instead of {few_octets}"
    );
}

/// Runs exchanges in an open session with the same settings on both sides. Returns the packets sent
/// and the octets received by the server.
fn exchanges(home: &TestHome, traffic: TrafficSettings) -> (usize, usize) {
    let counters = Arc::<StreamCounters>::default();
    let address = serve_with(home, <_>::default(), traffic, <_>::default(), Arc::clone(&counters));
    let mut settings = known_settings(home, address);
    settings.traffic = traffic;
    let (mut channel, runtime) = try_connect(address.port(), &settings, &NoPrompter).unwrap();
    runtime.block_on(async {
        let mut exchange = async || {
            let (reader, writer) = channel.halves();
            writer.write(MESSAGE.to_vec()).await.unwrap();
            let mut received = Vec::new();
            while received.len() < MESSAGE.len() {
                received.extend(reader.read().await.unwrap().unwrap());
            }
            assert_eq!(received, MESSAGE);
        };
        exchange().await;
        let before = counters.read();
        for _ in 0..EXCHANGES {
            exchange().await;
        }
        let after = counters.read();
        (after.0 - before.0, after.1 - before.1)
    })
}

/// Number of writes and of octets read on a stream.
#[derive(Default)]
pub(crate) struct StreamCounters {
    writes: AtomicUsize,
    octets_read: AtomicUsize,
}

impl StreamCounters {
    fn read(&self) -> (usize, usize) {
        (self.writes.load(Relaxed), self.octets_read.load(Relaxed))
    }
}

/// A stream that counts its traffic.
pub(crate) struct CountingStream<S> {
    pub(crate) stream: S,
    pub(crate) counters: Arc<StreamCounters>,
}

impl<S: AsyncRead + Unpin> AsyncRead for CountingStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        self.counters.octets_read.fetch_add(into.filled().len() - before, Relaxed);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CountingStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, octets);
        self.counters.writes.fetch_add(usize::from(written.is_ready()), Relaxed);
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

const EXCHANGES: usize = 50;
/// A message of the length of an SNMPv2c request for one object.
const MESSAGE: &[u8] = &[7; 46];
/// Minimum length in octets of a window adjust message.
const ADJUSTMENT: usize = 32;
