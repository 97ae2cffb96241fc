//! Traps: notifications to which no receiver responds.
//!
//! An inform is a request like others; see [`crate::Operation::Inform`]. A trap is a single message
//! of a [`TrapEncoder`]. In SNMPv3 with USM, the sender of a trap is authoritative: the message has
//! the sender's engine ID and clock, and the user's keys are localized to this engine (RFC 3414
//! §1.5.1).

use std::{ops::Range, sync::Arc};

use portreeve_secret::Secret;
use portreeve_smi::{
    ClockReading, EngineId, MessageProcessingModel, SecurityLevel, SecurityModel, Timestamp,
    ber::{BufferFullError, ReverseWriter, Tag},
};
use portreeve_snmp_engine::security::usm::{
    AuthoritativeEngine, NoPeers, Outgoing, UserKeys, UserLookup, UsmOutgoingContext,
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, TrapV1, VarBinds, prepend_community_message, prepend_pdu,
    prepend_scoped_pdu, prepend_v3_message,
};

use crate::{
    Credentials, InvalidRequestError, SessionOptions,
    session::{HEADROOM, IdSequence, PADDING, TSM_LEVEL, finish_usm, too_long_usm},
};

/// Encodes the traps of one sender to one receiver.
pub struct TrapEncoder {
    security: TrapSecurity,
    context_engine_id: EngineId,
    context_name: Vec<u8>,
    max_message_size: usize,
    request_ids: IdSequence,
    msg_ids: IdSequence,
    salt: u64,
    output: Vec<u8>,
}

enum TrapSecurity {
    Community(MessageProcessingModel, Secret),
    Usm { engine_id: EngineId, user: Arc<UserKeys>, level: SecurityLevel },
    Tsm,
}

impl TrapEncoder {
    /// Creates an encoder for the engine `engine_id`, which is the sender's. The options are the
    /// context, by default that of the engine itself, and the maximum message size; the others have
    /// no effect. `seed` must be random: request-ids, msgIDs and salts are derived from it.
    ///
    /// # Errors
    /// A localized key of the user does not have the length of its protocol.
    pub fn new(
        credentials: Credentials,
        engine_id: EngineId,
        options: &SessionOptions,
        seed: u64,
    ) -> Result<Self, portreeve_crypto::KeyLengthError> {
        let security = match credentials {
            Credentials::V1(community) => TrapSecurity::Community(MessageProcessingModel::V1, community),
            Credentials::V2c(community) => TrapSecurity::Community(MessageProcessingModel::V2c, community),
            Credentials::V3(user) => TrapSecurity::Usm {
                engine_id,
                level: user.level(),
                user: user.localize(engine_id).prepare(&user.name)?,
            },
            Credentials::Transport => TrapSecurity::Tsm,
        };
        Ok(Self {
            security,
            context_engine_id: options.context_engine_id.unwrap_or(engine_id),
            context_name: options.context_name.clone(),
            max_message_size: options.max_message_size,
            request_ids: IdSequence::starting_at(seed as u32),
            msg_ids: IdSequence::starting_at((seed >> 32) as u32),
            salt: seed,
            output: Vec::new(),
        })
    }

    /// Returns true if the traps have the form of SNMPv1: use [`Self::encode_v1`].
    pub fn is_v1(&self) -> bool {
        matches!(self.security, TrapSecurity::Community(MessageProcessingModel::V1, _))
    }

    /// Encodes an SNMPv2-Trap with these variables, which begin with sysUpTime.0 and snmpTrapOID.0.
    /// `clock` is the reading of the sender's own clock; only USM needs it.
    ///
    /// # Errors
    /// The message would be too long, or it would be one of SNMPv1, which has no such trap.
    pub fn encode(
        &mut self,
        clock: ClockReading,
        var_binds: VarBinds<'_>,
    ) -> Result<&[u8], InvalidRequestError> {
        if self.is_v1() {
            return Err(InvalidRequestError::TrapV2InV1);
        }
        let request_id = self.request_ids.next();
        self.build(clock, var_binds, |writer| prepend_pdu(writer, PduType::TrapV2, request_id, 0, 0))
    }

