//! An SNMPv3 manager, which sends requests and verifies responses.

use std::{collections::HashMap, sync::Arc};

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol};
use portreeve_smi::{ClockReading, EngineId, SecurityLevel, SecurityModel, Timestamp, ber::Reader};
use portreeve_snmp_engine::security::usm::{
    AuthoritativeEngine, Outgoing, PeerClock, PeerClocks, UserKeys, UserLookup, UsmIncomingContext,
    UsmOutgoingContext, process_incoming_msg,
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, ScopedPdu, V3Message, prepend_scoped_pdu, prepend_v3_message,
};

use super::{
    agent::{Outcome, TestAgent},
    config::{AUTH, PRIVACY, auth_key, priv_key},
    response::TestResponse,
    test_pdu::{BUFFER, TestPdu, get},
};

/// A manager for one user. It obtains the agent's engine ID and clock from Reports.
pub(crate) struct TestManager {
    users: Users,
    peers: Clocks,
    user: &'static str,
    pub(crate) level: SecurityLevel,
    /// The engine ID of the agent, or empty before discovery.
    pub(crate) engine_id: Vec<u8>,
    /// The context engine ID of requests; `None` for the engine ID of the agent.
    pub(crate) context_engine_id: Option<Vec<u8>>,
    pub(crate) context_name: &'static str,
    pub(crate) max_size: u32,
    pub(crate) reportable: bool,
    pub(crate) now: Timestamp,
    pub(crate) msg_id: i32,
    salt: u64,
}

/// A response or Report that passed all checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VerifiedResponse {
    pub(crate) response: TestResponse,
    pub(crate) msg_id: i32,
    pub(crate) max_size: u32,
    pub(crate) flags: MsgFlags,
    pub(crate) level: SecurityLevel,
    pub(crate) security_model: SecurityModel,
    pub(crate) context_engine_id: Vec<u8>,
    pub(crate) context_name: Vec<u8>,
}

