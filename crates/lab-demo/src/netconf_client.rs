//! A NETCONF client over SSH for measurements: one session, one outstanding request, no polling.
//!
//! ```text
//! PreparedRequest ─ pieces with framing ─▶ SSH channel ─▶ server
//! caller ◀─ octets of the reply ─ FrameReader ◀─┘
//! ```
//! Requests are encoded before a measurement, and replies are passed on in pieces, so that neither
//! a request nor a reply of many megabytes costs the client more than its transfer.

mod transactions;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use portreeve_channel_ssh::client::{ClientSettings, NoPrompter, SshChannel, SshTarget, connect};
use portreeve_netconf_message::framing::{Frame, FrameReader, FrameWriter, Framing};
use tokio::runtime::{Builder, LocalOptions, LocalRuntime};
use tokio::time::timeout;

use crate::error::Result;
pub use transactions::Transactions;

/// The address and credentials of a server.
#[derive(Clone)]
pub struct NetconfLogin {
    /// The address of its SSH listener.
    pub address: SocketAddr,
    /// The SSH user.
    pub user: String,
    /// The file with the user's private key.
    pub key: PathBuf,
    /// The file with the server's host key.
    pub known_hosts: PathBuf,
}

/// An open session with the framing of base 1.1.
pub struct NetconfClient {
    runtime: LocalRuntime,
    channel: SshChannel,
    reader: FrameReader,
    /// Octets that were received and not yet read.
    input: Bytes,
    transactions: Transactions,
}

/// An encoded request.
pub struct PreparedRequest {
    pieces: Vec<Bytes>,
}

impl PreparedRequest {
    /// Encodes an operation, which consists of the texts that `parts` yields.
    pub fn new<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> Self {
        let mut request = RequestBuilder::new();
        for part in parts {
            request.push(part.as_ref());
        }
        request.finish()
    }
}

/// Collects the text of a request in pieces of [`PIECE`] octets.
struct RequestBuilder {
    writer: FrameWriter,
    payload: String,
    pieces: Vec<Bytes>,
}

impl RequestBuilder {
    fn new() -> Self {
        let mut writer = FrameWriter::default();
        writer.set_framing(Framing::Chunked);
        let payload = format!("<rpc xmlns=\"{NETCONF}\" message-id=\"1\">");
        Self { writer, payload, pieces: Vec::new() }
    }

    fn push(&mut self, text: &str) {
        self.payload.push_str(text);
        if self.payload.len() >= PIECE {
            self.flush(false);
        }
    }

    fn flush(&mut self, is_last: bool) {
        let mut octets = Vec::with_capacity(self.payload.len() + FRAMING_OCTETS);
        self.writer.write_payload(self.payload.as_bytes(), &mut octets);
        if is_last {
            self.writer.end_message(&mut octets);
        }
        self.payload.clear();
        self.pieces.push(octets.into());
    }

    fn finish(mut self) -> PreparedRequest {
        self.payload.push_str("</rpc>");
        self.flush(true);
        PreparedRequest { pieces: self.pieces }
    }
}

impl NetconfClient {
    /// Logs in and exchanges hello.
    pub fn open(login: &NetconfLogin) -> Result<Self> {
        let mut settings = ClientSettings::current();
        // Ignores the configuration and keys of the user who runs this.
        settings.config_files.clear();
        settings.agent = None;
        settings.identity_files = vec![login.key.clone()];
        settings.known_hosts = Some(vec![login.known_hosts.clone()]);
        settings.subsystem = "netconf".into();
        let (host, port) = (login.address.ip().to_string(), login.address.port());
        let target = SshTarget::look_up(&host, Some(&login.user), Some(port), &settings)?;
        let runtime =
            Builder::new_current_thread().enable_io().enable_time().build_local(LocalOptions::default())?;
        let channel = runtime.block_on(connect(&target, &settings, &NoPrompter))?;
        let mut client = Self {
            runtime,
            channel,
            reader: FrameReader::default(),
            input: Bytes::new(),
            transactions: Transactions::default(),
        };
        client.write(&[HELLO.into()])?;
        let mut hello = Vec::new();
        client.read_message(|octets| hello.extend_from_slice(octets))?;
        if !String::from_utf8_lossy(&hello).contains(BASE_1_1) {
            return Err("the server does not announce base 1.1".into());
        }
        client.reader.set_framing(Framing::Chunked);
        Ok(client)
    }

    /// Sends an operation and returns its reply.
    ///
    /// # Errors
    /// If the reply contains an error.
    pub fn request(&mut self, operation: &str) -> Result<String> {
        self.send(&PreparedRequest::new([operation]))
    }

