//! SNMP in a session: divides the octets into messages, which the worker's handler answers.

use std::rc::Rc;

use portreeve_smi::{SecurityLevel, TmStateReference};

use crate::framing::{FramingError, message_length};
use crate::handler::{Disposition, MessageHandler, MessageSource, ReplyPath, SessionEvent};
use crate::outbox::{ExpectedAnswer, Outbox};
use crate::protocol::{Progress, Received, SessionOutput, SessionProtocol};
use crate::session_source::SessionSource;
use crate::statistics::CloseReason;
use crate::worker::{HandlerPanicError, Worker};

/// SNMP in one session.
pub(crate) struct SnmpProtocol<H> {
    worker: Rc<Worker<H>>,
    outbox: Rc<Outbox>,
}

impl<H: MessageHandler> SnmpProtocol<H> {
    /// Starts SNMP in a session.
    pub(crate) fn new(worker: Rc<Worker<H>>, outbox: Rc<Outbox>) -> Self {
        Self { worker, outbox }
    }

    fn message_source(&self, source: &SessionSource) -> MessageSource {
        let is_authenticated = source.security_name.is_some();
        let level = if is_authenticated { SecurityLevel::AuthPriv } else { SecurityLevel::NoAuthNoPriv };
        MessageSource {
            //= rfc5592#5.3-7
            //= rfc6353#5.3.1-6
            tm_state: TmStateReference {
                security_name: source.security_name.clone(),
                transport_level: level,
                session: Some(source.session),
                ..TmStateReference::unauthenticated(source.domain, source.peer)
            },
            local: source.local,
            max_message_size: self.worker.limits.max_message_size,
            listener: source.listener,
            reply_path: ReplyPath::Session(ExpectedAnswer::new(&self.outbox)),
        }
    }
}

impl<H: MessageHandler> SessionProtocol for SnmpProtocol<H> {
    fn receive(
        &mut self,
        source: &SessionSource,
        input: &mut [u8],
        output: &mut SessionOutput<'_>,
    ) -> Result<Received, CloseReason> {
        let max_size = self.worker.limits.max_message_size;
        let length = message_length(input, max_size).map_err(close_reason_for)?;
        let Some(message) = length.and_then(|length| input.get_mut(..length)) else {
            return Ok(Received { octets: 0, progress: Progress::None });
        };
        let octets = message.len();
        let mut reply = self.worker.reply_buffer.borrow_mut();
        let disposition = self.worker.handle(&self.message_source(source), message, &mut reply);
        let disposition = disposition.map_err(|HandlerPanicError| CloseReason::Panic)?;
        self.worker.update_timer();
        let progress = if disposition.is_accepted() { Progress::Accepted } else { Progress::Message };
        match disposition {
            Disposition::Reply(range)
            | Disposition::UnauthenticatedReply(range)
            | Disposition::Report(range) => output.send(reply.get(range).unwrap_or_default()),
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => {}
        }
        Ok(Received { octets, progress })
    }

    fn wants_input(&self) -> bool {
        self.outbox.admits_request()
    }

    fn closed(&mut self, source: &SessionSource, reason: CloseReason) {
        //= rfc5592#5.4-1
        //= rfc6353#5.4-1
        if source.security_name.is_some() && reason.is_local() {
            self.worker.session_event(source.domain, SessionEvent::ClosedLocally);
        }
        self.worker.session_closed(source.domain, source.session);
    }
}

fn close_reason_for(error: FramingError) -> CloseReason {
    match error {
        FramingError::Malformed => CloseReason::MalformedMessage,
        FramingError::TooLong => CloseReason::MessageTooLong,
    }
}
