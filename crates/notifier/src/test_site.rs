//! A core with fake clocks, for tests.

use std::{
    net::UdpSocket,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::Duration,
};

use portreeve_datastore::Datastore;
use portreeve_lcd::{
    AccessKey, AccessRow, Columns, CommunityKey, CommunityRow, FamilyType, GroupKey, GroupRow, Lcd, Name,
    NotifyKey, NotifyRow, NotifyType, Row, StorageType, Tables, TargetAddressKey, TargetAddressRow,
    TargetParamsKey, TargetParamsRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::modules::{if_mib::IF_SPEED, transport_address_mib::TRANSPORT_DOMAIN_UDP_IPV4};
use portreeve_smi::{MessageProcessingModel, Oid, SecurityLevel, SecurityModel, Timestamp, Value};
use portreeve_snmp_engine::{LocalEngine, statistics::Statistics};
use portreeve_store::Record;
use tokio::{runtime::Builder, task::LocalSet};

use crate::{
    OutgoingNotification, SubmitError, Submitted,
    core::{Core, CoreParts},
    disk_queue::{DiskQueue, Written},
};

/// The batches that are written to a disk that the test is.
pub(crate) type Batches = mpsc::Receiver<(u64, Vec<Record>)>;

/// The clocks of the agent and of the system. Clones are the same clocks.
#[derive(Clone)]
pub(crate) struct FakeClocks {
    agent_micros: Arc<AtomicU64>,
    wall_seconds: Arc<AtomicU64>,
}

impl Default for FakeClocks {
    fn default() -> Self {
        Self::at(1_700_000_000)
    }
}

impl FakeClocks {
    pub(crate) fn at(wall: u64) -> Self {
        Self { agent_micros: Arc::new(7_000_000.into()), wall_seconds: Arc::new(wall.into()) }
    }

    /// Lets time pass on both clocks.
    pub(crate) fn pass(&self, time: Duration) {
        self.agent_micros.fetch_add(u64::try_from(time.as_micros()).unwrap(), Ordering::Relaxed);
        self.wall_seconds.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    /// Sets the clock of the system.
    pub(crate) fn set_wall(&self, wall: u64) {
        self.wall_seconds.store(wall, Ordering::Relaxed);
    }

    fn agent(&self) -> Box<dyn Fn() -> Timestamp + Send> {
        let clock = Arc::clone(&self.agent_micros);
        Box::new(move || Timestamp::from_micros(clock.load(Ordering::Relaxed)))
    }

    fn wall(&self) -> Box<dyn Fn() -> u64 + Send> {
        let clock = Arc::clone(&self.wall_seconds);
        Box::new(move || clock.load(Ordering::Relaxed))
    }
}

/// A core whose disk is the test.
pub(crate) struct Site {
    pub(crate) core: Rc<Core>,
    pub(crate) batches: Batches,
    /// The receiver of the only target, which never answers.
    pub(crate) receiver: UdpSocket,
    pub(crate) clocks: FakeClocks,
}

impl Site {
    pub(crate) fn new() -> Self {
        let (disk, batches) = DiskQueue::detached();
        Self::with_disk(disk, batches, FakeClocks::default())
    }

    pub(crate) fn with_disk(disk: DiskQueue, batches: Batches, clocks: FakeClocks) -> Self {
        Self::with_parts(disk, batches, clocks, Duration::from_secs(15))
    }

    pub(crate) fn with_inform_timeout(timeout: Duration) -> Self {
        let (disk, batches) = DiskQueue::detached();
        Self::with_parts(disk, batches, FakeClocks::default(), timeout)
    }

    fn with_parts(disk: DiskQueue, batches: Batches, clocks: FakeClocks, timeout: Duration) -> Self {
        let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
        let tables = tables(receiver.local_addr().unwrap().port(), timeout);
        let datastore = Datastore::without_yang(Lcd::compile(tables));
        let parts = CoreParts {
            local: LocalEngine {
                engine_id: "8000000005706f7274".parse().unwrap(),
                boots: None,
                started: Timestamp::ZERO,
                max_message_size: 65_507,
            },
            now: clocks.agent(),
            wall: clocks.wall(),
            recorder: Statistics::new(1).recorder(0),
            state: datastore.state().clone(),
            settings: Arc::default(),
        };
        Self { core: Rc::new(Core::new(parts, disk)), batches, receiver, clocks }
    }

    /// Runs a test with the tasks of the targets.
    pub(crate) fn run(self, test: impl AsyncFnOnce(&Self)) {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, test(&self));
    }

    pub(crate) fn queue(&self) -> portreeve_snmp_apps::QueueStatus {
        self.core.status().targets.first().map(|target| target.queue).unwrap_or_default()
    }

    /// Acknowledges the next inform at the receiver.
    pub(crate) fn acknowledge(&self) {
        let mut buffer = [0; 1000];
        self.receiver.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let (length, sender) = self.receiver.recv_from(&mut buffer).unwrap();
        let pdu = buffer.iter().position(|octet| *octet == INFORM).unwrap();
        buffer[pdu] = RESPONSE;
        self.receiver.send_to(&buffer[..length], sender).unwrap();
    }

    /// Submits a notification; the result is sent to the receiver.
    pub(crate) fn submit(&self, octets: usize) -> mpsc::Receiver<Result<Submitted, SubmitError>> {
        let (sender, receiver) = mpsc::channel();
        let done = Box::new(move |result| sender.send(result).unwrap());
        self.core.submit(&notification(octets), done);
        receiver
    }

    /// Finishes the next write.
    pub(crate) fn finish_write(&self, result: Result<(), String>) {
        let (batch, _) = self.batches.try_recv().unwrap();
        self.core.written(Written { batch, result });
    }
}

/// Returns a notification with a variable of about this length.
pub(crate) fn notification(octets: usize) -> OutgoingNotification {
    let notification = OutgoingNotification::new(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 3], 1);
    notification.with(&IF_SPEED, 1, Value::OctetString(&vec![b'x'; octets]))
}

