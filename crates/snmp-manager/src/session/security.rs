//! Dispatches to the SNMP version and, in SNMPv3, the security model.

use std::ops::Range;

use portreeve_smi::{ClockReading, EngineId, MessageProcessingModel, Timestamp, ber::ReverseWriter};
use portreeve_snmp_message::prepend_pdu;

use super::{
    SessionOptions,
    community::Community,
    ids::IdSequence,
    pending::{PendingRequest, Purpose},
    tsm::Tsm,
    usm::Usm,
};
use crate::{Credentials, InvalidRequestError, LocalizedUsers, retry::RetryTimer};

/// The message processing model and the security model in use.
pub(super) enum Security {
    Community(Community),
    Usm(Box<Usm>),
    Tsm(Tsm),
}

impl Security {
    pub(super) fn new(credentials: Credentials, options: &SessionOptions, seed: u64) -> Self {
        let community = |version, community| Self::Community(Community { version, community });
        //= rfc3584#4.2.1-p1
        match credentials {
            Credentials::V1(secret) => community(MessageProcessingModel::V1, secret),
            Credentials::V2c(secret) => community(MessageProcessingModel::V2c, secret),
            Credentials::V3(user) => Self::Usm(Box::new(Usm::new(user, options, seed))),
            Credentials::Transport => Self::Tsm(Tsm::new(options)),
        }
    }

    pub(super) fn localized(users: LocalizedUsers, options: &SessionOptions, seed: u64) -> Self {
        Self::Usm(Box::new(Usm::localized(users, options, seed)))
    }

    pub(super) fn version(&self) -> MessageProcessingModel {
        match self {
            Self::Community(community) => community.version,
            Self::Usm(_) | Self::Tsm(_) => MessageProcessingModel::V3,
        }
    }

    pub(super) fn engine_id(&self) -> Option<EngineId> {
        match self {
            Self::Usm(usm) => usm.engine.as_ref().map(|engine| engine.id),
            Self::Tsm(tsm) => tsm.engine_id(),
            Self::Community(_) => None,
        }
    }

    pub(super) fn engine_clock(&self, now: Timestamp) -> Option<ClockReading> {
        match self {
            Self::Usm(usm) => usm.engine.as_ref()?.known_clock(now),
            Self::Tsm(_) | Self::Community(_) => None,
        }
    }

    /// Returns true if the caller's requests can be sent.
    pub(super) fn is_ready(&self) -> bool {
        match self {
            Self::Community(_) => true,
            Self::Usm(usm) => usm.engine.is_some(),
            Self::Tsm(tsm) => tsm.is_ready(),
        }
    }

    /// Returns the discovery request that must be sent before the caller's requests, if one is
    /// necessary.
    pub(super) fn discovery(&mut self, ids: &mut IdSequence, timer: RetryTimer) -> Option<PendingRequest> {
        if self.is_ready() {
            return None;
        }
        match self {
            Self::Usm(usm) => {
                usm.discoveries += 1;
                Some(PendingRequest::for_discovery(ids.next(), timer))
            }
            Self::Tsm(tsm) => {
                tsm.discoveries += 1;
                Some(PendingRequest::for_engine_id_query(ids.next(), &Tsm::engine_id_request(), timer))
            }
            Self::Community(_) => None,
        }
    }

    /// Encodes the message into `output` and returns its range there.
    pub(super) fn build(
        &mut self,
        pending: &PendingRequest,
        now: Timestamp,
        msg_id: i32,
        output: &mut Vec<u8>,
    ) -> Result<Range<usize>, InvalidRequestError> {
        let content = HEADROOM..HEADROOM + pending.var_binds.len();
        output.resize(content.end + PADDING, 0);
        output
            .get_mut(content.clone())
            .ok_or(InvalidRequestError::TooLong)?
            .copy_from_slice(&pending.var_binds);
        let mut writer = ReverseWriter::before(output, content);
        let (first, second) = pending.operation.parameters();
        prepend_pdu(&mut writer, pending.operation.pdu_type(), pending.request_id, first, second)
            .map_err(|_| InvalidRequestError::TooLong)?;
        match (self, pending.purpose) {
            (Self::Community(community), _) => {
                community.wrap(&mut writer).map_err(|_| InvalidRequestError::TooLong)?
            }
            (Self::Tsm(tsm), purpose) => {
                tsm.wrap(purpose, msg_id, &mut writer).map_err(|_| InvalidRequestError::TooLong)?;
            }
            (Self::Usm(usm), Purpose::Discovery) => usm.wrap_discovery(msg_id, &mut writer)?,
            (Self::Usm(usm), Purpose::Caller(_)) => usm.wrap_request(now, msg_id, &mut writer)?,
        }
        Ok(writer.range())
    }
}

/// Number of octets reserved for all headers, including the community or context name.
pub(crate) const HEADROOM: usize = 1024;
/// Number of octets reserved for the padding of a block cipher.
pub(crate) const PADDING: usize = 8;