    /// Encodes a trap of SNMPv1 with the fields and variables of `trap`.
    ///
    /// # Errors
    /// The message would be too long or contain a Counter64, or it would not be one of SNMPv1.
    pub fn encode_v1(&mut self, trap: &TrapV1<'_>) -> Result<&[u8], InvalidRequestError> {
        if !self.is_v1() {
            return Err(InvalidRequestError::TrapV1InV2);
        }
        if trap.var_binds.iter().any(|bind| bind.value.tag() == Tag::COUNTER64) {
            return Err(InvalidRequestError::Counter64InV1);
        }
        self.build(ClockReading::default(), trap.var_binds, |writer| trap.prepend(writer))
    }

    fn build(
        &mut self,
        clock: ClockReading,
        var_binds: VarBinds<'_>,
        prepend: impl FnOnce(&mut ReverseWriter<'_>) -> Result<(), BufferFullError>,
    ) -> Result<&[u8], InvalidRequestError> {
        let mut output = std::mem::take(&mut self.output);
        let range = self.write(clock, var_binds.encoded(), prepend, &mut output);
        self.output = output;
        let range = range?;
        if range.len() > self.max_message_size {
            return Err(InvalidRequestError::TooLong);
        }
        self.output.get(range).ok_or(InvalidRequestError::TooLong)
    }

    /// Writes the message to `output` and returns its range there.
    fn write(
        &mut self,
        clock: ClockReading,
        var_binds: &[u8],
        prepend: impl FnOnce(&mut ReverseWriter<'_>) -> Result<(), BufferFullError>,
        output: &mut Vec<u8>,
    ) -> Result<Range<usize>, InvalidRequestError> {
        let content = HEADROOM..HEADROOM + var_binds.len();
        output.clear();
        output.resize(content.end + PADDING, 0);
        let mut writer = ReverseWriter::before(output, content.end..content.end);
        let too_long = |_: BufferFullError| InvalidRequestError::TooLong;
        writer.raw(var_binds).map_err(too_long)?;
        prepend(&mut writer).map_err(too_long)?;
        match &self.security {
            TrapSecurity::Community(model, community) => {
                prepend_community_message(&mut writer, *model, community.expose()).map_err(too_long)?;
            }
            TrapSecurity::Usm { engine_id, user, level } => {
                self.salt = self.salt.wrapping_add(1);
                let header = header(&mut self.msg_ids, self.max_message_size, *level, SecurityModel::USM);
                let context = UsmOutgoingContext {
                    local: AuthoritativeEngine { engine_id: *engine_id, clock },
                    users: &OneUser(user),
                    peers: &NoPeers,
                    now: Timestamp::ZERO,
                };
                //= rfc3414#3.1-1b
                let outgoing = Outgoing::request(&context, engine_id.as_bytes(), &user.user_name, *level)
                    .map_err(too_long_usm)?;
                prepend_scoped_pdu(&mut writer, self.context_engine_id.as_bytes(), &self.context_name)
                    .map_err(too_long)?;
                finish_usm(&outgoing, self.salt, &header, &mut writer)?;
            }
            TrapSecurity::Tsm => {
                let header = header(&mut self.msg_ids, self.max_message_size, TSM_LEVEL, SecurityModel::TSM);
                prepend_scoped_pdu(&mut writer, self.context_engine_id.as_bytes(), &self.context_name)
                    .map_err(too_long)?;
                writer.header(Tag::OCTET_STRING, 0).map_err(too_long)?;
                prepend_v3_message(&mut writer, &header).map_err(too_long)?;
            }
        }
        Ok(writer.range())
    }
}

/// Returns the header of a message to which the receiver must not respond, not even with a Report.
fn header(
    msg_ids: &mut IdSequence,
    max_size: usize,
    level: SecurityLevel,
    security_model: SecurityModel,
) -> HeaderData {
    HeaderData {
        msg_id: msg_ids.next(),
        max_size: u32::try_from(max_size).unwrap_or(u32::MAX),
        flags: MsgFlags::new(level, false),
        security_model,
    }
}

/// The user of the local engine on whose behalf traps are sent.
struct OneUser<'u>(&'u Arc<UserKeys>);

impl UserLookup for OneUser<'_> {
    fn user(&self, _: &[u8], _: &[u8]) -> Option<&Arc<UserKeys>> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests;
