//! An agent under test: an entity, a clock of our own, and everything it counts.

use std::{net::SocketAddr, sync::Arc};

use portreeve_lcd::Handle;
use portreeve_mib::{
    Instrumentation, Served,
    modules::{if_mib, snmpv2_mib},
};
use portreeve_smi::{
    EngineBoots, OwnedValue, SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain,
};
use portreeve_snmp_apps::{Entity, Outcome, Persist, SetTurn, Settings};
use portreeve_snmp_engine::{
    Engine, LocalEngine,
    statistics::{Counter, Statistics},
};

use super::{
    answer::Answer,
    ask::Ask,
    ledger::{Book, Ledger},
    names::text,
    shelf::Shelf,
    site::{Site, engine_id},
};

/// One worker of an agent. Requests come over UDP unless they say otherwise.
pub(crate) struct Agent {
    /// The configuration, to be changed under the entity.
    pub(crate) lcd: Handle,
    pub(crate) entity: Entity<u32>,
    pub(crate) now: Timestamp,
    pub(crate) statistics: Arc<Statistics>,
    reply: Vec<u8>,
}

/// What an agent is put together from.
pub(crate) struct Parts {
    pub(crate) site: Site,
    pub(crate) modules: Vec<Box<dyn Instrumentation>>,
    pub(crate) local: LocalEngine,
    pub(crate) settings: Settings,
    pub(crate) turn: SetTurn,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Reply(Vec<u8>),
    Pending,
    Dropped,
}

impl Parts {
    /// The usual site and nothing to show.
    pub(crate) fn new() -> Self {
        Self {
            site: Site::usual(),
            modules: vec![],
            local: LocalEngine {
                engine_id: engine_id(),
                boots: EngineBoots::new(7),
                started: Timestamp::ZERO,
                max_message_size: 65_535,
            },
            settings: Settings::default(),
            turn: SetTurn::default(),
        }
    }

    pub(crate) fn site(self, site: Site) -> Self {
        Self { site, ..self }
    }

    pub(crate) fn module(mut self, module: impl Instrumentation + 'static) -> Self {
        self.modules.push(Box::new(module));
        self
    }

    pub(crate) fn agent(self) -> Agent {
        let statistics = Statistics::new(1);
        let lcd = Handle::new(self.site.lcd());
        let engine = Engine::new(self.local, lcd.reader(), statistics.recorder(0), 1);
        let served = Served::new(self.modules).unwrap();
        Agent {
            entity: Entity::new(engine, served, self.turn, self.settings),
            lcd,
            now: Timestamp::from_secs(1000),
            statistics,
            reply: vec![0; 70_000],
        }
    }
}

impl Agent {
    /// The usual site, a few scalars that can be read, two that can be written, and three interfaces with counters of
    /// either size.
    pub(crate) fn usual() -> (Self, Book) {
        let book = Book::default();
        let agent = usual_objects(&book).agent();
        (agent, book)
    }

    /// From now on replies are built in this many octets.
    pub(crate) fn with_buffer(&mut self, length: usize) -> &mut Self {
        self.reply.resize(length, 0);
        self
    }

    /// Handles a message that came by UDP.
    pub(crate) fn hear(&mut self, message: &[u8]) -> Heard {
        self.hear_over(&over(TransportDomain::Udp), 65_507, message)
    }

    pub(crate) fn hear_over(
        &mut self,
        transport: &TmStateReference,
        max_size: usize,
        message: &[u8],
    ) -> Heard {
        let mut message = message.to_vec();
        match self.entity.handle(self.now, &1, transport, max_size, &mut message, &mut self.reply) {
            Outcome::Reply(range) | Outcome::Report(range) => Heard::Reply(self.reply[range].to_vec()),
            Outcome::Pending => Heard::Pending,
            Outcome::Dropped => Heard::Dropped,
        }
    }

