//! The agents of one thread, created from their recordings.

use std::{sync::Arc, time::Duration};

use portreeve_datastore::{Datastore, VolatileLog};
use portreeve_lcd::Name;
use portreeve_mib::ServedObjects;
use portreeve_smi::{EngineBoots, EngineId, Timestamp};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, SetExecutor};
use portreeve_snmp_engine::{Engine, LocalEngine, statistics::Statistics};
use portreeve_transport::MessageSource;

use crate::{
    access::AccessTables,
    delay::{Delay, Verdict},
    playback::{AgentRun, Playback},
    recording::Recording,
};

/// The common settings and the contents of all agents.
pub(crate) struct AgentTemplate {
    pub(crate) access: AccessTables,
    /// The contents of the agents in order, or a single content if the agents are contexts of one
    /// engine.
    pub(crate) contents: Vec<AgentContent>,
    pub(crate) max_message_size: usize,
    /// The interval after which agents restart with unchanged snmpEngineBoots.
    pub(crate) reset_clock: Option<Duration>,
    pub(crate) seed: u64,
}

/// The content of one engine.
pub(crate) enum AgentContent {
    /// The recording of the agent.
    One(Arc<Recording>),
    /// The recording of the default context, and the other contexts with their recordings, sorted
    /// by name.
    Contexts(Arc<Recording>, Arc<[(Name, Arc<Recording>)]>),
}

/// The agents of one thread.
pub(crate) struct AgentSet {
    template: Arc<AgentTemplate>,
    /// The numbers of the agents of this thread, among all agents.
    numbers: Vec<usize>,
    agents: Vec<Agent>,
    /// The common datastore of all engines; `None` if there are USM users, whose keys differ
    /// between engines.
    shared: Option<Datastore>,
    /// The delay of the response that is being built.
    delay_sum: Delay,
}

impl AgentSet {
    /// Creates the agents with these numbers.
    pub(crate) fn new(template: Arc<AgentTemplate>, numbers: Vec<usize>) -> Self {
        let access = &template.access;
        let shared = access
            .is_engine_independent()
            .then(|| engine_id(template.seed, 0).map(|id| Datastore::without_yang(access.lcd(id))))
            .flatten();
        let mut agent_set = Self {
            template: Arc::clone(&template),
            numbers,
            agents: Vec::new(),
            shared,
            delay_sum: Delay::default(),
        };
        agent_set.agents =
            agent_set.numbers.iter().filter_map(|number| agent_set.start(*number, 0)).collect();
        agent_set
    }

    /// Passes a message to the agent at `index`; returns the outcome and the delay of the response.
    pub(crate) fn handle(
        &mut self,
        index: usize,
        now: Timestamp,
        source: &MessageSource,
        max_size: usize,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> (HandleOutcome, Verdict) {
        let run_number = self.run_number(now);
        if self.agents.get(index).is_some_and(|agent| agent.run_number != run_number)
            && let Some(number) = self.numbers.get(index)
            && let Some(restarted) = self.start(*number, run_number)
            && let Some(agent) = self.agents.get_mut(index)
        {
            *agent = restarted;
        }
        let Some(agent) = self.agents.get_mut(index) else {
            return (HandleOutcome::Dropped, Verdict::default());
        };
        let mut outcome = agent.entity.handle(now, source, &source.tm_state, max_size, message, reply);
        if let Some(set) = agent.entity.poll_set()
            && let Some((token, result)) = agent.sets.execute(set, now)
        {
            outcome = agent.entity.finish_set(now, token, result, reply);
        }
        (outcome, self.delay_sum.take())
    }

    /// Returns the number of agents.
    pub(crate) fn len(&self) -> usize {
        self.agents.len()
    }

    /// Returns the number of restarts until `now`.
    fn run_number(&self, now: Timestamp) -> u64 {
        let period = self.template.reset_clock.map_or(u64::MAX, micros);
        now.as_micros() / period.max(1)
    }

    /// Starts the agent with this number. Its snmpEngineBoots is 1 in every run.
    fn start(&self, number: usize, run_number: u64) -> Option<Agent> {
        let AgentTemplate { access, contents, max_message_size, reset_clock, seed } = &*self.template;
        let engine_id = engine_id(*seed, number)?;
        let period = reset_clock.map_or(0, micros);
        let local = LocalEngine {
            engine_id,
            boots: EngineBoots::new(1),
            started: Timestamp::from_micros(period.saturating_mul(run_number)),
            max_message_size: *max_message_size,
        };
        let datastore = match &self.shared {
            Some(datastore) => datastore.clone(),
            None => Datastore::without_yang(access.lcd(engine_id)),
        };
        let state = datastore.state().reader();
        // Each agent has its own salts in each run. They depend only on the seed, the agent and the
        // run.
        let salt = (seed ^ run_number.rotate_left(20)).wrapping_add(number as u64) << 32;
        let run =
            AgentRun { engine_id, started: local.started, seed: salt, delay_sum: self.delay_sum.clone() };
        let playback = match contents.get(number)? {
            AgentContent::One(recording) => Playback::of(Arc::clone(recording), run),
            AgentContent::Contexts(default, contexts) => {
                Playback::of_contexts(Arc::clone(default), contexts, run)
            }
        };
        let engine = Engine::new(local, &state.current().lcd, Statistics::new(1).recorder(0), salt);
        let served = ServedObjects::new(vec![Box::new(playback)]).ok()?;
        // The entity does not limit the size of responses; the handler limits it to `max_response`.
        let settings =
            EntitySettings { max_community_datagram: *max_message_size, ..EntitySettings::default() };
        // Recordings are read-only, so a SET can change no object.
        let sets = SetExecutor::new(datastore, VolatileLog, ServedObjects::new(Vec::new()).ok()?);
        Some(Agent { entity: Entity::new(engine, served, state, settings), sets, run_number })
    }
}

struct Agent {
    entity: Entity<MessageSource>,
    sets: SetExecutor<VolatileLog>,
    run_number: u64,
}

/// Returns the engine ID of agent `number`: the administratively assigned format (RFC 3411 §5) with
/// the seed and the number.
fn engine_id(seed: u64, number: usize) -> Option<EngineId> {
    let number = u32::try_from(number).ok()?;
    let octets = [&[0x80, 0, 0, 0, 5][..], &seed.to_be_bytes(), &number.to_be_bytes()].concat();
    EngineId::new(&octets).ok()
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
