//! Builds a message from the response of an application.

use std::ops::Range;

use portreeve_smi::{ErrorStatus, SecurityLevel, Timestamp, ber::header_len};
use portreeve_snmp_message::PduType;

use super::Engine;
use crate::{
    StateReference,
    message_processing::prepare::{
        OutgoingPdu, OutgoingSecurity, OutgoingV3, PrepareError, community_message, v3_message,
    },
    reject_reason::RejectReason,
    short_name::ShortName,
    state_reference::SecurityStateReference,
    statistics::Counter,
};

/// The response of an application. Its variable bindings are in the reply buffer, at the start of
/// [`var_bind_area`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Response {
    /// The request-id of the request.
    pub request_id: i32,
    /// The status as defined for SNMPv2. SNMPv1 peers receive the nearest SNMPv1 status.
    pub error_status: ErrorStatus,
    /// The position of the variable that caused the error, counted from 1, or 0 for none.
    pub error_index: usize,
    /// The length of the encoded variable bindings in octets.
    pub var_binds: usize,
}

/// Returns the length of a reply buffer in which a message of `max_message_size` octets can be
/// built.
pub const fn reply_buffer_size(max_message_size: usize) -> usize {
    max_message_size + HEADROOM + TAILROOM
}

/// Returns the part of a reply buffer in which an application writes variable bindings, after the
/// headroom for headers.
///
/// The part is empty if the buffer is too small for any response.
pub fn var_bind_area(reply: &mut [u8]) -> &mut [u8] {
    let end = reply.len().saturating_sub(TAILROOM);
    reply.get_mut(HEADROOM..end).unwrap_or_default()
}

impl Engine {
    /// Turns a response into a message, in place. Returns its range in `reply`.
    ///
    /// # Errors
    /// [`RejectReason::ResponseTooBig`] if the message is longer than the peer accepts. This error
    /// is not counted yet: the application tries a shorter response, and calls
    /// [`Engine::drop_silently`] if there is no shorter response.
    pub fn respond(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        response: &Response,
        reply: &mut [u8],
    ) -> Result<Range<usize>, RejectReason> {
        let status = state.rules().error_status(response.error_status);
        let pdu = OutgoingPdu {
            pdu_type: PduType::Response,
            request_id: response.request_id,
            error_status: i32::from(status as u8),
            error_index: i32::try_from(response.error_index).unwrap_or(i32::MAX),
        };
        let var_binds = HEADROOM..HEADROOM + response.var_binds;
        let range =
            self.prepare(now, state, pdu, var_binds, reply).map_err(|_| RejectReason::ResponseTooBig)?;
        if range.len() > state.max_size {
            return Err(RejectReason::ResponseTooBig);
        }
        self.count_response(status);
        Ok(range)
    }

    /// Returns the number of octets of variable bindings that always fit into a response to this
    /// request.
    pub fn room_for_var_binds(&self, state: &StateReference) -> usize {
        let security = match &state.security {
            SecurityStateReference::Community(row) => VERSION_LEN + octet_string_len(row.name.len()),
            SecurityStateReference::Session { community, .. } => {
                VERSION_LEN + octet_string_len(community.as_bytes().len())
            }
            SecurityStateReference::Usm(keys) => {
                let mac = keys.auth.as_ref().map_or(0, |key| key.protocol().mac_len());
                let privacy =
                    if state.level == SecurityLevel::AuthPriv { SALT_LEN + MAX_PADDING_LEN } else { 0 };
                V3_HEADER_LEN
                    + USM_FIELDS_LEN
                    + mac
                    + privacy
                    + octet_string_len(self.local.engine_id.as_bytes().len())
                    + octet_string_len(keys.user_name.len())
                    + self.scoped_pdu_overhead(state)
            }
            SecurityStateReference::Tsm(_) => V3_HEADER_LEN + self.scoped_pdu_overhead(state),
        };
        // Three elements enclose the variable bindings: the message, the PDU and the list. None of
        // their headers is longer than the header of a message of the maximum size.
        let wrappers = 3 * header_len(state.max_size);
        state.max_size.saturating_sub(security + wrappers + PDU_FIELDS_LEN)
    }

