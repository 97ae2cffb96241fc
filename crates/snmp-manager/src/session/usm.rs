//! SNMPv3 with the User-based Security Model, on the manager's side (RFC 3412 §7.1 and §7.2, RFC 3414).
//!
//! Wraps requests into messages and takes messages apart as far as the PDU. Which request an answer belongs to, and
//! what a Report means for it, is the session's to decide.

use portreeve_smi::{
    ClockReading, EngineBoots, EngineId, SecurityLevel, SecurityModel, Timestamp,
    ber::{Reader, ReverseWriter},
};
use portreeve_snmp_engine::security::usm::{
    AuthoritativeEngine, Incoming, Outgoing, SecurityParameters, UsmIncomingContext, UsmOutgoingContext,
    UsmRejectReason, UsmSendError, process_incoming_msg,
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, Pdu, PduType, ScopedPdu, V3Message, prepend_scoped_pdu, prepend_v3_message,
};

use super::engine::PeerEngine;
use crate::{DropReason, InvalidRequestError, SessionOptions, UsmUser, explain::ClockHistory};

pub(super) struct Usm {
    pub(super) user: UsmUser,
    pub(super) level: SecurityLevel,
    context_engine_id: Option<EngineId>,
    pub(super) context_name: Vec<u8>,
    /// What the caller has told of the agent's clock.
    agent_clock: Option<ClockReading>,
    /// `None` until discovered or configured.
    pub(super) engine: Option<PeerEngine>,
    /// Whether the caller has named the engine: then it is not looked for.
    pub(super) configured: bool,
    /// How often the engine has been looked for since it last answered.
    pub(super) discoveries: u8,
    /// What the engine's clock has shown.
    pub(super) clock_history: ClockHistory,
    salt: u64,
    max_size: u32,
}

/// What a message said that passed all checks of its own.
pub(super) struct UsmMessage<'m> {
    pub(super) msg_id: i32,
    pub(super) level: SecurityLevel,
    /// The engine it came from.
    pub(super) engine_id: EngineId,
    /// The engine's clock, as trustworthy as the level says.
    pub(super) clock: ClockReading,
    pub(super) pdu: Pdu<'m>,
}

impl Usm {
    pub(super) fn new(user: UsmUser, options: &SessionOptions, salt: u64) -> Self {
        let level = user.level();
        let engine =
            options.security_engine_id.and_then(|id| PeerEngine::new(id, &user, options.agent_clock).ok());
        Self {
            level,
            context_engine_id: options.context_engine_id,
            context_name: options.context_name.clone(),
            agent_clock: options.agent_clock,
            configured: engine.is_some(),
            engine,
            discoveries: 0,
            clock_history: ClockHistory::default(),
            salt,
            max_size: u32::try_from(options.max_message_size).unwrap_or(u32::MAX),
            user,
        }
    }

    /// Takes the engine to talk to from the Report that answered discovery. Its clock is not believed: nobody has
    /// signed it (M13).
    pub(super) fn learn_engine(&mut self, id: EngineId) {
        // Keys made from this user's own protocols have the right length.
        self.engine = PeerEngine::new(id, &self.user, self.agent_clock).ok();
    }

    /// The engine could not decrypt a request: whether it is worth trying once more, with the other key extension.
    pub(super) fn on_decryption_error(&mut self) -> bool {
        let user = &self.user;
        self.engine.as_mut().is_some_and(|engine| engine.on_decryption_error(user))
    }

    /// The engine has not answered a request: whether the next sending is with the other key extension.
    pub(super) fn on_timeout(&mut self) -> bool {
        let user = &self.user;
        self.engine.as_mut().is_some_and(|engine| engine.on_timeout(user))
    }

    /// The engine has answered a request.
    pub(super) fn on_response(&mut self) {
        self.discoveries = 0;
        if let Some(engine) = &mut self.engine {
            let id = engine.id;
            if let Some(keys) = engine.extension.confirm() {
                self.user.cache_keys(id, keys);
            }
        }
    }

