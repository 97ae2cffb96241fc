//! Each request reads its access rights and all values from one state, while other transactions
//! publish new states.
//!
//! In every second state, the principal may read only sysContact, and both texts are `contact`. In
//! the others, it may read only sysLocation, and both texts are `location`.

use std::sync::{Arc, Mutex, atomic::AtomicBool, atomic::Ordering};

use portreeve_datastore::{Datastore, Purpose, State, Ticket};
use portreeve_lcd::{Lcd, TextScalar};
use portreeve_mib::{
    Instrumentation, Lookup, Object,
    modules::{if_mib, snmpv2_mib},
};
use portreeve_mib_std::LcdObjects;
use portreeve_smi::{OidBuf, OwnedValue, SecurityLevel, SecurityModel, Timestamp, Value};

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent},
    config::{TestConfig, engine_id},
    delayed_scalar::DelayedScalar,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get},
};

fn config(generation: u64) -> TestConfig {
    let (shown, value) = if generation.is_multiple_of(2) {
        ("1.3.6.1.2.1.1.4", "contact")
    } else {
        ("1.3.6.1.2.1.1.6", "location")
    };
    let mut config = TestConfig::default()
        .view("shown", &[(shown, "included"), ("1.3.6.1.2.1.2", "included"), ("1.3.6.1.2.1.1.3", "included")])
        .community("public", "reader", "")
        .group(SecurityModel::SNMP_V2C, "reader", "readers")
        .access("readers", SecurityModel::ANY, SecurityLevel::NoAuthNoPriv, ("shown", ""));
    config.tables.scalars.sys_contact = TextScalar::set(value.as_bytes());
    config.tables.scalars.sys_location = TextScalar::set(value.as_bytes());
    config
}

fn publish_next(datastore: &Datastore) {
    let mut locked = datastore.begin(Ticket::new("test", Purpose::Reload, Timestamp::ZERO));
    let next = locked.current().generation + 1;
    locked.publish_tables(config(next).lcd());
}

/// sysUpTime of a module that publishes the next state whenever a request begins or reads it.
struct PublishingScalar(Arc<Mutex<Option<Datastore>>>);

impl PublishingScalar {
    fn publish(&self) {
        if let Some(datastore) = &*self.0.lock().unwrap() {
            publish_next(datastore);
        }
    }
}

impl Instrumentation for PublishingScalar {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&snmpv2_mib::SYS_UP_TIME]
    }

    fn begin(&mut self, _: &Arc<State>, _: Timestamp) {
        self.publish();
    }

    fn get(&mut self, _: usize, _: &[u32]) -> Lookup<'_> {
        self.publish();
        Lookup::Value(Value::TimeTicks(1))
    }

    fn next(&mut self, _: usize, _: &[u32], _: &mut OidBuf) -> Lookup<'_> {
        Lookup::Absent
    }
}

fn request() -> TestPdu {
    get(&[
        scalar(&snmpv2_mib::SYS_CONTACT),
        scalar(&snmpv2_mib::SYS_UP_TIME),
        scalar(&snmpv2_mib::SYS_LOCATION),
        scalar(&if_mib::IF_NUMBER),
    ])
}

/// Checks that the texts of a response and the rights to them belong to one state.
#[track_caller]
fn assert_one_state(response: &TestResponse) {
    let values = response.values();
    let contact = &[text("contact"), OwnedValue::NoSuchInstance];
    let location = &[OwnedValue::NoSuchInstance, text("location")];
    let seen = [values[0].clone(), values[2].clone()];
    let unseen = |value: &OwnedValue| matches!(value, OwnedValue::NoSuchInstance | OwnedValue::NoSuchObject);
    assert!(
        (seen[0] == contact[0] && unseen(&seen[1])) || (unseen(&seen[0]) && seen[1] == location[1]),
        "{values:?}"
    );
}

/// Returns an agent whose first module publishes states, and that module's connection to them.
fn agent() -> (TestAgent, Arc<Mutex<Option<Datastore>>>, Arc<AtomicBool>) {
    let (delayed_scalar, ready) = DelayedScalar::new(&if_mib::IF_NUMBER);
    let datastore = Arc::new(Mutex::new(None));
    let agent = AgentBuilder::new()
        .config(config(0))
        .module(PublishingScalar(Arc::clone(&datastore)))
        .module(delayed_scalar)
        .module(LcdObjects::new(engine_id()))
        .build();
    (agent, datastore, ready)
}

#[test]
fn get_reads_rights_and_values_of_one_state_while_states_are_published() {
    let (mut agent, publishing, ready) = agent();
    ready.store(true, Ordering::Relaxed);
    *publishing.lock().unwrap() = Some(agent.datastore.clone());
    for _ in 0..10 {
        let before = agent.datastore.state().current().generation;
        assert_one_state(&agent_request(&mut agent));
        assert!(agent.datastore.state().current().generation >= before + 2);
        publish_next(&agent.datastore);
    }
}

fn agent_request(agent: &mut TestAgent) -> TestResponse {
    TestResponse::of(&agent.reply_to(&request().v2c("public")))
}

#[test]
fn deferred_get_reads_one_state_when_its_value_is_ready() {
    for publications in 0..4 {
        let (mut agent, publishing, ready) = agent();
        assert_eq!(agent.handle(&request().v2c("public")), Outcome::Pending);
        (0..publications).for_each(|_| publish_next(&agent.datastore));
        *publishing.lock().unwrap() = Some(agent.datastore.clone());
        ready.store(true, Ordering::Relaxed);
        agent.entity.value_ready(DelayedScalar::TOKEN);
        let sent = agent.poll();
        assert_eq!(sent.len(), 1);
        assert_one_state(&TestResponse::of(&sent[0]));
    }
}

#[test]
fn concurrent_gets_read_one_state_each() {
    let (mut agent, _, ready) = agent();
    ready.store(true, Ordering::Relaxed);
    let (datastore, stop) = (agent.datastore.clone(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                publish_next(&datastore);
            }
        });
        // Also stops the other thread if an assertion fails.
        let _stop = StopOnDrop(&stop);
        for _ in 0..500 {
            assert_one_state(&agent_request(&mut agent));
        }
    });
}

struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// An empty state grants nothing, whatever an earlier state granted.
#[test]
fn get_is_denied_after_state_without_rights_is_published() {
    let (mut agent, _, ready) = agent();
    ready.store(true, Ordering::Relaxed);
    assert_one_state(&agent_request(&mut agent));
    agent.publish(Lcd::default());
    assert_eq!(agent.handle(&request().v2c("public")), Outcome::Dropped);
}
