//! Test support: agents with simple objects, PDUs, responses, and an SNMPv3 manager.

pub(crate) mod agent;
pub(crate) mod config;
pub(crate) mod delayed_scalar;
pub(crate) mod failing_scalar;
pub(crate) mod lossy_link;
pub(crate) mod manager;
pub(crate) mod names;
pub(crate) mod random;
pub(crate) mod response;
pub(crate) mod static_module;
pub(crate) mod test_pdu;
pub(crate) mod writable_module;
