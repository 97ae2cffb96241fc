//! stateReference and securityStateReference: the parts of a request that its response needs (RFC
//! 3412 §7.2 step 13b).

use std::sync::Arc;

use portreeve_lcd::CommunityRow;
use portreeve_smi::{EngineId, MessageProcessingModel, SecurityLevel, SecurityModel};

use crate::{
    access::vacm::Principal, message_processing::PduRules, security::usm::UserKeys, short_name::ShortName,
};

/// The data of a request that its response needs. The value owns its data, so that the response can
/// be sent later. Cloning does not allocate.
#[derive(Clone)]
pub struct StateReference {
    pub(crate) security: SecurityStateReference,
    pub(crate) model: MessageProcessingModel,
    pub(crate) level: SecurityLevel,
    pub(crate) v3: V3State,
    pub(crate) max_size: usize,
}

impl StateReference {
    /// Returns the sender of the request.
    pub fn principal(&self) -> Principal<'_> {
        Principal {
            security_model: self.security_model(),
            security_name: self.security_name(),
            security_level: self.level,
        }
    }

    /// Returns the contextName of the request.
    pub fn context_name(&self) -> &[u8] {
        match &self.security {
            SecurityStateReference::Community(row) => &row.context_name,
            SecurityStateReference::Session { .. } => &[],
            _ => self.v3.context_name.as_bytes(),
        }
    }

    /// Returns the contextEngineID of the message, for SNMPv3, if it is valid.
    pub fn context_engine_id(&self) -> Option<EngineId> {
        EngineId::from_wire(self.v3.context_engine_id?.as_bytes()).ok()
    }

    /// Returns the version of the message.
    pub fn message_processing_model(&self) -> MessageProcessingModel {
        self.model
    }

    /// Returns the community of the message; `None` for SNMPv3.
    pub fn community(&self) -> Option<&[u8]> {
        match &self.security {
            SecurityStateReference::Community(row) => Some(&row.name),
            SecurityStateReference::Session { community, .. } => Some(community.as_bytes()),
            SecurityStateReference::Usm(_) | SecurityStateReference::Tsm(_) => None,
        }
    }

    /// Returns the rules for the PDU of the response.
    pub fn rules(&self) -> PduRules {
        PduRules::of(self.model)
    }

    /// Returns the maximum size of the response in octets, as limited by the peer, its transport
    /// and this engine.
    pub fn max_size(&self) -> usize {
        self.max_size
    }

    /// Lowers [`StateReference::max_size`] to at most `octets`.
    pub fn limit_size(&mut self, octets: usize) {
        self.max_size = self.max_size.min(octets);
    }

    /// Returns whether the request was protected only by a community.
    pub fn is_community_based(&self) -> bool {
        matches!(self.security, SecurityStateReference::Community(_))
    }

    fn security_model(&self) -> SecurityModel {
        match (&self.security, self.model) {
            (
                SecurityStateReference::Community(_) | SecurityStateReference::Session { .. },
                MessageProcessingModel::V1,
            ) => SecurityModel::SNMP_V1,
            (SecurityStateReference::Community(_) | SecurityStateReference::Session { .. }, _) => {
                SecurityModel::SNMP_V2C
            }
            (SecurityStateReference::Usm(_), _) => SecurityModel::USM,
            (SecurityStateReference::Tsm(_), _) => SecurityModel::TSM,
        }
    }

    fn security_name(&self) -> &[u8] {
        match &self.security {
            SecurityStateReference::Community(row) => &row.security_name,
            SecurityStateReference::Usm(keys) => &keys.security_name,
            SecurityStateReference::Session { name, .. } | SecurityStateReference::Tsm(name) => name,
        }
    }
}

/// securityStateReference: the state that the security model of the request stores for the
/// response.
#[derive(Clone)]
pub(crate) enum SecurityStateReference {
    Community(Arc<CommunityRow>),
    /// SNMPv1 or SNMPv2c in a session. The session identifies the sender; the response only repeats
    /// the community.
    Session {
        name: Arc<[u8]>,
        community: ShortName,
    },
    Usm(Arc<UserKeys>),
    Tsm(Arc<[u8]>),
}

/// The fields of the request that an SNMPv3 response repeats. Unused for SNMPv1 and SNMPv2c.
#[derive(Clone, Copy, Default)]
pub(crate) struct V3State {
    pub(crate) msg_id: i32,
    /// The octets of the message, which need not be a valid engine ID; `None` if they are too long
    /// for one.
    pub(crate) context_engine_id: Option<ShortName>,
    pub(crate) context_name: ShortName,
}
