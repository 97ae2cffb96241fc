//! A notifier with its tables and its directory.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use portreeve_datastore::{Datastore, Purpose, Ticket};
use portreeve_lcd::{
    AccessKey, AccessRow, Columns, CommunityKey, CommunityRow, FamilyType, GroupKey, GroupRow, Lcd, Name,
    NotifyKey, NotifyRow, NotifyType, Row, StorageType, Tables, TargetAddressKey, TargetAddressRow,
    TargetParamsKey, TargetParamsRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::modules::{
    if_mib::IF_SPEED,
    snmpv2_mib::SNMP_TRAP_OID,
    transport_address_mib::{TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_UDP_IPV4},
};
use portreeve_notifier::{
    Notifier, NotifierHandle, NotifierParts, NotifierSettings, NotifierStatus, OutgoingNotification,
    SubmitError, Submitted, TargetSettings, TargetStatus,
};
use portreeve_smi::{
    EngineBoots, EngineId, MessageProcessingModel, Oid, OidRef, SecurityLevel, SecurityModel, Timestamp,
    Value,
};
use portreeve_snmp_engine::{LocalEngine, statistics::Statistics};
use portreeve_snmp_manager::{Operation, Request};
use tempfile::TempDir;

use crate::{
    log,
    receiver::{Receiver, wait_until},
};

/// The tables, settings and directory of a notifier.
pub(crate) struct Site {
    pub(crate) tables: Tables,
    pub(crate) targets: Vec<(String, TargetSettings)>,
    pub(crate) directory: PathBuf,
    _folder: TempDir,
    /// Makes the clock panic when the notifier reads it.
    pub(crate) panics: Arc<AtomicBool>,
}

impl Site {
    /// Creates tables in which the tags `informs` and `traps` select targets with SNMPv2c.
    pub(crate) fn new() -> Self {
        log::record();
        let folder = tempfile::tempdir().unwrap();
        let mut site = Self {
            tables: Tables::default(),
            targets: Vec::new(),
            directory: folder.path().to_owned(),
            _folder: folder,
            panics: Arc::default(),
        };
        for (row, kind) in [("informs", NotifyType::Inform), ("traps", NotifyType::Trap)] {
            site.insert(NotifyKey { name: name(row) }, |row: &mut NotifyRow| {
                row.columns.tag = row.key.name.clone();
                row.columns.kind = kind;
            });
        }
        site.insert(TargetParamsKey { name: name("v2c") }, |row: &mut TargetParamsRow| {
            row.columns.mp_model = MessageProcessingModel::V2c;
            row.columns.security_model = SecurityModel::SNMP_V2C;
            row.columns.security_name = name("ops");
            row.columns.security_level = SecurityLevel::NoAuthNoPriv;
        });
        let model = SecurityModel::SNMP_V2C;
        site.insert(GroupKey { model, security_name: name("ops") }, |row: &mut GroupRow| {
            row.columns.group_name = name("operators");
        });
        let level = SecurityLevel::NoAuthNoPriv;
        let key = AccessKey { group_name: name("operators"), context_prefix: name(""), model, level };
        site.insert(key, |row: &mut AccessRow| row.columns.notify_view = name("all"));
        site.view("1.3", FamilyType::Included);
        site.insert(CommunityKey { index: name("c") }, |row: &mut CommunityRow| {
            row.columns.name = name("public");
            row.columns.security_name = name("ops");
        });
        site
    }

    pub(crate) fn insert<C: Columns>(&mut self, key: C::Key, change: impl FnOnce(&mut Row<C>)) {
        let mut row = Row::new(key);
        change(&mut row);
        self.tables.insert(row.into_active(StorageType::ReadOnly));
    }

    /// Lets the principal be notified in a context.
    pub(crate) fn access_to_context(&mut self, context: &str) {
        Arc::make_mut(&mut self.tables.contexts).insert(name(context));
        let (model, level) = (SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv);
        let key = AccessKey { group_name: name("operators"), context_prefix: name(context), model, level };
        self.insert(key, |row: &mut AccessRow| row.columns.notify_view = name("all"));
    }

    /// Adds a subtree to the notify view.
    pub(crate) fn view(&mut self, subtree: &str, kind: FamilyType) {
        let key = ViewFamilyKey { view_name: name("all"), subtree: subtree.parse().unwrap() };
        self.insert(key, |row: &mut ViewFamilyRow| row.columns.kind = kind);
    }

    /// Adds the address of a target that the tag selects.
    pub(crate) fn address(&mut self, target: &str, tag: &str, is_tcp: bool, address: SocketAddr) {
        let SocketAddr::V4(address) = address else { panic!("an IPv6 address") };
        let domain = if is_tcp { &TRANSPORT_DOMAIN_TCP_IPV4 } else { &TRANSPORT_DOMAIN_UDP_IPV4 };
        self.insert(TargetAddressKey { name: name(target) }, |row: &mut TargetAddressRow| {
            row.columns.domain = Oid::new(domain.arcs()).unwrap();
            row.columns.address = [&address.ip().octets()[..], &address.port().to_be_bytes()].concat().into();
            row.columns.timeout = 10;
            row.columns.retry_count = 2;
            row.columns.tag_list = name(tag);
            row.columns.params = name("v2c");
        });
    }

    /// Adds a target of informs over UDP.
    pub(crate) fn informs(&mut self, target: &str, receiver: &Receiver) {
        self.address(target, "informs", false, receiver.address);
    }

    /// Adds the settings of a target.
    pub(crate) fn set(&mut self, target: &str, settings: TargetSettings) {
        self.targets.push((target.to_owned(), settings));
    }

    pub(crate) fn settings(&self) -> NotifierSettings {
        let targets = self.targets.iter().map(|(target, settings)| (name(target), settings.clone()));
        NotifierSettings { targets: targets.collect(), ..NotifierSettings::default() }
    }

    pub(crate) fn run(&self) -> Running {
        let datastore = Datastore::without_yang(Lcd::compile(self.tables.clone()));
        let start = Instant::now();
        let panics = Arc::clone(&self.panics);
        let parts = NotifierParts {
            local: LocalEngine {
                engine_id: "8000000005706f7274".parse::<EngineId>().unwrap(),
                boots: EngineBoots::new(1),
                started: Timestamp::ZERO,
                max_message_size: 65_507,
            },
            now: Box::new(move || {
                assert!(!panics.swap(false, Ordering::Relaxed), "the clock fails");
                Timestamp::from_micros(start.elapsed().as_micros().try_into().unwrap())
            }),
            recorder: Statistics::new(1).recorder(0),
            state: datastore.state().clone(),
            settings: self.settings(),
            configuration: b"configuration".to_vec(),
        };
        let notifier = Notifier::start(&self.directory, parts).unwrap();
        Running { handle: notifier.handle(), notifier, datastore }
    }
}

/// A running notifier.
pub(crate) struct Running {
    pub(crate) handle: NotifierHandle,
    pub(crate) notifier: Notifier,
    datastore: Datastore,
}

impl Running {
    /// Publishes tables.
    pub(crate) fn publish(&self, tables: &Tables) {
        let ticket = Ticket { owner: "test".into(), purpose: Purpose::Set, requested: Timestamp::ZERO };
        self.datastore.begin(ticket).publish_tables(Lcd::compile(tables.clone()));
    }

    /// Submits a notification and waits until its informs are durable.
    pub(crate) fn submit(&self, number: u32) -> Result<Submitted, SubmitError> {
        self.submit_this(notification(number))
    }

    /// Like [`Self::submit`], in a context.
    pub(crate) fn submit_in(&self, context: &str, number: u32) -> Result<Submitted, SubmitError> {
        let mut request = Request::new(Operation::Inform);
        request.push(&[SNMP_TRAP_OID.arcs(), &[0]].concat(), Value::ObjectId(OidRef::Arcs(LINK_DOWN)));
        request.push(&[IF_SPEED.arcs(), &[1]].concat(), Value::Gauge32(number));
        self.submit_this(OutgoingNotification::submitted(context.as_bytes(), number, request.variables()))
    }

    fn submit_this(&self, notification: OutgoingNotification) -> Result<Submitted, SubmitError> {
        let (sender, receiver) = mpsc::channel();
        self.handle.submit(notification, move |result| sender.send(result).unwrap());
        receiver.recv_timeout(Duration::from_secs(10)).expect("a result")
    }

    pub(crate) fn status(&self) -> NotifierStatus {
        self.handle.status(Duration::from_secs(10)).unwrap()
    }

    /// Returns the status of a target.
    pub(crate) fn target(&self, target: &str) -> TargetStatus {
        self.status().targets.into_iter().find(|one| one.name == target.as_bytes()).unwrap_or_default()
    }

    pub(crate) fn await_target(&self, target: &str, what: &str, condition: impl Fn(&TargetStatus) -> bool) {
        wait_until(what, || condition(&self.target(target)));
    }

    /// Waits until the queue of a target is empty.
    pub(crate) fn await_empty(&self, target: &str) {
        self.await_target(target, "an empty queue", |target| target.queue.entries == 0);
    }
}

/// Returns a linkDown whose third variable is a number.
pub(crate) fn notification(number: u32) -> OutgoingNotification {
    OutgoingNotification::new(LINK_DOWN, number).with(&IF_SPEED, 1, Value::Gauge32(number))
}

pub(crate) fn name(text: &str) -> Name {
    text.as_bytes().into()
}

const LINK_DOWN: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 3];
