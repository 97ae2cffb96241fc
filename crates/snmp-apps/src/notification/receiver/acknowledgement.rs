//! Responses to informs.

use std::{ops::Range, sync::Arc};

use portreeve_smi::{ErrorStatus, Timestamp};
use portreeve_snmp_engine::{Engine, RejectReason, Response, StateReference, var_bind_area};
use portreeve_snmp_message::OwnedPdu;

/// The response to an accepted inform, which has not been sent yet.
///
/// The sender of an inform deletes it when the response arrives. Therefore, complete the
/// acknowledgement when the notification is on disk. If it is dropped, the sender sends the inform
/// again. An inform has one response:
///
/// ```compile_fail,E0382
/// use portreeve_smi::Timestamp;
/// use portreeve_snmp_apps::{PendingAcknowledgement, StoreResult};
/// use portreeve_snmp_engine::Engine;
///
/// fn twice(acknowledgement: PendingAcknowledgement, engine: &mut Engine, reply: &mut [u8]) {
///     acknowledgement.complete(engine, Timestamp::ZERO, StoreResult::Stored, reply);
///     acknowledgement.complete(engine, Timestamp::ZERO, StoreResult::Stored, reply);
/// }
/// ```
#[must_use = "the sender of the inform waits for a response"]
pub struct PendingAcknowledgement {
    state: StateReference,
    /// Shared with the notification, which contains the same variables.
    pdu: Arc<OwnedPdu>,
}

/// The result of storing a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreResult {
    /// The notification is on disk.
    Stored,
    /// The notification could not be stored, and the sender must know.
    Failed,
}

impl PendingAcknowledgement {
    pub(super) fn new(state: &StateReference, pdu: Arc<OwnedPdu>) -> Self {
        Self { state: state.clone(), pdu }
    }

    /// Builds the response: noError, or genErr if the notification could not be stored. Returns its
    /// range in `reply`; `None` if no response fits, which is counted.
    pub fn complete(
        self,
        engine: &mut Engine,
        now: Timestamp,
        result: StoreResult,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
        let status = match result {
            StoreResult::Stored => ErrorStatus::NoError,
            StoreResult::Failed => ErrorStatus::GenErr,
        };
        let octets = self.pdu.as_pdu().var_binds.encoded();
        let copied = var_bind_area(reply).get_mut(..octets.len()).map(|area| area.copy_from_slice(octets));
        //= rfc3413#3.4-2
        //= rfc3413#3.4-3
        let response = copied.and_then(|()| self.respond(engine, now, status, octets.len(), reply).ok());
        if response.is_some() {
            return response;
        }
        // The notification may be stored, but its sender would send an inform without a response
        // forever.
        let too_big = self.respond(engine, now, ErrorStatus::TooBig, 0, reply).ok();
        if too_big.is_none() {
            engine.drop_silently();
        }
        too_big
    }

    fn respond(
        &self,
        engine: &mut Engine,
        now: Timestamp,
        error_status: ErrorStatus,
        var_binds: usize,
        reply: &mut [u8],
    ) -> Result<Range<usize>, RejectReason> {
        let request_id = self.pdu.as_pdu().request_id;
        let response = Response { request_id, error_status, error_index: 0, var_binds };
        engine.respond(now, &self.state, &response, reply)
    }
}
