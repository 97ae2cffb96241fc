//! SNMPv3 with the User-based Security Model, on the manager's side (RFC 3412 §7.1 and §7.2, RFC
//! 3414).
//!
//! Encodes requests as messages and parses messages down to the PDU. The session matches responses
//! with requests and handles Reports.

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
use crate::{
    DropReason, InvalidRequestError, LocalizedUsers, SessionOptions, UsmUser, explain::ClockHistory,
};

pub(super) struct Usm {
    pub(super) user: UsmUser,
    /// The user's keys for each engine, if they are known for some engines only.
    localized: Option<LocalizedUsers>,
    pub(super) level: SecurityLevel,
    context_engine_id: Option<EngineId>,
    pub(super) context_name: Vec<u8>,
    /// The agent's clock as configured by the caller.
    agent_clock: Option<ClockReading>,
    /// The agent's engine; `None` until it is discovered or configured.
    pub(super) engine: Option<PeerEngine>,
    /// True if the caller has configured the engine ID; then it is not discovered.
    pub(super) configured: bool,
    /// Number of discoveries since the last response.
    pub(super) discoveries: u8,
    /// The clock readings in the engine's messages.
    pub(super) clock_history: ClockHistory,
    salt: u64,
    max_size: u32,
}

/// The content of a message that passed all checks that do not depend on its request.
pub(super) struct UsmMessage<'m> {
    pub(super) msg_id: i32,
    pub(super) level: SecurityLevel,
    /// The engine that sent the message.
    pub(super) engine_id: EngineId,
    /// The reading of the engine's clock. It is authenticated only if the security level includes
    /// authentication.
    pub(super) clock: ClockReading,
    pub(super) pdu: Pdu<'m>,
}

impl Usm {
    pub(super) fn new(user: UsmUser, options: &SessionOptions, salt: u64) -> Self {
        let level = user.level();
        Self::with_level(level, user, None, options, salt)
    }

    /// Creates the state for a user whose keys are known for some engines only.
    pub(super) fn localized(users: LocalizedUsers, options: &SessionOptions, salt: u64) -> Self {
        // Nothing is sent for the user before the engine is known, and with it the keys.
        let user = UsmUser::unauthenticated(users.name());
        Self::with_level(users.level(), user, Some(users), options, salt)
    }

    fn with_level(
        level: SecurityLevel,
        user: UsmUser,
        localized: Option<LocalizedUsers>,
        options: &SessionOptions,
        salt: u64,
    ) -> Self {
        let mut usm = Self {
            level,
            context_engine_id: options.context_engine_id,
            context_name: options.context_name.clone(),
            agent_clock: options.agent_clock,
            configured: false,
            engine: None,
            discoveries: 0,
            clock_history: ClockHistory::default(),
            salt,
            max_size: u32::try_from(options.max_message_size).unwrap_or(u32::MAX),
            user,
            localized,
        };
        if let Some(id) = options.security_engine_id {
            usm.learn_engine(id);
            usm.configured = usm.engine.is_some();
        }
        usm
    }

    /// Takes the engine ID from the Report that answers a discovery. The clock in the Report is not
    /// trusted, because the Report is unauthenticated (attack M13). Returns false if the user has
    /// no keys for this engine.
    pub(super) fn learn_engine(&mut self, id: EngineId) -> bool {
        if let Some(users) = &self.localized {
            //= rfc3414#3.1-1b
            let Some(user) = users.for_engine(id) else { return false };
            self.user = user;
        }
        // Keys made for this user's own protocols have the right length.
        self.engine = PeerEngine::new(id, &self.user, self.agent_clock).ok();
        true
    }

    /// Handles a decryption error. Returns true if a retry with the other key extension is
    /// worthwhile.
    pub(super) fn on_decryption_error(&mut self) -> bool {
        let user = &self.user;
        self.engine.as_mut().is_some_and(|engine| engine.on_decryption_error(user))
    }

    /// Handles a timeout. Returns true if the next transmission uses the other key extension.
    pub(super) fn on_timeout(&mut self) -> bool {
        let user = &self.user;
        self.engine.as_mut().is_some_and(|engine| engine.on_timeout(user))
    }

    /// Records that the engine has responded to a request.
    pub(super) fn on_response(&mut self) {
        self.discoveries = 0;
        if let Some(engine) = &mut self.engine {
            let id = engine.id;
            if let Some(keys) = engine.extension.confirm() {
                self.user.cache_keys(id, keys);
            }
        }
    }

    /// Completes the message to the known engine: adds the headers of SNMPv3 to the PDU in
    /// `writer`.
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

