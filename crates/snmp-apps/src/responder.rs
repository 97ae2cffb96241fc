//! The command responder (RFC 3413 §3.2): from a request to the response's variable bindings.

use portreeve_lcd::{Lcd, View};
use portreeve_mib::{Record, Requester, Served, Token};
use portreeve_smi::{ErrorStatus, Timestamp, ber::ForwardWriter};
use portreeve_snmp_engine::{
    Failure, Response, StateReference,
    access::vacm::{AccessError, ViewType, find_view},
};
use portreeve_snmp_message::{Pdu, PduType};

use crate::{
    retrieval::{self, Scene, Stop, get, get_bulk, get_next},
    set::{Rejected, SetTurn, Transaction, Turn},
};

/// Serves objects to those who may see and change them.
pub(crate) struct Responder {
    pub(crate) served: Served,
    pub(crate) turn: SetTurn,
    /// Whether a SET that comes now has to queue behind others.
    pub(crate) sets_wait: bool,
}

/// What became of a request.
pub(crate) enum Answer {
    /// A response, whose variable bindings stand in the area.
    Response(Response),
    /// Refused as a whole, with a Report where the version knows them.
    Refused(Failure),
    /// The answer waits for the value of this variable, counted from 1.
    Later(Token, usize),
    /// A SET that waits for its turn.
    LaterTurn,
    /// A SET whose records must be durable first.
    Durable(Transaction, Vec<Record>, Turn),
}

/// A request as the responder sees it.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) now: Timestamp,
    /// Who asks, about which context.
    pub(crate) state: &'q StateReference,
    pub(crate) pdu: &'q Pdu<'q>,
    pub(crate) room: Room,
}

/// Octets that the variable bindings of a response may have.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Surely fits: where a GetBulk response is cut.
    pub(crate) safe: usize,
    /// May fit: a longer response is tooBig without trying.
    pub(crate) most: usize,
}

impl Responder {
    /// Answers by the rights in `lcd`. Variable bindings go to the start of `area`.
    pub(crate) fn answer(&mut self, question: Question<'_>, lcd: &Lcd, area: &mut [u8]) -> Answer {
        let Question { state, pdu, .. } = question;
        //= rfc3413#3.2-1
        //= rfc3413#3.2-2
        //= rfc3413#3.2-4
        let view_type = if pdu.pdu_type == PduType::SetRequest { ViewType::Write } else { ViewType::Read };
        //= rfc3413#3.2-5
        match find_view(lcd, &state.principal(), view_type, state.context_name()) {
            Ok(view) if view_type == ViewType::Write => self.set(question, view, area),
            Ok(view) => self.read(question, view, area),
            //= rfc3413#3.2-5-p3
            Err(AccessError::NoSuchContext) => Answer::Refused(Failure::UnknownContext),
            // Who may read but not write is told so for the variable, as managers expect; RFC 3413 would have it
            // authorizationError here too.
            Err(AccessError::NoSuchView) if view_type == ViewType::Write => {
                echo(pdu, Rejected(ErrorStatus::NoAccess, 1), area)
            }
            //= rfc3413#3.2-5-p1
            Err(AccessError::NoSuchView | AccessError::NoAccessEntry | AccessError::NoGroupName) => {
                // An SNMPv1 peer is told noSuchName, which always blames a variable.
                //= rfc3584#4.4-p2
                let blamed = usize::from(!state.rules().v2_errors);
                echo(pdu, Rejected(ErrorStatus::AuthorizationError, blamed), area)
            }
            //= rfc3413#3.2-5-p5
            Err(AccessError::NotInView) => echo(pdu, Rejected(ErrorStatus::GenErr, 0), area),
        }
    }

    fn read(&mut self, question: Question<'_>, view: &View, area: &mut [u8]) -> Answer {
        let Question { now, state, pdu, room } = question;
        self.served.enter_context(state.context_name());
        self.served.begin(now);
        let mut scene =
            Scene { served: &mut self.served, view, rules: state.rules(), steps: retrieval::MAX_STEPS };
        let limit = if pdu.pdu_type == PduType::GetBulkRequest { room.safe } else { room.most };
        let limit = limit.min(area.len());
        let mut reply = ForwardWriter::new(area.get_mut(..limit).unwrap_or_default());
        let read = match pdu.pdu_type {
            PduType::GetRequest => get(&mut scene, pdu.var_binds, &mut reply),
            PduType::GetNextRequest => get_next(&mut scene, pdu.var_binds, &mut reply),
            _ => get_bulk(&mut scene, pdu, &mut reply),
        };
        match read {
            Ok(()) => Answer::Response(Response {
                request_id: pdu.request_id,
                error_status: ErrorStatus::NoError,
                error_index: 0,
                var_binds: reply.len(),
            }),
            Err(Stop::Rejected(status, variable)) => echo(pdu, Rejected(status, variable), area),
            Err(Stop::Full) => too_big(state, pdu, area),
            Err(Stop::Later(token, variable)) => Answer::Later(token, variable),
        }
    }

    fn set(&mut self, question: Question<'_>, view: &View, area: &mut [u8]) -> Answer {
        let Question { now, state, pdu, room } = question;
        // The response repeats the request's variables: that it fits must be known before anything changes.
        if pdu.var_binds.encoded().len() > room.safe {
            return too_big(state, pdu, area);
        }
        let free = if self.sets_wait { None } else { self.turn.take() };
        let Some(turn) = free else { return Answer::LaterTurn };
        self.served.enter_context(state.context_name());
        self.served.begin(now);
        let principal = state.principal();
        let requester =
            Requester { security_model: principal.security_model, security_name: principal.security_name };
        match Transaction::prepare(&mut self.served, view, requester, now, pdu) {
            Err(rejected) => echo(pdu, rejected, area),
            Ok(transaction) => {
                let records = transaction.records();
                if records.is_empty() {
                    transaction.publish();
                    return echo(pdu, DONE, area);
                }
                Answer::Durable(transaction, records, turn)
            }
        }
    }
}

/// A response that repeats the request's variables.
pub(crate) fn echo(pdu: &Pdu<'_>, Rejected(error_status, error_index): Rejected, area: &mut [u8]) -> Answer {
    let octets = pdu.var_binds.encoded();
    let mut writer = ForwardWriter::new(area);
    match writer.raw(octets) {
        Ok(()) => Answer::Response(Response {
            request_id: pdu.request_id,
            error_status,
            error_index,
            var_binds: octets.len(),
        }),
        Err(_) => Answer::Refused(Failure::ResponseTooBig),
    }
}

/// The response to a request whose answer would be too long (RFC 3416 §4.2.1): without variables, but in SNMPv1
/// with those of the request.
pub(crate) fn too_big(state: &StateReference, pdu: &Pdu<'_>, area: &mut [u8]) -> Answer {
    if state.rules().echo_on_too_big {
        return echo(pdu, Rejected(ErrorStatus::TooBig, 0), area);
    }
    Answer::Response(Response {
        request_id: pdu.request_id,
        error_status: ErrorStatus::TooBig,
        error_index: 0,
        var_binds: 0,
    })
}

/// The status of a SET that is done.
pub(crate) const DONE: Rejected = Rejected(ErrorStatus::NoError, 0);
