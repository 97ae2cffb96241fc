//! All agents, and how each is put together from its recording.

use std::{sync::Arc, time::Duration};

use portreeve_lcd::{Handle, Name};
use portreeve_mib::Served;
use portreeve_smi::{EngineBoots, EngineId, Timestamp};
use portreeve_snmp_apps::{Entity, Outcome, SetTurn, Settings};
use portreeve_snmp_engine::{Engine, LocalEngine, statistics::Statistics};
use portreeve_transport::Source;

use crate::{
    playback::{Life, Playback},
    recording::Recording,
    site::Site,
    toll::{Paid, Toll},
};

/// What agents are made of.
pub(crate) struct Blueprint {
    pub(crate) site: Site,
    /// One for each agent; where agents are contexts of one engine, one for that.
    pub(crate) shown: Vec<Shown>,
    pub(crate) max_message_size: usize,
    /// After so long an agent restarts and does not know that it has been there before.
    pub(crate) forget_boots: Option<Duration>,
    pub(crate) seed: u64,
}

/// What one engine shows.
pub(crate) enum Shown {
    /// A recording.
    One(Arc<Recording>),
    /// A recording in each context, in the order of their names, and which one the default context has.
    Contexts(Arc<Recording>, Arc<[(Name, Arc<Recording>)]>),
}

/// The agents of one thread.
pub(crate) struct Fleet {
    blueprint: Arc<Blueprint>,
    /// Which of all agents they are.
    numbers: Vec<usize>,
    agents: Vec<Agent>,
    /// The one datastore of all engines, where no user tells them apart.
    shared: Option<Handle>,
    /// What the answer to the present request takes.
    toll: Toll,
}

impl Fleet {
    /// The agents with these numbers.
    pub(crate) fn new(blueprint: Arc<Blueprint>, numbers: Vec<usize>) -> Self {
        let site = &blueprint.site;
        let shared = site
            .is_alike_everywhere()
            .then(|| engine_id(blueprint.seed, 0).map(|id| Handle::new(site.lcd(id))))
            .flatten();
        let mut fleet = Self {
            blueprint: Arc::clone(&blueprint),
            numbers,
            agents: Vec::new(),
            shared,
            toll: Toll::default(),
        };
        fleet.agents = fleet.numbers.iter().filter_map(|number| fleet.start(*number, 0)).collect();
        fleet
    }

    /// Has the agent at `place` among them answer; what it has, and when.
    pub(crate) fn handle(
        &mut self,
        place: usize,
        now: Timestamp,
        source: &Source,
        max_size: usize,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> (Outcome, Paid) {
        let life = self.life(now);
        if self.agents.get(place).is_some_and(|agent| agent.life != life)
            && let Some(number) = self.numbers.get(place)
            && let Some(restarted) = self.start(*number, life)
            && let Some(agent) = self.agents.get_mut(place)
        {
            *agent = restarted;
        }
        let Some(agent) = self.agents.get_mut(place) else { return (Outcome::Dropped, Paid::default()) };
        let outcome = agent.entity.handle(now, source, &source.tm_state, max_size, message, reply);
        (outcome, self.toll.take())
    }

    /// How many agents there are.
    pub(crate) fn len(&self) -> usize {
        self.agents.len()
    }

    /// How often every agent has restarted.
    fn life(&self, now: Timestamp) -> u64 {
        let period = self.blueprint.forget_boots.map_or(u64::MAX, micros);
        now.as_micros() / period.max(1)
    }

    /// Agent `number` as it starts. Its boots are 1, in whichever life.
    fn start(&self, number: usize, nth_life: u64) -> Option<Agent> {
        let Blueprint { site, shown, max_message_size, forget_boots, seed } = &*self.blueprint;
        let engine_id = engine_id(*seed, number)?;
        let period = forget_boots.map_or(0, micros);
        let local = LocalEngine {
            engine_id,
            boots: EngineBoots::new(1),
            started: Timestamp::from_micros(period.saturating_mul(nth_life)),
            max_message_size: *max_message_size,
        };
        let lcd = match &self.shared {
            Some(handle) => handle.reader(),
            None => Handle::new(site.lcd(engine_id)).reader(),
        };
        // A sequence of its own for each agent and life, and the same in every run.
        let salt = (seed ^ nth_life.rotate_left(20)).wrapping_add(number as u64) << 32;
        let life = Life { engine_id, began: local.started, seed: salt, toll: self.toll.clone() };
        let playback = match shown.get(number)? {
            Shown::One(recording) => Playback::of(Arc::clone(recording), life),
            Shown::Contexts(default, contexts) => Playback::of_contexts(Arc::clone(default), contexts, life),
        };
        let engine = Engine::new(local, lcd, Statistics::new(1).recorder(0), salt);
        let served = Served::new(vec![Box::new(playback)]).ok()?;
        // Devices answer as long as they can; what an answer may be at most is said by other means.
        let settings = Settings { max_community_datagram: *max_message_size, ..Settings::default() };
        Some(Agent { entity: Entity::new(engine, served, SetTurn::default(), settings), life: nth_life })
    }
}

struct Agent {
    entity: Entity<Source>,
    life: u64,
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
