//! An agent that receives requests over UDP. It has one community, and one authPriv user who may
//! read and write everything.
//!
//! It serves its own configuration tables, so that a SET reaches the code that creates, checks and
//! rolls back rows. No SET becomes durable: each is rolled back, and the agent does not change.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol};
use portreeve_datastore::{Datastore, DurableLog, GroupError, TransactionRecords};
use portreeve_lcd::{
    AccessKey, AccessRow, AllowedWeaknesses, CommunityKey, CommunityRow, Credential, GroupKey, GroupRow, Lcd,
    StorageType, Tables, UserKey, UserRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::ServedObjects;
use portreeve_mib_std::{CounterObjects, EngineObjects, LcdObjects, SystemObjects};
use portreeve_secret::Secret;
use portreeve_smi::ber::ReverseWriter;
use portreeve_smi::{
    EngineBoots, EngineId, Oid, SecurityLevel, SecurityModel, Timestamp, TmStateReference, TransportAddress,
    TransportDomain,
};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, SetExecutor};
use portreeve_snmp_engine::security::usm::{
    self, NoPeers, Outgoing, UserKeys, UserLookup, UsmOutgoingContext, auth_protocol_identity,
    priv_protocol_identity,
};
use portreeve_snmp_engine::statistics::{Counter, Statistics};
use portreeve_snmp_engine::{Engine, LocalEngine};
use portreeve_snmp_message::{HeaderData, MsgFlags, prepend_v3_message};

/// The agent, its counters, and the user's keys for authentic messages.
pub(crate) struct TestAgent {
    entity: Entity<()>,
    sets: SetExecutor<FailingLog>,
    statistics: Arc<Statistics>,
    transport: TmStateReference,
    reply: Vec<u8>,
    user: OneUser,
    salt: u64,
    /// True if the last message was a SET that was undone instead of stored.
    was_undone: bool,
}

/// Stores nothing, so that every SET is undone.
#[derive(Default)]
pub(crate) struct FailingLog {
    has_failed: bool,
}

impl DurableLog for FailingLog {
    fn commit_group(&mut self, _: Vec<TransactionRecords>) -> Result<(), GroupError> {
        self.has_failed = true;
        Err(GroupError { durable: 0, reason: "nothing is stored".to_owned(), may_reappear: false })
    }
}

/// The result of handling a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MessageResult {
    /// The responder has sent a response.
    Served,
    /// There was no reply, or the reply was a Report.
    Rejected,
}

impl TestAgent {
    /// Calls `run` with this thread's agent. The agent is created only once, because computing its
    /// keys takes time.
    pub(crate) fn with<T>(run: impl FnOnce(&mut TestAgent) -> T) -> T {
        thread_local! {
            static AGENT: RefCell<TestAgent> = RefCell::new(TestAgent::new());
        }
        AGENT.with_borrow_mut(run)
    }

    fn new() -> Self {
        let local = LocalEngine {
            engine_id: engine_id(),
            boots: EngineBoots::new(BOOTS),
            started: Timestamp::ZERO,
            max_message_size: 65_535,
        };
        let statistics = Statistics::new(1);
        let datastore = Datastore::without_yang(Lcd::compile(tables()));
        let state = datastore.state().reader();
        let engine = Engine::new(local, &state.current().lcd, statistics.recorder(0), 0);
        let served = ServedObjects::new(vec![
            Box::new(SystemObjects::new(local.started, &[])),
            Box::new(CounterObjects::new(Arc::clone(&statistics))),
            Box::new(EngineObjects::new(local)),
            Box::new(LcdObjects::new(local.engine_id)),
        ]);
        let served = served.expect("the modules do not overlap");
        let writable = ServedObjects::new(vec![Box::new(LcdObjects::new(local.engine_id))]);
        let writable = writable.expect("one module does not overlap");
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 40_000));
        Self {
            entity: Entity::new(engine, served, state, EntitySettings::default()),
            sets: SetExecutor::new(datastore, FailingLog::default(), writable),
            statistics,
            transport: TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(peer)),
            reply: vec![0; 65_535 + 1024],
            user: OneUser::new(),
            salt: 0,
            was_undone: false,
        }
    }

    /// Handles `message`. A SET is undone instead of stored.
    ///
    /// Checks that a reply is at most [`MAX_REPLY`] octets long and is within the buffer, and that
    /// no request stays pending.
    pub(crate) fn receive(&mut self, message: &[u8]) -> MessageResult {
        let responses = self.count(Counter::SnmpOutGetResponses);
        let mut message = message.to_vec();
        let outcome = self.entity.handle(NOW, &(), &self.transport, MAX_REPLY, &mut message, &mut self.reply);
        if let HandleOutcome::Reply(range)
        | HandleOutcome::UnauthenticatedReply(range)
        | HandleOutcome::Report(range) = outcome
        {
            assert!(range.len() <= MAX_REPLY && self.reply.get(range).is_some());
        }
        self.was_undone = false;
        while let Some(set) = self.entity.poll_set() {
            if let Some((token, result)) = self.sets.execute(set, NOW) {
                self.entity.set_finished(token, result);
            }
            self.was_undone |= std::mem::take(&mut self.sets.log_mut().has_failed);
        }
        self.entity.poll(NOW, &mut self.reply, |(), _, reply| assert!(reply.len() <= MAX_REPLY));
        assert_eq!(self.entity.next_timeout(NOW), None, "a request is still pending");
        if self.count(Counter::SnmpOutGetResponses) > responses {
            MessageResult::Served
        } else {
            MessageResult::Rejected
        }
    }

    /// Returns a message with `scoped_pdu` encrypted and signed by the user; `None` if it is too
    /// long.
    pub(crate) fn build_authentic(&mut self, scoped_pdu: &[u8]) -> Option<Vec<u8>> {
        self.salt += 1;
        let mut buffer = vec![0; scoped_pdu.len() + 512];
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.raw(scoped_pdu).ok()?;
        let local = usm::AuthoritativeEngine {
            engine_id: engine_id(),
            clock: self.entity.engine().local().clock(NOW),
        };
        let context = UsmOutgoingContext { local, users: &self.user, peers: &NoPeers, now: NOW };
        let id = engine_id();
        let outgoing = Outgoing::request(&context, id.as_bytes(), USER, SecurityLevel::AuthPriv).ok()?;
        let secured = outgoing.secure(self.salt, &mut writer).ok()?;
        prepend_v3_message(&mut writer, &header(SecurityLevel::AuthPriv)).ok()?;
        secured.sign(writer.written_mut()).ok()?;
        Some(writer.written().to_vec())
    }

    /// Returns the value of a counter.
    pub(crate) fn count(&self, counter: Counter) -> u64 {
        self.statistics.sum(counter)
    }
}

