//! The data types of SNMP: object identifiers, values, BER, engine identifiers and clocks, and the
//! data that transport models and security models exchange.
//!
//! This crate does no I/O, reads no clock and allocates nothing on behalf of a peer.

pub mod ber;
mod engine_id;
mod engine_time;
mod error_status;
mod oid;
mod security;
mod text;
mod timestamp;
mod transport;
mod value;

pub use engine_id::{EngineId, EngineIdError};
pub use engine_time::{ClockReading, EngineBoots};
pub use error_status::ErrorStatus;
pub use oid::{MAX_ARCS, Oid, OidBuf, OidError, display_arcs};
pub use security::{MessageProcessingModel, SecurityLevel, SecurityModel};
pub use text::controls_display;
pub use timestamp::Timestamp;
pub use transport::{TmStateReference, TransportAddress, TransportDomain};
pub use value::{OidRef, OwnedValue, Value};
