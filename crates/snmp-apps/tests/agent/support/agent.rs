//! An agent under test, with its own clock and access to its counters.

use std::{net::SocketAddr, sync::Arc};

use portreeve_datastore::{Datastore, DurableLog, GroupError, Purpose, Ticket, TransactionRecords};
use portreeve_lcd::Lcd;
use portreeve_mib::{
    Instrumentation, ServedObjects,
    modules::{if_mib, snmpv2_mib},
};
use portreeve_smi::{
    EngineBoots, OwnedValue, SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain,
};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, SetExecutor, SetRequest};
use portreeve_snmp_engine::{
    Engine, LocalEngine,
    statistics::{Counter, Statistics},
};

use super::{
    config::{TestConfig, engine_id},
    names::text,
    response::TestResponse,
    static_module::StaticModule,
    test_pdu::TestPdu,
    writable_module::{ModuleLog, WritableModule},
};

/// One worker of an agent. Requests arrive over UDP by default.
pub(crate) struct TestAgent {
    /// The state, which a test can change while the entity uses it.
    pub(crate) datastore: Datastore,
    pub(crate) entity: Entity<u32>,
    pub(crate) sets: SetExecutor<TestLog>,
    /// SETs that have been accepted and not executed, if the agent holds SETs.
    pub(crate) held: Vec<SetRequest>,
    holds_sets: bool,
    /// The source of the next requests.
    pub(crate) source: u32,
    pub(crate) now: Timestamp,
    pub(crate) statistics: Arc<Statistics>,
    reply: Vec<u8>,
}

/// The parts from which a test agent is built.
pub(crate) struct AgentBuilder {
    pub(crate) config: TestConfig,
    pub(crate) modules: Vec<Box<dyn Instrumentation>>,
    writable: Vec<Box<dyn Instrumentation>>,
    log: TestLog,
    pub(crate) local: LocalEngine,
    pub(crate) settings: EntitySettings,
    holds_sets: bool,
}

/// The result of handling a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Reply(Vec<u8>),
    Pending,
    Dropped,
}

impl AgentBuilder {
    /// Creates a builder with the standard configuration and without objects.
    pub(crate) fn new() -> Self {
        Self {
            config: TestConfig::standard(),
            modules: vec![],
            writable: vec![],
            log: TestLog::default(),
            local: LocalEngine {
                engine_id: engine_id(),
                boots: EngineBoots::new(7),
                started: Timestamp::ZERO,
                max_message_size: 65_535,
            },
            settings: EntitySettings::default(),
            holds_sets: false,
        }
    }

    pub(crate) fn config(self, config: TestConfig) -> Self {
        Self { config, ..self }
    }

    pub(crate) fn module(mut self, module: impl Instrumentation + 'static) -> Self {
        self.modules.push(Box::new(module));
        self
    }

    /// Adds a module whose objects SETs can change.
    pub(crate) fn writable(mut self, module: WritableModule) -> Self {
        self.log.modules = Some(module.log());
        self.writable.push(Box::new(module.clone()));
        self.module(module)
    }

    /// Adds a module of any type whose objects SETs can change.
    pub(crate) fn writable_module(mut self, module: impl Fn() -> Box<dyn Instrumentation>) -> Self {
        self.modules.push(module());
        self.writable.push(module());
        self
    }

    /// Makes the agent hold SETs until [`TestAgent::execute_sets`].
    pub(crate) fn hold_sets(self) -> Self {
        Self { holds_sets: true, ..self }
    }

    pub(crate) fn build(self) -> TestAgent {
        let statistics = Statistics::new(1);
        let datastore = Datastore::without_yang(self.config.lcd());
        let state = datastore.state().reader();
        let engine = Engine::new(self.local, &state.current().lcd, statistics.recorder(0), 1);
        let served = ServedObjects::new(self.modules).unwrap();
        TestAgent {
            entity: Entity::new(engine, served, state, self.settings),
            sets: SetExecutor::new(datastore.clone(), self.log, ServedObjects::new(self.writable).unwrap()),
            held: vec![],
            holds_sets: self.holds_sets,
            source: 1,
            datastore,
            now: Timestamp::from_secs(1000),
            statistics,
            reply: vec![0; 70_000],
        }
    }
}

impl TestAgent {
    /// Creates an agent with the standard configuration, some read-only scalars, writable scalars,
    /// and three interfaces with 32-bit and 64-bit counters.
    pub(crate) fn standard() -> (Self, ModuleLog) {
        let log = ModuleLog::default();
        let agent = standard_objects(&log).build();
        (agent, log)
    }

