//! Matches received messages with requests, and processes Reports (RFC 3412 §7.2, RFC 3413 §3.1).
//!
//! Comments such as M1 are numbers from the attack list: the code below them prevents that attack.

use portreeve_smi::{EngineId, MessageProcessingModel, Timestamp};
use portreeve_snmp_message::{Pdu, PduType, Version, peek_version};

use super::{PendingRequest, Purpose, Security, Session, reports::reject_reason, tsm, usm::UsmMessage};
use crate::{DropReason, RejectReason, RequestError, Response};

impl Session {
    //= rfc3412#7.2-1
    pub(super) fn accept(&mut self, now: Timestamp, message: &mut [u8]) -> Result<(), DropReason> {
        let Version::Known(version) = peek_version(message).map_err(|_| DropReason::Malformed)? else {
            return Err(DropReason::UnknownVersion);
        };
        match &mut self.security {
            // Attack M3: only a message of the request's version is accepted.
            Security::Community(community) if version == community.version => {
                let pdu = community.unwrap(message)?;
                if pdu.pdu_type != PduType::Response {
                    return Err(DropReason::NotAResponse);
                }
                self.handle_response(now, None, &pdu)
            }
            Security::Usm(usm) if version == MessageProcessingModel::V3 => {
                let received = usm.unwrap(now, message)?;
                match received.pdu.pdu_type {
                    PduType::Report => self.handle_report(now, &received),
                    _ => self.handle_response(now, Some(received.msg_id), &received.pdu),
                }
            }
            Security::Tsm(tsm) if version == MessageProcessingModel::V3 => {
                let received = tsm.unwrap(message)?;
                if received.pdu.pdu_type == PduType::Report {
                    self.handle_tsm_report(&received)
                } else {
                    self.handle_tsm_response(now, &received)
                }
            }
            _ => Err(DropReason::WrongVersion),
        }
    }

    /// Processes a Response that passed the checks of the Transport Security Model.
    fn handle_tsm_response(
        &mut self,
        now: Timestamp,
        received: &tsm::TsmMessage<'_>,
    ) -> Result<(), DropReason> {
        let Security::Tsm(tsm) = &mut self.security else { return Err(DropReason::WrongSecurityModel) };
        let matches = |pending: &PendingRequest| {
            pending.purpose == Purpose::Discovery
                && pending.request_id == received.pdu.request_id
                && pending.msg_ids.contains(received.msg_id)
        };
        if let Some(index) = self.pending.iter().position(matches) {
            let discovery = self.pending.get_mut(index).ok_or(DropReason::UnknownRequest)?;
            if received.pdu.error_status == 0 && !discovery.matches_response(&received.pdu.var_binds) {
                return Err(DropReason::WrongObjects);
            }
            tsm.learn_engine_id(&received.pdu)?;
            discovery.timer.on_response(now, &mut self.rtt);
            self.pending.swap_remove(index);
            return Ok(());
        }
        if !tsm.is_expected_context(received) {
            return Err(DropReason::WrongContext);
        }
        tsm.discoveries = 0;
        self.handle_response(now, Some(received.msg_id), &received.pdu)
    }

    /// Processes a Report in a secure session. A secure session has no clocks or keys to correct,
    /// so the Report ends the request unless the agent's engine ID has changed.
    fn handle_tsm_report(&mut self, received: &tsm::TsmMessage<'_>) -> Result<(), DropReason> {
        let matches = |pending: &PendingRequest| pending.msg_ids.contains(received.msg_id);
        let index = self.pending.iter().position(matches).ok_or(DropReason::UnknownRequest)?;
        let reject_reason = reject_reason(&received.pdu);
        let Security::Tsm(tsm) = &mut self.security else { return Err(DropReason::WrongSecurityModel) };
        let pending = self.pending.get_mut(index).ok_or(DropReason::UnknownRequest)?;
        match reject_reason {
            reject_reason if pending.purpose == Purpose::Discovery => {
                self.end_all(RequestError::Rejected(reject_reason))
            }
            // Attack M14: discovery is repeated only a few times.
            RejectReason::UnknownPduHandler if !tsm.configured && tsm.discoveries < MAX_DISCOVERIES => {
                tsm.forget_engine_id();
                pending.restart();
                self.discover_if_needed();
            }
            reject_reason => self.end(index, Err(RequestError::Rejected(reject_reason))),
        }
        Ok(())
    }

