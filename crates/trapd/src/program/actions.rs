//! The actions for notifications besides writing them: running handlers and forwarding.

use portreeve_mib::format::OutputFormat;
use portreeve_snmp_engine::LocalEngine;
use portreeve_transport::Clock;

use super::{
    forwarding::Forwarding,
    handlers::Handlers,
    queue::Item,
    settings::{Action, ForwardRule, Settings},
};
use crate::{HandlerTable, Notification};

/// Selects and runs the actions for notifications. None of them delays the caller.
pub(crate) struct Actions {
    table: HandlerTable<Action>,
    rules: Vec<ForwardRule>,
    /// `None` without handlers.
    handlers: Option<Handlers>,
    forwarding: Forwarding,
}

impl Actions {
    /// Starts the threads that the settings need.
    pub(crate) fn start(settings: &mut Settings, local: LocalEngine, clock: Clock) -> Result<Self, String> {
        let (destinations, rules) = settings.take_destinations();
        let table = std::mem::take(&mut settings.actions);
        let mut commands = Vec::new();
        for action in table.iter() {
            if let Action::Run(handler) = action
                && !commands.contains(&&handler.command)
            {
                commands.push(&handler.command);
            }
        }
        let handlers = commands.len();
        Ok(Self {
            handlers: (handlers > 0).then(|| Handlers::start(handlers)).transpose()?,
            forwarding: Forwarding::start(destinations, local, clock)?,
            table,
            rules,
        })
    }

    /// Runs the permitted actions for a notification.
    pub(crate) fn run(&self, item: &Item, notification: &Notification<'_>, values: &OutputFormat) {
        let received = &item.notification;
        let permitted = received.actions;
        let forward = |destination| {
            if permitted.forward {
                self.forwarding.forward(destination, received, item.inform.is_some());
            }
        };
        for action in self.table.select(&received.snmp_trap_oid) {
            match (action, &self.handlers) {
                (Action::Run(handler), Some(handlers)) if permitted.execute => {
                    handlers.run(handler, notification, received, values);
                }
                (Action::Run(_), _) => {}
                (Action::Forward(destination), _) => forward(*destination),
            }
        }
        let is_in = |rule: &&ForwardRule| {
            rule.subtrees.is_empty()
                || rule.subtrees.iter().any(|subtree| received.snmp_trap_oid.starts_with(subtree.arcs()))
        };
        self.rules.iter().filter(is_in).for_each(|rule| forward(rule.destination));
    }

    /// Ends the handlers, and forwards what waits within a short time.
    pub(crate) fn finish(self) {
        if let Some(handlers) = self.handlers {
            handlers.finish();
        }
        self.forwarding.finish();
    }
}
