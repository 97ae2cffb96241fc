//! Records the server's identification line, which helps to diagnose a peer that is not an SSH
//! server. Also signals when the client waits for the server's key exchange, so that other work can
//! be done during that time.

use std::{
    io,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::Notify,
};

/// A stream that records its first line.
pub(crate) struct BannerTap<S> {
    stream: S,
    /// The part of the first line received so far; `None` once the line is complete.
    partial_line: Option<Vec<u8>>,
    banner: ServerBanner,
    /// Set once data after the first line was received.
    is_past_banner: bool,
    idle: Option<Arc<Notify>>,
}

/// The server's identification line, once received: escaped, and truncated if it is too long.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServerBanner(Arc<OnceLock<String>>);

impl ServerBanner {
    pub(crate) fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// Wraps a stream. `idle` is notified once: when the server has sent its first key exchange message
/// and the client waits for the next.
pub(crate) fn tap_banner<S>(stream: S, idle: Arc<Notify>) -> (BannerTap<S>, ServerBanner) {
    let banner = ServerBanner::default();
    let partial_line = Some(Vec::new());
    (
        BannerTap { stream, partial_line, banner: banner.clone(), is_past_banner: false, idle: Some(idle) },
        banner,
    )
}

impl<S> BannerTap<S> {
    fn record(&mut self, octets: &[u8]) {
        let Some(line_start) = &mut self.partial_line else { return };
        let line = octets.split(|octet| *octet == b'\n').next().unwrap_or_default();
        let room = MAX_LINE_LEN.saturating_sub(line_start.len());
        line_start.extend(line.iter().take(room));
        if line.len() < octets.len() || line_start.len() == MAX_LINE_LEN {
            let text = String::from_utf8_lossy(line_start).trim_end().escape_debug().to_string();
            // Set only once; later data is ignored.
            let _ = self.banner.0.set(text);
            self.partial_line = None;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for BannerTap<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.partial_line.is_some() {
            self.record(buffer.filled().get(before..).unwrap_or_default());
        } else if buffer.filled().len() > before {
            self.is_past_banner = true;
        } else if read.is_pending()
            && self.is_past_banner
            && let Some(idle) = self.idle.take()
        {
            idle.notify_one();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for BannerTap<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Maximum length in octets of an identification line (RFC 4253 §4.2).
const MAX_LINE_LEN: usize = 255;
