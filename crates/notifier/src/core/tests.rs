use std::{net::UdpSocket, sync::mpsc};

use portreeve_datastore::Datastore;
use portreeve_lcd::{
    AccessKey, AccessRow, Columns, CommunityKey, CommunityRow, FamilyType, GroupKey, GroupRow, Lcd,
    NotifyKey, NotifyRow, Row, StorageType, Tables, TargetAddressKey, TargetAddressRow, TargetParamsKey,
    TargetParamsRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::modules::{if_mib::IF_SPEED, transport_address_mib::TRANSPORT_DOMAIN_UDP_IPV4};
use portreeve_smi::{MessageProcessingModel, Oid, SecurityLevel, SecurityModel, Value};
use portreeve_snmp_engine::statistics::Statistics;
use tokio::{runtime::Builder, task::LocalSet, time::sleep};

use super::*;

/// A core whose disk is the test.
struct Site {
    core: Rc<Core>,
    batches: mpsc::Receiver<(u64, Vec<Record>)>,
    /// The receiver of the only target, which never answers.
    receiver: UdpSocket,
}

impl Site {
    fn new() -> Self {
        let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
        let datastore = Datastore::without_yang(Lcd::compile(tables(receiver.local_addr().unwrap().port())));
        let parts = CoreParts {
            local: LocalEngine {
                engine_id: "8000000005706f7274".parse().unwrap(),
                boots: None,
                started: Timestamp::ZERO,
                max_message_size: 65_507,
            },
            now: Box::new(|| Timestamp::from_secs(7)),
            recorder: Statistics::new(1).recorder(0),
            state: datastore.state().clone(),
            settings: Arc::default(),
        };
        let (disk, batches) = DiskQueue::detached();
        Self { core: Rc::new(Core::new(parts, disk)), batches, receiver }
    }

    /// Runs a test with the tasks of the targets.
    fn run(self, test: impl AsyncFnOnce(&Self)) {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        LocalSet::new().block_on(&runtime, test(&self));
    }

    fn queue(&self) -> portreeve_snmp_apps::QueueStatus {
        self.core.status().targets.first().map(|target| target.queue).unwrap_or_default()
    }

    /// Submits a notification; the result is sent to the receiver.
    fn submit(&self, octets: usize) -> mpsc::Receiver<Result<Submitted, SubmitError>> {
        let (sender, receiver) = mpsc::channel();
        let done = Box::new(move |result| sender.send(result).unwrap());
        self.core.submit(&notification(octets), done);
        receiver
    }

    /// Finishes the next write.
    fn finish_write(&self, result: Result<(), String>) {
        let (batch, _) = self.batches.try_recv().unwrap();
        self.core.written(Written { batch, result });
    }
}

#[test]
fn inform_of_another_program_is_queued_when_it_is_durable() {
    Site::new().run(async |site| {
        let result = site.submit(10);
        assert_eq!(site.queue().entries, 0);
        assert!(result.try_recv().is_err());
        site.finish_write(Ok(()));
        assert_eq!(result.try_recv().unwrap().unwrap().informs, 1);
        assert_eq!(site.queue().entries, 1);
    });
}

#[test]
fn inform_of_another_program_is_refused_when_it_cannot_be_stored() {
    Site::new().run(async |site| {
        let result = site.submit(10);
        site.finish_write(Err("no space".to_owned()));
        assert_eq!(result.try_recv().unwrap(), Err(SubmitError::NotStored("no space".to_owned())));
        assert_eq!((site.queue().entries, site.core.status().write_failures), (0, 1));
    });
}

#[test]
fn inform_of_the_agent_is_sent_while_the_disk_does_not_respond() {
    Site::new().run(async |site| {
        site.core.notify(&notification(10));
        site.receiver.set_nonblocking(true).unwrap();
        let mut buffer = [0; 1000];
        let mut attempts = 0..2000;
        while site.receiver.recv(&mut buffer).is_err() {
            attempts.next().expect("an inform");
            sleep(std::time::Duration::from_millis(5)).await;
        }
        assert_eq!(site.core.status().waiting_writes, 1);
        assert_eq!(site.queue().entries, 1);
    });
}

#[test]
fn writes_are_bounded_while_the_disk_does_not_respond() {
    Site::new().run(async |site| {
        let results: Vec<_> = (0..200).map(|_| site.submit(60_000)).collect();
        let is_busy = |result: &mpsc::Receiver<_>| result.try_recv() == Ok(Err(SubmitError::Busy));
        let busy = results.iter().filter(|result| is_busy(result)).count();
        assert!((1..199).contains(&busy), "{busy} of 200 were refused");
        let waiting = site.core.status().waiting_writes;
        assert_eq!(waiting, 200 - busy);
        // The agent's own informs are queued, but not written.
        site.core.notify(&notification(60_000));
        assert_eq!((site.queue().entries, site.core.status().waiting_writes), (1, waiting));
        for _ in 0..waiting {
            site.finish_write(Ok(()));
        }
        assert_eq!((site.queue().entries, site.core.status().waiting_writes), (1 + waiting, 0));
        site.core.notify(&notification(10));
        assert_eq!(site.core.status().waiting_writes, 1);
    });
}

#[test]
fn age_of_an_inform_from_before_the_time_was_set_is_not_known() {
    let core = &Site::new().core;
    let now = core.wall_time();
    let age = core.age_of(now - 100).as_secs();
    assert!((100..200).contains(&age), "{age}");
    for stored_at in [0, 86_400, now + 1000] {
        assert_eq!(core.age_of(stored_at), Duration::ZERO, "{stored_at}");
    }
}

/// Returns a notification with a variable of about this length.
fn notification(octets: usize) -> OutgoingNotification {
    let notification = OutgoingNotification::new(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 3], 1);
    notification.with(&IF_SPEED, 1, Value::OctetString(&vec![b'x'; octets]))
}

/// Returns the tables of a target of informs with SNMPv2c.
fn tables(port: u16) -> Tables {
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
