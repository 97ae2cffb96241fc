//! Every managed object, defined once, and what it takes to serve one.
//!
//! [`object`] says what a definition is and [`modules`] holds them all; names, formatting, exported SMIv2 text and
//! documentation derive from there. [`instrumentation`] is what a module of objects implements; [`served`] puts
//! several of them together into what one agent shows.

pub mod instrumentation;
pub mod modules;
pub mod object;
pub mod rows;
pub mod served;
pub mod transaction;

pub use instrumentation::{Instrumentation, Lookup, Token};
pub use object::Object;
pub use served::{Found, Served};
pub use transaction::{Draft, Record, TestFailure};