impl TestManager {
    /// A manager for the user `ops`, with privacy.
    pub(crate) fn ops() -> Self {
        Self::new("ops", SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY))
    }

    /// A manager for the user `guest`, who has no keys.
    pub(crate) fn guest() -> Self {
        Self::new("guest", SecurityLevel::NoAuthNoPriv, None, None)
    }

    pub(crate) fn new(
        user: &'static str,
        level: SecurityLevel,
        auth: Option<AuthProtocol>,
        privacy: Option<PrivProtocol>,
    ) -> Self {
        let auth = auth.map(|protocol| AuthKey::new(protocol, &auth_key(protocol)).unwrap());
        let privacy = privacy.map(|protocol| PrivKey::new(protocol, &priv_key(protocol)).unwrap());
        Self {
            users: Users {
                user: Arc::new(UserKeys::new(user.as_bytes(), auth, privacy)),
                discovery_user: Arc::new(UserKeys::discovery()),
            },
            peers: Clocks::default(),
            user,
            level,
            engine_id: vec![],
            context_engine_id: None,
            context_name: "",
            max_size: 65_507,
            reportable: true,
            now: Timestamp::from_secs(50),
            msg_id: 100,
            salt: 1 << 40,
        }
    }

    /// Completes discovery and time synchronization with this agent.
    pub(crate) fn synchronized_with(mut self, agent: &mut TestAgent) -> Self {
        self.request_until_response(agent, &get(&[]));
        self
    }

    /// Returns the message for the next request, or a discovery message while the engine ID is
    /// unknown.
    pub(crate) fn message(&mut self, pdu: &TestPdu) -> Vec<u8> {
        self.salt += 1;
        self.msg_id += 1;
        let context =
            UsmOutgoingContext { local: self.local(), users: &self.users, peers: &self.peers, now: self.now };
        let (outgoing, level) = if self.engine_id.is_empty() {
            (Outgoing::discovery(), SecurityLevel::NoAuthNoPriv)
        } else {
            (
                Outgoing::request(&context, &self.engine_id, self.user.as_bytes(), self.level).unwrap(),
                self.level,
            )
        };
        let mut buffer = vec![0; BUFFER];
        let mut writer = pdu.encode(&mut buffer);
        let context_engine_id = self.context_engine_id.as_ref().unwrap_or(&self.engine_id);
        prepend_scoped_pdu(&mut writer, context_engine_id, self.context_name.as_bytes()).unwrap();
        let unsigned = outgoing.secure(self.salt, &mut writer).unwrap();
        let header = HeaderData {
            msg_id: self.msg_id,
            max_size: self.max_size,
            flags: MsgFlags::new(level, self.reportable && pdu.pdu_type.is_confirmed()),
            security_model: SecurityModel::USM,
        };
        prepend_v3_message(&mut writer, &header).unwrap();
        unsigned.sign(writer.written_mut()).unwrap();
        writer.written().to_vec()
    }

    /// Verifies `message` and stores its engine ID. Returns `None` if it is not authentic or not
    /// timely.
    pub(crate) fn receive(&mut self, message: &[u8]) -> Option<VerifiedResponse> {
        let mut message = message.to_vec();
        let parsed = V3Message::parse(&message).unwrap();
        let level = parsed.header.flags.level().unwrap();
        let mut context = UsmIncomingContext {
            local: self.local(),
            users: &self.users,
            peers: &mut self.peers,
            now: self.now,
        };
        let incoming = process_incoming_msg(&mut context, &mut message, &parsed, level).ok()?;
        self.engine_id = message[incoming.parameters.engine_id.clone()].to_vec();
        let scoped_pdu = &message[incoming.scoped_pdu];
        let header = ScopedPdu::parse(&mut Reader::new(scoped_pdu)).unwrap();
        Some(VerifiedResponse {
            response: TestResponse::of_scoped_pdu(scoped_pdu),
            msg_id: parsed.header.msg_id,
            max_size: parsed.header.max_size,
            flags: parsed.header.flags,
            level,
            security_model: parsed.header.security_model,
            context_engine_id: header.context_engine_id.to_vec(),
            context_name: header.context_name.to_vec(),
        })
    }

    /// Sends a request and verifies the response.
    pub(crate) fn request(&mut self, agent: &mut TestAgent, pdu: &TestPdu) -> VerifiedResponse {
        let message = self.message(pdu);
        let reply = agent.reply_to(&message);
        self.receive(&reply).unwrap()
    }

    /// Sends a request until the response is not a Report: discovery, time synchronization,
    /// request.
    pub(crate) fn request_until_response(
        &mut self,
        agent: &mut TestAgent,
        pdu: &TestPdu,
    ) -> VerifiedResponse {
        for _ in 0..3 {
            let verified = self.request(agent, pdu);
            if verified.response.pdu_type == PduType::Response {
                return verified;
            }
        }
        panic!("only Reports");
    }

    /// Asserts that the agent drops the request.
    pub(crate) fn assert_ignored(&mut self, agent: &mut TestAgent, pdu: &TestPdu) {
        let message = self.message(pdu);
        assert_eq!(agent.handle(&message), Outcome::Dropped);
    }

    fn local(&self) -> AuthoritativeEngine {
        AuthoritativeEngine {
            engine_id: EngineId::new(b"\x80\0\0\0\x04manager").unwrap(),
            clock: ClockReading::default(),
        }
    }
}

struct Users {
    user: Arc<UserKeys>,
    discovery_user: Arc<UserKeys>,
}

impl UserLookup for Users {
    fn user(&self, _: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        if user_name.is_empty() {
            return Some(&self.discovery_user);
        }
        (*user_name == *self.user.user_name).then_some(&self.user)
    }
}

#[derive(Default)]
struct Clocks(HashMap<Vec<u8>, PeerClock>);

impl PeerClocks for Clocks {
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        Some(self.0.get(engine_id).copied().unwrap_or_default())
    }

    fn set(&mut self, engine_id: &[u8], clock: PeerClock) {
        self.0.insert(engine_id.to_vec(), clock);
    }
}
