//! A fake agent: it parses the session's messages and sends the responses that a test specifies,
//! valid or not.

use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol, password_to_key};
use portreeve_mib::Object;
use portreeve_secret::Secret;
use portreeve_smi::{
    ClockReading, EngineBoots, EngineId, MessageProcessingModel, OidBuf, SecurityLevel, SecurityModel,
    Timestamp, Value,
    ber::{ForwardWriter, Reader, ReverseWriter},
};
use portreeve_snmp_engine::security::usm::{
    AuthoritativeEngine, Incoming, NoPeers, Outgoing, UserKeys, UserLookup, UsmIncomingContext,
    process_incoming_msg,
};
use portreeve_snmp_message::{
    CommunityMessage, HeaderData, MsgFlags, Pdu, PduType, ScopedPdu, V3Message, prepend_community_message,
    prepend_pdu, prepend_scoped_pdu, prepend_v3_message,
};

use crate::UsmUser;

pub(super) const AUTH: (AuthProtocol, &str) = (AuthProtocol::HmacSha256_192, "authentic phrase");
pub(super) const PRIVACY: (PrivProtocol, &str) = (PrivProtocol::Aes128, "private phrase");
pub(super) const USER: &[u8] = b"ops";

/// Returns the user on the manager's side.
pub(super) fn user(level: SecurityLevel) -> UsmUser {
    let (auth, privacy) = (Secret::from(AUTH.1), Secret::from(PRIVACY.1));
    match level {
        SecurityLevel::NoAuthNoPriv => UsmUser::unauthenticated(USER),
        SecurityLevel::AuthNoPriv => UsmUser::with_auth(USER, AUTH.0, &auth).unwrap(),
        SecurityLevel::AuthPriv => {
            UsmUser::with_privacy(USER, (AUTH.0, &auth), (PRIVACY.0, &privacy)).unwrap()
        }
    }
}

/// The content of a response.
#[derive(Clone)]
pub(super) struct FakeResponse {
    pub(super) pdu_type: PduType,
    pub(super) request_id: i32,
    pub(super) error_status: i32,
    pub(super) error_index: i32,
    pub(super) binds: Vec<(Vec<u32>, i32)>,
}

impl FakeResponse {
    /// Creates a Response to `request` with the requested names, each with the value 42.
    pub(super) fn to(request: &ReceivedRequest) -> Self {
        Self {
            pdu_type: PduType::Response,
            request_id: request.request_id,
            error_status: 0,
            error_index: 0,
            binds: request.names.iter().map(|name| (name.to_vec(), 42)).collect(),
        }
    }

    fn encode(&self, writer: &mut ReverseWriter<'_>) {
        let mut list = [0; 4096];
        let mut forward = ForwardWriter::new(&mut list);
        for (name, value) in &self.binds {
            forward.var_bind(name, &Value::Integer(*value)).unwrap();
        }
        writer.raw(forward.written()).unwrap();
        prepend_pdu(writer, self.pdu_type, self.request_id, self.error_status, self.error_index).unwrap();
    }
}

/// The parts of a request that tests check.
#[derive(Clone, Debug)]
pub(super) struct ReceivedRequest {
    pub(super) msg_id: i32,
    pub(super) request_id: i32,
    pub(super) names: Vec<OidBuf>,
}

impl ReceivedRequest {
    fn from_pdu(msg_id: i32, pdu: &Pdu<'_>) -> Self {
        let names = pdu.var_binds.iter().map(|bind| bind.name.to_buf()).collect();
        Self { msg_id, request_id: pdu.request_id, names }
    }

    /// Parses a message of SNMPv1 or SNMPv2c.
    pub(super) fn of_community(message: &[u8]) -> Self {
        let mut message = CommunityMessage::parse(message).unwrap();
        Self::from_pdu(0, &Pdu::parse(&mut message.pdu).unwrap())
    }
}

/// Encodes a message of SNMPv1 or SNMPv2c.
pub(super) fn community_message(
    version: MessageProcessingModel,
    community: &str,
    response: &FakeResponse,
) -> Vec<u8> {
    let mut buffer = [0; 8192];
    let mut writer = ReverseWriter::new(&mut buffer);
    response.encode(&mut writer);
    prepend_community_message(&mut writer, version, community.as_bytes()).unwrap();
    writer.written().to_vec()
}

/// An agent with USM and one user.
pub(super) struct Agent {
    pub(super) engine_id: EngineId,
    clock: ClockReading,
    user: Arc<UserKeys>,
    discovery_user: Arc<UserKeys>,
}

