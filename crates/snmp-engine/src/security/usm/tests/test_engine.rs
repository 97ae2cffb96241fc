//! An engine for tests, which has users and peers. Also functions that build messages with USM
//! parameters and otherwise minimal content.

use std::collections::HashMap;
use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol};
use portreeve_smi::ber::{ReverseWriter, Tag};
use portreeve_smi::{ClockReading, EngineBoots, EngineId, SecurityLevel, SecurityModel, Timestamp};
use portreeve_snmp_message::{HeaderData, MsgFlags, V3Message, prepend_scoped_pdu, prepend_v3_message};

use crate::security::usm::{
    AuthoritativeEngine, Outgoing, PeerClock, PeerClocks, UserKeys, UserLookup, UsmIncomingContext,
    UsmOutgoingContext, UsmRejectReason, UsmSendError, process_incoming_msg,
};

pub(super) const AGENT: &[u8] = b"\x80\0\0\0\x04agent";
pub(super) const MANAGER: &[u8] = b"\x80\0\0\0\x04manager";
pub(super) const PDU: &[u8] = b"\xa0\x05hello";

pub(super) struct TestEngine {
    pub(super) local: AuthoritativeEngine,
    pub(super) users: Users,
    pub(super) peers: Peers,
    pub(super) now: Timestamp,
    pub(super) salt: u64,
}

/// The properties of a message that passed all checks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    pub(super) user: Vec<u8>,
    pub(super) level: SecurityLevel,
    pub(super) authoritative: bool,
    pub(super) scoped_pdu: Vec<u8>,
}

impl TestEngine {
    /// An agent, which only accepts its own engine ID.
    pub(super) fn agent() -> Self {
        Self::new(AGENT, false)
    }

    /// A manager, which accepts unknown engines.
    pub(super) fn manager() -> Self {
        Self::new(MANAGER, true)
    }

    fn new(engine_id: &[u8], accepts_unknown: bool) -> Self {
        let clock = ClockReading { boots: EngineBoots::new(5).unwrap(), time: 1000 };
        Self {
            local: AuthoritativeEngine { engine_id: EngineId::new(engine_id).unwrap(), clock },
            users: Users {
                by_name: HashMap::new(),
                discovery_user: accepts_unknown.then(|| Arc::new(UserKeys::discovery())),
            },
            peers: Peers { clocks: HashMap::new(), accepts_unknown },
            now: Timestamp::from_secs(1),
            salt: 1,
        }
    }

    /// Adds the user `name` of the agent.
    pub(super) fn with_user(
        mut self,
        name: &[u8],
        auth: Option<AuthProtocol>,
        privacy: Option<PrivProtocol>,
    ) -> Self {
        let auth = auth.map(|protocol| AuthKey::new(protocol, &vec![0x11; protocol.key_len()]).unwrap());
        let privacy =
            privacy.map(|protocol| PrivKey::new(protocol, &vec![0x22; protocol.key_len()]).unwrap());
        self.users.insert(AGENT, UserKeys::new(name, auth, privacy));
        self
    }

    /// Advances the clock of this engine by `seconds`.
    pub(super) fn wait(&mut self, seconds: u32) {
        self.now = Timestamp::from_secs(self.now.as_secs() + u64::from(seconds));
        self.local.clock.time += seconds;
    }

    pub(super) fn request(&mut self, user: &[u8], level: SecurityLevel) -> Result<Vec<u8>, UsmSendError> {
        self.request_to(AGENT, user, level)
    }

    pub(super) fn request_to(
        &mut self,
        engine_id: &[u8],
        user: &[u8],
        level: SecurityLevel,
    ) -> Result<Vec<u8>, UsmSendError> {
        self.salt += 1;
        let context =
            UsmOutgoingContext { local: self.local, users: &self.users, peers: &self.peers, now: self.now };
        build(Outgoing::request(&context, engine_id, user, level)?, level, self.salt)
    }

    pub(super) fn response(&mut self, user: &[u8], level: SecurityLevel) -> Result<Vec<u8>, UsmSendError> {
        self.salt += 1;
        let keys = self.users.user(self.local.engine_id.as_bytes(), user);
        build(Outgoing::response(&self.local, user, keys.map(Arc::as_ref), level)?, level, self.salt)
    }

    pub(super) fn discovery(&self) -> Vec<u8> {
        build(Outgoing::discovery(), SecurityLevel::NoAuthNoPriv, 0).unwrap()
    }