    /// Sends a request and returns its reply.
    ///
    /// # Errors
    /// If the reply contains an error.
    pub fn send(&mut self, request: &PreparedRequest) -> Result<String> {
        let mut reply = Vec::new();
        self.send_and_read(request, |octets| reply.extend_from_slice(octets))?;
        let reply = String::from_utf8(reply)?;
        if reply.contains("rpc-error") {
            return Err(format!("the server refused the request: {}", reply.trim()).into());
        }
        Ok(reply)
    }

    /// Sends a request and passes the octets of its reply on as they arrive. Returns their number.
    /// The caller examines them for errors.
    pub fn send_and_read(&mut self, request: &PreparedRequest, read: impl FnMut(&[u8])) -> Result<usize> {
        self.transactions.requests += 1;
        self.write(&request.pieces)?;
        let octets = self.read_message(read)?;
        self.transactions.replies += 1;
        Ok(octets)
    }

    /// Returns the requests that have been sent in this session, and the replies to them.
    pub fn transactions(&self) -> Transactions {
        self.transactions
    }

    fn write(&mut self, pieces: &[Bytes]) -> Result<()> {
        let Self { runtime, channel, .. } = self;
        runtime.block_on(async {
            for piece in pieces {
                within_limit(channel.write(piece.clone())).await??;
            }
            Ok(())
        })
    }

    fn read_message(&mut self, mut read: impl FnMut(&[u8])) -> Result<usize> {
        let Self { runtime, channel, reader, input, .. } = self;
        let mut count = 0;
        runtime.block_on(async {
            loop {
                let mut rest: &[u8] = input;
                let frame = reader.next_frame(&mut rest)?;
                let used = input.len() - rest.len();
                match frame {
                    Some(Frame::Payload(octets)) => {
                        count += octets.len();
                        read(octets);
                    }
                    Some(Frame::End) => {
                        let _used = input.split_to(used);
                        return Ok(count);
                    }
                    None => {
                        let received = within_limit(channel.read()).await??;
                        *input = received.ok_or("the server has closed the session")?;
                        continue;
                    }
                }
                let _used = input.split_to(used);
            }
        })
    }

    /// Ends the session.
    pub fn close(mut self) -> Result<()> {
        self.request("<close-session/>")?;
        self.runtime.block_on(self.channel.close());
        Ok(())
    }
}

/// Waits until the server reads or sends octets, at most for [`IDLE_TIMEOUT`].
async fn within_limit<T>(operation: impl Future<Output = T>) -> Result<T> {
    let limited = timeout(IDLE_TIMEOUT, operation).await;
    limited.map_err(|_| format!("the server has not answered within {} s", IDLE_TIMEOUT.as_secs()).into())
}

/// The maximum time without progress. A server that runs out of memory may never answer.
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

/// The namespace of NETCONF's operations.
const NETCONF: &str = "urn:ietf:params:xml:ns:netconf:base:1.0";
const BASE_1_1: &str = "urn:ietf:params:netconf:base:1.1";
const HELLO: &str = "<hello xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\"><capabilities>\
                     <capability>urn:ietf:params:netconf:base:1.1</capability></capabilities></hello>]]>]]>";

/// Octets of a piece: one chunk.
const PIECE: usize = 64 * 1024;
/// Octets of the header of a chunk and of the end of a message, at most.
const FRAMING_OCTETS: usize = 32;

#[cfg(test)]
mod tests {
    use super::{Frame, FrameReader, Framing, PIECE, PreparedRequest};

    #[test]
    fn prepared_request_is_one_message_whose_chunks_join_to_the_text() {
        let part = "x".repeat(1000);
        let request = PreparedRequest::new(std::iter::repeat_n(part.as_str(), 200));
        assert!(request.pieces.len() > 200 * 1000 / PIECE, "{}", request.pieces.len());
        let octets: Vec<u8> = request.pieces.iter().flatten().copied().collect();
        let (mut reader, mut rest, mut text, mut ends) =
            (FrameReader::default(), octets.as_slice(), Vec::new(), 0);
        reader.set_framing(Framing::Chunked);
        while let Some(frame) = reader.next_frame(&mut rest).unwrap() {
            match frame {
                Frame::Payload(octets) => text.extend_from_slice(octets),
                Frame::End => ends += 1,
            }
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(ends, 1);
        let (start_tag, rest) = text.split_once('>').unwrap();
        assert!(start_tag.starts_with("<rpc "), "{start_tag}");
        assert!(rest.strip_suffix("</rpc>") == Some(&part.repeat(200)), "the chunks differ from the text");
    }
}