    /// Asks by UDP; the answer must come at once.
    pub(crate) fn reply_to(&mut self, message: &[u8]) -> Vec<u8> {
        match self.hear(message) {
            Heard::Reply(reply) => reply,
            other => panic!("no answer but {other:?}"),
        }
    }

    pub(crate) fn v2c(&mut self, ask: &Ask) -> Answer {
        Answer::of(&self.reply_to(&ask.v2c("private")))
    }

    pub(crate) fn v1(&mut self, ask: &Ask) -> Answer {
        Answer::of(&self.reply_to(&ask.v1("private")))
    }

    /// Lets time pass, and returns what is sent meanwhile.
    pub(crate) fn wait_until(&mut self, now: Timestamp) -> Vec<Vec<u8>> {
        self.now = now;
        self.poll()
    }

    pub(crate) fn poll(&mut self) -> Vec<Vec<u8>> {
        let mut sent = vec![];
        self.entity.poll(self.now, &mut self.reply, |_, message| sent.push(message.to_vec()));
        sent
    }

    /// What is waiting to be made durable.
    pub(crate) fn persist(&mut self) -> Persist {
        self.entity.poll_persist().unwrap()
    }

    /// Every counter above zero since `before`, and by how much it rose.
    pub(crate) fn raised_since(&self, before: &[u64]) -> Vec<(Counter, u64)> {
        let after = self.counts();
        let rise = Counter::ALL.iter().zip(before.iter().zip(after));
        rise.filter(|(_, (before, after))| *before != after)
            .map(|(counter, (before, after))| (*counter, after - before))
            .collect()
    }

    pub(crate) fn counts(&self) -> Vec<u64> {
        Counter::ALL.iter().map(|counter| self.statistics.sum(*counter)).collect()
    }

    /// Insists that `message` is dropped without an answer, and that exactly `counter` tells of it.
    #[track_caller]
    pub(crate) fn drops(&mut self, message: &[u8], counter: Counter) {
        let before = self.counts();
        assert_eq!(self.hear(message), Heard::Dropped, "{message:02x?}");
        assert_eq!(self.raised_since(&before), [(Counter::SnmpInPkts, 1), (counter, 1)], "{message:02x?}");
    }

    /// Insists that the agent is alive and well.
    #[track_caller]
    pub(crate) fn is_well(&mut self) {
        let ask = super::ask::get(&[super::names::scalar(&snmpv2_mib::SYS_DESCR)]);
        assert_eq!(self.v2c(&ask).value(), text("a gate"));
    }
}

/// Objects to ask for: see [`Agent::usual`].
pub(crate) fn usual_objects(book: &Book) -> Parts {
    let column = |value: fn(u32) -> OwnedValue| (1..=3).map(move |row| (vec![row], value(row)));
    let shelf = Shelf::default()
        .scalar(&snmpv2_mib::SYS_DESCR, text("a gate"))
        .scalar(&snmpv2_mib::SYS_UP_TIME, OwnedValue::TimeTicks(42))
        .scalar(&if_mib::IF_NUMBER, OwnedValue::Integer(3))
        .column(&if_mib::IF_DESCR, column(|row| text(&format!("port {row}"))))
        .column(&if_mib::IF_IN_OCTETS, column(OwnedValue::Counter32))
        .column(&if_mib::IF_NAME, column(|row| text(&format!("p{row}"))))
        .column(&if_mib::IF_HC_IN_OCTETS, column(|row| OwnedValue::Counter64(1 << (32 + row))))
        .column(&if_mib::IF_ALIAS, column(|_| text("")));
    Parts::new()
        .module(shelf)
        .module(Ledger::new("people", &[&snmpv2_mib::SYS_CONTACT, &snmpv2_mib::SYS_NAME], book))
        .module(Ledger::new("places", &[&snmpv2_mib::SYS_LOCATION], book))
}

/// A peer on a transport that authenticates nobody.
pub(crate) fn over(domain: TransportDomain) -> TmStateReference {
    TmStateReference::unauthenticated(domain, peer_address())
}

/// A session that belongs to `name`.
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