    /// Makes the PDU that `writer` holds a finished message to the known engine.
    pub(super) fn wrap_request(
        &mut self,
        now: Timestamp,
        msg_id: i32,
        writer: &mut ReverseWriter<'_>,
    ) -> Result<(), InvalidRequestError> {
        //= rfc3412#7.1-1a
        let header = self.header(msg_id, self.level);
        let salt = self.next_salt();
        let engine = self.engine.as_mut().ok_or(InvalidRequestError::TooLong)?;
        let id = engine.id;
        let (users, peers) = engine.parts(self.level.is_authenticated());
        let context = UsmOutgoingContext { local: MANAGER, users: &users, peers: &peers, now };
        //= rfc3412#7.1-9a
        //= rfc3412#7.1-9b
        let outgoing = Outgoing::request(&context, id.as_bytes(), &users.user.user_name, self.level)
            .map_err(too_long)?;
        //= rfc3412#7.1-4
        let context_engine_id = self.context_engine_id.unwrap_or(id);
        //= rfc3412#7.1-5
        //= rfc3412#7.1-6
        prepend_scoped_pdu(writer, context_engine_id.as_bytes(), &self.context_name)
            .map_err(|_| InvalidRequestError::TooLong)?;
        finish(&outgoing, salt, &header, writer)
    }

    /// Makes the PDU that `writer` holds a finished message that asks who is there (RFC 3414 §4).
    pub(super) fn wrap_discovery(
        &mut self,
        msg_id: i32,
        writer: &mut ReverseWriter<'_>,
    ) -> Result<(), InvalidRequestError> {
        let header = self.header(msg_id, SecurityLevel::NoAuthNoPriv);
        prepend_scoped_pdu(writer, &[], &[]).map_err(|_| InvalidRequestError::TooLong)?;
        finish(&Outgoing::discovery(), 0, &header, writer)
    }

    /// Takes a message apart and decrypts it in place. Everything that must hold whichever request it answers is
    /// checked here: it is authentic and recent as far as its level says, and that level is the request's; only a
    /// Report may have a lower one, because most cannot have the request's (M15).
    pub(super) fn unwrap<'m>(
        &mut self,
        now: Timestamp,
        message: &'m mut [u8],
    ) -> Result<UsmMessage<'m>, DropReason> {
        let parsed = V3Message::parse(message).map_err(|_| DropReason::Malformed)?;
        if parsed.header.security_model != SecurityModel::USM {
            return Err(DropReason::WrongSecurityModel);
        }
        let level = parsed.header.flags.level().ok_or(DropReason::Malformed)?;
        let (parameters, scoped_pdu) = self.process_incoming(now, message, &parsed, level)?;
        let (message, clock) = (&*message, parameters.clock);
        let engine_id = message.get(parameters.engine_id).unwrap_or_default();
        let engine_id = EngineId::from_wire(engine_id).map_err(|_| DropReason::InvalidEngineIdLength)?;
        let start = scoped_pdu.start;
        let mut reader = Reader::at(message.get(scoped_pdu).unwrap_or_default(), start);
        let mut scoped = ScopedPdu::parse(&mut reader).map_err(|_| DropReason::Malformed)?;
        let pdu = Pdu::parse(&mut scoped.pdu).map_err(|_| DropReason::Malformed)?;
        match pdu.pdu_type {
            //= rfc3412#7.2-9
            PduType::Report => {}
            PduType::Response => {
                self.check_response(level, engine_id, &scoped, message.get(parameters.user_name))?;
            }
            _ => return Err(DropReason::NotAResponse),
        }
        Ok(UsmMessage { msg_id: parsed.header.msg_id, level, engine_id, clock, pdu })
    }

    /// RFC 3414 §3.2, with the keys and the clock of this session's peer.
    fn process_incoming(
        &mut self,
        now: Timestamp,
        message: &mut [u8],
        parsed: &V3Message,
        level: SecurityLevel,
    ) -> Result<(SecurityParameters, std::ops::Range<usize>), DropReason> {
        let mut nobody;
        let engine = match &mut self.engine {
            Some(engine) => engine,
            // Before the engine is known only what claims nothing can be read: a Report at noAuthNoPriv.
            None => {
                let stranger = UsmUser::unauthenticated(&[]);
                nobody =
                    PeerEngine::new(EngineId::LOCAL, &stranger, None).map_err(|_| DropReason::WrongEngine)?;
                &mut nobody
            }
        };
        let expected = engine.clock(now);
        let (users, mut clocks) = engine.parts(level.is_authenticated());
        let mut context = UsmIncomingContext { local: MANAGER, users: &users, peers: &mut clocks, now };
        match process_incoming_msg(&mut context, message, parsed, level) {
            Ok(Incoming { parameters, scoped_pdu, .. }) => {
                if level.is_authenticated() {
                    self.clock_history.record_in_window();
                }
                Ok((parameters, scoped_pdu))
            }
            Err(rejected) => {
                // Only what is authentic is found to be too old.
                if rejected.reason == UsmRejectReason::PeerNotInTimeWindow {
                    self.clock_history.record_step_back(expected, rejected.parameters.clock);
                }
                Err(drop_reason(rejected.reason, &rejected.parameters))
            }
        }
    }

    /// What a Response must have in common with the request (RFC 3412 §7.2 step 12).
    fn check_response(
        &self,
        level: SecurityLevel,
        engine_id: EngineId,
        scoped: &ScopedPdu<'_>,
        user_name: Option<&[u8]>,
    ) -> Result<(), DropReason> {
        //= rfc3412#7.2-12a
        //= rfc3412#7.2-12b
        //= rfc3413#3.1-1
        if level < self.level {
            return Err(DropReason::LowerSecurityLevel(level));
        }
        let engine = self.engine.as_ref().ok_or(DropReason::WrongEngine)?;
        let context_engine_id = self.context_engine_id.unwrap_or(engine.id);
        if user_name != Some(&self.user.name) {
            return Err(DropReason::WrongUser);
        }
        let same = engine_id == engine.id
            && is_context_of(scoped.context_engine_id, context_engine_id, engine.id)
            && scoped.context_name == self.context_name;
        if same { Ok(()) } else { Err(DropReason::WrongEngine) }
    }

    fn header(&self, msg_id: i32, level: SecurityLevel) -> HeaderData {
        HeaderData {
            msg_id,
            max_size: self.max_size,
            flags: MsgFlags::new(level, true),
            security_model: SecurityModel::USM,
        }
    }

    fn next_salt(&mut self) -> u64 {
        self.salt = self.salt.wrapping_add(1);
        self.salt
    }
}

