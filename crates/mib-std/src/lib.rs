//! Exposes the engine and its configuration datastore as managed objects.
//!
//! [`LcdObjects`] implements the datastore: the tables of USM, VACM, communities, targets and
//! notifications, and the writable scalars. [`SystemObjects`], [`EngineObjects`],
//! [`CounterObjects`] and [`TlsTableObjects`] implement read-only objects. Each of these types
//! implements [`Instrumentation`](portreeve_mib::Instrumentation) on a snapshot, and each worker
//! has its own instances.
//!
//! Each table is a short file of `tables`, with a list of its columns. The code that finds,
//! creates, changes and validates rows is shared by all tables, in `table`.

mod counters;
mod engine;
mod lcd_objects;
mod scalars;
mod system;
mod table;
mod tables;
mod tls_tables;

pub use counters::CounterObjects;
pub use engine::EngineObjects;
pub use lcd_objects::LcdObjects;
pub use system::SystemObjects;
pub use tls_tables::TlsTableObjects;
