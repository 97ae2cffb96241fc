//! Every managed object, defined once, and what it takes to serve one.
//!
//! [`object`] says what a definition is and [`modules`] holds them all; names, formatting, exported SMIv2 text and
//! documentation derive from there. [`instrumentation`] is what a module of objects implements; [`served`] puts
//! several of them together into what one agent shows.

mod define;
pub mod describe;
mod display_hint;
pub mod export;
pub mod format;
pub mod index;
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

pub use instrumentation::{Instrumentation, Lookup, LookupToken, Requester};
pub use module::Module;
pub use object::{Access, Kind, Object};
pub use served::{LookupResult, ServedObjects};
pub use syntax::{Base, Convention, Syntax};
pub use transaction::{Draft, StateRecord, TestFailure};
