//! Which request does a message answer, and what does a Report mean for it? (RFC 3412 §7.2, RFC 3413 §3.1)
//!
//! Lines of the list of what lying agents do are named where they are decided.

use portreeve_smi::{EngineId, MessageProcessingModel, Timestamp};
use portreeve_snmp_message::{Pdu, PduType, Version, peek_version};

use super::{Pending, Purpose, Security, Session, reports::refusal, tsm, usm::Received};
use crate::{Ignored, Refusal, RequestError, Response};

impl Session {
    //= rfc3412#7.2-1
    pub(super) fn accept(&mut self, now: Timestamp, message: &mut [u8]) -> Result<(), Ignored> {
        let Version::Known(version) = peek_version(message).map_err(|_| Ignored::Malformed)? else {
            return Err(Ignored::OtherVersion);
        };
        match &mut self.security {
            // M3
            Security::Community(community) if version == community.version => {
                let pdu = community.unwrap(message)?;
                if pdu.pdu_type != PduType::Response {
                    return Err(Ignored::NotAResponse);
                }
                self.answer(now, None, &pdu)
            }
            Security::Usm(usm) if version == MessageProcessingModel::V3 => {
                let received = usm.unwrap(now, message)?;
                match received.pdu.pdu_type {
                    PduType::Report => self.report(now, &received),
                    _ => self.answer(now, Some(received.msg_id), &received.pdu),
                }
            }
            Security::Tsm(tsm) if version == MessageProcessingModel::V3 => {
                let received = tsm.unwrap(message)?;
                if received.pdu.pdu_type == PduType::Report {
                    self.report_in_session(&received)
                } else {
                    self.answer_in_session(now, &received)
                }
            }
            _ => Err(Ignored::OtherVersion),
        }
    }

    /// A Response that the Transport Security Model has let pass.
    fn answer_in_session(&mut self, now: Timestamp, received: &tsm::Received<'_>) -> Result<(), Ignored> {
        let Security::Tsm(tsm) = &mut self.security else { return Err(Ignored::OtherSecurityModel) };
        let is_meant = |pending: &Pending| {
            pending.purpose == Purpose::Discovery
                && pending.request_id == received.pdu.request_id
                && pending.msg_ids.contains(received.msg_id)
        };
        if let Some(index) = self.pending.iter().position(is_meant) {
            let discovery = self.pending.get_mut(index).ok_or(Ignored::UnknownRequest)?;
            if received.pdu.error_status == 0 && !discovery.is_answered_by(&received.pdu.var_binds) {
                return Err(Ignored::OtherObjects);
            }
            tsm.learn(&received.pdu)?;
            discovery.timer.answered(now, &mut self.round_trips);
            self.pending.swap_remove(index);
            return Ok(());
        }
        if !tsm.is_about_our_context(received) {
            return Err(Ignored::OtherEngine);
        }
        tsm.discoveries = 0;
        self.answer(now, Some(received.msg_id), &received.pdu)
    }

    /// A Report that came in the session. There are no clocks to set and no keys to change: it ends the request, unless
    /// the agent has become another one.
    fn report_in_session(&mut self, received: &tsm::Received<'_>) -> Result<(), Ignored> {
        let is_meant = |pending: &Pending| pending.msg_ids.contains(received.msg_id);
        let index = self.pending.iter().position(is_meant).ok_or(Ignored::UnknownRequest)?;
        let refusal = refusal(&received.pdu);
        let Security::Tsm(tsm) = &mut self.security else { return Err(Ignored::OtherSecurityModel) };
        let pending = self.pending.get_mut(index).ok_or(Ignored::UnknownRequest)?;
        match refusal {
            refusal if pending.purpose == Purpose::Discovery => self.end_all(RequestError::Refused(refusal)),
            // M14
            Refusal::UnknownPduHandler if !tsm.configured && tsm.discoveries < MAX_DISCOVERIES => {
                tsm.forget();
                pending.start_over();
                self.discover_if_needed();
            }
            refusal => self.end(index, Err(RequestError::Refused(refusal))),
        }
        Ok(())
    }