/// The agent's processing result for a message.
pub(super) enum AgentInput {
    /// A valid request at this level.
    Request(ReceivedRequest, SecurityLevel),
    /// An invalid request with this msgID, to be answered by a Report with this reason.
    Rejected(i32, portreeve_snmp_engine::security::usm::UsmRejectReason),
}

impl Agent {
    pub(super) fn new(engine_id: &[u8]) -> Self {
        Self::with_protocols(engine_id, AUTH.0, PRIVACY.0)
    }

    pub(super) fn with_protocols(engine_id: &[u8], auth: AuthProtocol, privacy: PrivProtocol) -> Self {
        let auth_key = password_to_key(auth, &Secret::from(AUTH.1)).unwrap();
        let priv_key = password_to_key(auth, &Secret::from(PRIVACY.1)).unwrap();
        let auth = AuthKey::new(auth, auth_key.localize(engine_id).expose()).unwrap();
        let privacy = PrivKey::new(privacy, priv_key.localize_for(privacy, engine_id).expose()).unwrap();
        Self {
            engine_id: EngineId::new(engine_id).unwrap(),
            clock: ClockReading { boots: EngineBoots::new(7).unwrap(), time: 1000 },
            user: Arc::new(UserKeys::new(USER, Some(auth), Some(privacy))),
            discovery_user: Arc::new(UserKeys::discovery()),
        }
    }

    pub(super) fn with_clock(self, clock: ClockReading) -> Self {
        Self { clock, ..self }
    }

    pub(super) fn receive(&self, message: &[u8]) -> AgentInput {
        let mut message = message.to_vec();
        let parsed = V3Message::parse(&message).unwrap();
        let level = parsed.header.flags.level().unwrap();
        let mut context = UsmIncomingContext {
            local: self.local(),
            users: self,
            peers: &mut NoPeers,
            now: Timestamp::ZERO,
        };
        let msg_id = parsed.header.msg_id;
        match process_incoming_msg(&mut context, &mut message, &parsed, level) {
            Ok(Incoming { scoped_pdu, .. }) => {
                let mut reader = Reader::new(&message[scoped_pdu]);
                let mut scoped = ScopedPdu::parse(&mut reader).unwrap();
                AgentInput::Request(
                    ReceivedRequest::from_pdu(msg_id, &Pdu::parse(&mut scoped.pdu).unwrap()),
                    level,
                )
            }
            Err(rejected) => AgentInput::Rejected(msg_id, rejected.reason),
        }
    }

    /// Encodes a response of this agent at the given level.
    pub(super) fn respond(&self, msg_id: i32, level: SecurityLevel, response: &FakeResponse) -> Vec<u8> {
        self.respond_in_context(msg_id, level, response, self.engine_id)
    }

    pub(super) fn respond_in_context(
        &self,
        msg_id: i32,
        level: SecurityLevel,
        response: &FakeResponse,
        context_engine_id: EngineId,
    ) -> Vec<u8> {
        let mut buffer = [0; 8192];
        let end = buffer.len() - 8;
        let mut writer = ReverseWriter::before(&mut buffer, end..end);
        response.encode(&mut writer);
        prepend_scoped_pdu(&mut writer, context_engine_id.as_bytes(), b"").unwrap();
        let local = self.local();
        let outgoing = Outgoing::response(&local, USER, Some(&self.user), level).unwrap();
        let secured = outgoing.secure(99, &mut writer).unwrap();
        let header = HeaderData {
            msg_id,
            max_size: 65507,
            flags: MsgFlags::new(level, false),
            security_model: SecurityModel::USM,
        };
        prepend_v3_message(&mut writer, &header).unwrap();
        secured.sign(writer.written_mut()).unwrap();
        writer.written().to_vec()
    }

    /// Encodes a Report with one counter.
    pub(super) fn report(&self, msg_id: i32, level: SecurityLevel, counter: &Object) -> Vec<u8> {
        let mut name = counter.arcs().to_vec();
        name.push(0);
        let binds = vec![(name, 1)];
        let response =
            FakeResponse { pdu_type: PduType::Report, request_id: 0, error_status: 0, error_index: 0, binds };
        self.respond(msg_id, level, &response)
    }

    fn local(&self) -> AuthoritativeEngine {
        AuthoritativeEngine { engine_id: self.engine_id, clock: self.clock }
    }
}

impl UserLookup for Agent {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        match user_name {
            USER if engine_id == self.engine_id.as_bytes() => Some(&self.user),
            b"" => Some(&self.discovery_user),
            _ => None,
        }
    }
}
