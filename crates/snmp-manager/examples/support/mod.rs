//! An agent for the examples: Portreeve's own engine on a loopback port, in a thread of the
//! program.
//!
//! The agent has the system group, forty interfaces, the communities `public` and `private`, and
//! the user `ops`.

use std::{
    error::Error,
    net::{SocketAddr, UdpSocket},
    sync::Arc,
    thread,
    time::Instant,
};

use portreeve_crypto::password_to_key;
use portreeve_datastore::{Datastore, VolatileLog};
use portreeve_lcd::{
    AccessKey, AccessRow, CommunityKey, CommunityRow, Credential, GroupKey, GroupRow, Lcd, Name, StorageType,
    Tables, UserKey, UserRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::{
    Instrumentation, Lookup, Object, ServedObjects,
    modules::if_mib::{IF_DESCR, IF_IN_OCTETS, IF_INDEX},
    rows,
};
use portreeve_mib_std::{LcdObjects, SystemObjects};
use portreeve_smi::{
    EngineBoots, EngineId, Oid, OidBuf, SecurityLevel, SecurityModel, Timestamp, TmStateReference,
    TransportAddress, TransportDomain, Value,
};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, SetExecutor};
use portreeve_snmp_engine::{
    Engine, LocalEngine,
    security::usm::{auth_protocol_identity, priv_protocol_identity},
    statistics::Statistics,
};
use portreeve_snmp_manager::{AuthProtocol, PeerAddress, PrivProtocol, Secret};

/// Returns the given address, or that of a new agent, which runs as long as the process.
pub fn address(given: Option<&str>) -> Result<PeerAddress, Box<dyn Error>> {
    match given {
        Some(text) => Ok(text.parse()?),
        None => Ok(start_agent()?.to_string().parse()?),
    }
}

/// Starts an agent and returns its address.
fn start_agent() -> Result<SocketAddr, Box<dyn Error>> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    let address = socket.local_addr()?;
    let (mut entity, mut sets) = agent()?;
    thread::spawn(move || {
        let started = Instant::now();
        let (mut message, mut reply) = (vec![0; MAX_MESSAGE_SIZE], vec![0; 2 * MAX_MESSAGE_SIZE]);
        while let Ok((length, peer)) = socket.recv_from(&mut message) {
            let transport =
                TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(peer));
            let now = Timestamp::ZERO + started.elapsed();
            let Some(message) = message.get_mut(..length) else { break };
            let outcome = entity.handle(now, &peer, &transport, MAX_MESSAGE_SIZE, message, &mut reply);
            if let HandleOutcome::Reply(range)
            | HandleOutcome::UnauthenticatedReply(range)
            | HandleOutcome::Report(range) = outcome
            {
                let _ = socket.send_to(reply.get(range).unwrap_or_default(), peer);
            }
            // The agent stores nothing, so every SET is finished at once.
            while let Some(set) = entity.poll_set() {
                if let Some((token, result)) = sets.execute(set, now) {
                    entity.set_finished(token, result);
                }
            }
            entity.poll(now, &mut reply, |peer, _, reply| drop(socket.send_to(reply, peer)));
        }
    });
    Ok(address)
}

fn agent() -> Result<(Entity<SocketAddr>, SetExecutor<VolatileLog>), Box<dyn Error>> {
    let engine_id = EngineId::new(b"\x80\0\0\0\x04practice")?;
    let local = LocalEngine {
        engine_id,
        boots: EngineBoots::new(1),
        started: Timestamp::ZERO,
        max_message_size: MAX_MESSAGE_SIZE,
    };
    let datastore = Datastore::without_yang(Lcd::compile(tables(engine_id)?));
    let state = datastore.state().reader();
    let engine = Engine::new(local, &state.current().lcd, Statistics::new(1).recorder(0), 0);
    let served = ServedObjects::new(vec![
        Box::new(SystemObjects::new(local.started, &[])),
        Box::new(LcdObjects::new(engine_id)),
        Box::new(InterfaceTable::new()),
    ]);
    let served = served.map_err(|error| format!("{error:?}"))?;
    let writable = ServedObjects::new(vec![Box::new(LcdObjects::new(engine_id))]);
    let sets = SetExecutor::new(datastore, VolatileLog, writable.map_err(|error| format!("{error:?}"))?);
    Ok((Entity::new(engine, served, state, EntitySettings::default()), sets))
}

