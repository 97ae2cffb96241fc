//! The state machine of one session.
//!
//! ```text
//! Hello ─▶ Ready ─▶ Reading ─▶ Waiting ─▶ Replying ─▶ Ready … ─▶ Closing
//!                     │            (only if the result comes later)      ▲
//!                     └── not well-formed: malformed-message ────────────┘
//! ```
//! While a request is executed and answered, no further octets are read: requests are processed one
//! by one (RFC 6241 §4.5).

mod close;
mod phase;
mod request;

#[cfg(test)]
mod tests;

pub use close::CloseReason;
pub use phase::Phase;

use portreeve_netconf_message::ReplyTag;
use portreeve_netconf_message::framing::{Frame, FrameReader, FrameWriter, MAX_CHUNK_OCTETS};
use portreeve_netconf_message::hello::{HelloReader, Version, write_hello};
use portreeve_netconf_message::names::NETCONF;
use portreeve_netconf_message::rpc::{Operation, RpcReader};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang_text::Progress;
use portreeve_yang_text::xml::{NcName, Writer, XmlText};

use crate::{Datastores, Execution};
use request::Request;

/// Maximum number of octets in one request.
pub const MAX_MESSAGE_OCTETS: u64 = 64 * 1024 * 1024;

/// Approximate number of octets that one call of [`Session::produce`] returns at most.
pub const MAX_OUTPUT_PIECE: usize = MAX_CHUNK_OCTETS;

/// A session of one peer.
pub struct Session<D: Datastores> {
    id: u32,
    state: State<D>,
    frames: FrameReader,
    writer: FrameWriter,
    version: Version,
    rpc: RpcReader,
    /// Framed octets that have not been taken.
    output: Vec<u8>,
}

enum State<D: Datastores> {
    /// The hello of the client is being read.
    Hello(HelloReader),
    /// No request has begun.
    Ready,
    /// A request is being read.
    Reading(Request<D::Config>),
    /// A request is being executed.
    Waiting(ReplyTag),
    /// Data are being written.
    Replying { reply: ReplyTag, data: D::Data, xml: Writer, is_sent: bool },
    /// The session is closed when all output has been sent.
    Closing,
}

impl<D: Datastores> Session<D> {
    /// Begins a session with an identifier that no other session has had, and with the server's
    /// capabilities. Its hello is output.
    pub fn new(id: u32, capabilities: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut session = Self {
            id,
            state: State::Hello(HelloReader::default()),
            frames: FrameReader::default(),
            writer: FrameWriter::default(),
            version: Version::V1_0,
            rpc: RpcReader::default(),
            output: Vec::new(),
        };
        session.send(&write_hello(capabilities, id));
        session
    }

