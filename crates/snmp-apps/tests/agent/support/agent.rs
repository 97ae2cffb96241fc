//! An agent under test, with its own clock and access to its counters.

use std::{net::SocketAddr, sync::Arc};

use portreeve_lcd::LcdHandle;
use portreeve_mib::{
    Instrumentation, ServedObjects,
    modules::{if_mib, snmpv2_mib},
};
use portreeve_smi::{
    EngineBoots, OwnedValue, SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain,
};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, PersistRequest, SetLock};
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
    /// The configuration, which a test can change while the entity uses it.
    pub(crate) lcd: LcdHandle,
    pub(crate) entity: Entity<u32>,
    pub(crate) now: Timestamp,
    pub(crate) statistics: Arc<Statistics>,
    reply: Vec<u8>,
}

/// The parts from which a test agent is built.
pub(crate) struct AgentBuilder {
    pub(crate) config: TestConfig,
    pub(crate) modules: Vec<Box<dyn Instrumentation>>,
    pub(crate) local: LocalEngine,
    pub(crate) settings: EntitySettings,
    pub(crate) set_lock: SetLock,
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
            local: LocalEngine {
                engine_id: engine_id(),
                boots: EngineBoots::new(7),
                started: Timestamp::ZERO,
                max_message_size: 65_535,
            },
            settings: EntitySettings::default(),
            set_lock: SetLock::default(),
        }
    }

    pub(crate) fn config(self, config: TestConfig) -> Self {
        Self { config, ..self }
    }

    pub(crate) fn module(mut self, module: impl Instrumentation + 'static) -> Self {
        self.modules.push(Box::new(module));
        self
    }

    pub(crate) fn build(self) -> TestAgent {
        let statistics = Statistics::new(1);
        let lcd = LcdHandle::new(self.config.lcd());
        let engine = Engine::new(self.local, lcd.reader(), statistics.recorder(0), 1);
        let served = ServedObjects::new(self.modules).unwrap();
        TestAgent {
            entity: Entity::new(engine, served, self.set_lock, self.settings),
            lcd,
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
        match self.entity.handle(self.now, &1, transport, max_size, &mut message, &mut self.reply) {
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
        self.entity.handle(self.now, &1, &transport, 65_507, &mut message, &mut self.reply)
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

    /// Returns the next records to be made durable.
    pub(crate) fn next_persist(&mut self) -> PersistRequest {
        self.entity.poll_persist().unwrap()
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
        .module(WritableModule::new("contacts", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], log))
        .module(WritableModule::new("locations", &[&snmpv2_mib::SYS_LOCATION], log))
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
