//! The instrumentation of simulated agents: returns the values of recordings at the current time.

use std::sync::Arc;

use portreeve_datastore::State;
use portreeve_lcd::Name;
use portreeve_mib::{Instrumentation, Lookup, Object};
use portreeve_smi::{EngineId, Oid, OidBuf, Timestamp, Value};

use crate::{
    delay::Delay,
    recording::{ROOT, Recording, Variation},
};

/// Serves everything below [`ROOT`] as one leaf.
pub(crate) struct Playback {
    recording: Arc<Recording>,
    contexts: Arc<[(Name, Arc<Recording>)]>,
    run: AgentRun,
    now: Timestamp,
    /// The position in the recording of the last lookup.
    hint: usize,
}

/// The differences between agents with the same recording.
#[derive(Clone, Debug)]
pub(crate) struct AgentRun {
    /// The engine ID of the agent.
    pub(crate) engine_id: EngineId,
    /// The time at which the agent started.
    pub(crate) started: Timestamp,
    /// The random seed of the simulation.
    pub(crate) seed: u64,
    /// The delay of the response that is being built.
    pub(crate) delay_sum: Delay,
}

impl Playback {
    /// Serves the same recording in every context.
    pub(crate) fn of(recording: Arc<Recording>, run: AgentRun) -> Self {
        let now = run.started;
        Self { recording, contexts: Arc::default(), run, now, hint: 0 }
    }

    /// Serves one recording per context, sorted by context name, and `default` in the default
    /// context.
    pub(crate) fn of_contexts(
        default: Arc<Recording>,
        contexts: &[(Name, Arc<Recording>)],
        run: AgentRun,
    ) -> Self {
        let contexts = with_default(Arc::clone(&default), contexts);
        Self { contexts, ..Self::of(default, run) }
    }

    /// Returns the current value of an instance.
    fn value_at(&self, row: usize) -> Lookup<'_> {
        // Managers in secure sessions query the engine ID (RFC 5343). The recorded value belongs to
        // another engine, so it is replaced.
        if self.recording.engine_id() == Some(row) {
            return Lookup::Value(Value::OctetString(self.run.engine_id.as_bytes()));
        }
        let recorded = || self.recording.value(row).map_or(Lookup::Failed, Lookup::Value);
        let time = self.now.since(self.run.started);
        let seed = || self.run.seed.wrapping_add(row as u64);
        match self.recording.variation(row) {
            None => recorded(),
            Some(Variation::Numeric(numeric)) => Lookup::Value(numeric.at(time, seed())),
            Some(Variation::Delay(delay)) => {
                self.run.delay_sum.add(delay.at(time, seed()));
                recorded()
            }
            Some(Variation::Error) => Lookup::Failed,
        }
    }
}

impl Instrumentation for Playback {
    fn objects(&self) -> Vec<&'static Object> {
        Vec::new()
    }

    fn subtrees(&self) -> Vec<Oid> {
        Oid::new(&[ROOT]).into_iter().collect()
    }

    fn enter_context(&mut self, context_name: &[u8]) {
        let found = self.contexts.binary_search_by(|(name, _)| (**name).cmp(context_name));
        if let Some((_, recording)) = found.ok().and_then(|position| self.contexts.get(position)) {
            self.recording = Arc::clone(recording);
        }
    }

    fn begin(&mut self, _: &Arc<State>, now: Timestamp) {
        self.now = now;
    }

    fn get(&mut self, _: usize, index: &[u32]) -> Lookup<'_> {
        match self.recording.exact(index, &mut self.hint) {
            Some(row) => self.value_at(row),
            None if self.recording.has_object(index) => Lookup::Absent,
            None => Lookup::Unknown,
        }
    }

    fn next(&mut self, _: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let Some(row) = self.recording.successor(after, &mut self.hint) else { return Lookup::Absent };
        if name.extend(self.recording.name(row)).is_err() {
            return Lookup::Failed;
        }
        self.value_at(row)
    }
}

/// Adds the default context at the front, because its name is empty and sorts first.
fn with_default(
    default: Arc<Recording>,
    contexts: &[(Name, Arc<Recording>)],
) -> Arc<[(Name, Arc<Recording>)]> {
    let named = contexts.iter().filter(|(name, _)| !name.is_empty()).cloned();
    std::iter::once((Name::default(), default)).chain(named).collect()
}
