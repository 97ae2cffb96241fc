use std::{fs, sync::Mutex, time::Duration};

use portreeve_lcd::Lcd;
use portreeve_smi::{
    EngineBoots, Timestamp, TmStateReference, TransportAddress, TransportDomain, ber::ReverseWriter,
};
use portreeve_snmp_apps::NotificationReceiver;
use portreeve_snmp_engine::{
    Engine, LocalEngine, NotificationOutcome, reply_buffer_size, statistics::Statistics,
};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};
use portreeve_store::Store;
use portreeve_transport::Clock;

use super::*;
use crate::{
    program::{
        arguments::Plan, queue::queue, settings::Settings, time::ReceptionClock, writer_thread::WriterThread,
    },
    samples::cold_start,
};

/// A file that records its calls, and at each of them the results that have been reported.
struct CheckedFile {
    calls: Arc<Mutex<Vec<&'static str>>>,
    results: Results,
    accepts_sync: bool,
}

impl CheckedFile {
    fn record(&self, call: &'static str) {
        let mut reported = Vec::new();
        self.results.take(&mut reported);
        assert!(reported.is_empty(), "{reported:?} reported before {call}");
        self.calls.lock().unwrap().push(call);
    }
}

impl LineFile for CheckedFile {
    fn request_reopen(&mut self) {
        self.record("reopen");
    }

    fn prepare(&mut self) -> io::Result<()> {
        self.record("prepare");
        Ok(())
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        assert_eq!(lines, "Cold Start\n".repeat(3).as_bytes());
        self.record("append");
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.record("sync");
        if self.accepts_sync { Ok(()) } else { Err(io::Error::other("no disk")) }
    }

    fn commit(&mut self) {
        self.record("commit");
    }

    fn undo(&mut self) {
        self.record("undo");
    }
}

/// Returns an inform as the receiver with these settings accepts it.
fn received_inform(settings: &mut Settings, local: LocalEngine) -> ReceivedNotification {
    let mut message = vec![0; MAX_SIZE];
    let mut writer = ReverseWriter::new(&mut message);
    writer.raw(&cold_start()).unwrap();
    prepend_pdu(&mut writer, PduType::InformRequest, 1, 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").unwrap();
    let mut message = writer.written().to_vec();
    let lcd = Arc::new(Lcd::compile(settings.take_tables(local.engine_id)));
    let mut engine = Engine::new(local, &lcd, Statistics::new(1).recorder(0), 1);
    let source = TransportAddress::Ip("192.0.2.1:1".parse().unwrap());
    let transport = TmStateReference::unauthenticated(TransportDomain::Udp, source);
    let mut reply = vec![0; reply_buffer_size(MAX_SIZE)];
    let now = Timestamp::ZERO;
    let outcome = engine.receive_notification(&lcd, now, &transport, MAX_SIZE, &mut message, &mut reply);
    let NotificationOutcome::Notification(incoming) = outcome else { panic!("the inform was rejected") };
    let accepted = NotificationReceiver::new(settings.rules.clone()).accept(&transport, &incoming);
    accepted.ok().unwrap().notification
}

/// Writes two informs and a trap. Returns the calls of the file, and the results of the informs.
fn write_three(accepts_sync: bool) -> (Vec<&'static str>, Vec<(u64, StoreResult)>) {
    let directory = tempfile::tempdir().unwrap();
    let conf = directory.path().join("snmptrapd.conf");
    fs::write(&conf, "authCommunity log public\nformat2 %W\\n\n").unwrap();
    let plan = Plan { classic_config: Some(conf), ..Plan::default() };
    let mut settings = Settings::load(&plan).unwrap();
    let (store, _) = Store::open(&directory.path().join("state")).unwrap();
    let clock = Clock::start();
    let engine_id = EngineId::new(&[0x80, 0, 0, 0, 5, 1]).unwrap();
    let boots = EngineBoots::new(1);
    let local = LocalEngine { engine_id, boots, started: clock.now(), max_message_size: MAX_SIZE };
    let notification = Arc::new(received_inform(&mut settings, local));
    let (queue, receiver) = queue(1000);
    for inform in [Some(1), None, Some(2)] {
        let (notification, received) = (Arc::clone(&notification), ReceptionClock::default().now());
        assert!(queue.push(Item { notification, inform, received, listener: 0, clock: None, octets: 1 }));
    }
    drop(queue);
    let (calls, results) = (Arc::default(), Results::default());
    let file = CheckedFile { calls: Arc::clone(&calls), results: results.clone(), accepts_sync };
    let writer = Writer {
        queue: receiver,
        results: results.clone(),
        outputs: Outputs::new(file, None),
        journal: None,
        formats: settings.formats.clone(),
        values: settings.values,
        ignores_authentication_failures: false,
        addresses: AddressFormatter::new(Vec::new()),
        buffers: Buffers::default(),
        actions: Actions::start(&mut settings, local, clock).unwrap(),
        clocks: SenderClockStore::new(store.into_writer().unwrap()),
        reopen: Arc::default(),
    };
    WriterThread::start(move |progress| writer.run(&progress)).unwrap().finish(LONG).unwrap();
    let mut reported = Vec::new();
    results.take(&mut reported);
    let calls = calls.lock().unwrap().clone();
    (calls, reported)
}

#[test]
fn informs_are_acknowledged_after_their_group_is_synced() {
    let (calls, results) = write_three(true);
    assert_eq!(calls, ["prepare", "append", "sync", "commit"]);
    assert_eq!(results, [(1, StoreResult::Stored), (2, StoreResult::Stored)]);
}

#[test]
fn informs_are_refused_if_their_group_cannot_be_synced() {
    let (calls, results) = write_three(false);
    assert_eq!(calls, ["prepare", "append", "sync", "undo"]);
    assert_eq!(results, [(1, StoreResult::Failed), (2, StoreResult::Failed)]);
}

const MAX_SIZE: usize = 1500;
const LONG: Duration = Duration::from_secs(60);
