//! The services of a listener: the protocols that its sessions may carry.

use std::fmt;
use std::sync::Arc;

use crate::protocol::{SessionProtocol, SessionWaker};
use crate::session_source::SessionSource;
use crate::statistics::CloseReason;

/// The services of a listener, by name. A peer of an SSH listener names the service that it wants
/// as the subsystem; the sessions of all other listeners use the first one.
#[derive(Clone, Debug)]
pub struct ServiceTable {
    names: Arc<[Box<str>]>,
    services: Arc<[Service]>,
}

impl ServiceTable {
    /// Creates a table.
    #[must_use]
    pub fn new<'n>(entries: impl IntoIterator<Item = (&'n str, Service)>) -> Self {
        let (names, services): (Vec<_>, Vec<_>) =
            entries.into_iter().map(|(name, service)| (name.into(), service)).unzip();
        Self { names: names.into(), services: services.into() }
    }

    /// Returns the names of all services.
    pub(crate) fn names(&self) -> &Arc<[Box<str>]> {
        &self.names
    }

    /// Returns the service with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Service> {
        self.services.get(self.names.iter().position(|own| **own == *name)?)
    }

    /// Returns the first service and its name.
    pub(crate) fn first(&self) -> Option<(&str, &Service)> {
        self.names.first().map(|name| &**name).zip(self.services.first())
    }

    /// Returns the only service and its name; `None` if the peer has to choose one.
    pub(crate) fn only(&self) -> Option<(&str, &Service)> {
        self.first().filter(|_| self.services.len() == 1)
    }
}

/// SNMP only.
impl Default for ServiceTable {
    fn default() -> Self {
        Self::new([(SNMP, Service::Snmp)])
    }
}

/// A protocol that a listener offers.
#[derive(Clone)]
pub enum Service {
    /// SNMP, whose messages are passed to the [`MessageHandler`](crate::MessageHandler) of the
    /// worker.
    Snmp,
    /// Another protocol.
    Other(Arc<dyn SessionService>),
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Snmp => "Snmp",
            Self::Other(_) => "Other",
        })
    }
}

/// Starts a protocol in new sessions.
pub trait SessionService: Send + Sync {
    /// Starts the protocol in a session whose peer is authenticated, if the transport authenticates
    /// peers. `waker` wakes the session from any thread.
    ///
    /// # Errors
    /// The reason to close the session, because its peer may not use this service.
    fn open(
        &self,
        source: &SessionSource,
        waker: SessionWaker,
    ) -> Result<Box<dyn SessionProtocol>, CloseReason>;
}

/// The name of the SNMP subsystem (RFC 5592 §3.3).
const SNMP: &str = "snmp";

#[cfg(test)]
mod tests {
    use super::{Service, ServiceTable};

    #[test]
    fn default_table_offers_snmp_only() {
        let table = ServiceTable::default();
        assert!(matches!(table.find("snmp"), Some(Service::Snmp)));
        assert!(matches!(table.only(), Some(("snmp", Service::Snmp))));
        assert!(table.find("SNMP").is_none() && table.find("netconf").is_none());
    }

    #[test]
    fn service_is_found_by_its_name_and_the_first_is_used_without_a_name() {
        let table = ServiceTable::new([("a", Service::Snmp), ("b", Service::Snmp)]);
        assert!(table.find("b").is_some() && table.first().is_some());
        assert!(table.only().is_none(), "the peer has to choose");
    }
}
