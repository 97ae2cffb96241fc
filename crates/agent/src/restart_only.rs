//! The settings that take effect only at start.

use std::path::PathBuf;

use portreeve_config::{Agent, Config, Limits, Listener, Netconf, Relay};
use portreeve_smi::EngineId;

/// The settings from which sockets, threads and buffers are created.
pub(crate) struct RestartOnlySettings {
    agent: Agent,
    listeners: Vec<Listener>,
    relays: Vec<Relay>,
    limits: Limits,
    netconf: Option<Netconf>,
    authentication_failure_rate: u32,
    modules: Vec<PathBuf>,
}

impl RestartOnlySettings {
    /// Takes the settings from `config`. If `config` has no engine ID, the engine ID in use is
    /// kept.
    pub(crate) fn new(config: &Config, in_use: EngineId) -> Self {
        let mut agent = config.agent.clone();
        agent.engine_id.get_or_insert(in_use);
        let (listeners, relays) = (config.listeners.clone(), config.relays.clone());
        let modules = config.yang.modules.iter().map(|module| module.path.clone()).collect();
        Self {
            agent,
            listeners,
            relays,
            limits: config.limits,
            netconf: config.netconf.clone(),
            authentication_failure_rate: config.notifications.authentication_failure_rate,
            modules,
        }
    }

    /// Returns the options that differ, as written in the file; `[[listen]]` for all listeners.
    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static str> {
        let mut names = agent_differences(&self.agent, &other.agent);
        if self.listeners != other.listeners || self.relays != other.relays {
            names.push("[[listen]]");
        }
        names.extend(limit_differences(&self.limits, &other.limits));
        names.extend(netconf_differences(self.netconf.as_ref(), other.netconf.as_ref()));
        if self.authentication_failure_rate != other.authentication_failure_rate {
            names.push("[notifications] authentication-failure-rate");
        }
        if self.modules != other.modules {
            names.push("[yang] modules");
        }
        names
    }
}

fn agent_differences(old: &Agent, new: &Agent) -> Vec<&'static str> {
    let Agent { engine_id, state_dir, workers, max_message_size } = old;
    select([
        ("[agent] engine-id", *engine_id != new.engine_id),
        ("[agent] state-dir", *state_dir != new.state_dir),
        ("[agent] workers", *workers != new.workers),
        ("[agent] max-message-size", *max_message_size != new.max_message_size),
    ])
}

fn netconf_differences(old: Option<&Netconf>, new: Option<&Netconf>) -> Vec<&'static str> {
    match (old, new) {
        (None, None) => Vec::new(),
        (Some(old), Some(new)) => select([
            ("[netconf] lock-idle", old.lock_idle != new.lock_idle),
            ("[netconf] sessions", old.sessions != new.sessions),
        ]),
        _ => vec!["[netconf]"],
    }
}

fn limit_differences(old: &Limits, new: &Limits) -> Vec<&'static str> {
    let Limits {
        connections,
        connections_per_source,
        grace,
        idle,
        max_session,
        stall,
        community_datagram,
        community_rate,
        unauthenticated_replies,
    } = *old;
    select([
        ("[limits] connections", connections != new.connections),
        ("[limits] connections-per-source", connections_per_source != new.connections_per_source),
        ("[limits] grace", grace != new.grace),
        ("[limits] idle", idle != new.idle),
        ("[limits] max-session", max_session != new.max_session),
        ("[limits] stall", stall != new.stall),
        ("[limits] community-datagram", community_datagram != new.community_datagram),
        ("[limits] community-rate", community_rate != new.community_rate),
        ("[limits] unauthenticated-replies", unauthenticated_replies != new.unauthenticated_replies),
    ])
}

/// Returns the names of the options that differ.
fn select<const N: usize>(options: [(&'static str, bool); N]) -> Vec<&'static str> {
    options.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}
