use portreeve_netconf_message::framing::{Frame, FrameReader, Framing};
use portreeve_netconf_message::hello::Version;
use portreeve_netconf_message::names::NETCONF;
use portreeve_netconf_message::rpc::{ConfigUse, Operation, OperationName};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang_text::Progress;
use portreeve_yang_text::xml::{Event, NcName, Start, Writer, XmlText};

use super::{CloseReason, MAX_MESSAGE_OCTETS, MAX_OUTPUT_PIECE, Session};
use crate::{DataError, Datastores, Execution};

/// Datastores that record calls. `get` returns data of some pieces; `commit` is completed later.
#[derive(Default)]
struct Recorder {
    operations: Vec<Operation>,
    configs: Vec<String>,
    closed: Vec<u32>,
    pieces: usize,
    /// The piece at which writing fails.
    failing_piece: Option<usize>,
}

const PIECE: usize = 1000;

impl Datastores for Recorder {
    type Config = String;
    type Data = usize;

    fn begin_operation(&mut self, _session: u32, operation: OperationName) -> Result<(), RpcError> {
        match operation {
            OperationName::DiscardChanges => Err(RpcError::new(ErrorType::Protocol, ErrorTag::AccessDenied)),
            _ => Ok(()),
        }
    }

    fn begin_config(
        &mut self,
        _session: u32,
        _config: ConfigUse,
        _start: Start<'_>,
    ) -> Result<String, RpcError> {
        Ok(String::new())
    }

    fn config_event(&mut self, config: &mut String, event: Event<'_>) -> Result<(), RpcError> {
        if let Event::Text(text) = event {
            config.push_str(text);
        }
        Ok(())
    }

    fn execute(&mut self, _session: u32, operation: Operation, config: Option<String>) -> Execution<usize> {
        self.configs.extend(config);
        let result = match operation {
            Operation::Get { .. } => Execution::Data(0),
            Operation::Commit => Execution::Later,
            _ => Execution::Ok,
        };
        self.operations.push(operation);
        result
    }

    fn write_data(&mut self, data: &mut usize, writer: &mut Writer) -> Result<Progress, DataError> {
        if self.failing_piece == Some(*data) {
            return Err(DataError(RpcError::new(ErrorType::Application, ErrorTag::OperationFailed)));
        }
        let text = "x".repeat(PIECE);
        writer.start(XmlText::from_static(NETCONF), NcName::from_static("data"));
        writer.text(XmlText::new(&text).unwrap());
        writer.end();
        *data += 1;
        Ok(if *data < self.pieces { Progress::More } else { Progress::Done })
    }

    fn session_closed(&mut self, session: u32, _is_orderly: bool) {
        self.closed.push(session);
    }
}

/// A session after the hellos, with its datastores.
struct Peer {
    session: Session<Recorder>,
    datastores: Recorder,
    frames: FrameReader,
    framing: Framing,
}

fn peer(version: Version) -> Peer {
    let mut peer = Peer {
        session: Session::new(7, ["urn:ietf:params:netconf:base:1.1"]),
        datastores: Recorder::default(),
        frames: FrameReader::default(),
        framing: Framing::EndOfMessage,
    };
    assert!(peer.replies().concat().contains("<session-id>7</session-id>"));
    let hello = format!(
        "<hello xmlns='{NETCONF}'><capabilities><capability>{}</capability></capabilities></hello>]]>]]>",
        version.capability()
    );
    peer.send(&hello).unwrap();
    peer.framing = version.framing();
    peer.frames.set_framing(peer.framing);
    peer
}

impl Peer {
    fn send(&mut self, octets: &str) -> Result<(), CloseReason> {
        let mut input = octets.as_bytes();
        self.session.receive(&mut input, &mut self.datastores)?;
        assert!(input.is_empty() || !self.session.wants_input());
        Ok(())
    }

    fn frame(&self, message: &str) -> String {
        match self.framing {
            Framing::Chunked => format!("\n#{}\n{message}\n##\n", message.len()),
            Framing::EndOfMessage => format!("{message}]]>]]>"),
        }
    }

    /// Sends a request and returns its reply without namespaces.
    fn request(&mut self, content: &str) -> String {
        self.send(&self.frame(&rpc(content))).unwrap();
        self.replies().concat()
    }

