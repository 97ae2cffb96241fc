//! What every worker's handler is made from, and everything that it shows.

use std::sync::{Arc, Mutex};

use portreeve_lcd::Handle;
use portreeve_mib::{
    Instrumentation, Module, Served, Token,
    modules::{
        community_mib, framework_mib, host_resources_mib, if_mib, ip_forward_mib, ip_mib, mpd_mib,
        notification_mib, snmpv2_mib, ssh_tm_mib, target_mib, tcp_mib, tls_tm_mib, tsm_mib, udp_mib, usm_mib,
        vacm_mib,
    },
};
use portreeve_mib_std::{CounterObjects, EngineObjects, LcdObjects, SystemObjects, TlsTableObjects};
use portreeve_snmp_apps::{Entity, SetTurn, Settings};
use portreeve_snmp_engine::{Engine, LocalEngine, reply_buffer_size, statistics::Statistics};
use portreeve_store::Writer;
use portreeve_transport::{WorkerContext, WorkerWaker};

use crate::{
    handler::AgentHandler,
    inbox::{Inbox, Tiding},
    random,
};

/// What every worker's handler is made from.
pub(crate) struct Workshop {
    pub(crate) local: LocalEngine,
    pub(crate) lcd: Handle,
    pub(crate) turn: SetTurn,
    pub(crate) settings: Settings,
    pub(crate) statistics: Arc<Statistics>,
    pub(crate) writer: Arc<Writer>,
    pub(crate) subscribers: Subscribers,
    /// What shows this machine, for each worker.
    pub(crate) observed: Mutex<Vec<Vec<Box<dyn Instrumentation>>>>,
}

impl Workshop {
    pub(crate) fn make_handler(&self, worker: WorkerContext) -> AgentHandler {
        let inbox = Inbox::default();
        self.subscribers.add(inbox.clone(), worker.waker.clone());
        let recorder = self.statistics.recorder(worker.index);
        let engine = Engine::new(self.local, self.lcd.reader(), recorder.clone(), random::u64());
        let mut served =
            Served::new(self.modules()).expect("definitions do not overlap; a test serves them all");
        // Tables are put in order now, not when the first request comes.
        served.begin(self.local.started);
        let entity = Entity::new(engine, served, self.turn.clone(), self.settings);
        let reply_buffer = reply_buffer_size(self.local.max_message_size);
        AgentHandler::new(entity, inbox, worker.waker, Arc::clone(&self.writer), recorder, reply_buffer)
    }

    /// Everything this agent shows.
    fn modules(&self) -> Vec<Box<dyn Instrumentation>> {
        let mut modules: Vec<Box<dyn Instrumentation>> = vec![
            Box::new(SystemObjects::new(self.local.started, SUPPORTED)),
            Box::new(CounterObjects::new(Arc::clone(&self.statistics))),
            Box::new(EngineObjects::new(self.local)),
            Box::new(LcdObjects::new(&self.lcd, self.local.engine_id)),
            Box::new(TlsTableObjects::new(&self.lcd, self.local.started)),
        ];
        let observed = self.observed.lock().ok().and_then(|mut observed| observed.pop());
        modules.extend(observed.unwrap_or_default());
        modules
    }
}

/// The inboxes of all workers.
#[derive(Clone, Default)]
pub(crate) struct Subscribers(Arc<Mutex<Vec<(Inbox, WorkerWaker)>>>);

impl Subscribers {
    fn add(&self, inbox: Inbox, waker: WorkerWaker) {
        if let Ok(mut list) = self.0.lock() {
            list.push((inbox, waker));
        }
    }

    pub(crate) fn announce(&self, token: Token) {
        if let Ok(list) = self.0.lock() {
            list.iter().for_each(|(inbox, waker)| inbox.tell(waker, Tiding::Announced(token)));
        }
    }
}

/// What sysORTable lists.
const SUPPORTED: &[&Module] = &[
    &snmpv2_mib::MODULE,
    &framework_mib::MODULE,
    &mpd_mib::MODULE,
    &usm_mib::MODULE,
    &vacm_mib::MODULE,
    &community_mib::MODULE,
    &target_mib::MODULE,
    &notification_mib::MODULE,
    &tsm_mib::MODULE,
    &ssh_tm_mib::MODULE,
    &tls_tm_mib::MODULE,
    &if_mib::MODULE,
    &ip_mib::MODULE,
    &ip_forward_mib::MODULE,
    &tcp_mib::MODULE,
    &udp_mib::MODULE,
    &host_resources_mib::MODULE,
];