/// Whether an answer about `found` answers a request about `asked`: the same engine, or whom the stand-in of
/// RFC 5343 §3.2 turned out to be.
fn is_context_of(found: &[u8], asked: EngineId, peer: EngineId) -> bool {
    found == asked.as_bytes() || (asked == EngineId::LOCAL && found == peer.as_bytes())
}

fn finish(
    outgoing: &Outgoing<'_>,
    salt: u64,
    header: &HeaderData,
    writer: &mut ReverseWriter<'_>,
) -> Result<(), InvalidRequestError> {
    let secured = outgoing.secure(salt, writer).map_err(too_long)?;
    prepend_v3_message(writer, header).map_err(|_| InvalidRequestError::TooLong)?;
    secured.sign(writer.written_mut()).map_err(too_long)
}

/// Users of a session have the keys of its level, so only room can be lacking.
fn too_long(_: UsmSendError) -> InvalidRequestError {
    InvalidRequestError::TooLong
}

fn drop_reason(failure: UsmRejectReason, parameters: &SecurityParameters) -> DropReason {
    match failure {
        UsmRejectReason::ParseError => DropReason::Malformed,
        UsmRejectReason::UnknownEngineId
            if !(EngineId::MIN_LEN..=EngineId::MAX_LEN).contains(&parameters.engine_id.len()) =>
        {
            DropReason::InvalidEngineIdLength
        }
        UsmRejectReason::UnknownEngineId => DropReason::WrongEngine,
        // Whoever is not our user has no keys here: the two look alike.
        UsmRejectReason::UnknownUserName | UsmRejectReason::UnsupportedSecurityLevel => DropReason::WrongUser,
        UsmRejectReason::WrongDigest => DropReason::WrongDigest,
        UsmRejectReason::NotInTimeWindow | UsmRejectReason::PeerNotInTimeWindow => {
            DropReason::NotInTimeWindow
        }
        UsmRejectReason::DecryptionError => DropReason::NotDecryptable,
    }
}

/// A manager is authoritative for nobody. Its clock is latched, so that nothing that claims to be meant for this
/// engine ID, which belongs to no engine, is ever authentic.
const MANAGER: AuthoritativeEngine = AuthoritativeEngine {
    engine_id: EngineId::LOCAL,
    clock: ClockReading { boots: EngineBoots::LATCHED, time: 0 },
};
