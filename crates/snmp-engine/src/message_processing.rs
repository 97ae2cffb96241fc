//! Message processing models (RFC 3412 §7, RFC 3584 §5.2): between messages and PDUs.
//!
//! Everything that differs from version to version lives here, and what applications must know of it goes out as
//! [`PduRules`]; nobody else asks for the version.

pub(crate) mod community;
pub(crate) mod prepare;
pub(crate) mod v3;

use portreeve_smi::{ErrorStatus, MessageProcessingModel, Value};

/// What the version of a message lets its PDUs say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PduRules {
    /// Whether values may be Counter64 (RFC 3584 §4.2.2.1).
    pub counter64: bool,
    /// Whether noSuchObject, noSuchInstance and endOfMibView may stand in place of a value; noSuchName otherwise.
    pub exceptions: bool,
    /// Whether error-status may exceed genErr(5).
    pub v2_errors: bool,
    /// Whether a tooBig response carries the request's variable bindings instead of none.
    pub echo_on_too_big: bool,
    /// Whether GetBulkRequest and InformRequest exist.
    pub bulk: bool,
}

impl PduRules {
    /// SNMPv1.
    pub const V1: Self =
        Self { counter64: false, exceptions: false, v2_errors: false, echo_on_too_big: true, bulk: false };
    /// SNMPv2c and SNMPv3.
    pub const V2: Self =
        Self { counter64: true, exceptions: true, v2_errors: true, echo_on_too_big: false, bulk: true };

    /// The rules for messages of this model.
    pub fn of(model: MessageProcessingModel) -> Self {
        match model {
            MessageProcessingModel::V1 => Self::V1,
            MessageProcessingModel::V2c | MessageProcessingModel::V3 => Self::V2,
        }
    }

    /// Whether a value may be sent at all.
    //= rfc3584#4.1-p1
    //= rfc3584#4.2.2.1-p1
    #[inline]
    pub fn allows(&self, value: &Value<'_>) -> bool {
        self.counter64 || !matches!(value, Value::Counter64(_))
    }

    /// The status as the peer knows it.
    //= rfc3584#4.2.2.3-p2
    //= rfc3584#4.2.2.4-p3
    //= rfc3584#4.2.2.5-p1
    pub fn error_status(&self, status: ErrorStatus) -> ErrorStatus {
        if self.v2_errors { status } else { status.to_v1() }
    }
}
