//! A client of a test server.

use portreeve_netconf_message::framing::{Frame, FrameReader, Framing};
use portreeve_netconf_message::hello::Version;
use portreeve_netconf_message::names::NETCONF;

use super::{NOW, TestServer};
use crate::CloseReason;

/// A client with its session.
pub(crate) struct Client {
    pub(crate) id: u32,
    frames: FrameReader,
    framing: Framing,
}

/// The reply without errors and data.
pub(crate) const OK: &str = "<rpc-reply message-id=\"1\"><ok/></rpc-reply>";

impl Client {
    pub(crate) fn new(id: u32) -> Self {
        Self { id, frames: FrameReader::default(), framing: Framing::EndOfMessage }
    }

    /// Reads the hello of the server, which is returned, and sends one of a client.
    pub(crate) fn exchange_hellos(&mut self, server: &mut TestServer, version: Version) -> String {
        let hello = self.replies(server).concat();
        let capability = version.capability();
        let own = format!(
            "<hello xmlns='{NETCONF}'><capabilities><capability>{capability}</capability></capabilities></hello>]]>]]>"
        );
        self.send(server, &own).unwrap();
        self.use_version(version);
        hello
    }

    /// Uses the framing of a version from now on.
    pub(crate) fn use_version(&mut self, version: Version) {
        self.framing = version.framing();
        self.frames.set_framing(self.framing);
    }

    /// Sends octets as they are, in small pieces, as a network may deliver them.
    pub(crate) fn send(&mut self, server: &mut TestServer, octets: &str) -> Result<(), CloseReason> {
        self.send_pieces(server, octets, 7)
    }

    fn send_pieces(
        &mut self,
        server: &mut TestServer,
        octets: &str,
        max_piece: usize,
    ) -> Result<(), CloseReason> {
        let mut input = octets.as_bytes();
        while !input.is_empty() && server.server.wants_input(self.id) {
            let length = input.len().min(max_piece);
            let mut piece = &input[..length];
            let result = server.server.receive(self.id, &mut piece, NOW);
            server.run_actions();
            result?;
            input = &input[length - piece.len()..];
        }
        Ok(())
    }

    /// Sends a message with its framing.
    pub(crate) fn send_message(&mut self, server: &mut TestServer, message: &str) -> Result<(), CloseReason> {
        let framed = self.frame(message);
        self.send(server, &framed)
    }

    fn frame(&self, message: &str) -> String {
        match self.framing {
            Framing::Chunked => format!("\n#{}\n{message}\n##\n", message.len()),
            Framing::EndOfMessage => format!("{message}]]>]]>"),
        }
    }

    /// Sends a long request in large pieces.
    pub(crate) fn begin_fast(&mut self, server: &mut TestServer, operation: &str) {
        let framed = self.frame(&rpc(operation));
        self.send_pieces(server, &framed, 65_536).unwrap();
    }

    /// Edits a datastore with a long request.
    pub(crate) fn edit_fast(&mut self, server: &mut TestServer, target: &str, config: &str) {
        let operation =
            format!("<edit-config><target><{target}/></target><config>{config}</config></edit-config>");
        self.begin_fast(server, &operation);
        assert_eq!(self.replies(server), [OK]);
    }

    /// Sends a request with this operation, and returns its reply without the NETCONF namespace.
    pub(crate) fn request(&mut self, server: &mut TestServer, operation: &str) -> String {
        self.begin(server, operation);
        let mut replies = self.replies(server);
        assert_eq!(replies.len(), 1, "{replies:?}");
        replies.remove(0)
    }

    /// Sends a request.
    pub(crate) fn begin(&mut self, server: &mut TestServer, operation: &str) {
        self.send_message(server, &rpc(operation)).unwrap();
    }

    /// Returns the messages that the server has for this client.
    pub(crate) fn replies(&mut self, server: &mut TestServer) -> Vec<String> {
        let (mut messages, mut message) = (Vec::new(), Vec::new());
        loop {
            let octets = server.server.produce(self.id).unwrap();
            server.run_actions();
            let is_paused = server.server.phase(self.id) == Some(crate::Phase::Replying);
            if octets.is_empty() && !is_paused {
                assert!(message.is_empty(), "incomplete message");
                return messages;
            }
            let mut octets = octets.as_slice();
            while let Some(frame) = self.frames.next_frame(&mut octets).unwrap() {
                match frame {
                    Frame::Payload(octets) => message.extend_from_slice(octets),
                    Frame::End => {
                        let text = String::from_utf8(std::mem::take(&mut message)).unwrap();
                        messages.push(text.replace(&format!(" xmlns=\"{NETCONF}\""), ""));
                    }
                }
            }
        }
    }

    /// Edits a datastore with the content of `config`, and returns the reply.
    pub(crate) fn edit(&mut self, server: &mut TestServer, target: &str, config: &str) -> String {
        self.edit_with(server, target, "", config)
    }

    /// The same with other parameters.
    pub(crate) fn edit_with(
        &mut self,
        server: &mut TestServer,
        target: &str,
        parameters: &str,
        config: &str,
    ) -> String {
        let operation = format!(
            "<edit-config><target><{target}/></target>{parameters}<config xmlns:nc='{NETCONF}'>{config}</config></edit-config>"
        );
        self.request(server, &operation)
    }

    /// Returns the data of a datastore that a filter selects, without the namespace of the example.
    pub(crate) fn data(&mut self, server: &mut TestServer, source: &str, filter: &str) -> String {
        let operation = format!("<get-config><source><{source}/></source>{filter}</get-config>");
        let reply = self.request(server, &operation);
        let data =
            reply.strip_prefix("<rpc-reply message-id=\"1\"><data").unwrap_or_else(|| panic!("{reply}"));
        let data = data.strip_suffix("</rpc-reply>").unwrap();
        let data = data.strip_prefix("/>").unwrap_or_else(|| {
            let content = data.strip_prefix('>').and_then(|data| data.strip_suffix("</data>"));
            content.unwrap_or_else(|| panic!("{data}"))
        });
        data.replace(" xmlns=\"urn:example\"", "")
    }
}

fn rpc(operation: &str) -> String {
    format!("<rpc xmlns='{NETCONF}' message-id='1'>{operation}</rpc>")
}

/// Returns the error-tags in a reply, with the app-tag after a slash.
pub(crate) fn tags(reply: &str) -> Vec<String> {
    let between = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0.to_owned())
    };
    reply
        .split("<rpc-error>")
        .skip(1)
        .map(|error| {
            let tag = between(error, "error-tag").unwrap();
            match between(error, "error-app-tag") {
                Some(app_tag) => format!("{tag}/{app_tag}"),
                None => tag,
            }
        })
        .collect()
}
