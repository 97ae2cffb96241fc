//! Whom a Report goes to: what is known of a message that could not be accepted.

use std::sync::Arc;

use portreeve_smi::SecurityLevel;

use crate::{
    StateReference,
    security::usm::{UserKeys, UsmRejection},
    short_name::ShortName,
    state_reference::SecurityStateReference,
};

/// What a Report takes from the message it is about. Nothing in it is proven but where `keys` and an authenticated
/// level say so.
pub(crate) struct ReportTarget {
    pub(crate) msg_id: i32,
    /// The request's, or zero where it could not be read.
    pub(crate) request_id: i32,
    pub(crate) security: ReportSecurity,
    /// The level of the Report where its reason names none.
    pub(crate) level: SecurityLevel,
    /// The longest Report that can go back, in octets.
    pub(crate) max_size: usize,
}

pub(crate) enum ReportSecurity {
    Usm { user_name: ShortName, keys: Option<Arc<UserKeys>> },
    Tsm,
}

impl ReportTarget {
    /// The sender of a message that was authentic, but asks for what nobody serves. Community messages know no
    /// Reports.
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
    /// The sender as a message claims it, which the User-based Security Model has refused.
    pub(crate) fn claimed(message: &[u8], rejected: &UsmRejection<'_>) -> Self {
        let user_name = message.get(rejected.parameters.user_name.clone()).unwrap_or_default();
        Self::Usm {
            user_name: ShortName::new(user_name).unwrap_or_default(),
            keys: rejected.user.map(Arc::clone),
        }
    }
}