    /// Returns the messages that the session sends.
    fn replies(&mut self) -> Vec<String> {
        let (mut messages, mut message) = (Vec::new(), Vec::new());
        loop {
            let octets = self.session.produce(&mut self.datastores).unwrap();
            if octets.is_empty() {
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
}

fn rpc(content: &str) -> String {
    format!("<rpc xmlns='{NETCONF}' message-id='1'>{content}</rpc>")
}

const OK: &str = "<rpc-reply message-id=\"1\"><ok/></rpc-reply>";

//= rfc6242#4.1-p2
//= type=test
#[test]
fn requests_are_answered_in_both_versions() {
    for version in [Version::V1_0, Version::V1_1] {
        let mut peer = peer(version);
        assert_eq!(peer.request("<lock><target><running/></target></lock>"), OK);
        let edit = "<edit-config><target><running/></target><config><a>1</a></config></edit-config>";
        assert_eq!(peer.request(edit), OK);
        assert_eq!(peer.datastores.configs, ["1"]);
        assert_eq!(peer.datastores.operations.len(), 2);
    }
}

//= rfc6241#4.5-p1
//= type=test
#[test]
fn requests_are_processed_one_by_one() {
    let mut peer = peer(Version::V1_1);
    let both =
        peer.frame(&rpc("<commit/>")) + &peer.frame(&rpc("<validate><source><running/></source></validate>"));
    let mut input = both.as_bytes();
    peer.session.receive(&mut input, &mut peer.datastores).unwrap();
    assert!(!peer.session.wants_input());
    assert_eq!((peer.datastores.operations.len(), peer.replies().len()), (1, 0));
    peer.session.complete(Execution::Ok, &mut peer.datastores);
    assert_eq!(peer.replies(), [OK]);
    peer.session.receive(&mut input, &mut peer.datastores).unwrap();
    assert!(input.is_empty());
    assert_eq!(peer.replies(), [OK]);
    peer.session.complete(Execution::Ok, &mut peer.datastores);
    assert!(peer.replies().is_empty(), "no request is being executed");
}

#[test]
fn session_holds_one_reply_while_its_peer_reads_nothing() {
    let mut peer = peer(Version::V1_1);
    let requests = peer.frame(&rpc("<unknown/>")).repeat(100);
    let mut input = requests.as_bytes();
    peer.session.receive(&mut input, &mut peer.datastores).unwrap();
    assert!(!peer.session.wants_input());
    assert_eq!(input.len(), requests.len() / 100 * 99);
    for _ in 0..100 {
        assert_eq!(peer.replies().len(), 1);
        peer.session.receive(&mut input, &mut peer.datastores).unwrap();
    }
    assert!(input.is_empty() && peer.session.wants_input());
}

#[test]
fn data_are_produced_in_pieces() {
    for version in [Version::V1_0, Version::V1_1] {
        let mut peer = peer(version);
        peer.datastores.pieces = 500;
        peer.send(&peer.frame(&rpc("<get/>"))).unwrap();
        assert!(!peer.session.wants_input(), "the reply is not complete");
        let first = peer.session.produce(&mut peer.datastores).unwrap();
        assert!((MAX_OUTPUT_PIECE..MAX_OUTPUT_PIECE + 2 * PIECE).contains(&first.len()), "{}", first.len());
        let mut octets = first.as_slice();
        while peer.frames.next_frame(&mut octets).unwrap().is_some() {}
        let rest = peer.replies();
        assert!(rest[0].ends_with("x</data></rpc-reply>"));
        assert!(peer.session.wants_input());
        assert_eq!(peer.request("<validate><source><running/></source></validate>"), OK);
    }
}

#[test]
fn failure_before_the_first_piece_is_an_error_and_later_closes_the_session() {
    let mut failing = peer(Version::V1_1);
    (failing.datastores.pieces, failing.datastores.failing_piece) = (500, Some(3));
    let reply = failing.request("<get/>");
    assert!(reply.contains("<error-tag>operation-failed</error-tag>") && !reply.contains("<data>"));
    assert!(failing.session.wants_input());

    failing.datastores.failing_piece = Some(400);
    failing.send(&failing.frame(&rpc("<get/>"))).unwrap();
    let result = loop {
        match failing.session.produce(&mut failing.datastores) {
            Ok(octets) => assert!(!octets.is_empty()),
            Err(reason) => break reason,
        }
    };
    assert_eq!(result, CloseReason::Data);
}

//= rfc6241#7.9-p1
//= type=test
#[test]
fn refused_requests_do_not_end_the_session() {
    let mut peer = peer(Version::V1_1);
    for (content, tag) in [
        ("<none/>", "operation-not-supported"),
        ("<discard-changes/>", "access-denied"),
        ("<kill-session><session-id>7</session-id></kill-session>", "invalid-value"),
    ] {
        let reply = peer.request(content);
        assert!(reply.contains(&format!("<error-tag>{tag}</error-tag>")), "{reply}");
    }
    assert!(peer.datastores.operations.is_empty());
    assert_eq!(peer.request("<lock><target><running/></target></lock>"), OK);
}

//= rfc6241#7.8-p1
//= type=test
#[test]
fn close_session_is_answered_and_ends_the_session() {
    let mut peer = peer(Version::V1_1);
    assert_eq!(peer.request("<close-session/>"), OK);
    assert!(peer.session.is_closing() && !peer.session.wants_input());
    assert_eq!(peer.datastores.closed, [7]);
    // Requests after it are ignored (RFC 6241 §7.8).
    peer.send(&peer.frame(&rpc("<get/>"))).unwrap();
    assert!(peer.replies().is_empty());
}

//= rfc6241#3-p1
//= type=test
//= rfc6241#A-p2
//= type=test
#[test]
fn malformed_message_ends_the_session() {
    for message in ["<rpc", "<rpc></x>", "x", "<!DOCTYPE a>", "<rpc xmlns='\u{1}'/>"] {
        let mut new = peer(Version::V1_1);
        new.send(&new.frame(message)).unwrap();
        let reply = new.replies().concat();
        assert!(reply.contains("<error-tag>malformed-message</error-tag>"), "{message}: {reply}");
        assert!(new.session.is_closing());

        // Clients of version 1.0 do not know this error.
        let mut old = peer(Version::V1_0);
        assert_eq!(old.send(&old.frame(message)), Err(CloseReason::Malformed), "{message}");
    }
}

#[test]
fn malformed_message_is_answered_with_its_message_id() {
    let mut peer = peer(Version::V1_1);
    let message = rpc("<get>").replace("</rpc>", "");
    peer.send(&peer.frame(&message)).unwrap();
    assert!(peer.replies().concat().starts_with("<rpc-reply message-id=\"1\"><rpc-error>"));
}

//= rfc6242#4.2-p3
//= type=test
#[test]
fn invalid_framing_and_hello_close_the_session() {
    let mut new = peer(Version::V1_1);
    assert!(matches!(new.send("\n#0\n"), Err(CloseReason::Framing(_))));

    let mut session = Session::<Recorder>::new(1, ["urn:x"]);
    let mut input = &b"<hello/>]]>]]>"[..];
    let result = session.receive(&mut input, &mut Recorder::default());
    assert!(matches!(result, Err(CloseReason::Hello(_))), "{result:?}");
}

#[test]
fn request_that_is_too_long_is_refused_and_skipped() {
    let mut peer = peer(Version::V1_1);
    let start =
        format!("<rpc xmlns='{NETCONF}' message-id='1'><edit-config><target><running/></target><config><a>");
    peer.send(&format!("\n#{}\n{start}", start.len())).unwrap();
    let piece = format!("\n#{}\n{}", 1 << 20, "x".repeat(1 << 20));
    for _ in 0..MAX_MESSAGE_OCTETS >> 20 {
        peer.send(&piece).unwrap();
    }
    let end = "</a></config></edit-config></rpc>";
    peer.send(&format!("\n#{}\n{end}\n##\n", end.len())).unwrap();
    assert!(peer.replies().concat().contains("<error-tag>too-big</error-tag>"));
    assert!(peer.datastores.operations.is_empty());
    assert_eq!(peer.request("<lock><target><running/></target></lock>"), OK);
}
