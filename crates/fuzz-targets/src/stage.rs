//! An engine with one community and one authPriv user, as a stranger on UDP meets it.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol};
use portreeve_engine::security::usm::{
    self, NoPeers, Outgoing, OutgoingContext, UserKeys, UserLookup, auth_protocol_identity,
    priv_protocol_identity,
};
use portreeve_engine::statistics::{Counter, Statistics};
use portreeve_engine::{Engine, LocalEngine, Receipt, Response, var_bind_area};
use portreeve_lcd::{
    CommunityKey, CommunityRow, Credential, Handle, Lcd, StorageType, Tables, UserKey, UserRow,
};
use portreeve_message::{HeaderData, MsgFlags, prepend_v3_message};
use portreeve_secret::Secret;
use portreeve_smi::ber::ReverseWriter;
use portreeve_smi::{
    EngineBoots, EngineId, ErrorStatus, Oid, SecurityLevel, SecurityModel, Timestamp, TmStateReference,
    TransportAddress, TransportDomain,
};

/// The engine, its counters, and the user's keys for making authentic messages.
pub(crate) struct Stage {
    engine: Engine,
    statistics: Arc<Statistics>,
    transport: TmStateReference,
    user: OneUser,
    salt: u64,
}

/// What became of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// An application got it, and a response to it could be built.
    Served,
    /// The engine answered with a Report.
    Reported,
    /// Nothing went back.
    Dropped,
}

impl Stage {
    /// Lends this thread's stage: key schedules are made once.
    pub(crate) fn with<T>(play: impl FnOnce(&mut Stage) -> T) -> T {
        thread_local! {
            static STAGE: RefCell<Stage> = RefCell::new(Stage::new());
        }
        STAGE.with_borrow_mut(play)
    }

    fn new() -> Self {
        let local = LocalEngine {
            engine_id: engine_id(),
            boots: EngineBoots::new(BOOTS),
            started: Timestamp::ZERO,
            max_message_size: 65_535,
        };
        let statistics = Statistics::new(1);
        let lcd = Handle::new(Lcd::compile(tables()));
        let engine = Engine::new(local, lcd.reader(), statistics.recorder(0), 0);
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000));
        let address = TransportAddress::Ip(peer);
        let transport = TmStateReference::unauthenticated(TransportDomain::Udp, address);
        Self { engine, statistics, transport, user: OneUser::new(), salt: 0 }
    }

    /// Has the engine receive `message`, and answers what it hands on.
    ///
    /// Holds it to: a Report is no longer than the peer takes; the bindings of a request can be walked; the response to
    /// it is a message of the size it promises.
    pub(crate) fn receive(&mut self, message: &[u8]) -> Fate {
        let mut message = message.to_vec();
        let mut reply = vec![0; 65_535 + 512];
        match self.engine.receive(NOW, &self.transport, MAX_REPLY, &mut message, &mut reply) {
            Receipt::Dropped(_) => Fate::Dropped,
            Receipt::Reply(range) => {
                assert!(range.len() <= MAX_REPLY && reply.get(range).is_some());
                Fate::Reported
            }
            Receipt::Request(request) => {
                assert_eq!(request.pdu.var_binds.iter().count(), request.pdu.var_binds.len());
                let echoed = request.pdu.var_binds.encoded();
                let room = var_bind_area(&mut reply);
                let Some(area) = room.get_mut(..echoed.len()) else { return Fate::Served };
                area.copy_from_slice(echoed);
                let response = Response {
                    request_id: request.pdu.request_id,
                    error_status: ErrorStatus::NoError,
                    error_index: 0,
                    var_binds: echoed.len(),
                };
                if let Ok(range) = self.engine.respond(NOW, &request.state, &response, &mut reply) {
                    assert!(range.len() <= MAX_REPLY && reply.get(range).is_some());
                }
                Fate::Served
            }
        }
    }

    /// `scoped_pdu`, encrypted and signed by the user, as a message; `None` where it is too long for one.
    pub(crate) fn authentic(&mut self, scoped_pdu: &[u8]) -> Option<Vec<u8>> {
        self.salt += 1;
        let mut buffer = vec![0; scoped_pdu.len() + 512];
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.raw(scoped_pdu).ok()?;
        let local = usm::LocalEngine { engine_id: engine_id(), clock: self.engine.local().clock(NOW) };
        let context = OutgoingContext { local, users: &self.user, peers: &NoPeers, now: NOW };
        let id = engine_id();
        let outgoing = Outgoing::request(&context, id.as_bytes(), USER, SecurityLevel::AuthPriv).ok()?;
        let secured = outgoing.secure(self.salt, &mut writer).ok()?;
        prepend_v3_message(&mut writer, &header(SecurityLevel::AuthPriv)).ok()?;
        secured.finish(writer.written_mut()).ok()?;
        Some(writer.written().to_vec())
    }

    /// How often a counter has been raised.
    pub(crate) fn count(&self, counter: Counter) -> u64 {
        self.statistics.sum(counter)
    }
}

/// A reportable header of this level.
pub(crate) fn header(level: SecurityLevel) -> HeaderData {
    HeaderData {
        msg_id: 0x1234_5678,
        max_size: 65_507,
        flags: MsgFlags::new(level, true),
        security_model: SecurityModel::USM,
    }
}

fn tables() -> Tables {
    let mut tables = Tables::default();
    let mut community = CommunityRow::new(CommunityKey { index: (*b"c").into() });
    community.columns.name = (*b"public").into();
    community.columns.security_name = (*b"reader").into();
    community.columns.context_engine_id = Some(engine_id());
    tables.insert(community.into_active(StorageType::ReadOnly));
    let mut user = UserRow::new(UserKey { engine_id: engine_id(), name: USER.into() });
    user.columns.auth = Some(credential(&auth_protocol_identity(AUTH).oid(), AUTH.key_len(), AUTH_OCTET));
    user.columns.privacy = Some(credential(&priv_protocol_identity(PRIV).oid(), PRIV.key_len(), PRIV_OCTET));
    tables.insert(user.into_active(StorageType::ReadOnly));
    tables
}

fn credential(protocol: &[u32], key_len: usize, octet: u8) -> Arc<Credential> {
    let protocol = Oid::new(protocol).expect("a protocol's identity is an identifier");
    Arc::new(Credential { protocol, key: Secret::new(vec![octet; key_len]) })
}

fn engine_id() -> EngineId {
    EngineId::new(b"\x80\0\0\0\x04fuzz").expect("5 to 32 octets")
}

/// The same user on the sending side.
struct OneUser(Arc<UserKeys>);

impl OneUser {
    fn new() -> Self {
        let auth = AuthKey::new(AUTH, &vec![AUTH_OCTET; AUTH.key_len()]).ok();
        let privacy = PrivKey::new(PRIV, &vec![PRIV_OCTET; PRIV.key_len()]).ok();
        Self(Arc::new(UserKeys::new(USER, auth, privacy)))
    }
}

impl UserLookup for OneUser {
    fn user(&self, _engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        (user_name == USER).then_some(&self.0)
    }
}

/// The user's name.
pub(crate) const USER: &[u8] = b"fuzz";

const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
const PRIV: PrivProtocol = PrivProtocol::Aes128;
const AUTH_OCTET: u8 = 0x11;
const PRIV_OCTET: u8 = 0x22;
const BOOTS: u32 = 5;

/// A thousand seconds after the engine's start.
const NOW: Timestamp = Timestamp::from_secs(1000);

/// What fits one Ethernet frame.
const MAX_REPLY: usize = 1472;
