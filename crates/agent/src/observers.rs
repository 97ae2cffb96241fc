//! What reads this machine: a collector for its interfaces, which answer at once, one for its network, and one for the
//! rest of it.

use std::{io, time::Duration};

use portreeve_mib::{Instrumentation, Token};
use portreeve_mib_host::{
    Collect, Collector, IfMib, Refresh,
    interfaces::{IfCollect, IfSnapshot, Kernel},
    machine::{self, Machine, MachineCollect, Proc},
    network::{self, Network, NetworkCollect},
};
use portreeve_transport::Clock;

/// Reads as long as it lives.
pub(crate) struct Observers {
    interfaces: Option<Collector<IfSnapshot>>,
    machine: Option<Collector<Machine>>,
    network: Option<Collector<Network>>,
}

impl Observers {
    /// Reads everything once. What cannot be read is said and not shown.
    pub(crate) fn start(clock: Clock, announce: impl Fn(Token) + Clone + Send + 'static) -> Self {
        let kernel = Kernel::open().map(|kernel| IfCollect::new(kernel, clock.now()));
        let interfaces = kernel.and_then(|collect| start(collect, INTERFACES, clock, announce.clone()));
        if let Err(error) = &interfaces {
            tracing::error!(%error, "the kernel does not tell of its interfaces: IF-MIB is not served");
        }
        let machine = start(MachineCollect::new(Proc), MACHINE, clock, announce.clone());
        if let Err(error) = &machine {
            tracing::error!(%error, "this machine cannot be read: HOST-RESOURCES-MIB is not served");
        }
        let network = network::Kernel::open()
            .and_then(|kernel| start(NetworkCollect::new(kernel), NETWORK, clock, announce));
        if let Err(error) = &network {
            tracing::error!(%error, "the kernel does not tell of its network: TCP-MIB, UDP-MIB, IP-MIB and IP-FORWARD-MIB are not served");
        }
        Self { interfaces: interfaces.ok(), machine: machine.ok(), network: network.ok() }
    }

    /// What shows all of it, for one worker.
    pub(crate) fn modules(&self) -> Vec<Box<dyn Instrumentation>> {
        let mut modules: Vec<Box<dyn Instrumentation>> = Vec::new();
        if let Some(interfaces) = &self.interfaces {
            modules.push(Box::new(IfMib::new(interfaces.view())));
        }
        if let Some(machine) = &self.machine {
            modules.extend(machine::instrumentations(machine));
        }
        if let Some(network) = &self.network {
            modules.extend(network::instrumentations(network));
        }
        modules
    }
}

fn start<C: Collect<Snapshot: Default + Send + Sync>>(
    collect: C,
    refresh: Refresh,
    clock: Clock,
    announce: impl Fn(Token) + Send + 'static,
) -> io::Result<Collector<C::Snapshot>> {
    Collector::start(
        collect,
        refresh,
        move || clock.now(),
        move |token, outcome| {
            if let Err(error) = outcome {
                tracing::warn!(%error, "this machine could not be read");
            }
            announce(token);
        },
    )
}

/// How old what is shown may be, and what requests for it wait for.
const INTERFACES: Refresh = Refresh { max_age: Duration::from_secs(1), token: Token(u64::MAX) };
/// Its reading takes longer and tells of what changes more slowly.
const MACHINE: Refresh = Refresh { max_age: Duration::from_secs(5), token: Token(u64::MAX - 1) };
/// So does that of thousands of sockets.
const NETWORK: Refresh = Refresh { max_age: Duration::from_secs(5), token: Token(u64::MAX - 2) };
