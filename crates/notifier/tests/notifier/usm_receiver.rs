//! Receivers of informs with USM over UDP. Each has its own engine ID and its own keys.

use std::{
    net::{SocketAddr, UdpSocket},
    sync::{Arc, Mutex},
    thread,
    time::Instant,
};

use portreeve_crypto::{AuthProtocol, password_to_key};
use portreeve_lcd::{Credential, Lcd, StorageType, Tables, UserKey, UserRow};
use portreeve_smi::{
    EngineBoots, EngineId, Oid, SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain,
};
use portreeve_snmp_apps::{NotificationActions, NotificationReceiver, NotificationRule, StoreResult};
use portreeve_snmp_engine::{
    Engine, LocalEngine, NotificationOutcome, reply_buffer_size, security::usm::auth_protocol_identity,
    statistics::Statistics,
};
use portreeve_snmp_manager::Secret;

use crate::{receiver::wait_until, site::name};

/// A receiver on a thread, which ends with the process.
pub(crate) struct UsmReceiver {
    pub(crate) address: SocketAddr,
    pub(crate) engine_id: EngineId,
    pass_phrase: &'static str,
    users: Arc<Mutex<Vec<String>>>,
}

impl UsmReceiver {
    /// Starts a receiver whose engine ID ends with this octet, for the user `ops` at authNoPriv.
    pub(crate) fn start(last: u8, pass_phrase: &'static str) -> Self {
        let engine_id = EngineId::new(&[0x80, 0, 0, 0, 5, last]).unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let (address, users) = (socket.local_addr().unwrap(), Arc::<Mutex<Vec<String>>>::default());
        let receiver = Self { address, engine_id, pass_phrase, users: Arc::clone(&users) };
        let mut tables = Tables::default();
        tables.insert(receiver.user());
        thread::spawn(move || serve(&socket, engine_id, &Arc::new(Lcd::compile(tables)), &users));
        receiver
    }

    /// Returns the row of the user with the keys for this receiver.
    pub(crate) fn user(&self) -> UserRow {
        let master = password_to_key(PROTOCOL, &Secret::from(self.pass_phrase)).unwrap();
        let key = Secret::from(master.localize(self.engine_id.as_bytes()).expose());
        let protocol = Oid::new(&auth_protocol_identity(PROTOCOL).oid()).unwrap();
        let mut row = UserRow::new(UserKey { engine_id: self.engine_id, name: name("ops") });
        row.columns.auth = Some(Arc::new(Credential { protocol, key }));
        row.into_active(StorageType::ReadOnly)
    }

    /// Waits until an inform has arrived; returns its user and security level.
    pub(crate) fn await_inform(&self) -> String {
        wait_until("an inform", || !self.users.lock().unwrap().is_empty());
        self.users.lock().unwrap().remove(0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.users.lock().unwrap().is_empty()
    }
}

fn serve(socket: &UdpSocket, engine_id: EngineId, lcd: &Arc<Lcd>, users: &Mutex<Vec<String>>) {
    let (boots, max_message_size) = (EngineBoots::new(3), 65_507);
    let local = LocalEngine { engine_id, boots, started: Timestamp::ZERO, max_message_size };
    let mut engine = Engine::new(local, lcd, Statistics::new(1).recorder(0), 1);
    let mut receiver = NotificationReceiver::new(vec![NotificationRule {
        security_model: None,
        security_name: None,
        min_level: SecurityLevel::NoAuthNoPriv,
        sources: Vec::new(),
        subtree: None,
        actions: NotificationActions::ALL,
    }]);
    let (start, mut reply) = (Instant::now(), vec![0; reply_buffer_size(max_message_size)]);
    loop {
        let mut message = vec![0; max_message_size];
        let (length, peer) = socket.recv_from(&mut message).unwrap();
        let now = Timestamp::from_micros(start.elapsed().as_micros().try_into().unwrap());
        let transport = TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(peer));
        let message = &mut message[..length];
        let size = max_message_size;
        let range = match engine.receive_notification(lcd, now, &transport, size, message, &mut reply) {
            NotificationOutcome::Notification(incoming) => {
                let accepted = receiver.accept(&transport, &incoming).unwrap();
                let (user, level) =
                    (&accepted.notification.security_name, accepted.notification.security_level);
                users.lock().unwrap().push(format!("{} {level}", user.escape_ascii()));
                let acknowledgement = accepted.acknowledgement.unwrap();
                acknowledgement.complete(&mut engine, now, StoreResult::Stored, &mut reply).unwrap()
            }
            NotificationOutcome::Report { range, .. } | NotificationOutcome::Discovery(range) => range,
            NotificationOutcome::Dropped(_) => continue,
        };
        socket.send_to(&reply[range], peer).unwrap();
    }
}

pub(crate) const PROTOCOL: AuthProtocol = AuthProtocol::HmacSha256_192;