/// Returns a reportable header with this level.
pub(crate) fn header(level: SecurityLevel) -> HeaderData {
    HeaderData {
        msg_id: 0x1234_5678,
        max_size: 65_507,
        flags: MsgFlags::new(level, true),
        security_model: SecurityModel::USM,
    }
}

fn tables() -> Tables {
    let mut tables = Tables { allowed_weaknesses: AllowedWeaknesses::ALL, ..Tables::default() };
    let mut community = CommunityRow::new(CommunityKey { index: (*b"c").into() });
    community.columns.name = (*b"public").into();
    community.columns.security_name = (*b"reader").into();
    community.columns.context_engine_id = Some(engine_id());
    tables.insert(community.into_active(StorageType::ReadOnly));
    let mut user = UserRow::new(UserKey { engine_id: engine_id(), name: USER.into() });
    user.columns.auth = Some(credential(&auth_protocol_identity(AUTH).oid(), AUTH.key_len(), AUTH_OCTET));
    user.columns.privacy = Some(credential(&priv_protocol_identity(PRIV).oid(), PRIV.key_len(), PRIV_OCTET));
    tables.insert(user.into_active(StorageType::ReadOnly));
    for (model, name, level) in [
        (SecurityModel::SNMP_V2C, &b"reader"[..], SecurityLevel::NoAuthNoPriv),
        (SecurityModel::USM, USER, SecurityLevel::AuthPriv),
    ] {
        let mut group = GroupRow::new(GroupKey { model, security_name: name.into() });
        group.columns.group_name = name.into();
        tables.insert(group.into_active(StorageType::ReadOnly));
        let mut access = AccessRow::new(AccessKey {
            group_name: name.into(),
            context_prefix: (*b"").into(),
            model,
            level,
        });
        access.columns.read_view = (*b"all").into();
        access.columns.write_view = (*b"all").into();
        tables.insert(access.into_active(StorageType::ReadOnly));
    }
    let all = ViewFamilyKey { view_name: (*b"all").into(), subtree: oid(&[1, 3]) };
    tables.insert(ViewFamilyRow::new(all).into_active(StorageType::ReadOnly));
    tables
}

fn oid(arcs: &[u32]) -> Oid {
    Oid::new(arcs).expect("few arcs")
}

fn credential(protocol: &[u32], key_len: usize, octet: u8) -> Arc<Credential> {
    Arc::new(Credential { protocol: oid(protocol), key: Secret::new(vec![octet; key_len]) })
}

fn engine_id() -> EngineId {
    EngineId::new(b"\x80\0\0\0\x04fuzz").expect("5 to 32 octets")
}

/// Looks up the agent's only user, with the keys for outgoing messages.
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

/// The name of the agent's user.
pub(crate) const USER: &[u8] = b"fuzz";

const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
const PRIV: PrivProtocol = PrivProtocol::Aes128;
const AUTH_OCTET: u8 = 0x11;
const PRIV_OCTET: u8 = 0x22;
const BOOTS: u32 = 5;

/// The time of all messages: a thousand seconds after the engine's start.
const NOW: Timestamp = Timestamp::from_secs(1000);

/// The maximum length of a reply in octets. It fits one Ethernet frame.
const MAX_REPLY: usize = 1472;

#[cfg(test)]
mod tests;
