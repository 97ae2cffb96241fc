//! Shows the engine and its configuration datastore as managed objects.
//!
//! [`LcdObjects`] has everything that lives in the datastore: the tables that make up USM, VACM, communities, targets
//! and notifications, and the scalars a SET may change. [`SystemObjects`], [`EngineObjects`],
//! [`CounterObjects`] and [`TlsTableObjects`] show what cannot be changed. Each implements [`Instrumentation`](portreeve_mib::Instrumentation) over a snapshot,
//! so every worker has its own.
//!
//! A table is one short file of `tables`, a list of its columns; how rows are found, created, changed and judged is
//! said once for all tables, in `table`.

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