    /// Creates the agent of [`TestAgent::standard`] with a changed builder.
    pub(crate) fn standard_with(change: impl FnOnce(AgentBuilder) -> AgentBuilder) -> (Self, ModuleLog) {
        let log = ModuleLog::default();
        let agent = change(standard_objects(&log)).build();
        (agent, log)
    }

    /// Sets the size of the reply buffer in octets.
    pub(crate) fn with_buffer(&mut self, length: usize) -> &mut Self {
        self.reply.resize(length, 0);
        self
    }

    /// Handles a message received over UDP.
    pub(crate) fn handle(&mut self, message: &[u8]) -> Outcome {
        self.handle_over(&over(TransportDomain::Udp), 65_507, message)
    }

    pub(crate) fn handle_over(
        &mut self,
        transport: &TmStateReference,
        max_size: usize,
        message: &[u8],
    ) -> Outcome {
        let mut message = message.to_vec();
        let outcome =
            self.entity.handle(self.now, &self.source, transport, max_size, &mut message, &mut self.reply);
        match self.execute_or_hold(outcome) {
            HandleOutcome::Reply(range)
            | HandleOutcome::UnauthenticatedReply(range)
            | HandleOutcome::Report(range) => Outcome::Reply(self.reply[range].to_vec()),
            HandleOutcome::Pending => Outcome::Pending,
            HandleOutcome::Dropped => Outcome::Dropped,
        }
    }

    /// Handles a message received over UDP and returns the entity's own outcome.
    pub(crate) fn handle_udp(&mut self, message: &[u8]) -> HandleOutcome {
        let (transport, mut message) = (over(TransportDomain::Udp), message.to_vec());
        let outcome =
            self.entity.handle(self.now, &self.source, &transport, 65_507, &mut message, &mut self.reply);
        self.execute_or_hold(outcome)
    }

    /// Handles a message received over UDP that must be answered at once.
    pub(crate) fn reply_to(&mut self, message: &[u8]) -> Vec<u8> {
        match self.handle(message) {
            Outcome::Reply(reply) => reply,
            other => panic!("no response but {other:?}"),
        }
    }

    pub(crate) fn request_v2c(&mut self, pdu: &TestPdu) -> TestResponse {
        TestResponse::of(&self.reply_to(&pdu.v2c("private")))
    }

    pub(crate) fn request_v1(&mut self, pdu: &TestPdu) -> TestResponse {
        TestResponse::of(&self.reply_to(&pdu.v1("private")))
    }

    /// Advances the clock and returns the messages sent.
    pub(crate) fn wait_until(&mut self, now: Timestamp) -> Vec<Vec<u8>> {
        self.now = now;
        self.poll()
    }

    pub(crate) fn poll(&mut self) -> Vec<Vec<u8>> {
        let mut sent = vec![];
        self.entity.poll(self.now, &mut self.reply, |_, _, message| sent.push(message.to_vec()));
        sent
    }

    /// Executes a SET that the entity has accepted, or holds it.
    fn execute_or_hold(&mut self, outcome: HandleOutcome) -> HandleOutcome {
        let Some(set) = self.entity.poll_set() else { return outcome };
        if self.holds_sets {
            self.held.push(set);
            return outcome;
        }
        let (token, result) = self.sets.execute(set, self.now).unwrap();
        self.entity.finish_set(self.now, token, result, &mut self.reply)
    }

    /// Returns the executor, for another thread. The agent can execute no SETs afterwards.
    pub(crate) fn detach_executor(&mut self) -> SetExecutor<TestLog> {
        let none = ServedObjects::new(vec![]).unwrap();
        let replacement = SetExecutor::new(self.datastore.clone(), TestLog::default(), none);
        std::mem::replace(&mut self.sets, replacement)
    }

    /// Starts the SETs that the agent holds, and returns those that could be started.
    pub(crate) fn start_sets(&mut self) -> Vec<SetRequest> {
        self.held.drain(..).filter(SetRequest::start).collect()
    }

    /// Executes the SETs that the agent holds as one group, and reports their results.
    pub(crate) fn execute_sets(&mut self) {
        let started = self.start_sets();
        self.execute_started(started);
    }

    /// Executes SETs that have been started, and reports their results.
    pub(crate) fn execute_started(&mut self, mut sets: Vec<SetRequest>) {
        let ticket = Ticket::new("test", Purpose::Set, self.now);
        let results = self.sets.execute_group(&mut sets, ticket, || self.now);
        for (set, result) in sets.iter().zip(results) {
            self.entity.set_finished(set.token(), result);
        }
    }