    /// Completes the discovery message (RFC 3414 §4): adds the headers of SNMPv3 to the PDU in
    /// `writer`.
    pub(super) fn wrap_discovery(
        &mut self,
        msg_id: i32,
        writer: &mut ReverseWriter<'_>,
    ) -> Result<(), InvalidRequestError> {
        let header = self.header(msg_id, SecurityLevel::NoAuthNoPriv);
        prepend_scoped_pdu(writer, &[], &[]).map_err(|_| InvalidRequestError::TooLong)?;
        finish(&Outgoing::discovery(), 0, &header, writer)
    }

    /// Parses a message and decrypts it in place. Checks everything that does not depend on the
    /// request: authenticity and timeliness as far as the level requires, and the level itself.
    /// Only a Report may have a lower level than the session, because an engine cannot send most
    /// Reports at the level of the session (attack M15).
    pub(super) fn unwrap<'m>(
        &mut self,
        now: Timestamp,
        message: &'m mut [u8],
    ) -> Result<UsmMessage<'m>, DropReason> {
        let parsed = V3Message::parse(message).map_err(|_| DropReason::Malformed)?;
        if parsed.header.security_model != SecurityModel::USM {
            return Err(DropReason::WrongSecurityModel);
        }
        let level = parsed.header.flags.level().ok_or(DropReason::InvalidFlags)?;
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

    /// Processes a message (RFC 3414 §3.2) with the keys and the clock of this session's peer.
    fn process_incoming(
        &mut self,
        now: Timestamp,
        message: &mut [u8],
        parsed: &V3Message,
        level: SecurityLevel,
    ) -> Result<(SecurityParameters, std::ops::Range<usize>), DropReason> {
        let mut unknown_engine;
        let engine = match &mut self.engine {
            Some(engine) => engine,
            // Before the engine is known, only messages at noAuthNoPriv can be processed. These are
            // Reports.
            None => {
                let no_user = UsmUser::unauthenticated(&[]);
                unknown_engine =
                    PeerEngine::new(EngineId::LOCAL, &no_user, None).map_err(|_| DropReason::WrongEngine)?;
                &mut unknown_engine
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
                // Only authentic messages reach the timeliness check.
                if rejected.reason == UsmRejectReason::PeerNotInTimeWindow {
                    self.clock_history.record_step_back(expected, rejected.parameters.clock);
                }
                Err(drop_reason(rejected.reason, &rejected.parameters))
            }
        }
    }

    /// Checks that a Response matches the session (RFC 3412 §7.2 step 12).
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
        if engine_id != engine.id {
            return Err(DropReason::WrongEngine);
        }
        let same = is_context_of(scoped.context_engine_id, context_engine_id, engine.id)
            && scoped.context_name == self.context_name;
        if same { Ok(()) } else { Err(DropReason::WrongContext) }
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

/// Returns true if a response with the context engine ID `found` answers a request with
/// `requested`. Either both are equal, or `requested` is the local engine ID of RFC 5343 §3.2 and
/// `found` is the peer's.
fn is_context_of(found: &[u8], requested: EngineId, peer: EngineId) -> bool {
    found == requested.as_bytes() || (requested == EngineId::LOCAL && found == peer.as_bytes())
}

/// Protects the scopedPDU in `writer`, and adds the headers of the message.
pub(crate) fn finish(
    outgoing: &Outgoing<'_>,
    salt: u64,
    header: &HeaderData,
    writer: &mut ReverseWriter<'_>,
) -> Result<(), InvalidRequestError> {
    let secured = outgoing.secure(salt, writer).map_err(too_long)?;
    prepend_v3_message(writer, header).map_err(|_| InvalidRequestError::TooLong)?;
    secured.sign(writer.written_mut()).map_err(too_long)
}

/// Converts the error of encoding a message. The user has keys for the session's level, so the only
/// possible error is lack of space.
pub(crate) fn too_long(_: UsmSendError) -> InvalidRequestError {
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
        // This session has keys for its own user only.
        UsmRejectReason::UnknownUserName => DropReason::WrongUser,
        UsmRejectReason::UnsupportedSecurityLevel => DropReason::UnsupportedLevel,
        UsmRejectReason::WrongDigest => DropReason::WrongDigest,
        UsmRejectReason::NotInTimeWindow | UsmRejectReason::PeerNotInTimeWindow => {
            DropReason::NotInTimeWindow
        }
        UsmRejectReason::DecryptionError => DropReason::NotDecryptable,
    }
}

/// The manager's own engine, which is never authoritative. Its engine ID does not belong to any
/// engine, and its clock is latched, so that no message for it is ever authentic.
const MANAGER: AuthoritativeEngine = AuthoritativeEngine {
    engine_id: EngineId::LOCAL,
    clock: ClockReading { boots: EngineBoots::LATCHED, time: 0 },
};