    /// Parses and verifies `message`. Returns [`UsmRejectReason::ParseError`] if the message cannot
    /// be parsed.
    pub(super) fn receive(&mut self, message: &[u8]) -> Result<Accepted, UsmRejectReason> {
        let mut message = message.to_vec();
        let parsed = V3Message::parse(&message).map_err(|_| UsmRejectReason::ParseError)?;
        let level = parsed.header.flags.level().ok_or(UsmRejectReason::ParseError)?;
        let mut context = UsmIncomingContext {
            local: self.local,
            users: &self.users,
            peers: &mut self.peers,
            now: self.now,
        };
        match process_incoming_msg(&mut context, &mut message, &parsed, level) {
            Ok(incoming) => Ok(Accepted {
                user: incoming.user.security_name.clone(),
                level: incoming.level,
                authoritative: incoming.authoritative,
                scoped_pdu: message[incoming.scoped_pdu].to_vec(),
            }),
            Err(rejected) => Err(rejected.reason),
        }
    }

    /// Receives `message`, which must be rejected. Returns the Report, if the reject reason causes
    /// one.
    pub(super) fn report(&mut self, message: &[u8]) -> Option<Vec<u8>> {
        let mut octets = message.to_vec();
        let parsed = V3Message::parse(&octets).unwrap();
        let level = parsed.header.flags.level().unwrap();
        let mut context = UsmIncomingContext {
            local: self.local,
            users: &self.users,
            peers: &mut self.peers,
            now: self.now,
        };
        let rejected = process_incoming_msg(&mut context, &mut octets, &parsed, level).err().unwrap();
        let level = rejected.reason.report_level()?;
        let name = octets[rejected.parameters.user_name.clone()].to_vec();
        let user = rejected.user.map(Arc::as_ref);
        Some(build(Outgoing::response(&self.local, &name, user, level).unwrap(), level, 0).unwrap())
    }
}

/// The scopedPDU of all messages in these tests.
pub(super) fn scoped_pdu() -> Vec<u8> {
    let mut buffer = [0; 64];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(PDU).unwrap();
    prepend_scoped_pdu(&mut writer, AGENT, b"").unwrap();
    writer.written().to_vec()
}

fn build(outgoing: Outgoing<'_>, level: SecurityLevel, salt: u64) -> Result<Vec<u8>, UsmSendError> {
    let mut buffer = [0; 512];
    let scoped_pdu = scoped_pdu();
    let end = buffer.len() - TAIL_ROOM;
    let content = end - scoped_pdu.len()..end;
    buffer[content.clone()].copy_from_slice(&scoped_pdu);
    let mut writer = ReverseWriter::before(&mut buffer, content);
    let unsigned = outgoing.secure(salt, &mut writer)?;
    prepend_v3_message(&mut writer, &header(MsgFlags::new(level, true)))?;
    unsigned.sign(writer.written_mut())?;
    Ok(writer.written().to_vec())
}

/// Builds a message from raw fields, valid or not. `data` is the complete BER element that follows
/// the security parameters.
pub(super) fn assemble(level: SecurityLevel, clock: (i32, i32), fields: [&[u8]; 4], data: &[u8]) -> Vec<u8> {
    let [engine_id, user_name, authentication, privacy] = fields;
    let mut buffer = [0; 1024];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(data).unwrap();
    let since = writer.len();
    writer.octet_string(privacy).unwrap();
    writer.octet_string(authentication).unwrap();
    writer.octet_string(user_name).unwrap();
    writer.integer(clock.1).unwrap();
    writer.integer(clock.0).unwrap();
    writer.octet_string(engine_id).unwrap();
    writer.wrap(Tag::SEQUENCE, since).unwrap();
    writer.wrap(Tag::OCTET_STRING, since).unwrap();
    prepend_v3_message(&mut writer, &header(MsgFlags::new(level, true))).unwrap();
    writer.written().to_vec()
}

fn header(flags: MsgFlags) -> HeaderData {
    HeaderData { msg_id: 77, max_size: 1472, flags, security_model: SecurityModel::USM }
}

pub(super) struct Users {
    by_name: HashMap<(Vec<u8>, Vec<u8>), Arc<UserKeys>>,
    discovery_user: Option<Arc<UserKeys>>,
}

impl Users {
    pub(super) fn insert(&mut self, engine_id: &[u8], user: UserKeys) {
        self.by_name.insert((engine_id.to_vec(), user.user_name.clone()), Arc::new(user));
    }
}

impl UserLookup for Users {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        if user_name.is_empty() {
            return self.discovery_user.as_ref();
        }
        self.by_name.get(&(engine_id.to_vec(), user_name.to_vec()))
    }
}

pub(super) struct Peers {
    pub(super) clocks: HashMap<Vec<u8>, PeerClock>,
    accepts_unknown: bool,
}

impl PeerClocks for Peers {
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        self.clocks.get(engine_id).copied().or(self.accepts_unknown.then(PeerClock::default))
    }

    fn set(&mut self, engine_id: &[u8], clock: PeerClock) {
        self.clocks.insert(engine_id.to_vec(), clock);
    }
}

/// Space for the padding of block ciphers.
const TAIL_ROOM: usize = 8;
