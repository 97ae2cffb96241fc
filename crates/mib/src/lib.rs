//! Definitions of every managed object, and traits to implement them.
//!
//! [`object`] is the type of a definition and [`modules`] contains all definitions. Names,
//! formatting, exported SMIv2 text and documentation are derived from them. A group of objects
//! implements [`instrumentation`], and [`served`] combines several groups into the objects of an
//! agent.

mod define;
pub mod describe;
mod display_hint;
pub mod export;
pub mod format;
pub mod index;
mod inet_address;
pub mod instrumentation;
mod module;
pub mod modules;
pub mod names;
pub mod object;
pub mod rows;
pub mod served;
pub mod syntax;
pub mod transaction;
pub mod typed_value;

pub use inet_address::InetAddress;
pub use instrumentation::{Instrumentation, Lookup, LookupToken, Requester};
pub use module::Module;
pub use object::{Access, Kind, Object};
pub use served::{LookupResult, ServedObjects};
pub use syntax::{Base, Convention, Syntax};
pub use transaction::{Draft, SetVariable};