    fn handle_response(
        &mut self,
        now: Timestamp,
        msg_id: Option<i32>,
        pdu: &Pdu<'_>,
    ) -> Result<(), DropReason> {
        // Attack M1: the request-id and the msgID must be those of a request in flight.
        //= rfc3412#7.2-10a
        //= rfc3413#3.1-2
        let matches = |pending: &PendingRequest| {
            pending.request_id == pdu.request_id
                && pending.timer.was_sent()
                && matches!(pending.purpose, Purpose::Caller(_))
                && msg_id.is_none_or(|msg_id| pending.msg_ids.contains(msg_id))
        };
        let Some(index) = self.pending.iter().position(matches) else {
            // This is a second response to a request. So the first transmission was not lost, and
            // the response to it came first.
            if let Some(round_trip) = self.resent.take(pdu.request_id) {
                self.rtt.on_needless_retransmission(round_trip);
            }
            return Err(DropReason::UnknownRequest);
        };
        // Attack M5: the response must be about the requested objects.
        let fits =
            |pending: &PendingRequest| pdu.error_status != 0 || pending.matches_response(&pdu.var_binds);
        if !self.pending.get(index).is_some_and(fits) {
            return Err(DropReason::WrongObjects);
        }
        if let Security::Usm(usm) = &mut self.security {
            usm.on_response();
        }
        self.evidence.record_response();
        //= rfc3412#7.2-10b
        //= rfc3412#7.2-12c
        //= rfc3412#7.2-12d
        if let Some(pending) = self.pending.get(index) {
            pending.timer.on_response(now, &mut self.rtt);
            self.resent.record(now, pending);
        }
        let memory = self.spare_buffers.pop().unwrap_or_default();
        self.end(index, Ok(Response::from_pdu(pdu, memory)));
        Ok(())
    }

    fn handle_report(&mut self, now: Timestamp, received: &UsmMessage<'_>) -> Result<(), DropReason> {
        //= rfc3412#7.2-10a
        let matches = |pending: &PendingRequest| pending.msg_ids.contains(received.msg_id);
        let index = self.pending.iter().position(matches).ok_or(DropReason::UnknownRequest)?;
        let Security::Usm(usm) = &mut self.security else { return Err(DropReason::NotAResponse) };
        let Some(pending) = self.pending.get_mut(index) else { return Err(DropReason::UnknownRequest) };
        //= rfc3412#7.2-11a
        //= rfc3412#7.2-11c
        //= rfc3412#7.2-11d
        let reject_reason = reject_reason(&received.pdu);
        if pending.purpose == Purpose::Discovery {
            // The local engine ID of RFC 5343 does not identify an engine. The length of the engine
            // ID (attack M16) is checked during parsing.
            if received.engine_id == EngineId::LOCAL {
                return Err(DropReason::InvalidEngineIdLength);
            }
            if !usm.learn_engine(received.engine_id) {
                self.end_all(RequestError::NoKeys(received.engine_id));
                return Ok(());
            }
            pending.timer.on_response(now, &mut self.rtt);
            self.pending.swap_remove(index);
            return Ok(());
        }
        if reject_reason == RejectReason::NotInTimeWindow && received.level.is_authenticated() {
            usm.clock_history.record_report(received.clock);
        }
        match reject_reason {
            //= rfc3412#7.2-11b
            // Attack M13: an unauthenticated message must not set the clock.
            RejectReason::NotInTimeWindow if !received.level.is_authenticated() => {
                return Err(DropReason::LowerSecurityLevel(received.level));
            }
            RejectReason::NotInTimeWindow if !pending.resynchronized => {
                pending.resynchronized = true;
                pending.restart();
            }
            // Attack M14: discovery is repeated only a few times.
            RejectReason::UnknownEngineId if !usm.configured && usm.discoveries < MAX_DISCOVERIES => {
                usm.engine = None;
                pending.restart();
                self.discover_if_needed();
            }
            RejectReason::DecryptionError if usm.on_decryption_error() => self.restart_all(),
            //= rfc3412#7.2-11e
            reject_reason => self.end(index, Err(RequestError::Rejected(reject_reason))),
        }
        Ok(())
    }
}

const MAX_DISCOVERIES: u8 = 2;