    /// Counts a response that could not be sent at any size (snmpSilentDrops).
    pub fn drop_silently(&self) -> RejectReason {
        self.count(RejectReason::ResponseTooBig);
        RejectReason::ResponseTooBig
    }

    fn scoped_pdu_overhead(&self, state: &StateReference) -> usize {
        let engine_id = state.v3.context_engine_id.map_or(0, |id| id.as_bytes().len());
        header_len(state.max_size)
            + octet_string_len(engine_id)
            + octet_string_len(state.context_name().len())
    }

    fn prepare(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        pdu: OutgoingPdu,
        var_binds: Range<usize>,
        reply: &mut [u8],
    ) -> Result<Range<usize>, PrepareError> {
        let security = match &state.security {
            SecurityStateReference::Community(row) => {
                return community_message(reply, var_binds, pdu, state.model, &row.name);
            }
            SecurityStateReference::Session { community, .. } => {
                return community_message(reply, var_binds, pdu, state.model, community.as_bytes());
            }
            SecurityStateReference::Usm(keys) => {
                OutgoingSecurity::Usm { user_name: &keys.user_name, keys: Some(keys), salt: self.next_salt() }
            }
            //= rfc5591#4.2-1
            SecurityStateReference::Tsm(_) => OutgoingSecurity::Tsm,
        };
        //= rfc3412#7.1-2a
        //= rfc3412#7.1-2b
        let message = OutgoingV3 {
            msg_id: state.v3.msg_id,
            level: state.level,
            context_engine_id: state.v3.context_engine_id.as_ref().map_or(&[], ShortName::as_bytes),
            context_name: state.v3.context_name.as_bytes(),
            security,
        };
        //= rfc3412#7.1-8b
        //= rfc3412#7.1-8c
        v3_message(reply, var_binds, pdu, &message, &self.local, now)
    }

    pub(super) fn next_salt(&mut self) -> u64 {
        self.salt = self.salt.wrapping_add(1);
        self.salt
    }

    fn count_response(&self, status: ErrorStatus) {
        self.statistics.count(Counter::SnmpOutPkts);
        self.statistics.count(Counter::SnmpOutGetResponses);
        let counter = match status {
            ErrorStatus::TooBig => Counter::SnmpOutTooBigs,
            ErrorStatus::NoSuchName => Counter::SnmpOutNoSuchNames,
            ErrorStatus::BadValue => Counter::SnmpOutBadValues,
            ErrorStatus::GenErr => Counter::SnmpOutGenErrs,
            _ => return,
        };
        self.statistics.count(counter);
    }
}

/// Returns the encoded length of an OCTET STRING of less than 128 octets.
fn octet_string_len(length: usize) -> usize {
    header_len(length) + length
}

/// The room for all headers in front of the variable bindings. It is sufficient for the longest
/// community (255 octets), and for the longest engine IDs, user name, digest and contextName with
/// their headers.
pub(super) const HEADROOM: usize = 512;
/// Room after the variable bindings for the padding of a block cipher.
const TAILROOM: usize = 8;

/// The length of msgVersion in octets.
const VERSION_LEN: usize = 3;
/// The length of msgVersion and msgGlobalData: the header of msgGlobalData, msgID, msgMaxSize,
/// msgFlags and msgSecurityModel.
const V3_HEADER_LEN: usize = VERSION_LEN + 2 + 6 + 6 + 3 + 3;
/// The total length in octets of the two headers around the security parameters, of boots and time,
/// and of the headers of the digest and the salt.
const USM_FIELDS_LEN: usize = 3 + 3 + 6 + 6 + 2 + 2;
/// The length of msgPrivacyParameters in octets.
const SALT_LEN: usize = 8;
/// The maximum length of the header and the padding of an encrypted scopedPDU.
const MAX_PADDING_LEN: usize = 4 + 7;
/// The maximum length of request-id, error-status and error-index in octets.
const PDU_FIELDS_LEN: usize = 6 + 3 + 4;
