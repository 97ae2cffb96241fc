//! The data of a rejected message from which its Report is built.

use std::sync::Arc;

use portreeve_smi::SecurityLevel;

use crate::{
    StateReference,
    security::usm::{UserKeys, UsmRejectError},
    short_name::ShortName,
    state_reference::SecurityStateReference,
};

/// The fields that a Report copies from the rejected message. These fields are not verified, except
/// for `keys` of an authenticated message.
pub(crate) struct ReportTarget {
    pub(crate) msg_id: i32,
    /// The request-id of the request, or zero if it could not be read.
    pub(crate) request_id: i32,
    pub(crate) security: ReportSecurity,
    /// The security level of the Report, unless its reason sets one.
    pub(crate) level: SecurityLevel,
    /// The maximum size of the Report in octets.
    pub(crate) max_size: usize,
}

pub(crate) enum ReportSecurity {
    Usm { user_name: ShortName, keys: Option<Arc<UserKeys>> },
    Tsm,
}

impl ReportTarget {
    /// Returns the Report destination for an authentic message that no application serves; `None`
    /// for community messages, whose versions do not support Reports.
    pub(crate) fn of_request(state: &StateReference, request_id: i32) -> Option<Self> {
        let security = match &state.security {
            SecurityStateReference::Community(_) | SecurityStateReference::Session { .. } => return None,
            SecurityStateReference::Usm(keys) => ReportSecurity::Usm {
                user_name: ShortName::new(&keys.user_name).unwrap_or_default(),
                keys: Some(Arc::clone(keys)),
            },
            SecurityStateReference::Tsm(_) => ReportSecurity::Tsm,
        };
        let msg_id = state.v3.msg_id;
        Some(Self { msg_id, request_id, security, level: state.level, max_size: state.max_size })
    }
}

impl ReportSecurity {
    /// Returns the Report destination that a message claims, after the User-based Security Model
    /// has rejected the message.
    pub(crate) fn claimed(message: &[u8], rejected: &UsmRejectError<'_>) -> Self {
        let user_name = message.get(rejected.parameters.user_name.clone()).unwrap_or_default();
        Self::Usm {
            user_name: ShortName::new(user_name).unwrap_or_default(),
            keys: rejected.user.map(Arc::clone),
        }
    }
}
