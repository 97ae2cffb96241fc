//! SNMPv3 with the Transport Security Model, on the manager's side (RFC 5591, RFC 5343).
//!
//! The secure session authenticates both peers, so messages need neither keys nor clocks. Only the
//! agent's engine ID must be discovered, because requests contain it as their context engine ID.
//! For this purpose, the agent is queried for snmpEngineID in the context of [`EngineId::LOCAL`].

use portreeve_mib::modules::framework_mib::SNMP_ENGINE_ID;
use portreeve_smi::{
    EngineId, SecurityLevel, SecurityModel, Value,
    ber::{BufferFullError, Reader, ReverseWriter, Tag},
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message, prepend_scoped_pdu,
    prepend_v3_message,
};

use super::Purpose;
use crate::{DropReason, Operation, Request, SessionOptions};

pub(super) struct Tsm {
    /// The context engine ID of requests; `None` until it is known.
    engine_id: Option<EngineId>,
    /// True if the caller has configured the engine ID; then it is not discovered.
    pub(super) configured: bool,
    /// Number of discoveries since the last response.
    pub(super) discoveries: u8,
    pub(super) context_name: Vec<u8>,
    max_size: u32,
}

/// The content of a message that passed all checks that do not depend on its request.
pub(super) struct TsmMessage<'m> {
    pub(super) msg_id: i32,
    pub(super) context_engine_id: &'m [u8],
    pub(super) context_name: &'m [u8],
    pub(super) pdu: Pdu<'m>,
}

impl Tsm {
    pub(super) fn new(options: &SessionOptions) -> Self {
        let engine_id = options.context_engine_id.or(options.security_engine_id);
        Self {
            engine_id,
            configured: engine_id.is_some(),
            discoveries: 0,
            context_name: options.context_name.clone(),
            max_size: u32::try_from(options.max_message_size).unwrap_or(u32::MAX),
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.engine_id.is_some()
    }

    /// Returns the agent's engine ID; `None` while it is unknown or if the agent hides it from this
    /// user.
    pub(super) fn engine_id(&self) -> Option<EngineId> {
        self.engine_id.filter(|id| *id != EngineId::LOCAL)
    }

    /// Returns the request for the agent's engine ID (RFC 5343 §3.2).
    pub(super) fn engine_id_request() -> Request {
        Request::read(Operation::Get, [[SNMP_ENGINE_ID.arcs(), &[0]].concat()])
    }

    /// Takes the engine ID from the response to the request for it. If the agent hides it from this
    /// user, requests use the local engine ID instead.
    pub(super) fn learn_engine_id(&mut self, response: &Pdu<'_>) -> Result<(), DropReason> {
        let value = response.var_binds.iter().next().map(|bind| bind.value);
        self.engine_id = Some(match value {
            // Attack M16: an engine ID with an invalid length is not accepted.
            Some(Value::OctetString(octets)) => {
                EngineId::new(octets).map_err(|_| DropReason::InvalidEngineIdLength)?
            }
            _ => EngineId::LOCAL,
        });
        Ok(())
    }

    /// Discards the engine ID, because the agent rejects it.
    pub(super) fn forget_engine_id(&mut self) {
        self.engine_id = None;
    }

    /// Completes the message: adds the headers of SNMPv3 to the PDU in `writer`.
    pub(super) fn wrap(
        &self,
        purpose: Purpose,
        msg_id: i32,
        writer: &mut ReverseWriter<'_>,
    ) -> Result<(), BufferFullError> {
        let (engine_id, context_name) = match purpose {
            Purpose::Discovery => (EngineId::LOCAL, &[][..]),
            Purpose::Caller(_) => (self.engine_id.unwrap_or(EngineId::LOCAL), &self.context_name[..]),
        };
        prepend_scoped_pdu(writer, engine_id.as_bytes(), context_name)?;
        //= rfc5591#4.2-3
        writer.header(Tag::OCTET_STRING, 0)?;
        let header = HeaderData {
            msg_id,
            max_size: self.max_size,
            //= rfc5591#4.2-2
            flags: MsgFlags::new(LEVEL, true),
            security_model: SecurityModel::TSM,
        };
        prepend_v3_message(writer, &header)
    }

    /// Parses a message. Only a Report may have a lower security level than the request, as in
    /// other security models.
    pub(super) fn unwrap<'m>(&self, message: &'m [u8]) -> Result<TsmMessage<'m>, DropReason> {
        let parsed = V3Message::parse(message).map_err(|_| DropReason::Malformed)?;
        if parsed.header.security_model != SecurityModel::TSM {
            return Err(DropReason::WrongSecurityModel);
        }
        let level = parsed.header.flags.level().ok_or(DropReason::InvalidFlags)?;
        let ScopedPduData::Plaintext(scoped_pdu) = parsed.data else { return Err(DropReason::Malformed) };
        let mut reader = Reader::new(message.get(scoped_pdu).unwrap_or_default());
        let ScopedPdu { context_engine_id, context_name, mut pdu } =
            ScopedPdu::parse(&mut reader).map_err(|_| DropReason::Malformed)?;
        let pdu = Pdu::parse(&mut pdu).map_err(|_| DropReason::Malformed)?;
        match pdu.pdu_type {
            PduType::Report => {}
            // Attack M15: a Response must have the security level of the session.
            PduType::Response if level < LEVEL => return Err(DropReason::LowerSecurityLevel(level)),
            PduType::Response => {}
            _ => return Err(DropReason::NotAResponse),
        }
        Ok(TsmMessage { msg_id: parsed.header.msg_id, context_engine_id, context_name, pdu })
    }

    /// Returns true if a Response is for the requested context. An agent may respond to
    /// [`EngineId::LOCAL`] with its own engine ID.
    pub(super) fn is_expected_context(&self, received: &TsmMessage<'_>) -> bool {
        let requested = self.engine_id.unwrap_or(EngineId::LOCAL);
        let same = received.context_engine_id == requested.as_bytes() || requested == EngineId::LOCAL;
        same && received.context_name == self.context_name
    }
}

/// The security level of secure sessions (RFC 5592 §5.1, RFC 6353 §5).
pub(crate) const LEVEL: SecurityLevel = SecurityLevel::AuthPriv;
