//! The settings that take effect only at start.

use portreeve_config::{Agent, Config, Limits, Listener, Relay};
use portreeve_smi::EngineId;

/// The settings from which sockets, threads and buffers are created.
pub(crate) struct RestartOnlySettings {
    agent: Agent,
    listeners: Vec<Listener>,
    relays: Vec<Relay>,
    limits: Limits,
}

impl RestartOnlySettings {
    /// Takes the settings from `config`. If `config` has no engine ID, the engine ID in use is
    /// kept.
    pub(crate) fn new(config: &Config, in_use: EngineId) -> Self {
        let mut agent = config.agent.clone();
        agent.engine_id.get_or_insert(in_use);
        let (listeners, relays) = (config.listeners.clone(), config.relays.clone());
        Self { agent, listeners, relays, limits: config.limits }
    }

    /// Returns the options and sections that differ, as written in the file.
    pub(crate) fn differences(&self, other: &Self) -> impl Iterator<Item = &'static str> {
        let (old, new) = (&self.agent, &other.agent);
        let parts = [
            ("[agent] engine-id", old.engine_id != new.engine_id),
            ("[agent] state-dir", old.state_dir != new.state_dir),
            ("[agent] workers", old.workers != new.workers),
            ("[agent] max-message-size", old.max_message_size != new.max_message_size),
            ("[[listen]]", self.listeners != other.listeners || self.relays != other.relays),
            ("[limits]", self.limits != other.limits),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name)
    }
}