/// Returns the tables of a target of informs with SNMPv2c.
fn tables(port: u16, timeout: Duration) -> Tables {
    fn insert<C: Columns>(tables: &mut Tables, key: C::Key, change: impl FnOnce(&mut Row<C>)) {
        let mut row = Row::new(key);
        change(&mut row);
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    let name = |text: &str| Name::from(text.as_bytes());
    let (model, level) = (SecurityModel::SNMP_V2C, SecurityLevel::NoAuthNoPriv);
    let mut tables = Tables::default();
    insert(&mut tables, NotifyKey { name: name("all") }, |row: &mut NotifyRow| {
        row.columns.tag = name("all");
        row.columns.kind = NotifyType::Inform;
    });
    insert(&mut tables, TargetAddressKey { name: name("noc") }, |row: &mut TargetAddressRow| {
        row.columns.domain = Oid::new(TRANSPORT_DOMAIN_UDP_IPV4.arcs()).unwrap();
        row.columns.address = [&[127, 0, 0, 1], &port.to_be_bytes()[..]].concat().into();
        row.columns.timeout = u32::try_from(timeout.as_millis() / 10).unwrap();
        row.columns.tag_list = name("all");
        row.columns.params = name("noc");
    });
    insert(&mut tables, TargetParamsKey { name: name("noc") }, |row: &mut TargetParamsRow| {
        row.columns.mp_model = MessageProcessingModel::V2c;
        row.columns.security_model = model;
        row.columns.security_name = name("ops");
        row.columns.security_level = level;
    });
    insert(&mut tables, GroupKey { model, security_name: name("ops") }, |row: &mut GroupRow| {
        row.columns.group_name = name("operators");
    });
    let key = AccessKey { group_name: name("operators"), context_prefix: name(""), model, level };
    insert(&mut tables, key, |row: &mut AccessRow| row.columns.notify_view = name("all"));
    let key = ViewFamilyKey { view_name: name("all"), subtree: "1.3".parse().unwrap() };
    insert(&mut tables, key, |row: &mut ViewFamilyRow| row.columns.kind = FamilyType::Included);
    insert(&mut tables, CommunityKey { index: name("c") }, |row: &mut CommunityRow| {
        row.columns.name = name("public");
        row.columns.security_name = name("ops");
    });
    tables
}

const INFORM: u8 = 0xa6;
const RESPONSE: u8 = 0xa2;
