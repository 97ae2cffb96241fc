//! Message processing models (RFC 3412 §7, RFC 3584 §5.2): they convert messages to PDUs and back.
//!
//! This module contains all differences between the versions. The differences that concern
//! applications are passed to them as [`PduRules`]; no other code checks the version.

pub(crate) mod community;
pub(crate) mod prepare;
pub(crate) mod v3;

use portreeve_smi::{EngineId, ErrorStatus, MessageProcessingModel, Value};
use portreeve_snmp_message::{Pdu, PduType, TrapV1, VarBinds};

use crate::StateReference;

/// The PDU types that the application has registered (RFC 3412 §4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisteredPdus {
    /// Those of a command responder.
    Requests,
    /// Those of a notification receiver, for every contextEngineID.
    Notifications,
}

impl RegisteredPdus {
    /// Returns whether PDUs of this type are registered.
    pub(crate) fn contain(self, pdu_type: PduType) -> bool {
        match self {
            Self::Requests => pdu_type.is_confirmed() && pdu_type != PduType::InformRequest,
            Self::Notifications => matches!(pdu_type, PduType::InformRequest | PduType::TrapV2),
        }
    }
}

/// A received message that has passed all checks.
pub(crate) struct ReceivedMessage<'m> {
    pub(crate) pdu: ReceivedPdu<'m>,
    pub(crate) state: StateReference,
    /// securityEngineID, for USM.
    pub(crate) security_engine_id: Option<EngineId>,
}

/// The PDU of a received message.
pub(crate) enum ReceivedPdu<'m> {
    /// The trap of SNMPv1.
    TrapV1(TrapV1<'m>),
    /// Any other PDU.
    Other(Pdu<'m>),
}

/// The rules for PDUs that depend on the version of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PduRules {
    /// Allows values of type Counter64 (RFC 3584 §4.2.2.1).
    pub counter64: bool,
    /// Allows noSuchObject, noSuchInstance and endOfMibView instead of a value. If exceptions are
    /// not allowed, the request is rejected with noSuchName.
    pub exceptions: bool,
    /// Allows an error-status above genErr(5).
    pub v2_errors: bool,
    /// Requires that a tooBig response contains the variable bindings of the request; otherwise it
    /// contains none.
    pub echo_on_too_big: bool,
    /// Allows GetBulkRequest and InformRequest.
    pub bulk: bool,
}

impl PduRules {
    /// The rules for PDUs of SNMPv1.
    pub const V1: Self =
        Self { counter64: false, exceptions: false, v2_errors: false, echo_on_too_big: true, bulk: false };
    /// The rules for PDUs of SNMPv2c and SNMPv3.
    pub const V2: Self =
        Self { counter64: true, exceptions: true, v2_errors: true, echo_on_too_big: false, bulk: true };

    /// Returns the rules for messages of this model.
    pub fn of(model: MessageProcessingModel) -> Self {
        match model {
            MessageProcessingModel::V1 => Self::V1,
            MessageProcessingModel::V2c | MessageProcessingModel::V3 => Self::V2,
        }
    }

    /// Returns whether the version can represent a value.
    //= rfc3584#4.1-p1
    //= rfc3584#4.2.2.1-p1
    #[inline]
    pub fn allows(&self, value: &Value<'_>) -> bool {
        self.counter64 || !matches!(value, Value::Counter64(_))
    }

    /// Returns whether the version can represent all values of a received PDU. No response may
    /// repeat the variable bindings of a PDU that is malformed in its version.
    //= rfc3584#4.2.2.1-p2
    pub(crate) fn allows_all(&self, var_binds: &VarBinds<'_>) -> bool {
        let is_allowed = |value: &Value<'_>| self.allows(value) && (self.exceptions || !value.is_exception());
        (self.counter64 && self.exceptions) || var_binds.iter().all(|bind| is_allowed(&bind.value))
    }

    /// Returns the status to send to the peer: `status` itself, or the nearest status of SNMPv1.
    //= rfc3584#4.2.2.3-p2
    //= rfc3584#4.2.2.4-p3
    //= rfc3584#4.2.2.5-p1
    pub fn error_status(&self, status: ErrorStatus) -> ErrorStatus {
        if self.v2_errors { status } else { status.to_v1() }
    }
}
