//! What the switches of a connection's traffic change: the packets, and no octet of what is said.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    task::{Context, Poll},
};

use portreeve_channel_ssh::{Traffic, WindowPolicy, client::Nobody};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{
    ours::{known, serving},
    sshd::{Home, try_connect},
};

#[test]
fn windows_opened_after_every_message_are_packets_of_their_own_both_ways() {
    let Some(home) = Home::new() else { return };
    let policy = |window| Traffic { window, ..Traffic::default() };
    let (seldom, short) = exchanges(&home, policy(WindowPolicy::WhenNeeded));
    let (often, long) = exchanges(&home, policy(WindowPolicy::EveryMessage));
    // What was written before the count began may be counted after.
    assert!(seldom <= EXCHANGES + 1, "{seldom} packets for {EXCHANGES} exchanges");
    assert!(often * 10 >= seldom * 18, "{often} packets instead of {seldom}");
    assert!(long >= short + EXCHANGES * ADJUSTMENT, "{long} octets instead of {short}");
}

/// What exchanges in an open session cost, both ends set alike: packets that the server sends, and octets that it gets.
fn exchanges(home: &Home, traffic: Traffic) -> (usize, usize) {
    let tally = Arc::<Tally>::default();
    let address = serving(home, <_>::default(), traffic, <_>::default(), Arc::clone(&tally));
    let mut settings = known(home, address);
    settings.traffic = traffic;
    let (mut channel, runtime) = try_connect(address.port(), &settings, &Nobody).unwrap();
    runtime.block_on(async {
        let mut exchange = async || {
            let (reader, writer) = channel.halves();
            writer.write(MESSAGE.to_vec()).await.unwrap();
            let mut heard = Vec::new();
            while heard.len() < MESSAGE.len() {
                heard.extend(reader.read().await.unwrap().unwrap());
            }
            assert_eq!(heard, MESSAGE);
        };
        exchange().await;
        let before = tally.read();
        for _ in 0..EXCHANGES {
            exchange().await;
        }
        let after = tally.read();
        (after.0 - before.0, after.1 - before.1)
    })
}

/// What a stream has written, in pieces, and read, in octets.
#[derive(Default)]
pub(crate) struct Tally {
    writes: AtomicUsize,
    octets_read: AtomicUsize,
}

impl Tally {
    fn read(&self) -> (usize, usize) {
        (self.writes.load(Relaxed), self.octets_read.load(Relaxed))
    }
}

/// A stream that keeps a tally.
pub(crate) struct Counted<S> {
    pub(crate) stream: S,
    pub(crate) tally: Arc<Tally>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        self.tally.octets_read.fetch_add(into.filled().len() - before, Relaxed);
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, octets);
        self.tally.writes.fetch_add(usize::from(written.is_ready()), Relaxed);
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
/// As long as an SNMPv2c message for one object.
const MESSAGE: &[u8] = &[7; 46];
/// Octets of a message that opens a window, at least.
const ADJUSTMENT: usize = 32;
