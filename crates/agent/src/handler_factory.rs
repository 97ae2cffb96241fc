//! Creates the message handlers of the workers.

use std::sync::{Arc, Mutex};

use portreeve_datastore::StateHandle;
use portreeve_mib::{
    Instrumentation, Module, ServedObjects,
    modules::{
        community_mib, framework_mib, host_resources_mib, if_mib, ip_forward_mib, ip_mib, mpd_mib,
        notification_mib, snmpv2_mib, ssh_tm_mib, target_mib, tcp_mib, tls_tm_mib, tsm_mib, udp_mib, usm_mib,
        vacm_mib,
    },
};
use portreeve_mib_std::{CounterObjects, EngineObjects, LcdObjects, SystemObjects, TlsTableObjects};
use portreeve_mib_yang::YangObjects;
use portreeve_smi::EngineId;
use portreeve_snmp_apps::{Entity, EntitySettings};
use portreeve_snmp_engine::{Engine, LocalEngine, reply_buffer_size, statistics::Statistics};
use portreeve_transport::WorkerContext;

use crate::{
    datastore_thread::{JobQueue, ResultPath},
    handler::AgentHandler,
    notifications::AgentEvents,
    random,
    set_log::{SetLog, SetLogSwitch},
    worker_queue::{WorkerQueue, WorkerQueues},
};

/// Everything needed to create a worker's handler.
pub(crate) struct HandlerFactory {
    pub(crate) local: LocalEngine,
    pub(crate) state: StateHandle,
    pub(crate) sets: JobQueue,
    pub(crate) settings: EntitySettings,
    pub(crate) statistics: Arc<Statistics>,
    /// Reports authentication failures; `None` if no notifications are sent.
    pub(crate) events: Option<AgentEvents>,
    pub(crate) worker_queues: WorkerQueues,
    pub(crate) set_log: SetLogSwitch,
    /// Instrumentation of machine data, one list per worker.
    pub(crate) host_modules: Mutex<Vec<Vec<Box<dyn Instrumentation>>>>,
    /// The objects of YANG modules, if there are any.
    pub(crate) yang: Option<YangObjects>,
}

impl HandlerFactory {
    pub(crate) fn make_handler(&self, worker: WorkerContext) -> AgentHandler {
        let queue = WorkerQueue::default();
        self.worker_queues.add(queue.clone(), worker.waker.clone());
        let recorder = self.statistics.recorder(worker.index);
        let reader = self.state.reader();
        let engine = Engine::new(self.local, &reader.current().lcd, recorder.clone(), random::u64());
        let served = ServedObjects::new(self.modules())
            .expect("definitions do not overlap; the start has checked those of YANG modules");
        let entity = Entity::new(engine, served, reader, self.settings);
        let reply_buffer = reply_buffer_size(self.local.max_message_size);
        let set_log = SetLog::new(self.set_log.clone());
        let results = ResultPath { queue, waker: worker.waker };
        AgentHandler::new(
            entity,
            results,
            self.sets.clone(),
            recorder,
            set_log,
            self.events.clone(),
            reply_buffer,
        )
    }

    /// Returns the instrumentation of all modules that the agent serves.
    fn modules(&self) -> Vec<Box<dyn Instrumentation>> {
        let host_modules = self.host_modules.lock().ok().and_then(|mut host_modules| host_modules.pop());
        let mut modules = standard_modules(self.local, &self.statistics, host_modules.unwrap_or_default());
        if let Some(yang) = &self.yang {
            modules.push(Box::new(yang.clone()));
        }
        modules
    }
}

/// Returns the instrumentation of all modules except those of YANG.
pub(crate) fn standard_modules(
    local: LocalEngine,
    statistics: &Arc<Statistics>,
    host_modules: Vec<Box<dyn Instrumentation>>,
) -> Vec<Box<dyn Instrumentation>> {
    let mut modules: Vec<Box<dyn Instrumentation>> = vec![
        Box::new(SystemObjects::new(local.started, SUPPORTED)),
        Box::new(CounterObjects::new(Arc::clone(statistics))),
        Box::new(EngineObjects::new(local)),
        Box::new(LcdObjects::new(local.engine_id)),
        Box::new(TlsTableObjects::new(local.started)),
    ];
    modules.extend(host_modules);
    modules
}

/// Returns the instrumentation of all modules with objects that a SET can change, except those of
/// YANG.
pub(crate) fn writable_objects(engine_id: EngineId) -> Vec<Box<dyn Instrumentation>> {
    vec![Box::new(LcdObjects::new(engine_id))]
}

/// The entries of sysORTable.
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
