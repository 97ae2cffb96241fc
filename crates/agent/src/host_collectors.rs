//! Collectors of machine data: one for interfaces, one for the network, one for its sockets, and
//! one for everything else.

use std::{io, time::Duration};

use portreeve_mib::{Instrumentation, LookupToken};
use portreeve_mib_host::{
    Collect, Collector, IfMib, RefreshPolicy,
    interfaces::{IfCollect, IfSnapshot, KernelLinkSource},
    machine::{self, Machine, MachineCollect, ProcMachineSource},
    network::{self, Network, NetworkCollect},
    sockets::{self, KernelSocketSource, SocketCollect, Sockets},
};
use portreeve_transport::Clock;

/// The collectors; they run until dropped.
pub(crate) struct HostCollectors {
    interfaces: Option<Collector<IfSnapshot>>,
    machine: Option<Collector<Machine>>,
    network: Option<Collector<Network>>,
    sockets: Option<Collector<Sockets>>,
}

impl HostCollectors {
    /// Starts the collectors and reads everything once. MIBs whose data cannot be read are not
    /// served, and this is logged.
    pub(crate) fn start(clock: Clock, announce: impl Fn(LookupToken) + Clone + Send + 'static) -> Self {
        let kernel = KernelLinkSource::open().map(|kernel| IfCollect::new(kernel, clock.now()));
        let interfaces =
            kernel.and_then(|collect| start(INTERFACE_MIBS, collect, INTERFACES, clock, announce.clone()));
        if let Err(error) = &interfaces {
            tracing::error!(%error, "cannot read interfaces from the kernel: IF-MIB is not served");
        }
        let machine =
            start(MACHINE_MIBS, MachineCollect::new(ProcMachineSource), MACHINE, clock, announce.clone());
        if let Err(error) = &machine {
            tracing::error!(%error, "cannot read memory, load or processes from the kernel: HOST-RESOURCES-MIB and UCD-SNMP-MIB are not served");
        }
        let network = network::KernelNetworkSource::open().and_then(|kernel| {
            start(NETWORK_MIBS, NetworkCollect::new(kernel), NETWORK, clock, announce.clone())
        });
        if let Err(error) = &network {
            tracing::error!(%error, "cannot read network data from the kernel: IP-MIB, IP-FORWARD-MIB and the scalars of TCP-MIB and UDP-MIB are not served");
        }
        let sockets = start(SOCKET_TABLES, SocketCollect::new(KernelSocketSource), SOCKETS, clock, announce);
        if let Err(error) = &sockets {
            tracing::error!(%error, "cannot read sockets from the kernel: the tables of TCP-MIB and UDP-MIB are not served");
        }
        Self {
            interfaces: interfaces.ok(),
            machine: machine.ok(),
            network: network.ok(),
            sockets: sockets.ok(),
        }
    }

    /// Returns the instrumentation of all collectors, for one worker.
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
        if let Some(sockets) = &self.sockets {
            modules.extend(sockets::instrumentations(sockets));
        }
        modules
    }
}

fn start<C: Collect<Snapshot: Default + Send + Sync>>(
    mibs: &'static str,
    collect: C,
    refresh: RefreshPolicy,
    clock: Clock,
    announce: impl Fn(LookupToken) + Send + 'static,
) -> io::Result<Collector<C::Snapshot>> {
    Collector::start(
        collect,
        refresh,
        move || clock.now(),
        move |token, outcome| {
            if let Err(error) = outcome {
                tracing::warn!(%error, mibs, "cannot read new values of MIB objects from the kernel: requests for these objects fail until a refresh succeeds");
            }
            announce(token);
        },
    )
}

/// The names of the MIBs of each collector, for the log.
const INTERFACE_MIBS: &str = "IF-MIB";
const MACHINE_MIBS: &str = "HOST-RESOURCES-MIB, UCD-SNMP-MIB";
const NETWORK_MIBS: &str = "IP-MIB, IP-FORWARD-MIB, scalars of TCP-MIB and UDP-MIB";
const SOCKET_TABLES: &str = "tables of TCP-MIB and UDP-MIB";

/// Maximum age of interface data, and the token for requests that wait for it.
const INTERFACES: RefreshPolicy =
    RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(u64::MAX) };
/// Machine data is refreshed less often than interfaces, because reading it takes longer and it
/// changes less often.
const MACHINE: RefreshPolicy =
    RefreshPolicy { max_age: Duration::from_secs(5), token: LookupToken(u64::MAX - 1) };
/// Network data is refreshed less often than interfaces, because it changes less often.
const NETWORK: RefreshPolicy =
    RefreshPolicy { max_age: Duration::from_secs(5), token: LookupToken(u64::MAX - 2) };
/// Sockets are refreshed less often than interfaces, because reading them takes milliseconds even
/// if there are few.
const SOCKETS: RefreshPolicy =
    RefreshPolicy { max_age: Duration::from_secs(5), token: LookupToken(u64::MAX - 3) };
