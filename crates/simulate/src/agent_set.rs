//! All agents, and how each is put together from its recording.

use std::{sync::Arc, time::Duration};

use portreeve_lcd::{LcdHandle, Name};
use portreeve_mib::ServedObjects;
use portreeve_smi::{EngineBoots, EngineId, Timestamp};
use portreeve_snmp_apps::{Entity, EntitySettings, HandleOutcome, SetLock};
use portreeve_snmp_engine::{Engine, LocalEngine, statistics::Statistics};
use portreeve_transport::MessageSource;

use crate::{
    access::AccessTables,
    delay::{Delay, Verdict},
    playback::{AgentRun, Playback},
    recording::Recording,
};

/// What agents are made of.
pub(crate) struct AgentTemplate {
    pub(crate) access: AccessTables,
    /// One for each agent; where agents are contexts of one engine, one for that.
    pub(crate) contents: Vec<AgentContent>,
    pub(crate) max_message_size: usize,
    /// After so long an agent restarts and does not know that it has been there before.
    pub(crate) reset_clock: Option<Duration>,
    pub(crate) seed: u64,
}

/// What one engine shows.
pub(crate) enum AgentContent {
    /// A recording.
    One(Arc<Recording>),
    /// A recording in each context, in the order of their names, and which one the default context has.
    Contexts(Arc<Recording>, Arc<[(Name, Arc<Recording>)]>),
}

/// The agents of one thread.
pub(crate) struct AgentSet {
    template: Arc<AgentTemplate>,
    /// Which of all agents they are.
    numbers: Vec<usize>,
    agents: Vec<Agent>,
    /// The one datastore of all engines, where no user tells them apart.
    shared: Option<LcdHandle>,
    /// What the answer to the present request takes.
    delay_sum: Delay,
}

impl AgentSet {
    /// The agents with these numbers.
    pub(crate) fn new(template: Arc<AgentTemplate>, numbers: Vec<usize>) -> Self {
        let access = &template.access;
        let shared = access
            .is_engine_independent()
            .then(|| engine_id(template.seed, 0).map(|id| LcdHandle::new(access.lcd(id))))
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

    /// Has the agent at `index` among them answer; what it has, and when.
    pub(crate) fn handle(
        &mut self,
        index: usize,
        now: Timestamp,
        source: &MessageSource,
        max_size: usize,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> (HandleOutcome, Verdict) {
        let run = self.run(now);
        if self.agents.get(index).is_some_and(|agent| agent.run != run)
            && let Some(number) = self.numbers.get(index)
            && let Some(restarted) = self.start(*number, run)
            && let Some(agent) = self.agents.get_mut(index)
        {
            *agent = restarted;
        }
        let Some(agent) = self.agents.get_mut(index) else {
            return (HandleOutcome::Dropped, Verdict::default());
        };
        let outcome = agent.entity.handle(now, source, &source.tm_state, max_size, message, reply);
        (outcome, self.delay_sum.take())
    }

    /// How many agents there are.
    pub(crate) fn len(&self) -> usize {
        self.agents.len()
    }

    /// How often every agent has restarted.
    fn run(&self, now: Timestamp) -> u64 {
        let period = self.template.reset_clock.map_or(u64::MAX, micros);
        now.as_micros() / period.max(1)
    }

    /// Agent `number` as it starts. Its boots are 1, in whichever life.
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
        let lcd = match &self.shared {
            Some(handle) => handle.reader(),
            None => LcdHandle::new(access.lcd(engine_id)).reader(),
        };
        // A sequence of its own for each agent and life, and the same in every run.
        let salt = (seed ^ run_number.rotate_left(20)).wrapping_add(number as u64) << 32;
        let run =
            AgentRun { engine_id, started: local.started, seed: salt, delay_sum: self.delay_sum.clone() };
        let playback = match contents.get(number)? {
            AgentContent::One(recording) => Playback::of(Arc::clone(recording), run),
            AgentContent::Contexts(default, contexts) => {
                Playback::of_contexts(Arc::clone(default), contexts, run)
            }
        };
        let engine = Engine::new(local, lcd, Statistics::new(1).recorder(0), salt);
        let served = ServedObjects::new(vec![Box::new(playback)]).ok()?;
        // Devices answer as long as they can; what an answer may be at most is said by other means.
        let settings =
            EntitySettings { max_community_datagram: *max_message_size, ..EntitySettings::default() };
        Some(Agent { entity: Entity::new(engine, served, SetLock::default(), settings), run: run_number })
    }
}

struct Agent {
    entity: Entity<MessageSource>,
    run: u64,
}

/// The engine ID of agent `number`: the layout for octets of one's own choice (RFC 3411 §5), then seed and number.
fn engine_id(seed: u64, number: usize) -> Option<EngineId> {
    let number = u32::try_from(number).ok()?;
    let octets = [&[0x80, 0, 0, 0, 5][..], &seed.to_be_bytes(), &number.to_be_bytes()].concat();
    EngineId::new(&octets).ok()
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