    /// Publishes another configuration, as a reload does.
    pub(crate) fn publish(&mut self, lcd: Lcd) {
        self.datastore.begin(Ticket::new("test", Purpose::Reload, self.now)).publish_tables(lcd);
    }

    /// Returns all counters that changed since `before`, and their increments.
    pub(crate) fn increments_since(&self, before: &[u64]) -> Vec<(Counter, u64)> {
        let after = self.counts();
        let rise = Counter::ALL.iter().zip(before.iter().zip(after));
        rise.filter(|(_, (before, after))| *before != after)
            .map(|(counter, (before, after))| (*counter, after - before))
            .collect()
    }

    pub(crate) fn counts(&self) -> Vec<u64> {
        Counter::ALL.iter().map(|counter| self.statistics.sum(*counter)).collect()
    }

    /// Asserts that `message` is dropped without a response and increments only `counter`.
    #[track_caller]
    pub(crate) fn assert_drops(&mut self, message: &[u8], counter: Counter) {
        let before = self.counts();
        assert_eq!(self.handle(message), Outcome::Dropped, "{message:02x?}");
        assert_eq!(
            self.increments_since(&before),
            [(Counter::SnmpInPkts, 1), (counter, 1)],
            "{message:02x?}"
        );
    }

    /// Asserts that the agent still responds to requests.
    #[track_caller]
    pub(crate) fn assert_responds(&mut self) {
        let pdu = super::test_pdu::get(&[super::names::scalar(&snmpv2_mib::SYS_DESCR)]);
        assert_eq!(self.request_v2c(&pdu).value(), text("test agent"));
    }
}

/// A log in memory, which enters its writes in the log of the modules.
#[derive(Default)]
pub(crate) struct TestLog {
    /// True if writing fails.
    pub(crate) fails: bool,
    /// The groups that were written: for each SET, the number of its records.
    pub(crate) groups: Vec<Vec<usize>>,
    modules: Option<ModuleLog>,
}

impl DurableLog for TestLog {
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError> {
        if let Some(modules) = &self.modules {
            modules.enter_store();
        }
        if self.fails {
            return Err(GroupError { durable: 0, reason: "disk full".to_owned(), may_reappear: false });
        }
        self.groups.push(batches.iter().map(|batch| batch.records.len()).collect());
        Ok(())
    }
}

/// Returns a builder with the objects of [`TestAgent::standard`].
pub(crate) fn standard_objects(log: &ModuleLog) -> AgentBuilder {
    let column = |value: fn(u32) -> OwnedValue| (1..=3).map(move |row| (vec![row], value(row)));
    let static_module = StaticModule::default()
        .scalar(&snmpv2_mib::SYS_DESCR, text("test agent"))
        .scalar(&snmpv2_mib::SYS_UP_TIME, OwnedValue::TimeTicks(42))
        .scalar(&if_mib::IF_NUMBER, OwnedValue::Integer(3))
        .column(&if_mib::IF_DESCR, column(|row| text(&format!("port {row}"))))
        .column(&if_mib::IF_IN_OCTETS, column(OwnedValue::Counter32))
        .column(&if_mib::IF_NAME, column(|row| text(&format!("p{row}"))))
        .column(&if_mib::IF_HC_IN_OCTETS, column(|row| OwnedValue::Counter64(1 << (32 + row))))
        .column(&if_mib::IF_ALIAS, column(|_| text("")));
    AgentBuilder::new()
        .module(static_module)
        .writable(WritableModule::new("contacts", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], log))
        .writable(WritableModule::new("locations", &[&snmpv2_mib::SYS_LOCATION], log))
}

/// Returns the state of a peer on a transport without authentication.
pub(crate) fn over(domain: TransportDomain) -> TmStateReference {
    TmStateReference::unauthenticated(domain, peer_address())
}

/// Returns the state of a session authenticated as `name`.
pub(crate) fn session_of(name: &str, level: SecurityLevel) -> TmStateReference {
    TmStateReference {
        security_name: Some(name.as_bytes().into()),
        transport_level: level,
        session: Some(1),
        ..over(TransportDomain::Ssh)
    }
}

fn peer_address() -> TransportAddress {
    TransportAddress::Ip(SocketAddr::from(([192, 0, 2, 1], 40_000)))
}