    /// Returns the identifier of the session.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns true while octets of the peer can be handled. The next request is not read before
    /// [`Self::produce`] has returned the reply to the one before, so that a peer that reads
    /// nothing cannot make the session hold more than one reply.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        match self.state {
            State::Hello(_) | State::Reading(_) => true,
            State::Ready => self.output.is_empty(),
            State::Waiting(_) | State::Replying { .. } | State::Closing => false,
        }
    }

    /// Returns what the session is doing.
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self.state {
            State::Hello(_) => Phase::Hello,
            State::Ready if self.output.is_empty() => Phase::Idle,
            State::Reading(_) => Phase::Receiving,
            State::Waiting(_) => Phase::Executing,
            State::Ready | State::Replying { .. } => Phase::Replying,
            State::Closing => Phase::Closing,
        }
    }

    /// Returns true if a request has begun and its reply has not been taken completely.
    #[must_use]
    pub fn has_unanswered(&self) -> bool {
        matches!(self.phase(), Phase::Receiving | Phase::Executing | Phase::Replying)
    }

    /// Returns true when the peer has ended the session: it is closed after the output.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        matches!(self.state, State::Closing)
    }

    /// Handles octets of the peer and removes them from `input`, until a request is complete. The
    /// caller calls it again with the rest when [`Self::wants_input`] returns true.
    ///
    /// # Errors
    /// The reason to close the session at once.
    pub fn receive(&mut self, input: &mut &[u8], datastores: &mut D) -> Result<(), CloseReason> {
        //= rfc6241#4.5-p1
        while self.wants_input() {
            let Some(frame) = self.frames.next_frame(input)? else { return Ok(()) };
            match frame {
                Frame::Payload(octets) => self.read(octets, datastores)?,
                Frame::End => self.end_message(datastores)?,
            }
        }
        Ok(())
    }

    /// Supplies the result of a request for which [`Execution::Later`] was returned. Does nothing
    /// if none is being executed.
    pub fn complete(&mut self, result: Execution<D::Data>, datastores: &mut D) {
        if !matches!(self.state, State::Waiting(_)) {
            return;
        }
        if let State::Waiting(reply) = std::mem::replace(&mut self.state, State::Ready) {
            datastores.request_ended(self.id, true, matches!(result, Execution::Failed(_)));
            self.reply(reply, result);
        }
    }

    /// Returns the next octets for the peer; empty if there are none at present.
    ///
    /// # Errors
    /// The reason to close the session at once.
    pub fn produce(&mut self, datastores: &mut D) -> Result<Vec<u8>, CloseReason> {
        while self.output.len() < MAX_OUTPUT_PIECE && matches!(self.state, State::Replying { .. }) {
            if self.write_data(datastores)? == Progress::Pause {
                break;
            }
        }
        Ok(std::mem::take(&mut self.output))
    }

    fn read(&mut self, octets: &[u8], datastores: &mut D) -> Result<(), CloseReason> {
        if let State::Hello(hello) = &mut self.state {
            return Ok(hello.push(octets)?);
        }
        let mut octets = octets;
        if matches!(self.state, State::Ready) {
            // White space before a request is not a part of it: the session stays idle.
            let begin = octets.iter().position(|octet| !b" \t\r\n".contains(octet));
            let Some(request) = begin.and_then(|begin| octets.get(begin..)) else { return Ok(()) };
            octets = request;
            self.state = State::Reading(Request::default());
        }
        let State::Reading(request) = &mut self.state else { return Ok(()) };
        request.count(self.id, octets.len(), &mut self.rpc, datastores);
        let outcome = self.rpc.push(octets, &mut request.handler(self.id, datastores));
        if self.rpc.is_refused() {
            // The rest of the message, however long, needs no memory.
            request.config = None;
            datastores.release_octets(self.id);
        }
        outcome.or_else(|_| self.refuse_malformed(datastores))
    }

    fn end_message(&mut self, datastores: &mut D) -> Result<(), CloseReason> {
        let request = match std::mem::replace(&mut self.state, State::Ready) {
            State::Hello(hello) => {
                self.version = hello.finish()?.version;
                self.frames.set_framing(self.version.framing());
                self.writer.set_framing(self.version.framing());
                return Ok(());
            }
            State::Reading(request) => request,
            _ => return self.refuse_malformed(datastores),
        };
        let Ok(rpc) = self.rpc.finish() else { return self.refuse_malformed(datastores) };
        let is_correct = rpc.operation.is_ok();
        let result = match rpc.operation {
            Err(error) => Execution::Failed(vec![error]),
            //= rfc6241#7.8-p1
            Ok(Operation::CloseSession) => {
                datastores.request_ended(self.id, true, false);
                self.reply(rpc.reply, Execution::Ok);
                datastores.session_closed(self.id, true);
                self.state = State::Closing;
                return Ok(());
            }
            //= rfc6241#7.9-p1
            Ok(Operation::KillSession(id)) if id == self.id => Execution::Failed(vec![
                RpcError::new(ErrorType::Protocol, ErrorTag::InvalidValue)
                    .with_message("a session cannot kill itself"),
            ]),
            Ok(operation) => datastores.execute(self.id, operation, request.config),
        };
        datastores.release_octets(self.id);
        if let (Execution::Failed(errors), Some(operation)) = (&result, request.operation) {
            datastores.request_refused(self.id, operation, errors);
        }
        // The result that comes later is counted then.
        if !matches!(result, Execution::Later) {
            datastores.request_ended(self.id, is_correct, matches!(result, Execution::Failed(_)));
        }
        self.reply(rpc.reply, result);
        Ok(())
    }

    /// Answers a message that is not well-formed, and ends the session (RFC 6241 §3). Clients of
    /// `:base:1.0` do not know the error (RFC 6241 Appendix A).
    //= rfc6241#3-p1
    fn refuse_malformed(&mut self, datastores: &mut D) -> Result<(), CloseReason> {
        datastores.release_octets(self.id);
        datastores.request_ended(self.id, false, self.version != Version::V1_0);
        //= rfc6241#A-p2
        if self.version == Version::V1_0 {
            return Err(CloseReason::Malformed);
        }
        let reply = self.rpc.reply_tag().clone();
        self.reply(reply, Execution::Failed(vec![RpcError::malformed_message()]));
        datastores.session_closed(self.id, false);
        self.state = State::Closing;
        Ok(())
    }

    /// Sends a result, or begins to.
    fn reply(&mut self, reply: ReplyTag, result: Execution<D::Data>) {
        let mut xml = Writer::new();
        reply.write(&mut xml);
        match result {
            Execution::Later => {
                self.state = State::Waiting(reply);
                return;
            }
            Execution::Data(data) => {
                self.state = State::Replying { reply, data, xml, is_sent: false };
                return;
            }
            Execution::Ok => {
                xml.start(XmlText::from_static(NETCONF), OK);
                xml.end();
            }
            Execution::Failed(errors) => errors.iter().for_each(|error| error.write(&mut xml)),
        }
        xml.end();
        self.send(xml.output());
    }

    /// Writes the next part of the data.
    fn write_data(&mut self, datastores: &mut D) -> Result<Progress, CloseReason> {
        let State::Replying { reply, data, xml, is_sent } = &mut self.state else {
            return Ok(Progress::Done);
        };
        let progress = match datastores.write_data(data, xml) {
            Ok(progress) => progress,
            Err(error) if !*is_sent => {
                let reply = std::mem::take(reply);
                self.state = State::Ready;
                self.reply(reply, Execution::Failed(vec![error.0]));
                return Ok(Progress::Done);
            }
            Err(_) => return Err(CloseReason::Data),
        };
        let has_more = progress != Progress::Done;
        if !has_more {
            xml.end();
        }
        if !has_more || xml.output().len() >= MAX_OUTPUT_PIECE {
            *is_sent = true;
            let octets = xml.take_output(Vec::new());
            self.writer.write_payload(&octets, &mut self.output);
        }
        if !has_more {
            self.writer.end_message(&mut self.output);
            self.state = State::Ready;
        }
        Ok(progress)
    }

    fn send(&mut self, message: &[u8]) {
        self.writer.write_payload(message, &mut self.output);
        self.writer.end_message(&mut self.output);
    }
}

const OK: NcName<'_> = NcName::from_static("ok");