/// Creates the users and access rights: `public` can read; `private` and `ops` can also write.
fn tables(engine_id: EngineId) -> Result<Tables, Box<dyn Error>> {
    let mut tables = Tables::default();
    let mut ops = UserRow::new(UserKey { engine_id, name: name("ops") });
    let (auth, privacy) = (AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
    let key = password_to_key(auth, &Secret::from(PASS_PHRASE))?;
    let auth_key = Secret::from(key.localize(engine_id.as_bytes()).expose());
    let priv_key = Secret::from(key.localize_for(privacy, engine_id.as_bytes()).expose());
    ops.columns.auth = Some(credential(auth_protocol_identity(auth), auth_key)?);
    ops.columns.privacy = Some(credential(priv_protocol_identity(privacy), priv_key)?);
    tables.insert(ops.into_active(StorageType::ReadOnly));
    for (community, security_name) in [("public", "reader"), ("private", "writer")] {
        let mut row = CommunityRow::new(CommunityKey { index: name(community) });
        row.columns.name = name(community);
        row.columns.security_name = name(security_name);
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    for (model, who, level, writes) in [
        (SecurityModel::SNMP_V2C, "reader", SecurityLevel::NoAuthNoPriv, false),
        (SecurityModel::SNMP_V2C, "writer", SecurityLevel::NoAuthNoPriv, true),
        (SecurityModel::USM, "ops", SecurityLevel::AuthPriv, true),
    ] {
        let mut member = GroupRow::new(GroupKey { model, security_name: name(who) });
        member.columns.group_name = name(who);
        tables.insert(member.into_active(StorageType::ReadOnly));
        let key = AccessKey { group_name: name(who), context_prefix: Name::default(), model, level };
        let mut access = AccessRow::new(key);
        access.columns.read_view = name("all");
        access.columns.write_view = name(if writes { "all" } else { "" });
        tables.insert(access.into_active(StorageType::ReadOnly));
    }
    let all = ViewFamilyKey { view_name: name("all"), subtree: Oid::new(&[1, 3])? };
    tables.insert(ViewFamilyRow::new(all).into_active(StorageType::ReadOnly));
    Ok(tables)
}

fn credential(protocol: &Object, key: Secret) -> Result<Arc<Credential>, Box<dyn Error>> {
    Ok(Arc::new(Credential { protocol: Oid::new(&protocol.oid())?, key }))
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

/// A table of interfaces with three columns of ifTable.
struct InterfaceTable {
    rows: Vec<([u32; 1], String)>,
    hint: usize,
}

impl InterfaceTable {
    fn new() -> Self {
        Self { rows: (1..=40).map(|number| ([number], format!("port {number}"))).collect(), hint: 0 }
    }

    fn value(&self, leaf: usize, row: usize) -> Lookup<'_> {
        let Some((index, descr)) = self.rows.get(row) else { return Lookup::Absent };
        let [number] = *index;
        Lookup::Value(match leaf {
            0 => Value::Integer(number.cast_signed()),
            1 => Value::OctetString(descr.as_bytes()),
            _ => Value::Counter32(1000 * number),
        })
    }
}

impl Instrumentation for InterfaceTable {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&IF_INDEX, &IF_DESCR, &IF_IN_OCTETS]
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let index_of = |row: usize| index_of(&self.rows, row);
        match rows::exact(self.rows.len(), index_of, index, &mut self.hint) {
            Some(row) => self.value(leaf, row),
            None => Lookup::Absent,
        }
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let index_of = |row: usize| index_of(&self.rows, row);
        match rows::successor(self.rows.len(), index_of, after, &mut self.hint) {
            Some(row) if name.extend(index_of(row)).is_ok() => self.value(leaf, row),
            _ => Lookup::Absent,
        }
    }
}

fn index_of(rows: &[([u32; 1], String)], row: usize) -> &[u32] {
    rows.get(row).map_or(&[], |(index, _)| index)
}

/// The pass phrase from which both keys of the user `ops` are derived.
pub const PASS_PHRASE: &str = "practice makes perfect";
const MAX_MESSAGE_SIZE: usize = 65_507;