    fn answer(&mut self, now: Timestamp, msg_id: Option<i32>, pdu: &Pdu<'_>) -> Result<(), Ignored> {
        // M1
        //= rfc3412#7.2-10a
        //= rfc3413#3.1-2
        let is_meant = |pending: &Pending| {
            pending.request_id == pdu.request_id
                && pending.timer.has_left()
                && matches!(pending.purpose, Purpose::Caller(_))
                && msg_id.is_none_or(|msg_id| pending.msg_ids.contains(msg_id))
        };
        let Some(index) = self.pending.iter().position(is_meant) else {
            // A second answer to one request: the first sending, which was answered first, was not lost.
            if let Some(round_trip) = self.resent.take(pdu.request_id) {
                self.round_trips.was_needless(round_trip);
            }
            return Err(Ignored::UnknownRequest);
        };
        // M5
        let fits = |pending: &Pending| pdu.error_status != 0 || pending.is_answered_by(&pdu.var_binds);
        if !self.pending.get(index).is_some_and(fits) {
            return Err(Ignored::OtherObjects);
        }
        if let Security::Usm(usm) = &mut self.security {
            usm.is_answered();
        }
        self.evidence.note_answer();
        //= rfc3412#7.2-10b
        //= rfc3412#7.2-12c
        //= rfc3412#7.2-12d
        if let Some(pending) = self.pending.get(index) {
            pending.timer.answered(now, &mut self.round_trips);
            self.resent.note(now, pending);
        }
        let memory = self.spare.pop().unwrap_or_default();
        self.end(index, Ok(Response::from_pdu(pdu, memory)));
        Ok(())
    }

    fn report(&mut self, now: Timestamp, received: &Received<'_>) -> Result<(), Ignored> {
        //= rfc3412#7.2-10a
        let is_meant = |pending: &Pending| pending.msg_ids.contains(received.msg_id);
        let index = self.pending.iter().position(is_meant).ok_or(Ignored::UnknownRequest)?;
        let Security::Usm(usm) = &mut self.security else { return Err(Ignored::NotAResponse) };
        let Some(pending) = self.pending.get_mut(index) else { return Err(Ignored::UnknownRequest) };
        //= rfc3412#7.2-11a
        //= rfc3412#7.2-11c
        //= rfc3412#7.2-11d
        let refusal = refusal(&received.pdu);
        if pending.purpose == Purpose::Discovery {
            // RFC 5343's stand-in names no engine; M16 is decided where the message is read.
            if received.engine_id == EngineId::LOCAL {
                return Err(Ignored::OddEngineId);
            }
            usm.learn_engine(received.engine_id);
            pending.timer.answered(now, &mut self.round_trips);
            self.pending.swap_remove(index);
            return Ok(());
        }
        if refusal == Refusal::NotInTimeWindow && received.level.is_authenticated() {
            usm.witness.note_told(received.clock);
        }
        match refusal {
            //= rfc3412#7.2-11b
            // M13: who has not signed it may not set clocks.
            Refusal::NotInTimeWindow if !received.level.is_authenticated() => {
                return Err(Ignored::LowerSecurityLevel(received.level));
            }
            Refusal::NotInTimeWindow if !pending.resynchronised => {
                pending.resynchronised = true;
                pending.start_over();
            }
            // M14
            Refusal::UnknownEngineId if !usm.configured && usm.discoveries < MAX_DISCOVERIES => {
                usm.engine = None;
                pending.start_over();
                self.discover_if_needed();
            }
            Refusal::DecryptionError if usm.is_refused() => self.start_all_over(),
            //= rfc3412#7.2-11e
            refusal => self.end(index, Err(RequestError::Refused(refusal))),
        }
        Ok(())
    }
}

const MAX_DISCOVERIES: u8 = 2;
